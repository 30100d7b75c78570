package edge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/secret"

	"github.com/google/go-cmp/cmp"
)

// checkParts stands in for the part-sourcing service.
func (w *world) checkParts(c contract.Command) error {
	var data partchecks.CheckData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	w.mu.Lock()
	parts := w.parts
	w.mu.Unlock()
	if parts == nil {
		return nil
	}
	now := w.now()
	check := parts(partchecks.PartCheck{ID: data.Check, Account: c.Account, Command: c.ID, StartedAt: now, EndedAt: now})
	if err := w.write("part-check", check.ID, check); err != nil {
		return err
	}
	return w.bus.Wake(contract.PartCheckAggregate, check.ID)
}

func reportOf(phase partchecks.Phase, verdict string, retry int) *partchecks.Report {
	stock, lead := int64(5000), 42
	return &partchecks.Report{
		Phase: phase, Boards: 10, RetryAfterS: retry, Notes: []string{"A note."},
		Parts: []partchecks.Found{{
			Reference: "U1\u202e", Part: "LM358DR\u200b", QuantityPerBoard: 1, Verdict: verdict, Source: "fab", MPN: "LM358DR", Manufacturer: "TI", FabCode: "C7950", FabLibrary: "basic",
			Supplier: "fabricator", SKU: "C7950", CostUSD: "1.20", Bought: 12, Stock: &stock, LeadTimeDays: &lead, Lifecycle: "active", Why: "why", Searched: []string{"fab"},
			SimilarPart: &partchecks.InStock{MPN: "LM358", Source: "fab", Supplier: "fabricator", SKU: "C1", Stock: 1, CostUSD: "0.10", Why: "same"},
		}},
		Summary: partchecks.Summary{Lines: map[string]int{verdict: 1}, PartsCents: 120, PerBoardCents: 12, Complete: verdict == "ok"},
	}
}

func endCheck(check partchecks.PartCheck) *partchecks.PartCheck {
	check.Status, check.Report = partchecks.Ended, reportOf(partchecks.Complete, "ok", 0)
	return &check
}

const onePart = `{"boards":10,"parts":[{"reference":"U1","mpn":"LM358DR","manufacturer":"TI","colour":"red"}]}`

// TestPartCheck: the answer is the service's, the same list asks nobody again
// for ten minutes, and another account's list is another check.
func TestPartCheck(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.set(func() { w.parts = endCheck })
	a := w.post("/v1/part-checks", onePart)
	m := a.json(t)
	if a.status != 200 || m["phase"] != "complete" || a.header.Get("Retry-After") != "" || !strings.Contains(fmt.Sprint(m["notes"]), "colour") {
		t.Fatalf("POST = %d %s, want 200 complete, colour noted", a.status, a.body)
	}
	if p, _ := m["parts"].([]any)[0].(map[string]any); p["verdict"] != "ok" || p["reference"] != "U1" || p["part"] != "LM358DR" || p["stock"] != 5000.0 || p["cost_usd"] != "1.20" {
		t.Errorf("parts = %v, want U1, LM358DR, ok, 5000 in stock for $1.20", m["parts"])
	}
	var data partchecks.CheckData
	cmd := w.commandsOf(partchecks.Check)[0]
	if err := json.Unmarshal(cmd.Data, &data); err != nil || cmd.Request != "" || cmd.Account != account {
		t.Fatalf("command = %+v, %v", cmd, err)
	}
	if m["check_id"] != data.Check || data.Check == "" {
		t.Errorf("check_id = %v, want %s, by which the event names it", m["check_id"], data.Check)
	}
	want := partchecks.CheckData{Check: data.Check, Boards: 10, Asked: true, Parts: []partchecks.Line{{Reference: "U1", MPN: "LM358DR", Manufacturer: "TI"}}}
	if diff := cmp.Diff(want, data); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
	w.post("/v1/part-checks", onePart)
	if n := len(w.commandsOf(partchecks.Check)); n != 1 {
		t.Errorf("%d commands within ten minutes, want 1", n)
	}
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	w.post("/v1/part-checks", onePart, "X-API-Key", other.Text)
	w.advance(partchecks.Fresh)
	w.post("/v1/part-checks", onePart)
	if n := len(w.commandsOf(partchecks.Check)); n != 3 {
		t.Errorf("%d commands, want one more for the other account and one after ten minutes", n)
	}
}

// TestPartCheckThatTakesLonger: who does not wait gets what the fabricator has,
// and the whole of it by asking again.
func TestPartCheckThatTakesLonger(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.set(func() {
		w.parts = func(check partchecks.PartCheck) *partchecks.PartCheck {
			check.Status, check.EndedAt, check.Report = partchecks.Running, time.Time{}, reportOf(partchecks.AtFab, "checking", 3)
			return &check
		}
	})
	body := `{"boards":10,"bom_csv":"Reference,MPN\nU1,LM358DR\n","wait_s":0}`
	a := w.post("/v1/part-checks", body)
	if m := a.json(t); a.status != 200 || m["phase"] != "fab" || m["retry_after_s"] != 3.0 || a.header.Get("Retry-After") != "3" {
		t.Fatalf("POST = %d %v %s, want 200 fab, again after 3 s", a.status, a.header, a.body)
	}
	w.set(func() { w.parts = endCheck })
	if m := w.post("/v1/part-checks", body).json(t); m["phase"] != "complete" {
		t.Errorf("asked again: %v, want complete", m)
	}
}

