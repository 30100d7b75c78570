package edge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/secret"

	"github.com/google/go-cmp/cmp"
)

// checkDesign stands in for the design-check service.
func (w *world) checkDesign(c contract.Command) error {
	w.mu.Lock()
	check, refuse := w.check, w.refuse
	w.mu.Unlock()
	switch {
	case refuse != nil:
		return w.finish(c, contract.Operation{Refusal: refuse})
	case check == nil:
		return nil
	}
	if err := w.write("design-check", check.ID, check); err != nil {
		return err
	}
	return w.finish(c, contract.Operation{Aggregate: contract.DesignCheckAggregate, ID: check.ID})
}

const checkID = "checkcheckcheckcheckcheckc"

func aCheck(status designchecks.Status) *designchecks.DesignCheck {
	value, limit := 0.08, 0.1
	d := &designchecks.DesignCheck{
		ID: checkID, Digest: "d", Board: "blinker", CopperOz: 1, ThicknessMM: 1.6, Status: status, StartedAt: time.Now(), Step: "Measuring.",
		Findings: []designchecks.Finding{{
			Finding: contract.Finding{Level: "warning", Check: "track_width", What: "Narrow.", Layer: "F.Cu", AtMM: []float64{1, 2}, Image: "boards/d/checks/0.png"},
			ValueMM: &value, LimitMM: &limit, Count: 2,
			Places: []designchecks.Place{{Layer: "F.Cu", AtMM: []float64{1, 2}, ToMM: []float64{1, 3}, ValueMM: &value, Nets: []string{"GND"}}},
		}},
		Files: []boards.FileClass{{Name: "a.gbr", Role: "copper", Why: "w", Confidence: 1}},
	}
	if status != designchecks.Running {
		d.Step, d.Report, d.MoreFindings = "", "boards/d/checks/report.html", 3
		d.ReportPolicy = "default-src 'none'; script-src 'sha256-x'"
		d.Fabricators = []designchecks.FabVerdict{{
			ID: "x", Fabricator: "X", Verdict: "cannot_build", Broken: []designchecks.FabBroken{{Check: "track_width", What: "Too narrow."}},
			Sources: []designchecks.FabSource{{Title: "t", URL: "https://x", Checked: "2026-11-01"}},
		}}
		d.FabricatorsNote = "Estimates."
		d.Assumed = []string{"Checked for 1 oz."}
	}
	return d
}

