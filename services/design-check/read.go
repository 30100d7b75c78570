package designcheck

import (
	"context"
	"errors"
	"path"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/pkg/trace"
	"boardorder/pkg/worker"

	"go.uber.org/zap"
)

// read makes a reading, unless there is one of this reader's version: what a price
// depends on. Pictures and packages follow, by a command of their own.
func (s *Service) read(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[boards.ReadData](c)
	if err != nil {
		return err
	}
	now, err := s.loadBoard(ctx, data.Digest)
	switch {
	case err != nil:
		return err
	case now.Did(c.ID): // its rest may not be asked for yet
	case current(now):
		_, err = retention.Need(ctx, s.events, data.Digest, c, "upload", data.Until, s.now())
	default:
		now, err = s.readAnew(ctx, c, data, now)
	}
	if err != nil || !current(now) || now.State.Rest == boards.RestMade {
		return err
	}
	return s.askForRest(ctx, c, data, now.State.Prefix)
}

type (
	boardSnapshot = aggregate.Snapshot[boards.ReadFiles]
	boardChange   = aggregate.Change[boards.ReadFiles]
)

func (s *Service) loadBoard(ctx context.Context, digest string) (boardSnapshot, error) {
	return aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, digest).Load(ctx)
}

// askForRest has the pictures and packages of a reading made.
func (s *Service) askForRest(ctx context.Context, c contract.Command, data boards.ReadData, prefix string) error {
	rest := boards.CompleteData{Digest: data.Digest, Prefix: prefix, Upload: data.Upload, Files: data.Files, Answers: data.Answers}
	complete, err := c.Follow(boards.Complete, prefix, s.now(), rest)
	if err != nil {
		return err
	}
	return s.events.Send(ctx, complete)
}

// readAnew reads what a price depends on. Of files that went meanwhile nothing is read.
func (s *Service) readAnew(ctx context.Context, c contract.Command, data boards.ReadData, before boardSnapshot) (boardSnapshot, error) {
	if err := s.nameAnswered(ctx, c, data.Digest); err != nil {
		return before, err
	}
	prefix := boards.ReadingPrefix(data.Digest, before.Version)
	state, err := s.make(ctx, c, data, prefix)
	if errors.Is(err, blob.ErrNotFound) {
		s.log.Info("the files to read are gone", zap.String("digest", data.Digest), trace.ID(ctx))
		// The upload ended; whoever waits finds that out from it. An earlier try may
		// have left blobs.
		return before, blob.DeletePrefix(ctx, s.blobs, prefix)
	}
	if err != nil {
		return before, err
	}
	after, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, data.Digest).Execute(ctx, c, s.now(),
		func(now boardSnapshot) (*boardChange, error) {
			if current(now) || now.Version != before.Version && now.State.Gone {
				return nil, nil
			}
			next := state
			next.DuplicateKey = duplicates.Key(uploads.ContentOf(data.Files))
			next.Checks, next.Answered, next.NeededUntil = now.State.Checks, now.State.Answered, maxTime(now.State.NeededUntil, data.Until)
			return &boardChange{Event: boards.EventRead, State: next}, nil
		})
	if err != nil || after.State.Prefix == prefix && !after.State.Gone {
		return after, err
	}
	// Forgotten meanwhile, or read by another. What was made here must go: its
	// files may have been declared ITAR. Should they still be there, they are read anew.
	if !after.State.Retains(prefix, s.now()) { // which another delivery of this command made
		err = blob.DeletePrefix(ctx, s.blobs, prefix)
	}
	if err != nil || !after.State.Gone {
		return after, err
	}
	return after, flow.Snooze(time.Second, errors.New("forgotten while it was read"))
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func current(s boardSnapshot) bool {
	return s.State.IsRead() && s.State.Reader == Version
}

// make has a worker read. Blobs of a reading lie under a prefix of their own, so making
// them twice makes the same.
func (s *Service) make(ctx context.Context, c contract.Command, data boards.ReadData, prefix string) (boards.ReadFiles, error) {
	var made boards.ReadFiles
	err := s.do(ctx, c.Account, totalSize(data.Files), worker.Order{
		Task: readTask, Ask: readAsk{Answers: data.Answers}, Files: s.sources(data.Files), Put: s.keeper(ctx, prefix).put, Result: &made,
	}, readAsk{Answers: data.Answers, Plain: true})
	if worker.IsFailure(err) {
		made, err = unread(data.Files, err), nil
		made.Package = uploadPackage
	}
	if err != nil {
		return made, err
	}
	made.Answers, made.Digest, made.Prefix, made.Reader, made.ReadAt = data.Answers, data.Digest, prefix, Version, s.now()
	locate(&made)
	return made, nil
}

// locate turns the names of what is still to be made into keys. Nothing else in what a
// worker says names a blob.
func locate(r *boards.ReadFiles) {
	left := maxMade
	key := func(name string) string {
		if left--; name == "" || left < 0 {
			return ""
		}
		return r.Prefix + path.Base(name)
	}
	r.Gone, r.Rest, r.Package = false, boards.RestMaking, key(r.Package)
	for i := range r.Findings {
		r.Findings[i].Image = ""
	}
	for i := range r.Boards {
		b := &r.Boards[i]
		b.Layers = nil
		b.Top, b.Bottom, b.Package = key(b.Top), key(b.Bottom), key(b.Package)
		for j := range b.Findings {
			b.Findings[j].Image = key(b.Findings[j].Image)
		}
	}
}

func totalSize(files []uploads.File) int64 {
	var n int64
	for _, f := range files {
		n += f.Size
	}
	return n
}
