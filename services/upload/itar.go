package upload

import (
	"context"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"

	"go.uber.org/zap"
)

// declareITAR ends an upload at once, whoever else may want what was read of it,
// and has all that tells of its design removed everywhere. One whose files are
// still being taken in is marked before it begins. Only the account whose upload
// it is can have it deleted; another's word has people look.
//
// What was declared is written down first. The content of the files, by which
// the others find what to remove, goes last: a command that comes again goes on
// as long as it is there.
func (s *Service) declareITAR(ctx context.Context, c contract.Command) error {
	u, ended, err := s.end(ctx, c, contract.ITARDeclared, contract.UploadITARDeclared, func(u contract.Upload) bool {
		return u.Status != contract.UploadITARDeclared && u.Account == c.Account
	})
	if err == nil && u.Account != c.Account {
		return s.doubt(ctx, c, u)
	}
	if err != nil || !ended {
		return err
	}
	if err := s.eraseDesign(ctx, c, u); err != nil {
		return err
	}
	if err := s.lookAgain(ctx, c, u.Ref); err != nil {
		return err
	}
	for _, key := range contract.EqualKeys(contents(u)) {
		if err := s.events.ForgetEqual(ctx, contract.UploadAggregate, key, u.Ref); err != nil {
			return err
		}
	}
	marks := contract.MarksFrom(contract.UploadMark(u.Ref))
	return aggregate.Erase(ctx, s.events, contract.UploadAggregate, u.Ref, c, marks, s.now(), func(u contract.Upload) contract.Upload {
		return contract.Upload{
			Ref: u.Ref, Account: u.Account, Status: u.Status, CreatedAt: u.CreatedAt, LastFileAt: u.LastFileAt, ExpiresAt: u.ExpiresAt,
			Received: []contract.Received{}, Files: []contract.UploadFile{},
		}
	})
}

// doubt is what another account's declaration of an upload leads to: nothing of
// the owner's is touched, and orders of the files are held for people to look at,
// those that are there and those that come.
func (s *Service) doubt(ctx context.Context, c contract.Command, u contract.Upload) error {
	s.log.Warn("an upload was declared ITAR-controlled by another account: its orders are held, its files stay",
		zap.String("upload", u.Ref), zap.String("account", u.Account), zap.String("declared_by", c.Account))
	if err := s.mark(ctx, c, u.Ref); err != nil {
		return err
	}
	return s.lookForEqual(ctx, c, u, c.Account)
}

// lookForEqual has orders of the same files held, and uploads of them marked, that
// are not of the account which declared.
func (s *Service) lookForEqual(ctx context.Context, c contract.Command, u contract.Upload, by string) error {
	contents := contents(u)
	if len(contents) == 0 {
		return nil
	}
	return s.follow(ctx, c, contract.DoubtEqual, u.Ref, contract.HoldEqualData{Account: by, Content: contents})
}

// mark records that what is ordered of an upload must be looked at by people.
func (s *Service) mark(ctx context.Context, c contract.Command, ref string) error {
	_, err := aggregate.Step(ctx, s.events, contract.UploadAggregate, ref, c, "doubted-"+ref, s.now(),
		func(now aggregate.Snapshot[contract.Upload]) (*aggregate.Change[contract.Upload], error) {
			u := now.State
			if !now.Exists() || u.Doubted != nil || u.Status == contract.UploadITARDeclared {
				return nil, nil
			}
			at := s.now()
			u.Doubted = &at
			return &aggregate.Change[contract.Upload]{Event: contract.UploadDoubted, State: u}, nil
		})
	return err
}

// doubtEqual marks other accounts' uploads of files that one account declared. Then
// it has the orders held that were made before; one that is made later finds the mark.
func (s *Service) doubtEqual(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.HoldEqualData](c)
	if err != nil {
		return err
	}
	refs, err := s.equalTo(ctx, data)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		u, err := aggregate.Load[contract.Upload](ctx, s.events, contract.UploadAggregate, ref)
		if err != nil {
			return err
		}
		if u.State.Account == data.Account || !slices.ContainsFunc(contents(u.State), func(own string) bool { return slices.Contains(data.Content, own) }) {
			continue
		}
		if err := s.mark(ctx, c, ref); err != nil {
			return err
		}
	}
	return s.follow(ctx, c, contract.HoldEqual, "equal", data)
}

// equalTo gives the uploads that may be of what was declared. It reads the whole
// stream only while it may hold uploads of before they were entered.
func (s *Service) equalTo(ctx context.Context, data contract.HoldEqualData) ([]string, error) {
	refs, whole, err := s.events.EqualTo(ctx, contract.UploadAggregate, contract.EqualKeys(data.Content)...)
	if err != nil || whole {
		return refs, err
	}
	return s.events.Find(ctx, contract.UploadAggregate, func(e contract.Event) bool { return e.Account != data.Account })
}

// lookAgain sets the timer for a second look: a command that was being carried
// out may have written down something meanwhile, such as the names of files that
// it refused.
func (s *Service) lookAgain(ctx context.Context, c contract.Command, ref string) error {
	data, err := flow.Decode[contract.UploadData](c)
	if err != nil || data.Again {
		return err
	}
	due := s.now().Add(contract.EraseAgain)
	again, err := c.Follow(contract.DeclareITAR, "again", due, contract.UploadData{Ref: ref, Again: true})
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.UploadAggregate, AggregateID: ref, What: "erase", Due: due, Command: again,
	})
}

// eraseDesign has the other services remove what they keep of an upload, and
// look at other accounts' orders of the same files.
func (s *Service) eraseDesign(ctx context.Context, c contract.Command, u contract.Upload) error {
	contents := contents(u)
	boards := make([]string, len(contents))
	for i, content := range contents {
		boards[i] = contract.BoardDigest(u.Ref, content)
		if err := s.forget(ctx, c, boards[i], true); err != nil {
			return err
		}
	}
	data := contract.EraseData{Upload: u.Ref, Boards: boards, Equal: contract.EqualKeys(contents)}
	if err := s.follow(ctx, c, contract.EraseOrders, u.Ref, data); err != nil {
		return err
	}
	if err := s.follow(ctx, c, contract.EraseQuotes, u.Ref, data); err != nil {
		return err
	}
	if err := s.follow(ctx, c, contract.EraseAssemblies, u.Ref, data); err != nil {
		return err
	}
	return s.lookForEqual(ctx, c, u, u.Account)
}

// contents are all that the upload's files were, at any time.
func contents(u contract.Upload) []string {
	if u.Content == "" {
		return nil
	}
	return append(append([]string{}, u.Earlier...), u.Content)
}
