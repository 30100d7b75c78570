package upload

import (
	"context"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	boardscontract "boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"

	"go.uber.org/zap"
)

// declareITAR ends an upload at once, whoever else may want what was read of it,
// and has all that tells of its design removed everywhere. One whose files are
// still being taken in is marked before it begins. Only the account whose upload
// it is can have it deleted; another's word closes it to that account.
//
// What was declared is written down first. The content of the files, by which
// the others find what to remove, goes last: a command that comes again goes on
// as long as it is there.
func (s *Service) declareITAR(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[uploads.Data](c)
	if err != nil {
		return err
	}
	u, ended, err := s.end(ctx, c, uploads.EventITARDeclared, uploads.ITARDeclared, func(u uploads.Upload) bool {
		return u.Status != uploads.ITARDeclared && u.Account == c.Account && !data.Keep
	})
	if err == nil && (u.Account != c.Account || data.Keep) {
		return s.closeTo(ctx, c, u)
	}
	if err != nil || !ended {
		return err
	}
	if err := s.eraseDesign(ctx, c, u); err != nil {
		return err
	}
	if err := s.lookAgain(ctx, c, data); err != nil {
		return err
	}
	for _, key := range duplicates.Keys(contents(u)) {
		if err := s.events.ForgetDuplicate(ctx, contract.UploadAggregate, key, u.Ref); err != nil {
			return err
		}
	}
	labels := contract.NewLabels(uploads.Label(u.Ref))
	return aggregate.Erase(ctx, aggregate.Eraser{Core: s.events, Command: c, Labels: labels, At: s.now()}, contract.UploadAggregate, u.Ref, func(u uploads.Upload) uploads.Upload {
		return uploads.Upload{
			Ref: u.Ref, Account: u.Account, Status: u.Status, CreatedAt: u.CreatedAt, LastFileAt: u.LastFileAt, ExpiresAt: u.ExpiresAt,
			Received: []uploads.Received{}, Files: []uploads.File{},
		}
	})
}

// maxDeclaring bounds for how many accounts an upload of another is closed.
const maxDeclaring = 100

// closeTo closes an upload to the account that declared it and has that account's
// orders of it held for people to look at. Nothing is deleted, and nothing of other
// accounts is touched; whose upload it is is written to.
func (s *Service) closeTo(ctx context.Context, c contract.Command, u uploads.Upload) error {
	s.log.Warn("an upload was declared ITAR-controlled and its files stay: it is closed to the account that declared it",
		zap.String("upload", u.Ref), zap.String("account", u.Account), zap.String("declared_by", c.Account))
	err := s.mark(ctx, c, u.Ref, uploads.EventClosedTo, func(u *uploads.Upload) bool {
		return len(u.DeclaredBy) < maxDeclaring && closeUpload(u, c.Account)
	})
	contents := contents(u)
	if err != nil || len(contents) == 0 {
		return err
	}
	return s.follow(ctx, c, orders.HoldDuplicate, "own", duplicates.HoldData{Account: c.Account, Content: contents, Upload: u.Ref})
}

// closeUpload closes an upload to an account, and reports whether it was open to it.
func closeUpload(u *uploads.Upload, account string) bool {
	if slices.Contains(u.DeclaredBy, account) {
		return false
	}
	u.DeclaredBy = append(slices.Clone(u.DeclaredBy), account)
	return true
}

// findDuplicates has orders of the same files held, and uploads of them marked, that
// are not of the account which declared.
func (s *Service) findDuplicates(ctx context.Context, c contract.Command, u uploads.Upload, by string) error {
	contents := contents(u)
	if len(contents) == 0 {
		return nil
	}
	return s.follow(ctx, c, uploads.DoubtDuplicate, u.Ref, duplicates.HoldData{Account: by, Content: contents})
}

// mark changes an upload that was not declared by its owner; change reports whether
// there is anything to change.
func (s *Service) mark(ctx context.Context, c contract.Command, ref string, event contract.EventName, change func(*uploads.Upload) bool) error {
	_, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, ref).Step(ctx, c, string(event)+"-"+ref, s.now(),
		func(now aggregate.Snapshot[uploads.Upload]) (*aggregate.Change[uploads.Upload], error) {
			u := now.State
			if !now.Exists() || u.Status == uploads.ITARDeclared || !change(&u) {
				return nil, nil
			}
			return &aggregate.Change[uploads.Upload]{Event: event, State: u}, nil
		})
	return err
}

// doubt records that what is ordered of an upload must be looked at by people.
func (s *Service) doubt(u *uploads.Upload) bool {
	if u.Doubted != nil {
		return false
	}
	at := s.now()
	u.Doubted = &at
	return true
}

// doubtDuplicate marks other accounts' uploads of files that one account declared. Then
// it has the orders held that were made before; one that is made later finds the mark.
func (s *Service) doubtDuplicate(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[duplicates.HoldData](c)
	if err != nil {
		return err
	}
	refs, err := s.duplicateOf(ctx, data)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		u, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, ref).Load(ctx)
		if err != nil {
			return err
		}
		if u.State.Account == data.Account || !slices.ContainsFunc(contents(u.State), func(own string) bool { return slices.Contains(data.Content, own) }) {
			continue
		}
		if err := s.mark(ctx, c, ref, uploads.EventDoubted, s.doubt); err != nil {
			return err
		}
	}
	return s.follow(ctx, c, orders.HoldDuplicate, "duplicate", data)
}

// duplicateOf gives the uploads that may be of what was declared. It reads the whole
// stream only while it may hold uploads of before they were entered.
func (s *Service) duplicateOf(ctx context.Context, data duplicates.HoldData) ([]string, error) {
	refs, whole, err := s.events.Duplicates(ctx, contract.UploadAggregate, duplicates.Keys(data.Content)...)
	if err != nil || whole {
		return refs, err
	}
	return s.events.Find(ctx, contract.UploadAggregate, func(e contract.Event) bool { return e.Account != data.Account })
}

// lookAgain sets the timer for a second look: a command that was being carried
// out may have written down something meanwhile, such as the names of files that
// it refused.
func (s *Service) lookAgain(ctx context.Context, c contract.Command, data uploads.Data) error {
	if data.Again {
		return nil
	}
	due := s.now().Add(erasures.SecondLook)
	again, err := c.Follow(uploads.DeclareITAR, "again", due, uploads.Data{Ref: data.Ref, Again: true})
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.UploadAggregate, AggregateID: data.Ref, What: "erase", Due: due, Command: again,
	})
}

// eraseDesign has the other services remove what they keep of an upload, and
// look at other accounts' orders of the same files.
func (s *Service) eraseDesign(ctx context.Context, c contract.Command, u uploads.Upload) error {
	contents := contents(u)
	boards := make([]string, len(contents))
	for i, content := range contents {
		boards[i] = boardscontract.Digest(u.Ref, content)
		if err := s.forget(ctx, c, boards[i], true); err != nil {
			return err
		}
	}
	data := erasures.Data{Upload: u.Ref, Boards: boards, DuplicateKeys: duplicates.Keys(contents)}
	if err := s.follow(ctx, c, orders.Erase, u.Ref, data); err != nil {
		return err
	}
	if err := s.follow(ctx, c, quotes.Erase, u.Ref, data); err != nil {
		return err
	}
	if err := s.follow(ctx, c, assemblies.Erase, u.Ref, data); err != nil {
		return err
	}
	return s.findDuplicates(ctx, c, u, u.Account)
}

// contents are all that the upload's files were, at any time.
func contents(u uploads.Upload) []string {
	if u.Content == "" {
		return nil
	}
	return append(append([]string{}, u.Earlier...), u.Content)
}
