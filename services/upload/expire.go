package upload

import (
	"context"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
)

// scheduleExpiry sets the one timer that ends an upload. Later files set it anew.
func (s *Service) scheduleExpiry(ctx context.Context, c contract.Command, u uploads.Upload) error {
	expire, err := c.Follow(uploads.Expire, u.ExpiresAt.Format(time.RFC3339Nano), s.now(), uploads.Data{Ref: u.Ref})
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.UploadAggregate, AggregateID: u.Ref, What: "expire", Due: u.ExpiresAt, Command: expire,
	})
}

// expire ends an upload whose time has come: first nobody can use it any more,
// then its files go. What was read of them goes when no quote needs it. A timer
// that is too early, as one set by a delivery that was slow, is set anew.
func (s *Service) expire(ctx context.Context, c contract.Command) error {
	u, ended, err := s.end(ctx, c, uploads.EventExpired, uploads.Expired, func(u uploads.Upload) bool {
		return u.Status == uploads.Open && !s.now().Before(u.ExpiresAt)
	})
	switch {
	case err != nil:
		return err
	case ended:
		return s.forget(ctx, c, u.Digest, false)
	case u.Status == uploads.Open: // the timer was set by a delivery that was slow
		return s.scheduleExpiry(ctx, c, u)
	}
	return nil
}

// end ends an upload that is due; ended is false for one that is not.
func (s *Service) end(ctx context.Context, c contract.Command, event contract.EventName, status uploads.Status, due func(uploads.Upload) bool) (u uploads.Upload, ended bool, err error) {
	data, err := flow.Decode[uploads.Data](c)
	if err != nil {
		return u, false, err
	}
	snap, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, data.Ref).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[uploads.Upload]) (*aggregate.Change[uploads.Upload], error) {
			u := now.State
			if !now.Exists() {
				u = s.empty(c, data.Ref)
			}
			if !due(u) {
				return nil, nil
			}
			u.Status = status
			// Names show what was designed: they go with the files.
			u.Files, u.LeftOut, u.Received, u.OrderFile = []uploads.File{}, nil, []uploads.Received{}, nil
			return &aggregate.Change[uploads.Upload]{Event: event, State: u}, nil
		})
	if err != nil || snap.State.Status != status {
		return snap.State, false, err
	}
	return snap.State, true, blob.DeletePrefix(ctx, s.blobs, uploads.Prefix+data.Ref+"/")
}

func (s *Service) forget(ctx context.Context, c contract.Command, digest string, must bool) error {
	if digest == "" {
		return nil
	}
	return s.follow(ctx, c, boards.Forget, digest, boards.ForgetData{Digest: digest, Must: must})
}

func (s *Service) follow(ctx context.Context, c contract.Command, name contract.CommandName, key string, data any) error {
	next, err := c.Follow(name, key, s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Send(ctx, next)
}

// stagedTTL is longer than any command that could still want a staged file.
const stagedTTL = 24 * time.Hour

// Sweep removes what no command will: files staged by an edge that died before
// it could send its command, files of a refusal whose process died after
// writing it down, and files of uploads that ended while a batch was being
// unpacked. What is younger than a day may still be wanted.
func (s *Service) Sweep(ctx context.Context) error {
	old := s.now().Add(-stagedTTL)
	for info, err := range s.blobs.List(ctx, uploads.StagingPrefix) {
		if err != nil {
			return err
		}
		if info.ModTime.Before(old) {
			if err := s.blobs.Delete(ctx, info.Key); err != nil {
				return err
			}
		}
	}
	for info, err := range s.blobs.List(ctx, uploads.Prefix) {
		if err != nil {
			return err
		}
		if !info.ModTime.Before(old) {
			continue
		}
		if err := s.sweepUpload(ctx, info.Key); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) sweepUpload(ctx context.Context, key string) error {
	ref, _, _ := strings.Cut(strings.TrimPrefix(key, uploads.Prefix), "/")
	snap, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, ref).Load(ctx)
	if err != nil {
		return err
	}
	for _, f := range snap.State.Files {
		if f.Key == key {
			return nil
		}
	}
	return s.blobs.Delete(ctx, key)
}
