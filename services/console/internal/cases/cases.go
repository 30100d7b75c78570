// Package cases reads what the team does about a quote, an order or a formal order:
// who has it, and what waits for a second operator.
package cases

import (
	"context"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/states"
)

// Work is the team's own part of a page about a quote or its order.
type Work struct {
	Case    *cases.Case // nil: nobody has touched it
	CaseRef string      // the quote's ref
	Pending []Request
	Settled []cases.Approval
}

// Load reads what the team has done about a quote, an order or a formal order.
func Load(ctx context.Context, docs projection.Store, ref string) (Work, error) {
	found, err := states.Get[cases.Case](ctx, docs, contract.CaseAggregate, ref)
	w := Work{Case: found, CaseRef: ref}
	if err != nil || found == nil {
		return w, err
	}
	for _, a := range slices.Backward(found.Approvals) {
		if a.Status != cases.ApprovalOpen {
			w.Settled = append(w.Settled, a)
			continue
		}
		r, err := ReadRequest(ctx, docs, ref, a)
		if err != nil {
			return w, err
		}
		w.Pending = append(w.Pending, r)
	}
	return w, nil
}

// Assignee is who has it; "" while nobody has.
func (w Work) Assignee() string {
	if w.Case == nil {
		return ""
	}
	return w.Case.Assignee
}

// TeamNotes are what operators noted, newest first.
func (w Work) TeamNotes() []cases.Note {
	if w.Case == nil {
		return nil
	}
	out := slices.Clone(w.Case.Notes)
	slices.Reverse(out)
	return out
}

// Permission says which permission approving needs: the one that doing it needs.
func Permission(k cases.ApprovalKind) operator.Permission {
	if k == cases.ApprovePrice || k == cases.ApproveFormal {
		return operator.SetPrices
	}
	return operator.MoveOrders
}

// Describe is what an operator wants, in words.
func Describe(k cases.ApprovalKind) string {
	return map[cases.ApprovalKind]string{
		cases.ApproveRefund: "give money back", cases.ApproveCancel: "cancel the order", cases.ApprovePrice: "set a price",
		cases.ApproveFormal: "issue a formal quote",
	}[k]
}

// A Subject is what a case is of.
type Subject struct {
	Ref, Account string
	Kind         string // as the audit trail says it
	Person       string // PersonRef of the customer
	Path         string // where an operator goes back to
	ITAR         bool   // a controlled formal order
}

// AuditRecord is what the trail says of something that is done about it.
func (s Subject) AuditRecord(action string) audits.Record {
	return audits.Record{Action: action, Kind: s.Kind, ID: s.Ref, Controlled: s.ITAR}
}
