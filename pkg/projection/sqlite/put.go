package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/batch"
	"boardorder/pkg/projection/internal/cursor"
)

// Put writes the documents in one transaction: all that are fit, or none.
func (s *Store) Put(ctx context.Context, docs ...projection.Document) error {
	return s.put(ctx, docs, func(ctx context.Context, c *connection) ([]int64, error) {
		return c.integers(ctx, `SELECT gen FROM generation`)
	})
}

// put writes docs to the generations that targets finds inside the transaction.
func (s *Store) put(ctx context.Context, docs []projection.Document, targets func(context.Context, *connection) ([]int64, error)) error {
	docs, refused := batch.Compact(docs)
	err := s.change(ctx, func(ctx context.Context, c *connection) error {
		generations, err := targets(ctx, c)
		if err != nil {
			return err
		}
		for _, gen := range generations {
			w := writer{ctx: ctx, connection: c, packers: s.packers, gen: gen}
			for _, d := range docs {
				if err := w.write(d); err != nil {
					return fmt.Errorf("%s %s: %w", d.Kind, d.ID, err)
				}
			}
		}
		return nil
	})
	if err == nil {
		s.upkeep.wrote(cost(docs))
		err = projection.JoinRefusals(refused)
	}
	return wrapError(err, "put %d documents", len(docs))
}

// change runs do in a transaction of the one connection that writes.
func (s *Store) change(ctx context.Context, do func(context.Context, *connection) error) error {
	return s.write.use(ctx, func(c *connection) error {
		err := c.transact(ctx, func(ctx context.Context) error { return do(ctx, c) })
		if err != nil {
			clear(s.packers) // one may be of a dictionary that was not committed
		}
		return err
	})
}

// A writer writes documents of one generation within a transaction, whose
// context it holds.
type writer struct {
	ctx context.Context
	*connection
	packers packers
	gen     int64
}

// write puts a document unless what is stored is as new.
func (w writer) write(d projection.Document) error {
	var seq, row int64
	err := w.row(w.ctx, `SELECT seq, row FROM place WHERE gen = ? AND kind = ? AND id = ?`, []any{w.gen, d.Kind, d.ID}, &seq, &row)
	switch {
	case isNoRows(err):
		return w.add(d)
	case err != nil:
		return err
	case int64(d.Seq) <= seq:
		return nil
	}
	return w.replace(row, d)
}

func (w writer) add(d projection.Document) error {
	dictionary, body, err := w.packers.pack(w.ctx, w.connection, w.gen, d.Kind, d.Body)
	if err != nil {
		return err
	}
	added, err := w.exec(w.ctx, `INSERT INTO document (gen, kind, id, seq, at, until, keys, dictionary, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		w.gen, d.Kind, d.ID, int64(d.Seq), cursor.Nanos(d.At), millis(d), batch.Text(d.Keys), dictionary, body)
	if err != nil {
		return err
	}
	row, err := added.LastInsertId()
	if err != nil {
		return err
	}
	if _, err := w.exec(w.ctx, `INSERT INTO place (gen, kind, id, seq, row) VALUES (?, ?, ?, ?, ?)`, w.gen, d.Kind, d.ID, int64(d.Seq), row); err != nil {
		return err
	}
	if err := w.name(row, d.Kind, nil, d.Terms); err != nil {
		return err
	}
	return w.join(row, listingOf(d))
}

// replace writes a newer version over the one in a row.
func (w writer) replace(row int64, d projection.Document) error {
	old, err := w.listing(w.ctx, row)
	if err != nil {
		return err
	}
	dictionary, body, err := w.packers.pack(w.ctx, w.connection, w.gen, d.Kind, d.Body)
	if err != nil {
		return err
	}
	if _, err := w.exec(w.ctx, `UPDATE document SET seq = ?, at = ?, until = ?, keys = ?, dictionary = ?, body = ? WHERE row = ?`,
		int64(d.Seq), cursor.Nanos(d.At), millis(d), batch.Text(d.Keys), dictionary, body, row); err != nil {
		return err
	}
	if _, err := w.exec(w.ctx, `UPDATE place SET seq = ? WHERE gen = ? AND kind = ? AND id = ?`, int64(d.Seq), w.gen, d.Kind, d.ID); err != nil {
		return err
	}
	was, err := w.texts(w.ctx, `SELECT term FROM term WHERE row = ?`, row)
	if err != nil {
		return err
	}
	if err := w.name(row, d.Kind, was, d.Terms); err != nil {
		return err
	}
	now := listingOf(d)
	if err := w.leave(w.ctx, w.gen, row, old.subtract(now)); err != nil {
		return err
	}
	return w.join(row, now.subtract(old))
}

// name changes what Find finds the document in a row by.
func (w writer) name(row int64, kind string, was, is []string) error {
	for _, t := range was {
		if slices.Contains(is, t) {
			continue
		}
		if _, err := w.exec(w.ctx, `DELETE FROM term WHERE gen = ? AND kind = ? AND term = ? AND row = ?`, w.gen, kind, t, row); err != nil {
			return err
		}
	}
	var rows []any
	for _, t := range is {
		if !slices.Contains(was, t) {
			rows = append(rows, w.gen, kind, t, row)
		}
	}
	return w.insert(insertTerms, rows)
}

func (w writer) join(row int64, l listing) error {
	rows := make([]any, 0, insertLists.columns*len(l.lists))
	for _, list := range l.lists {
		rows = append(rows, w.gen, list, l.at, row, l.until)
	}
	return w.insert(insertLists, rows)
}

// An insertion is a statement that inserts rows of a table.
type insertion struct {
	columns int
	texts   [maxInsert]string // for one row and more
}

const maxInsert = 8 // rows of one statement: as many as most documents have

var (
	insertTerms = newInsertion(`INSERT OR IGNORE INTO term (gen, kind, term, row) VALUES `, 4)
	insertLists = newInsertion(`INSERT INTO list (gen, list, at, row, until) VALUES `, 5)
)

func newInsertion(text string, columns int) *insertion {
	in := &insertion{columns: columns}
	row := "(?" + strings.Repeat(", ?", columns-1) + ")"
	for i := range in.texts {
		in.texts[i] = text + row + strings.Repeat(", "+row, i)
	}
	return in
}

// insert inserts rows, whose values stand one after the other: a statement costs more than
// a row of it.
func (w writer) insert(in *insertion, rows []any) error {
	for part := range slices.Chunk(rows, in.columns*maxInsert) {
		if _, err := w.exec(w.ctx, in.texts[len(part)/in.columns-1], part...); err != nil {
			return err
		}
	}
	return nil
}
