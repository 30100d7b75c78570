package designcheck

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/pkg/worker"

	"go.uber.org/zap"
)

// read makes a reading, unless there is one of this reader's version.
func (s *Service) read(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.ReadBoardData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.Load[contract.ReadFiles](ctx, s.events, contract.BoardAggregate, data.Digest)
	if err != nil || before.Did(c.ID) {
		return err
	}
	if current(before) {
		_, err := retention.Need(ctx, s.events, data.Digest, c, "upload", data.Until, s.now())
		return err
	}
	if err := s.nameAnswered(ctx, c, data.Digest); err != nil {
		return err
	}
	prefix := contract.BoardPrefix(data.Digest, before.Version)
	state, err := s.make(ctx, c, data, prefix)
	if errors.Is(err, blob.ErrNotFound) {
		s.log.Info("the files to read are gone", zap.String("digest", data.Digest))
		// The upload ended; whoever waits finds that out from it. An earlier try may
		// have left blobs.
		return blob.DeletePrefix(ctx, s.blobs, prefix)
	}
	if err != nil {
		return err
	}
	after, err := aggregate.Execute(ctx, s.events, contract.BoardAggregate, data.Digest, c, s.now(),
		func(now aggregate.Snapshot[contract.ReadFiles]) (*aggregate.Change[contract.ReadFiles], error) {
			if current(now) || now.Version != before.Version && now.State.Gone {
				return nil, nil
			}
			next := state
			next.Equal = contract.EqualKey(contract.ContentOf(data.Files))
			next.Checks, next.Answered, next.NeededUntil = now.State.Checks, now.State.Answered, later(now.State.NeededUntil, data.Until)
			return &aggregate.Change[contract.ReadFiles]{Event: contract.BoardRead, State: next}, nil
		})
	if err != nil || after.State.Prefix == prefix && !after.State.Gone {
		return err
	}
	// Forgotten meanwhile, or read by another. What was made here must go: its
	// files may have been declared ITAR. Should they still be there, they are read anew.
	if err := blob.DeletePrefix(ctx, s.blobs, prefix); err != nil || !after.State.Gone {
		return err
	}
	return flow.Snooze(time.Second, errors.New("forgotten while it was read"))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func current(s aggregate.Snapshot[contract.ReadFiles]) bool {
	return s.State.IsRead() && s.State.Reader == Version
}

// make has a worker read, draw and pack. Its blobs lie under a prefix of their
// own, so making them twice makes the same.
func (s *Service) make(ctx context.Context, c contract.Command, data contract.ReadBoardData, prefix string) (contract.ReadFiles, error) {
	kept := s.keeper(ctx, prefix)
	var made contract.ReadFiles
	err := s.do(ctx, c.Account, unpacked(data.Files), worker.Order{
		Task: readTask, Ask: readAsk{data.Answers}, Files: s.sources(data.Files), Put: kept.put, Result: &made,
	})
	if worker.Failed(err) {
		made, err = unread(data.Files, err), nil
		made.Package = uploadPackage
	}
	if err != nil {
		return made, err
	}
	made.Answers, made.Digest, made.Prefix, made.Reader, made.ReadAt = data.Answers, data.Digest, prefix, Version, s.now()
	kept.locate(&made)
	return made, nil
}

// locate turns the names of what was made into keys. Nothing else in what a
// worker says names a blob.
func (k *keeper) locate(r *contract.ReadFiles) {
	r.Gone, r.Package = false, k.key(r.Package)
	for i := range r.Findings {
		r.Findings[i].Image = ""
	}
	for i := range r.Boards {
		b := &r.Boards[i]
		b.Layers = nil
		b.Top, b.Bottom, b.Package = k.key(b.Top), k.key(b.Bottom), k.key(b.Package)
		for j := range b.Findings {
			b.Findings[j].Image = k.key(b.Findings[j].Image)
		}
	}
}

func unpacked(files []contract.UploadFile) int64 {
	var n int64
	for _, f := range files {
		n += f.Size
	}
	return n
}
