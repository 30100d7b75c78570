package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/batch"
	"boardorder/pkg/projection/internal/cursor"
)

const (
	// live stands for the live generation where a statement takes one.
	live int64 = 0
	// never is the Until of a document that does not leave.
	never int64 = math.MaxInt64
)

const (
	columns = `SELECT d.id, d.seq, d.at, d.until, d.keys, d.dictionary, d.body `
	inGen   = `coalesce(nullif(?1, 0), (SELECT gen FROM generation WHERE live = 1))`
	getOne  = columns + `FROM place p JOIN document d ON d.row = p.row
		WHERE p.gen = ` + inGen + ` AND p.kind = ?2 AND p.id = ?3 AND d.until > ?4`
	// Documents of the same time are next to each other in list: SQLite sorts
	// them by id and stops when the page is full.
	listSome = columns + `FROM list l CROSS JOIN document d ON d.row = l.row
		WHERE l.gen = ` + inGen + ` AND l.list = ?2 AND l.until > ?3 AND l.at <= ?4 AND (l.at < ?4 OR d.id > ?5)
		ORDER BY l.at DESC, d.id LIMIT ?6`
	// A document stands once for each of its terms that fit, so more are read than
	// are wanted; of these no more bodies are read than are wanted, which are what a
	// cold file takes its time for.
	findSome = columns + `FROM (SELECT DISTINCT row FROM (SELECT row FROM term
			WHERE gen = ` + inGen + ` AND kind = ?2 AND term >= ?3 AND term < ?4 ORDER BY term LIMIT ?6)) t
		CROSS JOIN document d ON d.row = t.row WHERE d.until > ?5 LIMIT ?7`
	countAll = `SELECT count(*) FROM list WHERE gen = ` + inGen + ` AND list = ?2 AND until > ?3`
)

// A view reads one generation.
type view struct {
	store *Store
	gen   int64 // or live
}

// Get reads one document.
func (s *Store) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	return view{s, live}.Get(ctx, kind, id)
}

// List reads a page of documents.
func (s *Store) List(ctx context.Context, kind, key, value string, page projection.Page) ([]projection.Document, string, error) {
	return view{s, live}.List(ctx, kind, key, value, page)
}

// Count counts documents.
func (s *Store) Count(ctx context.Context, kind, key, value string) (int, error) {
	return view{s, live}.Count(ctx, kind, key, value)
}

// Find finds documents.
func (s *Store) Find(ctx context.Context, kind, prefix string, limit int) ([]projection.Document, error) {
	return view{s, live}.Find(ctx, kind, prefix, limit)
}

// Get takes microseconds: it is begun unless ctx has ended, and not interrupted,
// for which the driver would need a goroutine each time.
func (v view) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	var docs []projection.Document
	err := v.store.read.use(ctx, func(c *connection) (err error) {
		docs, err = v.documents(context.WithoutCancel(ctx), c, kind, getOne, v.gen, kind, id, unixMillis())
		return err
	})
	if err != nil {
		return projection.Document{}, wrapError(err, "read %s", kind)
	}
	if len(docs) == 0 {
		return projection.Document{}, fmt.Errorf("%s: %w", kind, projection.ErrNotFound)
	}
	return docs[0], nil
}

func (v view) List(ctx context.Context, kind, key, value string, page projection.Page) ([]projection.Document, string, error) {
	after, err := cursor.Start(page)
	if err != nil {
		return nil, "", fmt.Errorf("list %s: %w", kind, err)
	}
	limit := cursor.Limit(page)
	var docs []projection.Document
	err = v.store.read.use(ctx, func(c *connection) (err error) {
		docs, err = v.documents(ctx, c, kind, listSome, v.gen, list(kind, key, value), unixMillis(), after.At, after.ID, limit+1)
		return err
	})
	if err != nil {
		return nil, "", wrapError(err, "list %s", kind)
	}
	docs, next := cursor.Paginate(docs, limit)
	return docs, next, nil
}

// Find finds documents by how one of their terms begins.
func (v view) Find(ctx context.Context, kind, prefix string, limit int) ([]projection.Document, error) {
	limit = cursor.Limit(projection.Page{Limit: cmp.Or(limit, projection.MaxLimit)})
	var docs []projection.Document
	err := v.store.read.use(ctx, func(c *connection) (err error) {
		docs, err = v.documents(ctx, c, kind, findSome, v.gen, kind, prefix, prefix+last, unixMillis(), 4*limit, limit)
		return err
	})
	return docs, wrapError(err, "find %s", kind)
}

// last is after every character of a term.
const last = "\U0010FFFF"

func (v view) Count(ctx context.Context, kind, key, value string) (int, error) {
	var n int
	err := v.store.read.use(ctx, func(c *connection) error {
		return c.row(ctx, countAll, []any{v.gen, list(kind, key, value), unixMillis()}, &n)
	})
	return n, wrapError(err, "count %s", kind)
}

func unixMillis() int64 { return time.Now().UnixMilli() }

// documents reads what a statement finds.
func (v view) documents(ctx context.Context, c *connection, kind, statement string, args ...any) ([]projection.Document, error) {
	found, err := scanAll(ctx, c, kind, statement, args)
	if err != nil {
		return nil, err
	}
	docs := make([]projection.Document, len(found))
	for i, f := range found {
		if f.Body, err = v.store.dictionaries.decompress(ctx, c, f.dictionary, f.Body); err != nil {
			return nil, fmt.Errorf("decompress %s: %w", f.ID, err)
		}
		docs[i] = f.Document
	}
	return docs, nil
}

// A stored document has a body that is compressed with a dictionary.
type stored struct {
	projection.Document
	dictionary int64
}

func scanAll(ctx context.Context, c *connection, kind, statement string, args []any) ([]stored, error) {
	rows, err := c.query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []stored
	for rows.Next() {
		d, err := scan(kind, rows)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, rows.Err()
}

func scan(kind string, row *sql.Rows) (stored, error) {
	d := stored{Document: projection.Document{Kind: kind}}
	var seq, at, until int64
	var keys string
	err := row.Scan(&d.ID, &seq, &at, &until, &keys, &d.dictionary, (*[]byte)(&d.Body))
	if err != nil {
		return d, err
	}
	d.Seq, d.At = uint64(seq), cursor.Time(at)
	if until != never {
		d.Until = time.UnixMilli(until).UTC()
	}
	d.Keys, err = batch.Keys(keys)
	return d, err
}

// integers reads the first column of all rows.
func (c *connection) integers(ctx context.Context, statement string, args ...any) ([]int64, error) {
	rows, err := c.query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
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

// texts reads the first column of all rows.
func (c *connection) texts(ctx context.Context, statement string, args ...any) ([]string, error) {
	rows, err := c.query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// isNoRows says that a statement found no row.
func isNoRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }
