// Package audit reads the record of what operators did: verifies its chain, and
// writes it to files.
package audit

import (
	"context"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
)

// Report is what a look through the whole audit trail found.
type Report struct {
	Entries  uint64   `json:"entries"`
	Head     string   `json:"head"` // hash of the last entry; who wrote it down earlier finds it again in the chain
	Problems []string `json:"problems,omitempty"`
}

// maxProblems bounds a report: one removal is one problem, a rewritten chain is
// thousands.
const maxProblems = 20

// A Verifier follows the chain entry by entry.
type Verifier struct {
	last   audits.Entry
	report Report
}

// NewVerifier begins at the first entry.
func NewVerifier() *Verifier { return &Verifier{} }

// Add looks at the next entry. After a problem it goes on from what is there.
func (v *Verifier) Add(e audits.Entry) {
	if err := e.Follows(v.last); err != nil && len(v.report.Problems) < maxProblems {
		v.report.Problems = append(v.report.Problems, err.Error())
	}
	v.last = e
	v.report.Entries++
	v.report.Head = e.Hash
}

// Report is what was found so far.
func (v *Verifier) Report() Report { return v.report }

// Read gives every entry of the audit trail, oldest first.
func Read(ctx context.Context, b *bus.Bus, do func(audits.Entry)) error {
	var failed error
	unread, err := b.ReplayEvents(ctx, contract.AuditAggregate, func(events []contract.Event) error {
		for _, e := range events {
			snap, err := aggregate.Decode[audits.Entry](e)
			if err != nil {
				failed = err
				return err
			}
			do(snap.State)
		}
		return nil
	})
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return fmt.Errorf("read the audit trail: %w", err)
	case unread > 0:
		return fmt.Errorf("%d entries of the audit trail cannot be read", unread)
	}
	return nil
}

// Verify reads the whole trail from its stream and looks whether each entry
// follows from the one before.
func Verify(ctx context.Context, b *bus.Bus) (Report, error) {
	v := NewVerifier()
	err := Read(ctx, b, v.Add)
	return v.Report(), err
}
