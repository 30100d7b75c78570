package partsourcing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/worker"
	"boardorder/services/part-sourcing/internal/kit"
)

// kits remembers what was read of the latest boards: a customer asks several
// times with other choices.
type kits struct {
	mu    sync.Mutex
	seen  map[kitKey]kit.Kit
	order []kitKey // the oldest first
}

type kitKey struct{ digest, board string }

const maxKits = 16

func (k *kits) get(key kitKey) (kit.Kit, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	found, ok := k.seen[key]
	return found, ok
}

func (k *kits) put(key kitKey, one kit.Kit) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen == nil {
		k.seen = map[kitKey]kit.Kit{}
	}
	if _, ok := k.seen[key]; !ok {
		k.order = append(k.order, key)
	}
	k.seen[key] = one
	if len(k.order) > maxKits {
		delete(k.seen, k.order[0])
		k.order = k.order[1:]
	}
}

func (k *kits) forget(digests []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.order = slices.DeleteFunc(k.order, func(key kitKey) bool {
		gone := slices.Contains(digests, boards.FilesDigest(key.digest))
		if gone {
			delete(k.seen, key)
		}
		return gone
	})
}

// readBoard is what a worker makes of an upload.
type readBoard struct {
	Kit kit.Kit
	OK  bool
}

// askBoard is what it is asked.
type askBoard struct {
	Board   string
	Answers *answers.FileAnswers
}

// kit gives what the files of an upload say about the parts of a board, and where
// what is made of the board's files is kept.
func (s *assembler) kit(ctx context.Context, data assemblies.AssembleData) (k kit.Kit, prefix string, err error) {
	files, read, err := s.boardFiles(ctx, data)
	if err != nil {
		return k, "", err
	}
	key := kitKey{data.Digest, data.Board}
	if k, ok := s.kits.get(key); ok {
		return k, read.Prefix, nil
	}
	var out readBoard
	order := worker.Order{Task: boardTask, Ask: askBoard{data.Board, read.Answers}, Timeout: s.timeout, Result: &out}
	for _, f := range files {
		order.Files = append(order.Files, worker.Source{Name: f.Name, Size: f.Size, Open: func(ctx context.Context) (io.ReadCloser, error) {
			r, _, err := s.blobs.Get(ctx, f.Key)
			return r, err
		}})
	}
	switch err := s.runBoard(ctx, order); {
	case worker.IsFailure(err):
		return k, "", contract.Refuse(contract.DesignFiles, "The bill of materials and the placements cannot be read: reading these files takes more than is allowed.")
	case err != nil:
		return k, "", err
	case !out.OK:
		return k, "", contract.Refuse(contract.DesignFiles, "The upload holds no board of that name.")
	}
	s.kits.put(key, out.Kit)
	return out.Kit, read.Prefix, nil
}

// runBoard has a worker read a board; one that died may have been killed for
// another's need of memory, so that is tried once more.
func (s *assembler) runBoard(ctx context.Context, order worker.Order) error {
	err := s.workers.Run(ctx, order)
	if errors.Is(err, worker.ErrDied) {
		err = s.workers.Run(ctx, order)
	}
	return err
}

var errNotRead = errors.New("the files are still being read")

// boardFiles gives the files of an upload, and what was read of them.
// Neither the projection nor the command is believed: the upload may have been
// declared controlled since.
func (s *assembler) boardFiles(ctx context.Context, data assemblies.AssembleData) (files []uploads.File, reading boards.ReadFiles, err error) {
	up, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, data.Upload).Load(ctx)
	if err != nil {
		return nil, reading, fmt.Errorf("load upload %s: %w", data.Upload, err)
	}
	switch u := up.State; {
	case !up.Exists():
		return nil, reading, contract.Refuse(contract.UploadNotFound, "There is no such upload.")
	case u.Status == uploads.ITARDeclared:
		return nil, reading, contract.Refuse(contract.ITARNotSupported, "This upload was declared ITAR-controlled and cannot be used.")
	case u.Digest != boards.FilesDigest(data.Digest):
		return nil, reading, contract.Refuse(contract.Conflict, "The files of this upload have changed since. Please send the request again.")
	case u.Status != uploads.Open || !s.now().Before(u.ExpiresAt):
		return nil, reading, contract.Refuse(contract.UploadExpired, "The files of this upload have been deleted. Please upload them again.")
	}
	read, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, data.Digest).Load(ctx)
	switch {
	case err != nil:
		return nil, reading, fmt.Errorf("load board %s: %w", data.Digest, err)
	case !read.State.IsRead():
		return nil, reading, flow.SnoozeUntil(contract.BoardAggregate, data.Digest, readPoll, errNotRead)
	}
	return up.State.Files, read.State, nil
}
