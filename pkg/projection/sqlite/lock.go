package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"boardorder/pkg/projection"
)

// held is a lock that ends with its process at the latest.
type held struct {
	db   *sql.DB
	once sync.Once
}

// lock makes sure that of all processes one rebuilds at a time: SQLite's own
// lock on an empty database beside the projection. It is ErrRebuilding when
// another holds it.
func lock(ctx context.Context, path string) (*held, error) {
	db, err := sql.Open("sqlite", source(path, "_busy_timeout", "0"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(ctx, "BEGIN EXCLUSIVE")
	if err == nil {
		return &held{db: db}, nil
	}
	if busy(err) {
		err = projection.ErrRebuilding
	}
	return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), db.Close())
}

// release ends the lock, once.
func (h *held) release() {
	h.once.Do(func() { _ = h.db.Close() }) // nothing was written
}
