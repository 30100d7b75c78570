package upload

import (
	"context"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"

	"go.uber.org/zap"
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
// then its files go. What was read of them goes when no quote needs it.
func (s *Service) expire(ctx context.Context, c contract.Command) error {
	return s.end(ctx, c, contract.UploadExpiredEvent, contract.UploadClosed, func(u contract.Upload) bool {
		return u.Status == contract.UploadOpen && !s.now().Before(u.ExpiresAt)
	})
}

// declareITAR ends an upload at once, whoever else may want what was read of it.
// One whose files are still being taken in is marked before it begins.
func (s *Service) declareITAR(ctx context.Context, c contract.Command) error {
	return s.end(ctx, c, contract.ITARDeclared, contract.UploadITARDeclared, func(u contract.Upload) bool {
		return u.Status != contract.UploadITARDeclared
	})
}

func (s *Service) end(ctx context.Context, c contract.Command, event contract.EventName, status contract.UploadStatus, due func(contract.Upload) bool) error {
	data, err := flow.Decode[contract.UploadData](c)
	if err != nil {
		return err
	}
	snap, err := aggregate.Execute(ctx, s.events, contract.UploadAggregate, data.Ref, c, s.now(),
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
		return err
	}
	if err := s.deletePrefix(ctx, contract.UploadsPrefix+data.Ref+"/"); err != nil {
		return err
	}
	if snap.State.Digest == "" {
		return nil
	}
	forget, err := c.Follow(contract.ForgetBoard, snap.State.Digest, s.now(), contract.ForgetBoardData{
		Digest: snap.State.Digest, Must: status == contract.UploadITARDeclared,
	})
	if err != nil {
		return err
	}
	return s.events.Send(ctx, forget)
}

func (s *Service) deletePrefix(ctx context.Context, prefix string) error {
	var keys []string
	for info, err := range s.blobs.List(ctx, prefix) {
		if err != nil {
			return fmt.Errorf("list %s: %w", prefix, err)
		}
		keys = append(keys, info.Key)
	}
	if len(keys) == 0 {
		return nil
	}
	if err := s.blobs.Delete(ctx, keys...); err != nil {
		return fmt.Errorf("delete under %s: %w", prefix, err)
	}
	return nil
}

// sweep sweeps from time to time, until ctx ends.
func (s *Service) sweep(ctx context.Context) error {
	t := time.NewTicker(s.cfg.SweepWait)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
				s.log.Warn("sweep", zap.Error(err))
			}
		}
	}
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
	snap, err := aggregate.Load[contract.Upload](ctx, s.events, contract.UploadAggregate, ref)
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
