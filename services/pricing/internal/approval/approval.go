// Package approval decides what a customer may be asked about alternative parts, what an answer
// approves, and which quotes that holds for.
package approval

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/quotes"
)

// Ask is the quote with an approval that its customer is asked for. Asked again under the same id
// it is the quote as it stands, and changed is false.
func Ask(q quotes.Quote, data quotes.AskApprovalData, now time.Time) (next quotes.Quote, changed bool, err error) {
	if q.Approval(data.Approval) != nil {
		return q, false, nil
	}
	if err := askable(q, now); err != nil {
		return q, false, err
	}
	lines, err := readLines(q, data.Lines)
	if err != nil {
		return q, false, err
	}
	offered := 0
	for _, a := range append(slices.Clone(q.Approvals), quotes.PartApproval{Lines: lines}) {
		for _, l := range a.Lines {
			offered += len(l.Alternatives)
		}
	}
	if len(q.Approvals) >= quotes.MaxApprovals || offered > quotes.MaxApprovalsOffered {
		return q, false, contract.Refuse(contract.Conflict, "Of one quote %d approvals are asked for at most, with %d alternatives together. Refresh the quote to ask for more.", quotes.MaxApprovals, quotes.MaxApprovalsOffered)
	}
	q.Approvals = append(slices.Clone(q.Approvals), quotes.PartApproval{
		ID: data.Approval, Key: data.Key, Network: data.Network, Lines: lines, AsOf: q.Assembly.At.UTC(), AskedAt: now.UTC().Truncate(time.Millisecond), ExpiresAt: q.ExpiresAt.UTC(),
	})
	return q, true, nil
}

// askable refuses a quote whose parts nobody can approve any more.
func askable(q quotes.Quote, now time.Time) error {
	switch {
	case q.Assembly == nil:
		return contract.Refuse(contract.Conflict, "This quote has no parts: its boards are bare.")
	case q.TeamRefusal() != nil:
		return contract.Refuse(contract.QuoteNotPayable, "Our team does not price this board, and says why in the quote's review.")
	case q.IsExpired(now):
		return contract.Refuse(contract.QuoteExpired, "This quote has expired. POST /v1/quotes/{quote_id}/refresh prices it again, and its parts can be asked about.")
	}
	return nil
}

// readLines gives the lines that are asked about as they stand; without any, all that have
// alternatives.
func readLines(q quotes.Quote, named []quotes.AskedLine) ([]quotes.ApprovalLine, error) {
	if len(named) == 0 {
		for _, p := range q.Reply.Parts {
			if len(p.Alternatives) > 0 && p.Fitting == assemblies.Fitted && len(named) < quotes.MaxApprovalLines {
				named = append(named, quotes.AskedLine{Reference: p.Reference})
			}
		}
	}
	if len(named) == 0 {
		return nil, contract.Refuse(contract.Conflict, "No line of this quote has alternatives that a customer could approve.")
	}
	var out []quotes.ApprovalLine
	var problems []contract.FieldProblem
	refuse := func(field, problem string, allowed any, format string, args ...any) {
		problems = append(problems, contract.FieldProblem{Field: field, Problem: problem, Allowed: allowed, Message: fmt.Sprintf(format, args...)})
	}
	for i, l := range named {
		at := fmt.Sprintf("lines.%d.", i)
		line, ok := q.ApprovalLineOf(l.Reference, l.MPNs)
		all, found := q.ApprovalLineOf(l.Reference, nil)
		switch {
		case slices.ContainsFunc(out, func(o quotes.ApprovalLine) bool { return o.Reference == l.Reference }):
			refuse(at+"reference", "duplicate", nil, "This line is asked about twice.")
		case !found:
			refuse(at+"reference", "unknown", listReferences(q), "The quote has no such line with alternatives; parts lists each by its reference.")
		case !ok:
			refuse(at+"alternatives", "unknown", all.Numbers(), "Only alternatives that the quote lists for the line can be approved, by their mpn.")
		default:
			out = append(out, line)
		}
	}
	if len(problems) > 0 {
		return nil, contract.RefuseFields(problems)
	}
	return out, nil
}

func listReferences(q quotes.Quote) []string {
	out := []string{}
	for _, p := range q.Reply.Parts {
		if len(p.Alternatives) > 0 && p.Fitting == assemblies.Fitted {
			out = append(out, p.Reference)
		}
	}
	return out
}

