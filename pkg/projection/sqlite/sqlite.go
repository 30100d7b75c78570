// Package sqlite keeps the projection in one SQLite file, which several
// processes of one machine may share.
//
// The file is in WAL mode without a sync at each commit: a crash of the
// machine may lose the last documents but never breaks the file, and the
// streams can write everything again.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"boardorder/pkg/projection"
)

const (
	// busyTimeout is how long a writer waits for one of another process.
	busyTimeout = 15 * time.Second
	// readers is how many reads one store does at a time.
	readers = 4
	// writeCache is how much of the file the connection that writes keeps in
	// memory, in KiB; it needs the places of random ids. What the others keep
	// is void with each write.
	writeCache = 16 << 10
	readCache  = 2 << 10
)

// A Store is a projection.Store and projection.Rebuilder on a SQLite file.
type Store struct {
	path         string
	db           *sql.DB
	write, read  *pool // of one connection, and of readers
	aside        *pool // of one connection, for checkpoints
	packers      packers
	dictionaries dictionaries
	upkeep       upkeep
	closing      sync.Once
}

var (
	_ projection.Store     = (*Store)(nil)
	_ projection.Rebuilder = (*Store)(nil)
)

// Open opens the file at path, creating it and its folder when they are not
// there.
func Open(ctx context.Context, path string) (*Store, error) {
	s, err := open(ctx, path)
	if err != nil {
		return nil, wrapError(err, "open projection %s", path)
	}
	return s, nil
}

func open(ctx context.Context, path string) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := createPrivate(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", source(path, "_busy_timeout", fmt.Sprint(busyTimeout.Milliseconds()), "_journal_mode", "WAL",
		"_synchronous", "NORMAL", "_pragma", "wal_autocheckpoint(0)",
		"_pragma", "secure_delete(ON)")) // what is replaced or removed may be what a person had erased
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, db: db, packers: packers{}}
	if err := s.connect(ctx); err != nil {
		return nil, errors.Join(err, s.closeAll())
	}
	s.upkeep.start(s)
	return s, nil
}

// createPrivate makes the file for its owner alone, which SQLite would make for
// everybody to read; it gives the files beside it the same rights.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", projection.ErrUnavailable, err)
	}
	return f.Close()
}

func (s *Store) connect(ctx context.Context) (err error) {
	if err := s.openWriter(ctx); err != nil {
		return err
	}
	if err := s.write.use(ctx, func(c *connection) error { return prepare(ctx, c) }); err != nil {
		return err
	}
	if s.aside, err = newPool(ctx, s.db, 1, readCache); err != nil {
		return err
	}
	s.read, err = newPool(ctx, s.db, readers, readCache)
	return err
}

// openWriter opens the connection that writes, which turns a new file to WAL mode. While
// another process does so, SQLite answers that it is busy without waiting.
func (s *Store) openWriter(ctx context.Context) (err error) {
	const pause = 5 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, busyTimeout)
	defer cancel()
	for {
		if s.write, err = newPool(ctx, s.db, 1, writeCache); !busy(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// source is the name of the file with parameters: name, value, name, value…
func source(path string, parameters ...string) string {
	query := url.Values{}
	for i := 0; i < len(parameters); i += 2 {
		query.Add(parameters[i], parameters[i+1])
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	return name.String()
}

// Ping reads from the file.
func (s *Store) Ping(ctx context.Context) error {
	var gen int64
	err := s.read.use(ctx, func(c *connection) error {
		return c.row(ctx, `SELECT gen FROM generation WHERE live = 1`, nil, &gen)
	})
	return wrapError(err, "ping projection")
}

// Close closes the file when what is under way is done.
func (s *Store) Close() error {
	var err error
	s.closing.Do(func() {
		s.upkeep.end()
		err = s.closeAll()
	})
	return err
}

func (s *Store) closeAll() error {
	var errs []error
	for _, p := range []*pool{s.read, s.aside, s.write} {
		if p != nil {
			errs = append(errs, p.close())
		}
	}
	return errors.Join(append(errs, s.db.Close())...)
}
