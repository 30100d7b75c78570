package approval_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/approval"
)

var now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func alternatives(mpns ...string) (out []partchecks.Alternative) {
	for i, mpn := range mpns {
		out = append(out, partchecks.Alternative{MPN: mpn, Manufacturer: "Maker", Score: 90 - i, Reasons: []partchecks.AlternativeReason{{Property: "voltage", Is: "better", Named: "16 V", Offered: "25 V"}}})
	}
	return out
}

// quote has two lines with alternatives, and one without.
func quote() quotes.Quote {
	line := func(ref, part string, others ...string) assemblies.Part {
		return assemblies.Part{Found: partchecks.Found{Reference: ref, Part: part, QuantityPerBoard: 2, Alternatives: alternatives(others...)}, Fitting: assemblies.Fitted}
	}
	return quotes.Quote{
		Ref: "q", Account: "acc", Digest: "d", Board: "b", ExpiresAt: now.Add(time.Hour), Assembly: &quotes.QuotedAssembly{Boards: 10, At: now.Add(-time.Hour)},
		Reply: quotes.Reply{Parts: []assemblies.Part{line("U1,U2", "GONE", "A", "B"), line("R1", "10k"), line("C1", "ENDS", "C")}},
	}
}

// quoteAsked is the quote with an approval of all its lines.
func quoteAsked(t *testing.T) quotes.Quote {
	t.Helper()
	q, changed, err := approval.Ask(quote(), quotes.AskApprovalData{Approval: "pa_1", Network: "192.0.2.7"}, now)
	if err != nil || !changed {
		t.Fatalf("asked: %v, %v; want it changed", changed, err)
	}
	return q
}

