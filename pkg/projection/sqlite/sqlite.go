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
	"time"

	_ "modernc.org/sqlite" // registers the driver

	"boardorder/pkg/projection"
)

// busyTimeout is how long a writer waits for one of another process.
const busyTimeout = 15 * time.Second

// readers is how many reads one store does at a time.
const readers = 4

// A Store is a projection.Store and projection.Rebuilder on a SQLite file.
type Store struct {
	write, read *sql.DB
	put         putStatements
	query       queryStatements
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
		return nil, fmt.Errorf("open projection %s: %w", path, err)
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
	s := &Store{}
	if s.write, err = connect(path, "_txlock=immediate", 1); err != nil {
		return nil, err
	}
	if s.read, err = connect(path, "_pragma=query_only(1)", readers); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func connect(path, query string, connections int) (*sql.DB, error) {
	name := url.URL{
		Scheme: "file",
		Path:   filepath.ToSlash(path),
		RawQuery: fmt.Sprintf("_busy_timeout=%d&_journal_mode=WAL&_synchronous=NORMAL&%s",
			busyTimeout.Milliseconds(), query),
	}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

func (s *Store) prepare(ctx context.Context) error {
	if err := prepare(ctx, s.write); err != nil {
		return err
	}
	if err := s.put.prepare(ctx, s.write); err != nil {
		return err
	}
	return s.query.prepare(ctx, s.read)
}

// Ping reads from the file.
func (s *Store) Ping(ctx context.Context) error {
	var gen int64
	if err := s.read.QueryRowContext(ctx, "SELECT gen FROM generation WHERE live = 1").Scan(&gen); err != nil {
		return fmt.Errorf("ping projection: %w", err)
	}
	return nil
}

// Close closes the file. Statements are closed with their connections.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} { // the last to close empties the log
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// prepareAll prepares one statement for each target.
func prepareAll(ctx context.Context, db *sql.DB, statements map[**sql.Stmt]string) error {
	for target, text := range statements {
		statement, err := db.PrepareContext(ctx, text)
		if err != nil {
			return fmt.Errorf("prepare %q: %w", text, err)
		}
		*target = statement
	}
	return nil
}