// TestPartCheckThatNobodyMade: the lines are said to be looked up.
func TestPartCheckThatNobodyMade(t *testing.T) {
	t.Parallel()
	w := start(t)
	for body, want := range map[string]string{
		`{"boards":2,"wait_s":0,"parts":[{"reference":"R1","value":"10k","footprint":"0603"}]}`: "checking",
		`{"boards":2,"wait_s":0,"bom_csv":"Reference,MPN\nU1,X\n"}`:                             "not been read",
	} {
		a := w.post("/v1/part-checks", body)
		if m := a.json(t); a.status != 200 || m["phase"] != "fab" || m["retry_after_s"] == nil || !strings.Contains(string(a.body), want) {
			t.Errorf("POST /v1/part-checks %s: %d %s; want the phase fab with %s", body, a.status, a.body, want)
		}
	}
}

func TestPartCheckRefusals(t *testing.T) {
	t.Parallel()
	w := start(t)
	line := `{"mpn":"A"}`
	for name, tt := range map[string]struct{ body, want string }{
		"nothing":            {`{}`, "boards missing, parts missing"},
		"no list":            {`{"boards":1}`, "parts missing"},
		"empty list":         {`{"boards":1,"parts":[]}`, "parts missing"},
		"both":               {`{"boards":1,"parts":[` + line + `],"bom_csv":"a"}`, "bom_csv conflict"},
		"no boards":          {`{"boards":0,"parts":[` + line + `]}`, "boards out_of_range"},
		"too many boards":    {`{"boards":100001,"parts":[` + line + `]}`, "boards out_of_range"},
		"too long a wait":    {`{"boards":1,"wait_s":51,"parts":[` + line + `]}`, "wait_s out_of_range"},
		"too many lines":     {`{"boards":1,"parts":[` + line + strings.Repeat(","+line, 300) + `]}`, "parts too_long"},
		"too much text":      {`{"boards":1,"bom_csv":"` + strings.Repeat("a", 300<<10+1) + `"}`, "bom_csv too_long"},
		"no text":            {`{"boards":1,"bom_csv":5}`, "bom_csv wrong_type"},
		"a line of nothing":  {`{"boards":1,"parts":[` + line + `,{"reference":"R1"}]}`, "parts.1.mpn missing"},
		"a wrong quantity":   {`{"boards":1,"parts":[{"mpn":"A","quantity":0}]}`, "parts.0.quantity out_of_range"},
		"a number as a text": {`{"boards":1,"parts":[{"mpn":5}]}`, "parts.0.mpn"},
	} {
		a := w.post("/v1/part-checks", tt.body)
		var reply struct{ Fields []contract.FieldProblem }
		if err := json.Unmarshal(a.body, &reply); err != nil || a.status != 422 {
			t.Errorf("%s: %d %s (%v), want 422", name, a.status, a.body, err)
			continue
		}
		var got []string
		for _, f := range reply.Fields {
			got = append(got, f.Field+" "+f.Problem)
		}
		if !strings.HasPrefix(strings.Join(got, ", "), tt.want) {
			t.Errorf("%s: %v, want %s", name, got, tt.want)
		}
	}
	refusal := contract.Refuse(contract.InvalidRequest, "bom_csv is no bill of materials.")
	refusal.Fields = []contract.FieldProblem{{Field: "bom_csv", Problem: "malformed", Message: refusal.Message}}
	w.set(func() {
		w.parts = func(check partchecks.PartCheck) *partchecks.PartCheck {
			check.Status, check.Refusal = partchecks.Refused, refusal
			return &check
		}
	})
	if a := w.post("/v1/part-checks", `{"boards":1,"bom_csv":"hello"}`); a.status != 422 || !strings.Contains(string(a.body), "no bill of materials") {
		t.Errorf("a text that is no list: %d %s, want 422, no bill of materials", a.status, a.body)
	}
	if n := len(w.commandsOf(partchecks.Check)); n != 1 {
		t.Errorf("%d commands, want 1", n)
	}
}

func TestPartCheckIsLimited(t *testing.T) {
	t.Parallel()
	w := start(t)
	other := secret.NewAPIKey(true)
	w.putKey(other, account, []string{accounts.ScopeQuotes}, nil)
	if a := w.post("/v1/part-checks", `{}`, "X-API-Key", other.Text); a.status != 403 {
		t.Errorf("without the scope: %d, want 403", a.status)
	}
	few := secret.NewAPIKey(true)
	w.putKey(few, account, accounts.DefaultScopes(), map[string]int{"part-checks": 1})
	for i, want := range []int{422, 429} {
		if a := w.post("/v1/part-checks", `{}`, "X-API-Key", few.Text); a.status != want {
			t.Fatalf("request %d: %d %s, want %d", i, a.status, a.body, want)
		}
	}
	if a := w.post("/v1/part-checks", `{}`); !strings.HasPrefix(a.header.Get("RateLimit-Policy"), `"part-checks";q=240;w=3600`) {
		t.Errorf("policy %q, want 240 part checks an hour", a.header.Get("RateLimit-Policy"))
	}
}