// quoteAnswered is the quote with the customer's answer to it.
func quoteAnswered(t *testing.T, chosen ...string) quotes.Quote {
	t.Helper()
	q := quoteAsked(t)
	q, _, err := approval.Answer(q, answer(t, q, chosen...), now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func answer(t *testing.T, q quotes.Quote, chosen ...string) quotes.AnswerApprovalData {
	t.Helper()
	shown, err := q.DigestOf(q.Approvals[0])
	if err != nil {
		t.Fatal(err)
	}
	return quotes.AnswerApprovalData{Approval: "pa_1", Shown: shown, OpenedAt: now, Chosen: chosen, Name: "Ada", Network: "198.51.100.1", Language: "en"}
}

func code(err error) contract.Code {
	if r := contract.RefusalIn(err); r != nil {
		return r.Code
	}
	return ""
}

func TestAsk(t *testing.T) {
	t.Parallel()
	lines := func(all ...quotes.AskedLine) quotes.AskApprovalData {
		return quotes.AskApprovalData{Approval: "pa_1", Lines: all}
	}
	for name, tt := range map[string]struct {
		change func(*quotes.Quote)
		data   quotes.AskApprovalData
		want   string // lines and their alternatives, or the refusal with its fields
	}{
		"all lines":                  {nil, lines(), "U1,U2: A B; C1: C"},
		"some alternatives of one":   {nil, lines(quotes.AskedLine{Reference: "U1,U2", MPNs: []string{"B"}}), "U1,U2: B"},
		"a line without":             {nil, lines(quotes.AskedLine{Reference: "R1"}), "invalid_request lines.0.reference unknown"},
		"no such line":               {nil, lines(quotes.AskedLine{Reference: "C1"}, quotes.AskedLine{Reference: "X"}), "invalid_request lines.1.reference unknown"},
		"a part that is not offered": {nil, lines(quotes.AskedLine{Reference: "C1", MPNs: []string{"A"}}), "invalid_request lines.0.alternatives unknown"},
		"a line twice":               {nil, lines(quotes.AskedLine{Reference: "C1"}, quotes.AskedLine{Reference: "C1"}), "invalid_request lines.1.reference duplicate"},
		"expired":                    {func(q *quotes.Quote) { q.ExpiresAt = now }, lines(), "quote_expired"},
		"bare boards":                {func(q *quotes.Quote) { q.Assembly = nil }, lines(), "conflict"},
		"nothing to approve":         {func(q *quotes.Quote) { q.Reply.Parts = q.Reply.Parts[1:2] }, lines(), "conflict"},
		"declined by the team":       {func(q *quotes.Quote) { q.Review = &quotes.Review{Refused: &quotes.ReviewRefusal{}} }, lines(), "quote_not_payable"},
		"too often":                  {func(q *quotes.Quote) { q.Approvals = make([]quotes.PartApproval, quotes.MaxApprovals) }, lines(), "conflict"},
		"too many alternatives": {func(q *quotes.Quote) {
			q.Approvals = []quotes.PartApproval{{Lines: []quotes.ApprovalLine{{Alternatives: make([]partchecks.Alternative, quotes.MaxApprovalsOffered-2)}}}}
		}, lines(), "conflict"},
	} {
		q := quote()
		if tt.change != nil {
			tt.change(&q)
		}
		next, _, err := approval.Ask(q, tt.data, now)
		var got []string
		if r := contract.RefusalIn(err); r != nil {
			got = []string{string(r.Code)}
			for _, f := range r.Fields {
				got[0] += " " + f.Field + " " + f.Problem
			}
		} else {
			for _, l := range next.Approvals[len(next.Approvals)-1].Lines {
				got = append(got, l.Reference+": "+strings.Join(l.Numbers(), " "))
			}
		}
		if all := strings.Join(got, "; "); all != tt.want {
			t.Errorf("%s: %s, want %s", name, all, tt.want)
		}
	}
	q := quoteAsked(t)
	if again, changed, err := approval.Ask(q, lines(), now); changed || err != nil || len(again.Approvals) != 1 {
		t.Errorf("asked again under the same id: %d approvals, changed %v, %v; want the one", len(again.Approvals), changed, err)
	}
}

// TestAnswer: an answer is of what was shown, whole, and holds for ever.
func TestAnswer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*quotes.Quote, *quotes.AnswerApprovalData)
		after  time.Duration
		want   string
	}{
		"approved":           {nil, time.Minute, "parts_approved approved"},
		"partly":             {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Chosen[1] = "" }, 0, "parts_approved partly_approved"},
		"declined":           {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Chosen = []string{"", ""} }, 0, "parts_declined declined"},
		"another part":       {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Chosen[0] = "C" }, 0, "invalid_request"},
		"a line is missing":  {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Chosen = d.Chosen[:1] }, 0, "invalid_request"},
		"a line too many":    {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Chosen = append(d.Chosen, "") }, 0, "invalid_request"},
		"nobody":             {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Name = "" }, 0, "invalid_request"},
		"no visible name":    {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Name = "\u200b" }, 0, "invalid_request"},
		"a novel for a name": {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Name = strings.Repeat("a", 101) }, 0, "invalid_request"},
		"too late":           {nil, time.Hour, "link_expired"},
		"of another page":    {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Shown = "x" }, 0, "conflict"},
		"never asked":        {func(_ *quotes.Quote, d *quotes.AnswerApprovalData) { d.Approval = "pa_2" }, 0, "not_found"},
		"the line changed":   {func(q *quotes.Quote, _ *quotes.AnswerApprovalData) { q.Reply.Parts[0].QuantityPerBoard = 3 }, 0, "conflict"},
		"the part changed": {func(q *quotes.Quote, _ *quotes.AnswerApprovalData) {
			q.Reply.Parts[2].Alternatives = alternatives("C", "D")
			q.Reply.Parts[2].Alternatives[0].Reasons[0].Offered = "6.3 V"
		}, 0, "conflict"},
		"the line is left off": {func(q *quotes.Quote, _ *quotes.AnswerApprovalData) { q.Reply.Parts[2].Fitting = assemblies.LeftOff }, 0, "conflict"},
	} {
		q := quoteAsked(t)
		data := answer(t, q, "B", "C")
		if tt.change != nil {
			tt.change(&q, &data)
		}
		next, event, err := approval.Answer(q, data, now.Add(tt.after))
		got := string(code(err))
		if err == nil {
			got = string(event) + " " + string(next.ApprovalStatusOf(next.Approvals[0], now.Add(tt.after)))
		}
		if got != tt.want {
			t.Errorf("%s: %s (%v), want %s", name, got, err, tt.want)
		}
	}
	q := quoteAnswered(t, "A", "")
	was := *q.Approvals[0].Answer
	if was.LookedS != 60 || was.SameNetwork || was.Name != "Ada" {
		t.Errorf("recorded as %+v, want Ada after 60 s from another network", was)
	}
	same := answer(t, q, "A", "")
	if _, event, err := approval.Answer(q, same, now.Add(2*time.Hour)); event != "" || err != nil {
		t.Errorf("the same answer again: %q, %v; want nothing new", event, err)
	}
	for name, other := range map[string]quotes.AnswerApprovalData{"another choice": answer(t, q, "A", "C"), "somebody else": {Approval: "pa_1", Shown: same.Shown, Chosen: same.Chosen, Name: "Eve"}} {
		if _, event, err := approval.Answer(q, other, now.Add(time.Minute)); code(err) != contract.Conflict {
			t.Errorf("%s after an answer: %q, %v; want conflict", name, event, err)
		}
	}
	own := quoteAsked(t)
	from := answer(t, own, "A", "")
	from.Network = "192.0.2.7"
	if own, _, _ = approval.Answer(own, from, now); !own.Approvals[0].Answer.SameNetwork {
		t.Errorf("an answer from %s, where it was asked from, is %+v; want it marked", from.Network, own.Approvals[0].Answer)
	}
}