// Answer is the quote with a customer's answer. The same answer again is the quote as it stands, and
// event is "".
func Answer(q quotes.Quote, data quotes.AnswerApprovalData, now time.Time) (next quotes.Quote, event contract.EventName, err error) {
	a := q.Approval(data.Approval)
	if a == nil {
		return q, "", contract.Refuse(contract.NotFound, "Nothing was asked here.")
	}
	if was := a.Answer; was != nil {
		if slices.Equal(was.Chosen, data.Chosen) && was.Name == data.Name {
			return q, "", nil
		}
		return q, "", contract.Refuse(contract.Conflict, "This was answered before.")
	}
	shown, err := q.DigestOf(*a)
	if err != nil {
		return q, "", err
	}
	switch status := q.ApprovalStatusOf(*a, now); {
	case status == quotes.ApprovalExpired:
		return q, "", contract.Refuse(contract.LinkExpired, "The time to answer is over.")
	case status != quotes.ApprovalOpen || data.Shown != shown:
		return q, "", contract.Refuse(contract.Conflict, "A part has changed since it was asked about.")
	}
	if problems := checkAnswer(*a, data); len(problems) > 0 {
		return q, "", contract.RefuseFields(problems)
	}
	q.Approvals = slices.Clone(q.Approvals)
	a = q.Approval(data.Approval)
	a.Answer = &quotes.ApprovalAnswer{
		Chosen: data.Chosen, Name: data.Name, Position: data.Position, Email: data.Email, Network: data.Network, SameNetwork: data.Network != "" && data.Network == a.Network,
		Language: data.Language, Shown: shown, LookedS: max(int(now.Sub(data.OpenedAt)/time.Second), 0), At: now.UTC().Truncate(time.Millisecond),
	}
	if approved, _ := a.Count(); approved > 0 {
		return q, quotes.EventPartsApproved, nil
	}
	return q, quotes.EventPartsDeclined, nil
}

func checkAnswer(a quotes.PartApproval, data quotes.AnswerApprovalData) (problems []contract.FieldProblem) {
	refuse := func(field, problem, message string) {
		problems = append(problems, contract.FieldProblem{Field: field, Problem: problem, Message: message})
	}
	for i, l := range a.Lines {
		if i >= len(data.Chosen) || data.Chosen[i] != "" && !slices.Contains(l.Numbers(), data.Chosen[i]) {
			refuse(fmt.Sprintf("chosen.%d", i), "unknown", "Choose a part, or none, for each line.")
		}
	}
	if len(data.Chosen) > len(a.Lines) {
		refuse("chosen", "unknown", "Choose a part, or none, for each line.")
	}
	if untrusted.CleanLine(data.Name) != data.Name || data.Name == "" {
		refuse("name", "missing", "Enter your name.")
	}
	for field, text := range map[string]string{"name": data.Name, "position": data.Position} {
		if utf8.RuneCountInString(text) > quotes.MaxApprover {
			refuse(field, "too_long", fmt.Sprintf("At most %d characters.", quotes.MaxApprover))
		}
	}
	return problems
}

// FindApproved gives the parts that an approval of a quote approves for another quote of it; refused while
// nothing is approved, or no more.
func FindApproved(q quotes.Quote, id string, now time.Time) ([]quotes.ApprovedPart, error) {
	a := q.Approval(id)
	if a == nil {
		return nil, contract.Refuse(contract.NotFound, "The quote has no such approval.")
	}
	if refused := quotes.RefuseUnapproved(q.ApprovalStatusOf(*a, now)); refused != nil {
		return nil, refused
	}
	return q.ListApproved(*a), nil
}

// Substitute puts approved parts among the substitutions of a request, in place of what it has for
// the same designators.
func Substitute(before []assemblies.Substitution, approved []quotes.ApprovedPart) []assemblies.Substitution {
	taken := map[string]bool{}
	for _, p := range approved {
		for _, ref := range splitReferences(p.Reference) {
			taken[ref] = true
		}
	}
	var out []assemblies.Substitution
	for _, s := range before {
		left := slices.DeleteFunc(splitReferences(s.Reference), func(ref string) bool { return taken[ref] })
		if len(left) > 0 || s.Reference == "" {
			s.Reference = strings.Join(left, ",")
			out = append(out, s)
		}
	}
	for _, p := range approved {
		out = append(out, p.Substitution())
	}
	return out
}

func splitReferences(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
}

// Carry writes into a priced quote which of its parts a customer approved, of those that were approved
// for the same files and board. A part that was put into a line by somebody's word alone is none.
func Carry(q *quotes.Quote, known []quotes.ApprovedPart) {
	for _, p := range known {
		asks := func(s assemblies.Substitution) bool {
			return s.Reference == p.Reference && s.ReplacementMPN == p.MPN && s.ReplacementManufacturer == p.Manufacturer
		}
		at := slices.IndexFunc(q.Reply.Parts, func(l assemblies.Part) bool { return l.Reference == p.Reference && l.Approved })
		if p.Digest != q.Digest || p.Board != q.Board || !slices.ContainsFunc(q.Request.Substitutions, asks) || at < 0 || !strings.EqualFold(q.Reply.Parts[at].MPN, p.MPN) {
			continue
		}
		q.Approved = append(q.Approved, p)
		mark := &assemblies.PartApprover{ID: p.Approval, By: p.By, At: p.At}
		q.Reply.Parts = slices.Clone(q.Reply.Parts)
		q.Reply.Parts[at].Approval = mark
		for _, list := range []*[]assemblies.Part{&q.Reply.UnpricedParts, &q.Reply.PickedParts} {
			if i := slices.IndexFunc(*list, func(l assemblies.Part) bool { return l.Reference == p.Reference }); i >= 0 {
				*list = slices.Clone(*list)
				(*list)[i].Approval = mark
			}
		}
		q.Reply.RequestedSubst = slices.Clone(q.Reply.RequestedSubst)
		for i, s := range q.Reply.RequestedSubst {
			if asks(s.Substitution) && s.OriginalMPN == "" {
				q.Reply.RequestedSubst[i].OriginalMPN = p.Part
			}
		}
	}
}
