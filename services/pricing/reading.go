package pricing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// readings remembers what was read from the latest files. A reading of given
// content does not change until a newer reader reads it again, which is rare,
// so an entry is good for a minute.
type readings struct {
	mu   sync.Mutex
	seen map[string]reading
}

type reading struct {
	files contract.ReadFiles
	until time.Time
}

const (
	readingsMost = 512
	readingLife  = time.Minute
)

func newReadings() *readings { return &readings{seen: map[string]reading{}} }

func (r *readings) get(digest string, now time.Time) (contract.ReadFiles, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.seen[digest]
	return e.files, ok && now.Before(e.until)
}

func (r *readings) put(digest string, files contract.ReadFiles, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.seen) >= readingsMost {
		clear(r.seen)
	}
	r.seen[digest] = reading{files, now.Add(readingLife)}
}

// readFiles gives what the files of an upload say. While they are being read it
// says so to the waiting client and waits.
func (s *Service) readFiles(ctx context.Context, c contract.Command, u contract.UploadBrief) (contract.ReadFiles, error) {
	if files, ok := s.read.get(u.Digest, s.now()); ok {
		return files, nil
	}
	files, ok, err := s.loadReading(ctx, u.Digest)
	if err != nil || ok {
		return files, err
	}
	if err := s.askForReading(ctx, c, u); err != nil {
		return files, err
	}
	return s.awaitReading(ctx, u.Digest)
}

func (s *Service) loadReading(ctx context.Context, digest string) (contract.ReadFiles, bool, error) {
	snap, err := aggregate.Load[contract.ReadFiles](ctx, s.events, contract.BoardAggregate, digest)
	if err != nil || !snap.Exists() || snap.State.Gone {
		return contract.ReadFiles{}, false, err
	}
	s.read.put(digest, snap.State, s.now())
	return snap.State, true, nil
}

// askForReading tells the client what it waits for, and asks for the reading
// once more, should the first wish have got lost in the dead letters.
func (s *Service) askForReading(ctx context.Context, c contract.Command, u contract.UploadBrief) error {
	_, err := aggregate.Step(ctx, s.events, contract.QuoteRequestAggregate, c.Request, c, "waiting", s.now(),
		func(now aggregate.Snapshot[contract.QuoteWait]) (*aggregate.Change[contract.QuoteWait], error) {
			return &aggregate.Change[contract.QuoteWait]{Event: contract.QuoteRequestWaiting, State: contract.QuoteWait{
				Request: c.Request, Account: c.Account, Since: s.now(),
				Progress: "Reading the design files.",
			}}, nil
		})
	if err != nil {
		return err
	}
	var files []contract.UploadFile
	if err := json.Unmarshal(u.Files, &files); err != nil {
		return fmt.Errorf("decode files of upload %s: %w", u.Ref, err)
	}
	ask, err := c.Follow(contract.ReadBoard, u.Digest, s.now(), contract.ReadBoardData{Digest: u.Digest, Upload: u.Ref, Files: files})
	if err != nil {
		return err
	}
	return s.events.Send(ctx, ask)
}

// awaitReading listens first and looks second, so that a reading that ends
// between the two is not missed.
func (s *Service) awaitReading(ctx context.Context, digest string) (contract.ReadFiles, error) {
	heard := make(chan struct{}, 1)
	stop, err := s.events.Hear(contract.BoardAggregate, digest, func() {
		select {
		case heard <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return contract.ReadFiles{}, flow.Snooze(time.Second, err)
	}
	defer stop()
	again := time.NewTicker(time.Second) // what is heard is a hint, and may be lost
	defer again.Stop()
	end := time.NewTimer(s.cfg.ReadingWait)
	defer end.Stop()
	for {
		files, ok, err := s.loadReading(ctx, digest)
		if err != nil || ok {
			return files, err
		}
		select {
		case <-heard:
		case <-again.C:
		case <-end.C:
			return files, flow.Snooze(time.Second, errStillReading)
		case <-ctx.Done():
			return files, ctx.Err()
		}
	}
}

var errStillReading = errors.New("the files are still being read")