func TestDesignCheck(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	w.set(func() { w.check = aCheck(designchecks.Warning) })
	for _, key := range []string{"boards/d/checks/0.png", "boards/d/checks/report.html"} {
		if _, err := w.blobs.Put(t.Context(), key, bytes.NewReader([]byte("made of "+key)), -1, ""); err != nil {
			t.Fatal(err)
		}
	}
	w.assembly(id)
	a := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q,"boards":10,"copper_oz":2,"colour":"red"}`, id))
	m := a.json(t)
	if a.status != 200 || m["status"] != "must_fix" || m["more_findings"] != 3.0 || a.header.Get("Retry-After") != "" || m["board_check"] != nil {
		t.Fatalf("POST = %d %s, want 200 must_fix, 3 more findings, complete", a.status, a.body)
	}
	assumed, _ := m["assumed"].([]any)
	parts, _ := m["parts"].(map[string]any)
	fits, _ := m["part_checks"].(map[string]any)
	if len(assumed) != 1 || parts["phase"] != "complete" || parts["boards"] != 10.0 || fits["must_fix"] != 1.0 || len(w.commandsOf(assemblies.Assemble)) != 0 {
		t.Errorf("boards were asked for: assumed %v, parts %v, part checks %v; want one assumption, complete parts of 10 boards, one must_fix, without asking", assumed, parts, fits)
	}
	if !strings.Contains(fmt.Sprint(m["notes"]), "colour") {
		t.Errorf("notes = %v, want colour named", m["notes"])
	}
	var data contract.CheckDesignData
	cmd := w.commandsOf(designchecks.Check)[0]
	want := contract.CheckDesignData{Upload: contract.SecretRef(id), CopperOz: 2, ThicknessMM: 1.6}
	if err := json.Unmarshal(cmd.Data, &data); err != nil || data != want || strings.Contains(string(cmd.Data), id) {
		t.Errorf("command = %s, %v", cmd.Data, err)
	}
	finding, _ := m["findings"].([]any)[0].(map[string]any)
	if finding["image"] != nil || strings.Contains(string(a.body), "boards/d") {
		t.Errorf("the reply shows a blob's key: %v", finding)
	}
	picture := w.get(finding["image_url"].(string), "X-API-Key", "")
	page := w.get(m["report_url"].(string), "X-API-Key", "")
	for got, want := range map[string]string{
		picture.header.Get("Content-Type"): "image/png", string(picture.body): "made of boards/d/checks/0.png",
		page.header.Get("Content-Type"): "text/html; charset=utf-8", string(page.body): "made of boards/d/checks/report.html",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	asData := w.get(strings.Replace(m["report_url"].(string), "report.html", "report.json", 1), "X-API-Key", "")
	if got := asData.json(t); asData.status != 200 || got["status"] != "warning" /* of the board alone */ || len(got["findings"].([]any)) != len(m["findings"].([]any)) || strings.Contains(string(asData.body), "boards/d") {
		t.Errorf("the report as data: %d %s, want 200 warning, with all findings and no key of a blob", asData.status, asData.body)
	}
	if csp := page.header.Get("Content-Security-Policy"); !strings.Contains(csp, "script-src 'sha256-x'") || !strings.Contains(csp, "sandbox allow-scripts") || strings.Contains(csp, "unsafe") {
		t.Errorf("the page's policy is %q, want its script alone, in a sandbox, nothing unsafe", csp)
	}
	if again := w.get(m["report_url"].(string), "If-None-Match", page.header.Get("ETag")); again.status != 304 {
		t.Errorf("GET once more = %d, want 304", again.status)
	}
	w.linksEnd(t, m["report_url"].(string), finding["image_url"].(string), id)
}

// linksEnd: what was made of a design is shown only as long as it may be.
func (w *world) linksEnd(t *testing.T, page, picture, id string) {
	t.Helper()
	altered := strings.Replace(page, "checkcheck", "chickcheck", 1)
	for url, want := range map[string]string{
		altered: "403 link_invalid", strings.Replace(picture, "/0.png", "/1.png", 1): "404 not_found",
		strings.Replace(picture, "/0.png", "/00.png", 1): "404 not_found",
	} {
		a := w.get(url)
		if got := fmt.Sprint(a.status, " ", a.code(t)); got != want {
			t.Errorf("GET %s = %s, want %s", url, got, want)
		}
	}
	gone := aCheck(designchecks.Gone)
	w.put(contract.DesignCheckAggregate, checkID, gone)
	if a := w.get(page); a.status != 410 {
		t.Errorf("the page of a forgotten check = %d, want 410", a.status)
	}
	w.put(contract.DesignCheckAggregate, checkID, aCheck(designchecks.Warning))
	w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q,"itar":true}`, id))
	w.eventually(func() bool { return w.get(page).status == 410 })
	w.advance(30 * 24 * time.Hour)
	if a := w.get(page); a.status != 410 || a.code(t) != "link_expired" {
		t.Errorf("after a month = %d %s, want 410 link_expired", a.status, a.body)
	}
}

// eventually waits for something that happens soon.
func (w *world) eventually(happened func() bool) {
	w.t.Helper()
	for end := time.Now().Add(10 * time.Second); !happened(); {
		if time.Now().After(end) {
			w.t.Fatal("it did not happen")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// A check that takes longer than the client waits answers with what there is;
// who waits longer gets its end at once.
func TestDesignCheckThatTakesLonger(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	w.set(func() { w.check = aCheck(designchecks.Running) })
	a := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q,"wait_s":0}`, id))
	m := a.json(t)
	at, _ := m["board_check"].(map[string]any)
	if a.status != 200 || m["status"] != "checking" || at["step"] != "Measuring." || at["state"] != "running" || len(m["findings"].([]any)) != 1 {
		t.Fatalf("POST = %d %s, want 200 checking, running, measuring, one finding", a.status, a.body)
	}
	if s := m["retry_after_s"]; s != 3.0 || a.header.Get("Retry-After") != "3" {
		t.Errorf("retry after %v, header %q, want 3 in both", s, a.header.Get("Retry-After"))
	}
	done := make(chan answer)
	go func() { done <- w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q,"wait_s":50}`, id)) }()
	w.eventually(func() bool { return len(w.commandsOf(designchecks.Check)) == 2 })
	w.put(contract.DesignCheckAggregate, checkID, aCheck(designchecks.Pass))
	if err := w.bus.Wake(contract.DesignCheckAggregate, checkID); err != nil {
		t.Fatal(err)
	}
	if a := <-done; a.json(t)["status"] != "pass" {
		t.Errorf("POST = %d %s, want pass", a.status, a.body)
	}
}

