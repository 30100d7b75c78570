package pricing

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/services/pricing/internal/approval"
)

// askApproval records which alternative parts a quote's customer is asked about.
func (s *Service) askApproval(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.AskApprovalData](c)
	if err != nil {
		return err
	}
	_, err = s.decideApproval(ctx, c, data.Quote, func(q quotes.Quote) (quotes.Quote, contract.EventName, error) {
		next, changed, err := approval.Ask(q, data, s.now())
		if err != nil || !changed {
			return next, "", err
		}
		return next, quotes.EventApprovalAsked, nil
	})
	return err
}

// answerApproval records what the customer decided, and has the console write it into the audit trail.
func (s *Service) answerApproval(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.AnswerApprovalData](c)
	if err != nil {
		return err
	}
	snap, err := s.decideApproval(ctx, c, data.Quote, func(q quotes.Quote) (quotes.Quote, contract.EventName, error) {
		return approval.Answer(q, data, s.now())
	})
	if err != nil {
		return err
	}
	if a := snap.State.Approval(data.Approval); a == nil || a.Answer == nil || snap.HasRefused(c.ID) {
		return nil
	}
	note, err := c.Follow(audits.NoteApproval, data.Approval, s.now(), audits.NoteApprovalData{Quote: data.Quote, Approval: data.Approval})
	if err != nil {
		return err
	}
	note.ID = contract.DeriveID(note.Name.String(), data.Quote, data.Approval) // of the one answer, whoever sent it
	return s.events.Send(ctx, note)
}

// decideApproval commits what becomes of the approvals of a quote that is not paid, of the files as they
// were when it was priced.
func (s *Service) decideApproval(ctx context.Context, c contract.Command, quote string, decide func(quotes.Quote) (quotes.Quote, contract.EventName, error)) (aggregate.Snapshot[quotes.Quote], error) {
	ref := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, quote)
	before, err := ref.Load(ctx)
	if err != nil || before.Did(c.ID) {
		return before, err
	}
	if !before.Exists() || before.State.Account != c.Account {
		return before, contract.Refuse(contract.NotFound, "There is no such quote.")
	}
	ordered, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, quote).Load(ctx)
	if err != nil {
		return before, err
	}
	if ordered.Exists() {
		return before, contract.Refuse(contract.Conflict, "This quote has been paid, so its parts stay as they are.")
	}
	if err := s.refuseOtherFiles(ctx, before.State); err != nil {
		return before, err
	}
	snap, err := ref.Execute(ctx, c, s.now(), func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
		next, event, err := decide(now.State)
		if err != nil || event == "" {
			return nil, err
		}
		return &aggregate.Change[quotes.Quote]{Event: event, State: next}, nil
	})
	if err == nil && !snap.Did(c.ID) {
		err = ref.Complete(ctx, c, s.now())
	}
	return snap, err
}

// refuseOtherFiles refuses a quote to whose upload files have come since. One whose files have been
// deleted was priced with what it had.
func (s *Service) refuseOtherFiles(ctx context.Context, q quotes.Quote) error {
	up, err := s.usableUpload(ctx, q.Account, q.Upload)
	switch refusal := contract.RefusalIn(err); {
	case refusal != nil && (refusal.Code == contract.UploadExpired || refusal.Code == contract.UploadNotFound):
		return nil
	case err != nil:
		return err
	case up.Digest != boards.FilesDigest(q.Digest):
		return contract.Refuse(contract.Conflict, "Files have come to the upload since this quote was made, so its parts may be others. Ask for a quote of the files as they are now.")
	}
	return nil
}

// useApproval gives the parts that customers approved for the quote of which another is asked for, and
// puts those of the approval that the request names among its substitutions.
func (s *Service) useApproval(ctx context.Context, c contract.Command, data *quotes.PriceData) ([]quotes.ApprovedPart, error) {
	if data.From == "" || data.Approval == "" && len(data.Request.Substitutions) == 0 {
		return nil, nil
	}
	now, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.From).Load(ctx)
	if err != nil {
		return nil, err
	}
	from := now.State
	if !now.Exists() { // its order keeps it
		ordered, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, data.From).Load(ctx)
		if err != nil {
			return nil, err
		}
		from = ordered.State.Sold
	}
	switch {
	case data.Approval == "" && from.Account != c.Account:
		return nil, nil
	case data.Approval == "":
		return from.Approved, nil
	case from.Account != c.Account:
		return nil, contract.Refuse(contract.NotFound, "There is no such quote.")
	}
	if err := s.refuseOtherFiles(ctx, from); err != nil {
		return nil, err
	}
	approved, err := approval.FindApproved(from, data.Approval, s.now())
	if err != nil {
		return nil, err
	}
	data.Request.Substitutions = approval.Substitute(data.Request.Substitutions, approved)
	return append(approved, from.Approved...), nil
}