// TestApproved: a part is approved by an answer that stands, and by nothing else.
func TestApproved(t *testing.T) {
	t.Parallel()
	changed := quoteAnswered(t, "B", "")
	changed.Reply.Parts[0].Alternatives = alternatives("B")
	changed.Reply.Parts[0].Alternatives[0].Manufacturer = "Another"
	for name, tt := range map[string]struct {
		q    quotes.Quote
		id   string
		want contract.Code
	}{
		"one line": {quoteAnswered(t, "B", ""), "pa_1", ""}, "none": {quoteAnswered(t, "", ""), "pa_1", contract.ApprovalRequired}, "no answer": {quoteAsked(t), "pa_1", contract.ApprovalRequired},
		"no such approval": {quoteAsked(t), "pa_2", contract.NotFound}, "void since": {changed, "pa_1", contract.Conflict},
	} {
		got, err := approval.FindApproved(tt.q, tt.id, now)
		if code(err) != tt.want || err == nil && (len(got) != 1 || got[0].MPN != "B" || got[0].Reference != "U1,U2" || got[0].By != "Ada" || got[0].Digest != "d") {
			t.Errorf("%s: %+v, %v; want %q, and B for U1,U2 by Ada where approved", name, got, err, tt.want)
		}
	}
}

func TestSubstitute(t *testing.T) {
	t.Parallel()
	approved := []quotes.ApprovedPart{{Reference: "R1,R2", MPN: "NEW", Manufacturer: "M"}}
	sub := func(ref, mpn string) assemblies.Substitution {
		return assemblies.Substitution{Reference: ref, ReplacementMPN: mpn}
	}
	own := assemblies.Substitution{Reference: "R1,R2", ReplacementMPN: "NEW", ReplacementManufacturer: "M"}
	for name, tt := range map[string]struct{ before, want []assemblies.Substitution }{
		"none before": {nil, []assemblies.Substitution{own}}, "of other lines": {[]assemblies.Substitution{sub("C1", "X")}, []assemblies.Substitution{sub("C1", "X"), own}},
		"of the same": {[]assemblies.Substitution{sub("R1, R2", "X")}, []assemblies.Substitution{own}}, "of some of it": {[]assemblies.Substitution{sub("R2,R3", "X")}, []assemblies.Substitution{sub("R3", "X"), own}},
		"by the part": {[]assemblies.Substitution{sub("", "X")}, []assemblies.Substitution{sub("", "X"), own}},
	} {
		if got := approval.Substitute(tt.before, approved); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// TestCarry: an approval goes along with the same part on the same line of the same files and board,
// and no one's word alone is one.
func TestCarry(t *testing.T) {
	t.Parallel()
	known := quotes.ApprovedPart{Approval: "pa_1", Reference: "U1", Part: "GONE", MPN: "B", Manufacturer: "M", Digest: "d", Board: "b", By: "Ada", At: now}
	for name, tt := range map[string]struct {
		change func(*quotes.Quote)
		want   bool
	}{
		"as approved":      {nil, true},
		"other spelling":   {func(q *quotes.Quote) { q.Reply.Parts[0].MPN = "b" }, true},
		"other files":      {func(q *quotes.Quote) { q.Digest = "e" }, false},
		"another board":    {func(q *quotes.Quote) { q.Board = "c" }, false},
		"another part":     {func(q *quotes.Quote) { q.Request.Substitutions[0].ReplacementMPN, q.Reply.Parts[0].MPN = "A", "A" }, false},
		"another maker":    {func(q *quotes.Quote) { q.Request.Substitutions[0].ReplacementManufacturer = "N" }, false},
		"not fitted":       {func(q *quotes.Quote) { q.Reply.Parts[0].MPN = "GONE" }, false},
		"not substituted":  {func(q *quotes.Quote) { q.Reply.Parts[0].Approved = false }, false},
		"another line now": {func(q *quotes.Quote) { q.Reply.Parts[0].Reference = "U1,U9" }, false},
	} {
		s := known.Substitution()
		q := quotes.Quote{Digest: "d", Board: "b", Request: quotes.Request{Substitutions: []assemblies.Substitution{s}}, Reply: quotes.Reply{
			Parts:          []assemblies.Part{{Found: partchecks.Found{Reference: "U1", MPN: "B", Replaces: "GONE"}, Fitting: assemblies.Fitted, Approved: true}},
			RequestedSubst: []assemblies.RequestedSub{{Substitution: s, Applied: true}},
		}}
		if tt.change != nil {
			tt.change(&q)
		}
		approval.Carry(&q, []quotes.ApprovedPart{known})
		mark := q.Reply.Parts[0].Approval
		if got := mark != nil && mark.By == "Ada" && len(q.Approved) == 1 && q.Reply.RequestedSubst[0].OriginalMPN == "GONE"; got != tt.want || (mark != nil) != tt.want {
			t.Errorf("%s: carried %v (%+v, %+v), want %v", name, got, mark, q.Reply.RequestedSubst, tt.want)
		}
	}
	redacted := quoteAnswered(t, "A", "C").Redact(now)
	if a := redacted.Approvals[0]; a.Network != "" || a.Answer.Name != "" || a.Answer.Network != "" || len(a.Answer.Chosen) != 2 {
		t.Errorf("redacted to %+v, want the choice alone", a.Answer)
	}
}
