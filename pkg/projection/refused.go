package projection

import "fmt"

// A RefusedError names the documents of a Put that the store will never take,
// however often they are put: they break a rule of Validate or a limit of the
// server. The other documents of the Put are written.
type RefusedError struct {
	Refusals []Refusal // at least one
}

// A Refusal is one document that was refused, and why.
type Refusal struct {
	Kind, ID string
	Seq      uint64
	Err      error
}

func (e *RefusedError) Error() string {
	first := e.Refusals[0]
	return fmt.Sprintf("%d documents are refused, first %s %.80q at %d: %v", len(e.Refusals), first.Kind, first.ID, first.Seq, first.Err)
}

// Refuse makes the refusal of d.
func (d Document) Refuse(err error) Refusal {
	return Refusal{Kind: d.Kind, ID: d.ID, Seq: d.Seq, Err: err}
}

// JoinRefusals is a *RefusedError of the refusals, nil when there are none.
func JoinRefusals(refusals []Refusal) error {
	if len(refusals) == 0 {
		return nil
	}
	return &RefusedError{Refusals: refusals}
}
