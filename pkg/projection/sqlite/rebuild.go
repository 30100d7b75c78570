package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"boardorder/pkg/projection"
)

// sweep is how many rows one transaction drops of an old generation: few
// enough that other writers hardly wait.
const sweep = 2000

// Rebuild starts a generation. As every Put reads the list of generations in
// its own transaction, all writers know of it at once.
func (s *Store) Rebuild(ctx context.Context) (projection.Fresh, error) {
	var gen int64
	err := inTx(ctx, s.write, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM generation WHERE live = 0`); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `INSERT INTO generation (live) VALUES (0) RETURNING gen`).Scan(&gen)
	})
	if err != nil {
		return nil, fmt.Errorf("start rebuild: %w", err)
	}
	if err := s.sweep(ctx); err != nil {
		return nil, fmt.Errorf("start rebuild: %w", err)
	}
	return &fresh{store: s, gen: gen}, nil
}

// sweep drops the rows of generations that are no more.
func (s *Store) sweep(ctx context.Context) error {
	for _, table := range []string{"document", "list_key", "unique_key"} {
		dead, err := s.dead(ctx, table)
		for _, gen := range dead {
			err = errors.Join(err, s.drop(ctx, table, gen))
		}
		if err != nil {
			return fmt.Errorf("drop old generation: %w", err)
		}
	}
	return nil
}

// dead finds the generations that have rows in table but are not listed,
// stepping through the index from one to the next.
func (s *Store) dead(ctx context.Context, table string) ([]int64, error) {
	rows, err := s.write.QueryContext(ctx, fmt.Sprintf(`
		WITH RECURSIVE present (gen) AS (
			SELECT min(gen) FROM %[1]s
			UNION ALL
			SELECT (SELECT min(gen) FROM %[1]s WHERE gen > present.gen) FROM present WHERE present.gen IS NOT NULL
		)
		SELECT gen FROM present WHERE gen IS NOT NULL AND gen NOT IN (SELECT gen FROM generation)`, table))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return integers(rows)
}

// drop removes a generation's rows some at a time.
func (s *Store) drop(ctx context.Context, table string, gen int64) error {
	key := map[string]string{
		"document":   "gen, kind, id",
		"list_key":   "gen, kind, name, value, at, id",
		"unique_key": "gen, kind, name, value",
	}[table]
	statement := fmt.Sprintf(`DELETE FROM %[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM %[1]s WHERE gen = ? LIMIT ?)`, table, key)
	for {
		result, err := s.write.ExecContext(ctx, statement, gen, sweep)
		if err != nil {
			return err
		}
		if gone, err := result.RowsAffected(); err != nil || gone < sweep {
			return err
		}
	}
}

// fresh is a generation that is being built.
type fresh struct {
	store *Store
	gen   int64
}

// Put writes to this generation alone.
func (f *fresh) Put(ctx context.Context, docs ...projection.Document) error {
	return f.store.putTo(ctx, docs, func(w *writer) ([]int64, error) {
		building, err := w.generations(w.put.building)
		if err == nil && !slices.Contains(building, f.gen) {
			err = projection.ErrSuperseded
		}
		return []int64{f.gen}, err
	})
}

func (f *fresh) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	q := &f.store.query
	return q.one(ctx, q.get, f.gen, kind, id)
}

func (f *fresh) Lookup(ctx context.Context, kind, key, value string) (projection.Document, error) {
	q := &f.store.query
	return q.one(ctx, q.lookup, f.gen, kind, key, value)
}

func (f *fresh) List(ctx context.Context, kind, key, value string, page projection.Page) ([]projection.Document, string, error) {
	return f.store.query.list(ctx, f.gen, kind, key, value, page)
}

func (f *fresh) Ping(ctx context.Context) error { return f.store.Ping(ctx) }

func (f *fresh) Close() error { return nil }

// Swap changes the generation in one transaction; no reader sees a mixture.
func (f *fresh) Swap(ctx context.Context) error {
	err := f.change(ctx, `DELETE FROM generation WHERE live = 1 AND gen <> ?`, `UPDATE generation SET live = 1 WHERE gen = ?`)
	if err != nil {
		return fmt.Errorf("swap: %w", err)
	}
	return nil
}

// Discard gives the generation up.
func (f *fresh) Discard(ctx context.Context) error {
	if err := f.change(ctx, `DELETE FROM generation WHERE gen = ?`); err != nil {
		return fmt.Errorf("discard: %w", err)
	}
	return nil
}

// change runs statements in which ? is this generation, provided that it is
// still being built, and drops what they leave behind.
func (f *fresh) change(ctx context.Context, statements ...string) error {
	err := inTx(ctx, f.store.write, func(ctx context.Context, tx *sql.Tx) error {
		var building bool
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM generation WHERE gen = ? AND live = 0)`, f.gen).Scan(&building)
		if err != nil {
			return err
		}
		if !building {
			return projection.ErrSuperseded
		}
		for _, statement := range statements {
			if _, err := tx.ExecContext(ctx, statement, f.gen); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return f.store.sweep(ctx)
}
