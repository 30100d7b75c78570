package upload

import (
	"context"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// scheduleExpiry sets the one timer that ends an upload. Later files set it anew.
func (s *Service) scheduleExpiry(ctx context.Context, c contract.Command, u contract.Upload) error {
	expire, err := c.Follow(contract.ExpireUpload, u.ExpiresAt.Format(time.RFC3339Nano), s.now(), contract.UploadData{Ref: u.Ref})
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
	u, ended, err := s.end(ctx, c, contract.UploadExpiredEvent, contract.UploadClosed, func(u contract.Upload) bool {
		return u.Status == contract.UploadOpen && !s.now().Before(u.ExpiresAt)
	})
	switch {
	case err != nil:
		return err
	case ended:
		return s.forget(ctx, c, u.Digest, false)
	case u.Status == contract.UploadOpen: // the timer was set by a delivery that was slow
		return s.scheduleExpiry(ctx, c, u)
	}
	return nil
}

// end ends an upload that is due; ended is false for one that is not.
func (s *Service) end(ctx context.Context, c contract.Command, event contract.EventName, status contract.UploadStatus, due func(contract.Upload) bool) (u contract.Upload, ended bool, err error) {
	data, err := flow.Decode[contract.UploadData](c)
	if err != nil {
		return u, false, err
	}
	snap, err := aggregate.At[contract.Upload](s.events, contract.UploadAggregate, data.Ref).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[contract.Upload]) (*aggregate.Change[contract.Upload], error) {
			u := now.State
			if !now.Exists() {
				u = s.empty(c, data.Ref)
			}
			if !due(u) {
				return nil, nil
			}
			u.Status = status
			// Names show what was designed: they go with the files.
			u.Files, u.LeftOut, u.Received = []contract.UploadFile{}, nil, []contract.Received{}
			return &aggregate.Change[contract.Upload]{Event: event, State: u}, nil
		})
	if err != nil || snap.State.Status != status {
		return snap.State, false, err
	}
	return snap.State, true, blob.DeletePrefix(ctx, s.blobs, contract.UploadsPrefix+data.Ref+"/")
}

func (s *Service) forget(ctx context.Context, c contract.Command, digest string, must bool) error {
	if digest == "" {
		return nil
	}
	return s.follow(ctx, c, contract.ForgetBoard, digest, contract.ForgetBoardData{Digest: digest, Must: must})
}

func (s *Service) follow(ctx context.Context, c contract.Command, name contract.CommandName, key string, data any) error {
	next, err := c.Follow(name, key, s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Send(ctx, next)
}

// stagedLife is longer than any command that could still want a staged file.
const stagedLife = 24 * time.Hour

// Sweep removes what no command will: files staged by an edge that died before
// it could send its command, files of a refusal whose process died after
// writing it down, and files of uploads that ended while a batch was being
// unpacked. What is younger than a day may still be wanted.
func (s *Service) Sweep(ctx context.Context) error {
	old := s.now().Add(-stagedLife)
	for info, err := range s.blobs.List(ctx, contract.StagingPrefix) {
		if err != nil {
			return err
		}
		if info.ModTime.Before(old) {
			if err := s.blobs.Delete(ctx, info.Key); err != nil {
				return err
			}
		}
	}
	for info, err := range s.blobs.List(ctx, contract.UploadsPrefix) {
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
	ref, _, _ := strings.Cut(strings.TrimPrefix(key, contract.UploadsPrefix), "/")
	snap, err := aggregate.At[contract.Upload](s.events, contract.UploadAggregate, ref).Load(ctx)
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
