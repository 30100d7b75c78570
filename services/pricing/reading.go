package pricing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
)

// readings remembers what was read from the latest files. A reading of given
// content does not change until a newer reader reads it again, which is rare,
// so an entry is good for a minute.
type readings struct {
	mu        sync.Mutex
	seen      map[string]reading
	requested map[string]bool // commands to read, by id, that were sent
}

type reading struct {
	files boards.ReadFiles
	until time.Time
}

const (
	maxReadings = 512
	readingTTL  = time.Minute
	maxAsked    = 4096
)

func newReadings() *readings {
	return &readings{seen: map[string]reading{}, requested: map[string]bool{}}
}

func (r *readings) get(digest string, now time.Time) (boards.ReadFiles, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.seen[digest]
	return e.files, ok && now.Before(e.until)
}

func (r *readings) forget(digest string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seen, digest)
}

func (r *readings) put(digest string, files boards.ReadFiles, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.seen) >= maxReadings {
		clear(r.seen)
	}
	r.seen[digest] = reading{files, now.Add(readingTTL)}
}

// send sends a command to read once: one that became a dead letter does so again
// each time it is sent, beyond the time in which the broker drops repetitions.
func (r *readings) send(ctx context.Context, ask contract.Command, send func(context.Context, contract.Command) error) error {
	r.mu.Lock()
	sent := r.requested[ask.ID]
	r.mu.Unlock()
	if sent {
		return nil
	}
	if err := send(ctx, ask); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requested) >= maxAsked {
		clear(r.requested)
	}
	r.requested[ask.ID] = true
	return nil
}

// readingPoll is how long a quote waits until it looks whether its files are
// read; the reading itself ends the wait.
const readingPoll = time.Second

// readFiles gives what the files of an upload say. While they are being read it
// says so to the waiting client, and the command waits.
func (s *Service) readFiles(ctx context.Context, c contract.Command, requested string, u uploads.Brief, fileAnswers *answers.FileAnswers) (boards.ReadFiles, error) {
	if files, ok := s.read.get(u.Digest, s.now()); ok {
		return files, nil
	}
	files, ok, err := s.loadReading(ctx, u.Digest)
	if err != nil || ok {
		return files, err
	}
	if err := s.askForReading(ctx, c, requested, u, fileAnswers); err != nil {
		return files, err
	}
	return files, flow.SnoozeUntil(contract.BoardAggregate, u.Digest, readingPoll, errStillReading)
}

func (s *Service) loadReading(ctx context.Context, digest string) (boards.ReadFiles, bool, error) {
	snap, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, digest).Load(ctx)
	if err != nil || !snap.State.IsRead() {
		return boards.ReadFiles{}, false, err
	}
	s.read.put(digest, snap.State, s.now())
	return snap.State, true, nil
}

const (
	// readFirst is how long a quote leaves the reading to the upload, which asked for it
	// when the files arrived.
	readFirst = time.Minute
	// readAnew is after how long a quote whose files are still not read asks for it
	// anew: the command that it asked with has ended among the dead letters.
	readAnew = 30 * time.Minute
)

// askForReading records what the client waits for, and asks for the reading: at once
// where its answers make it another than the upload's, and otherwise once more, should
// the upload's own request have become a dead letter.
func (s *Service) askForReading(ctx context.Context, c contract.Command, requested string, u uploads.Brief, fileAnswers *answers.FileAnswers) error {
	files, err := filesOf(u)
	if err != nil {
		return err
	}
	if err := s.record(ctx, c, readingFiles(requested, files)); err != nil {
		return err
	}
	waited := s.now().Sub(c.At)
	if fileAnswers.Empty() && waited < readFirst {
		return nil
	}
	key := u.Digest
	if n := waited / readAnew; n > 0 {
		key += "." + strconv.Itoa(int(n))
	}
	ask, err := c.Follow(boards.Read, key, s.now(), boards.ReadData{Digest: u.Digest, Upload: u.Ref, Files: files, Until: u.ExpiresAt, Answers: fileAnswers})
	if err != nil {
		return err
	}
	return s.read.send(ctx, ask, s.events.Send)
}

var errStillReading = errors.New("the files are still being read")

func filesOf(u uploads.Brief) ([]uploads.File, error) {
	var files []uploads.File
	if err := json.Unmarshal(u.Files, &files); err != nil {
		return nil, fmt.Errorf("decode files of upload %s: %w", u.Ref, err)
	}
	return files, nil
}
