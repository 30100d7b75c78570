package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/batch"
	"boardorder/pkg/projection/internal/cursor"
)

// live stands for the live generation where a statement takes one.
const live int64 = 0

type queryStatements struct {
	get, lookup, listAll, listBy *sql.Stmt
}

func (q *queryStatements) prepare(ctx context.Context, db *sql.DB) error {
	const (
		columns = `SELECT d.id, d.seq, d.at, d.keys, d.uniques, d.body `
		gen     = `coalesce(nullif(?1, 0), (SELECT gen FROM generation WHERE live = 1))`
		found   = `JOIN document d ON d.gen = k.gen AND d.kind = k.kind AND d.id = k.id `
	)
	return prepareAll(ctx, db, map[**sql.Stmt]string{
		&q.get:    columns + `FROM document d WHERE d.gen = ` + gen + ` AND d.kind = ?2 AND d.id = ?3`,
		&q.lookup: columns + `FROM unique_key k ` + found + `WHERE k.gen = ` + gen + ` AND k.kind = ?2 AND k.name = ?3 AND k.value = ?4`,
		&q.listAll: columns + `FROM document d WHERE d.gen = ` + gen + ` AND d.kind = ?2
			AND d.at <= ?3 AND (d.at < ?3 OR d.id > ?4) ORDER BY d.at DESC, d.id LIMIT ?5`,
		&q.listBy: columns + `FROM list_key k ` + found + `WHERE k.gen = ` + gen + ` AND k.kind = ?2
			AND k.at <= ?3 AND (k.at < ?3 OR k.id > ?4) AND k.name = ?6 AND k.value = ?7
			ORDER BY k.at DESC, k.id LIMIT ?5`,
	})
}

// Get reads one document.
func (s *Store) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	return s.query.one(ctx, s.query.get, live, kind, id)
}

// Lookup reads the document that holds a unique key.
func (s *Store) Lookup(ctx context.Context, kind, key, value string) (projection.Document, error) {
	return s.query.one(ctx, s.query.lookup, live, kind, key, value)
}

// List reads a page of documents.
func (s *Store) List(ctx context.Context, kind, key, value string, page projection.Page) ([]projection.Document, string, error) {
	return s.query.list(ctx, live, kind, key, value, page)
}

// one runs a statement that finds a document by gen, kind and more. It takes
// microseconds: it is begun unless ctx has ended, and not interrupted, for which
// the driver would need a goroutine each time.
func (q *queryStatements) one(ctx context.Context, statement *sql.Stmt, gen int64, kind string, more ...string) (projection.Document, error) {
	if err := ctx.Err(); err != nil {
		return projection.Document{}, fmt.Errorf("read %s: %w", kind, err)
	}
	args := []any{gen, kind}
	for _, m := range more {
		args = append(args, m)
	}
	d, err := scan(kind, statement.QueryRowContext(context.WithoutCancel(ctx), args...))
	if errors.Is(err, sql.ErrNoRows) {
		return projection.Document{}, fmt.Errorf("%s: %w", kind, projection.ErrNotFound)
	}
	if err != nil {
		return projection.Document{}, fmt.Errorf("read %s: %w", kind, err)
	}
	return d, nil
}

func (q *queryStatements) list(ctx context.Context, gen int64, kind, key, value string, page projection.Page) ([]projection.Document, string, error) {
	after, err := cursor.Parse(page.Cursor)
	if err != nil {
		return nil, "", fmt.Errorf("list %s: %w", kind, err)
	}
	limit := cursor.Limit(page)
	statement, args := q.listAll, []any{gen, kind, after.At, after.ID, limit + 1}
	if key != "" {
		statement, args = q.listBy, append(args, key, value)
	}
	docs, err := all(ctx, statement, kind, args)
	if err != nil {
		return nil, "", fmt.Errorf("list %s: %w", kind, err)
	}
	docs, next := cursor.Next(docs, limit)
	return docs, next, nil
}

func all(ctx context.Context, statement *sql.Stmt, kind string, args []any) ([]projection.Document, error) {
	rows, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var docs []projection.Document
	for rows.Next() {
		d, err := scan(kind, rows)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, rows.Err()
}

func scan(kind string, row interface{ Scan(dest ...any) error }) (projection.Document, error) {
	d := projection.Document{Kind: kind}
	var seq, at int64
	var keys, unique string
	if err := row.Scan(&d.ID, &seq, &at, &keys, &unique, (*[]byte)(&d.Body)); err != nil {
		return d, err
	}
	d.Seq, d.At = uint64(seq), cursor.Time(at)
	var err error
	if d.Keys, err = batch.Keys(keys); err != nil {
		return d, err
	}
	d.Unique, err = batch.Keys(unique)
	return d, err
}

func integers(rows *sql.Rows) ([]int64, error) {
	var all []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, rows.Err()
}
