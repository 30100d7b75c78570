package central

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/services/central/internal/order"
)

// The automatic check is made for the usual copper and thickness.
const (
	checkCopperOz    = 1
	checkThicknessMM = 1.6
	// checkPoll is how long a step is waited for, unless it is known to be done before.
	checkPoll = 30 * time.Second
)

// check has the Gerbers of an order checked as any design is: it hands a copy to the
// upload service, asks for the check, waits, and records what was found. Nobody else
// can name that upload. It is never made of an ITAR order.
func (s *Service) check(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.Data](c)
	if err != nil {
		return err
	}
	now, err := aggregate.At[formal.Order](s.events, contract.FormalAggregate, data.Order).Load(ctx)
	if err != nil || !now.Exists() || !order.Checkable(now.State) {
		return err
	}
	found, err := s.awaitCheck(ctx, c, now.State)
	if r := contract.RefusalIn(err); r != nil {
		found, err = formal.Check{Status: formal.NotRun, Why: r.Message}, nil
	}
	if err != nil && s.now().Sub(now.State.CreatedAt) > s.cfg.MaxCheck {
		found, err = formal.Check{Status: formal.NotRun, Why: "The files could not be checked in time."}, nil
	}
	if err != nil {
		return err
	}
	return s.recordCheck(ctx, c, now.State, found)
}

func (s *Service) recordCheck(ctx context.Context, c contract.Command, o formal.Order, found formal.Check) error {
	if found.Digest != "" { // its pictures are the team's too
		_, err := retention.Need(ctx, s.events, found.Digest, c, "central "+o.Key, s.now().Add(s.cfg.FilesKept), s.now())
		if err != nil && !errors.Is(err, retention.ErrGone) {
			return err
		}
	}
	_, err := aggregate.At[formal.Order](s.events, contract.FormalAggregate, o.Key).Execute(ctx, c, s.now(), func(now snapshot) (*change, error) {
		if !now.Exists() || !order.Checkable(now.State) {
			return nil, nil
		}
		state := now.State
		found.At = s.now()
		state.Check = &found
		return &change{Event: formal.EventChecked, State: state}, nil
	})
	return err
}

// awaitCheck gives what the check found once it has ended.
func (s *Service) awaitCheck(ctx context.Context, c contract.Command, o formal.Order) (formal.Check, error) {
	up, err := s.gerberUpload(ctx, c, o)
	if err != nil {
		return formal.Check{}, err
	}
	id, err := s.requestCheck(ctx, c, up)
	if err != nil {
		return formal.Check{}, err
	}
	now, err := aggregate.At[designchecks.DesignCheck](s.events, contract.DesignCheckAggregate, id).Load(ctx)
	if err != nil {
		return formal.Check{}, err
	}
	switch d := now.State; {
	case d.Refusal != nil:
		return formal.Check{}, d.Refusal
	case d.Status == designchecks.Running || d.Status == "":
		return formal.Check{}, flow.SnoozeUntil(contract.DesignCheckAggregate, id, checkPoll, errors.New("the design is being checked"))
	case d.Status == designchecks.Gone:
		return formal.Check{}, contract.Refuse(contract.NoFiles, "What was read of the files is no longer kept.")
	default:
		return order.SummarizeCheck(d), nil
	}
}

// uploadRef names the upload that an order's Gerbers are checked as: no upload_id
// has this digest.
func uploadRef(o formal.Order) string { return contract.DeriveID("central-upload", o.Key) }

// gerberUpload gives the upload that holds the Gerbers, handing them over first.
func (s *Service) gerberUpload(ctx context.Context, c contract.Command, o formal.Order) (uploads.Upload, error) {
	ref := uploadRef(o)
	waiting := flow.SnoozeUntil(contract.UploadAggregate, ref, checkPoll, errors.New("the files are being unpacked"))
	now, err := aggregate.At[json.RawMessage](s.events, contract.UploadAggregate, ref).Load(ctx)
	switch {
	case err != nil:
		return uploads.Upload{}, err
	case now.Seq == 0:
		if err := s.handOver(ctx, c, o, ref); err != nil {
			return uploads.Upload{}, err
		}
		return uploads.Upload{}, waiting
	case !now.Exists():
		if op, ok, err := contract.OutcomeOf(now.Event); err != nil || !ok || op.Refusal == nil {
			return uploads.Upload{}, errors.Join(err, fmt.Errorf("upload %s has neither state nor refusal", ref))
		} else {
			return uploads.Upload{}, op.Refusal
		}
	}
	var up uploads.Upload
	if err := json.Unmarshal(now.State, &up); err != nil {
		return up, fmt.Errorf("decode upload %s: %w", ref, err)
	}
	if up.Status != uploads.Open || !s.now().Before(up.ExpiresAt) {
		return up, contract.Refuse(contract.UploadExpired, "The files could not be checked in time.")
	}
	return up, nil
}

// handOver stages a copy of the Gerbers and has it made an upload. Both can be done
// twice: the key and the command are the same.
func (s *Service) handOver(ctx context.Context, c contract.Command, o formal.Order, ref string) error {
	f := o.File(formal.Gerbers)
	key := uploads.StagingPrefix + ref
	err := s.copy(ctx, f.Key, key, f.Size)
	if errors.Is(err, blob.ErrNotFound) {
		return contract.Refuse(contract.NoFiles, "The files are no longer kept.")
	}
	if err != nil {
		return err
	}
	return s.request(ctx, c, uploads.AddFiles, ref, uploads.AddFilesData{
		Ref: ref, Files: []uploads.StagedFile{{Name: f.Name, Size: f.Size, SHA256: f.SHA256, Key: key}},
	})
}

// request is follow for a command whose outcome is looked for by its id.
func (s *Service) request(ctx context.Context, c contract.Command, name contract.CommandName, key string, data any) error {
	next, err := c.Follow(name, key, s.now(), data)
	if err != nil {
		return err
	}
	next.Request = next.ID
	return s.events.Send(ctx, next)
}

// requestCheck asks for the check and gives its id once it has begun.
func (s *Service) requestCheck(ctx context.Context, c contract.Command, up uploads.Upload) (check string, err error) {
	data := contract.CheckDesignData{Upload: up.Ref, CopperOz: checkCopperOz, ThicknessMM: checkThicknessMM}
	ask, err := c.Follow(designchecks.Check, up.Ref, s.now(), data)
	if err != nil {
		return "", err
	}
	now, err := aggregate.At[contract.Operation](s.events, contract.OperationAggregate, ask.ID).Load(ctx)
	switch {
	case err != nil:
		return "", err
	case now.State.Refusal != nil:
		return "", now.State.Refusal
	case now.Exists():
		return now.State.ID, nil
	}
	if err := s.request(ctx, c, designchecks.Check, up.Ref, data); err != nil {
		return "", err
	}
	return "", flow.SnoozeUntil(contract.OperationAggregate, ask.ID, checkPoll, errors.New("the check has not begun"))
}
