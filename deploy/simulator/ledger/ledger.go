// Package ledger keeps an append-only record of what happened, one JSON value a
// line, on disk before the caller goes on. What was appended survives kill -9
// and a power cut; a line that was only half written is dropped on opening.
package ledger

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// A Ledger is a file of entries of type T. It is safe for concurrent use.
type Ledger[T any] struct {
	mu   sync.Mutex
	file *os.File
	size int64 // end of the last whole entry
	bad  error // why the ledger takes no more entries
}

// Open opens or creates the ledger at path and hands every entry in it to
// replay, oldest first. A torn last line is cut off; a broken line before
// that is an error, because somebody has edited the ledger.
func Open[T any](path string, replay func(T) error) (*Ledger[T], error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	b := &Ledger[T]{file: f}
	if err := b.read(replay); err != nil {
		f.Close()
		return nil, fmt.Errorf("read ledger %s: %w", path, err)
	}
	return b, nil
}

func (b *Ledger[T]) read(replay func(T) error) error {
	r := bufio.NewReaderSize(b.file, 1<<16)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := replay(v); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		b.size += int64(len(line))
	}
	if err := b.file.Truncate(b.size); err != nil {
		return err
	}
	_, err := b.file.Seek(b.size, io.SeekStart)
	return err
}

// Append writes v and returns once it is on disk. After a write that failed
// the ledger refuses every later one: it cannot know any more what it holds.
func (b *Ledger[T]) Append(v T) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("append to ledger: %w", err)
	}
	line = append(bytes.TrimSpace(line), '\n')
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bad != nil {
		return fmt.Errorf("append to ledger: %w", b.bad)
	}
	if _, err := b.file.Write(line); err != nil {
		b.bad = err
		return fmt.Errorf("append to ledger: %w", err)
	}
	if err := b.file.Sync(); err != nil {
		b.bad = err
		return fmt.Errorf("append to ledger: %w", err)
	}
	b.size += int64(len(line))
	return nil
}

// Close closes the file; later appends fail.
func (b *Ledger[T]) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bad == nil {
		b.bad = os.ErrClosed
		return b.file.Close()
	}
	return nil
}