// Without a word of the service the client is asked to come back, and nothing
// of anybody else's is shown.
func TestDesignCheckThatNobodyBegan(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q,"wait_s":0}`, w.uploadID()))
	m := a.json(t)
	if a.status != 200 || m["status"] != "checking" || m["board_check"].(map[string]any)["state"] != "queued" || m["retry_after_s"] == nil {
		t.Errorf("POST = %d %s, want 200 checking, queued, with a time to come back", a.status, a.body)
	}
}

func TestDesignCheckRefusals(t *testing.T) {
	t.Parallel()
	w := start(t)
	empty := w.do("POST", "/v1/uploads", nil).json(t)["upload_id"].(string)
	for body, want := range map[string]string{
		`{"upload_id":"up_none"}`:               "404 upload_not_found",
		fmt.Sprintf(`{"upload_id":%q}`, empty):  "422 no_files",
		`{"upload_id":`:                         "400 invalid_json",
		`{"itar":true}`:                         "422 itar_not_supported",
		`{"itar":true,"copper_oz":99}`:          "422 itar_not_supported",
		`{"upload_id":"up_none","itar":"true"}`: "422 itar_not_supported",
	} {
		a := w.post("/v1/design-checks", body)
		if got := fmt.Sprint(a.status, " ", a.code(t)); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	if n := len(w.commandsOf(designchecks.Check)); n != 0 {
		t.Errorf("%d refused requests were passed on, want none", n)
	}
	id := w.uploadID()
	several := contract.Refuse(contract.NeedsDetails, "Which?")
	several.Questions = []contract.Question{{Option: "board", Question: "Which?", Choices: []any{"a", "b"}}}
	w.set(func() { w.refuse = several })
	if a := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q}`, id)); a.status != 422 || len(a.json(t)["questions"].([]any)) != 1 {
		t.Errorf("refused request: %d %s, want 422 with one question", a.status, a.body)
	}
	refused := aCheck(designchecks.Refused)
	refused.Refusal = several
	w.set(func() { w.refuse, w.check = nil, refused })
	if a := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q}`, id)); a.status != 422 || a.code(t) != "needs_details" {
		t.Errorf("refused check: %d %s, want 422 needs_details", a.status, a.body)
	}
}

func TestDesignCheckRefusesAllFieldsAtOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.post("/v1/design-checks", `{"boards":0,"copper_oz":0.4,"thickness_mm":6.1,"board":7,"wait_s":51,"itar":"no"}`)
	var reply struct{ Fields []contract.FieldProblem }
	if err := json.Unmarshal(a.body, &reply); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range reply.Fields {
		got[f.Field] = f.Problem
	}
	want := map[string]string{
		"upload_id": "missing", "boards": "out_of_range", "copper_oz": "out_of_range", "thickness_mm": "out_of_range", "board": "wrong_type",
		"wait_s": "out_of_range", "itar": "wrong_type",
	}
	if diff := cmp.Diff(want, got); a.status != 422 || diff != "" {
		t.Errorf("%d, fields (-want +got):\n%s", a.status, diff)
	}
	a = w.post("/v1/design-checks", `{"upload_id":"`+strings.Repeat("x", 65)+`","boards":1.5,"wait_s":"5"}`)
	if n := strings.Count(string(a.body), `"problem"`); a.status != 422 || n != 3 {
		t.Errorf("POST = %d %s, want 422 with 3 problems", a.status, a.body)
	}
}

func TestDesignCheckIsLimited(t *testing.T) {
	t.Parallel()
	w := start(t)
	other := secret.NewAPIKey(true)
	w.putKey(other, account, []string{accounts.ScopeQuotes}, nil)
	if a := w.post("/v1/design-checks", `{}`, "X-API-Key", other.Text); a.status != http.StatusForbidden {
		t.Errorf("without the scope: %d, want 403", a.status)
	}
	few := secret.NewAPIKey(true)
	w.putKey(few, account, accounts.DefaultScopes(), map[string]int{"design-checks": 2})
	for i, want := range []int{422, 422, 429} {
		a := w.post("/v1/design-checks", `{}`, "X-API-Key", few.Text)
		if a.status != want {
			t.Fatalf("request %d: %d %s, want %d", i, a.status, a.body, want)
		}
		if want == 429 && (a.header.Get("Retry-After") == "" || a.json(t)["retry_after_s"] == nil) {
			t.Errorf("429 without a time: %v %s, want Retry-After and retry_after_s", a.header, a.body)
		}
	}
	if a := w.post("/v1/design-checks", `{}`); !strings.HasPrefix(a.header.Get("RateLimit-Policy"), `"design-checks";q=120;w=3600`) {
		t.Errorf("policy %q, want 120 design checks an hour", a.header.Get("RateLimit-Policy"))
	}
}

// assembly stands in for a part sourcing that was asked a moment ago.
func (w *world) assembly(upload string) {
	w.t.Helper()
	digest := w.digest(upload)
	data := assemblies.AssembleData{Upload: contract.SecretRef(upload), Digest: digest, Board: "blinker", Boards: 10}
	id, err := assemblies.ID(account, data)
	if err != nil {
		w.t.Fatal(err)
	}
	state := assemblies.Assembly{
		ID: id, Status: partchecks.Ended, StartedAt: w.now(), EndedAt: w.now(), Plan: &assemblies.Plan{}, Report: reportOf(partchecks.Complete, "ok", 0),
		Price: &assemblies.Price{Checks: []assemblies.Fit{{Reference: "U1", Verdict: "check", Level: "must_fix", What: []string{"The footprint has 8 pads, the part 16 pins."}}}},
	}
	for kind, doc := range map[string]any{"board/" + digest: boards.ReadFiles{Digest: digest, Reader: "1", Boards: []boards.Board{{Name: "blinker"}}}, "assembly/" + id: state} {
		kind, id, _ := strings.Cut(kind, "/")
		if err := w.write(kind, id, doc); err != nil {
			w.t.Fatal(err)
		}
	}
}

// digest is what an upload's files are known by.
func (w *world) digest(upload string) string {
	w.t.Helper()
	doc, err := w.docs.Get(w.t.Context(), string(contract.UploadAggregate), contract.SecretRef(upload))
	if err != nil {
		w.t.Fatal(err)
	}
	u, err := uploads.ReadBrief(doc.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return u.Digest
}

// TestPartsOfADesignCheck: while the files are not read, and while suppliers have
// not answered, the report says so and when to ask again.
func TestPartsOfADesignCheck(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	w.set(func() { w.check = aCheck(designchecks.Warning) })
	ask := fmt.Sprintf(`{"upload_id":%q,"boards":10,"wait_s":0}`, id)
	unread := w.post("/v1/design-checks", ask).json(t)
	if unread["parts"] != nil || unread["retry_after_s"] != 3.0 || !strings.Contains(fmt.Sprint(unread["assumed"]), "looked up") {
		t.Errorf("not read: %v, want no parts, that they are looked up, again after 3 s", unread)
	}
	if err := w.write("board", w.digest(id), boards.ReadFiles{Digest: w.digest(id), Reader: "1", Boards: []boards.Board{{Name: "blinker"}}}); err != nil {
		t.Fatal(err)
	}
	w.post("/v1/design-checks", ask)
	var sent []contract.Command
	bustest.WaitFor(t, "a question about the parts", func() bool {
		sent = w.commandsOf(assemblies.Assemble)
		return len(sent) > 0
	})
	var data assemblies.AssembleData
	if err := json.Unmarshal(sent[0].Data, &data); err != nil || data.Board != "blinker" || data.Boards != 10 || data.Digest != w.digest(id) || data.Assembly == "" || sent[0].Request != "" {
		t.Errorf("parts of a check: sent %+v, %v; want blinker, 10 boards, the digest of the files", data, err)
	}
	none := assemblies.Assembly{Status: partchecks.Refused, StartedAt: w.now(), EndedAt: w.now(), Refusal: contract.Refuse(contract.NeedsPartNumbers, "The upload holds no bill of materials for this board.")}
	if err := w.write("assembly", data.Assembly, none); err != nil {
		t.Fatal(err)
	}
	refused := w.post("/v1/design-checks", ask).json(t)
	if refused["parts"] != nil || refused["retry_after_s"] != nil || !strings.Contains(fmt.Sprint(refused["assumed"]), "no bill of materials") {
		t.Errorf("no list: %v, want no parts, that there is no bill of materials, no time to come back", refused)
	}
}
