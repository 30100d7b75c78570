package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/batch"
	"boardorder/pkg/projection/internal/cursor"
)

type putStatements struct {
	generations, building, stored, insert, update, addKeys, dropKey, addUnique, dropUnique, holder *sql.Stmt
}

func (p *putStatements) prepare(ctx context.Context, db *sql.DB) error {
	return prepareAll(ctx, db, map[**sql.Stmt]string{
		&p.generations: `SELECT gen FROM generation`,
		&p.building:    `SELECT gen FROM generation WHERE live = 0`,
		&p.stored:      `SELECT seq, at, keys, uniques FROM document WHERE gen = ? AND kind = ? AND id = ?`,
		&p.insert: `INSERT INTO document (gen, kind, id, seq, at, keys, uniques, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
		&p.update: `UPDATE document SET seq = ?4, at = ?5, keys = ?6, uniques = ?7, body = ?8
			WHERE gen = ?1 AND kind = ?2 AND id = ?3`,
		&p.addKeys: `INSERT INTO list_key (gen, kind, name, value, at, id)
			SELECT ?1, ?2, key, value, ?3, ?4 FROM json_each(?5)`,
		&p.dropKey:    `DELETE FROM list_key WHERE gen = ? AND kind = ? AND name = ? AND value = ? AND at = ? AND id = ?`,
		&p.addUnique:  `INSERT INTO unique_key (gen, kind, name, value, id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		&p.dropUnique: `DELETE FROM unique_key WHERE gen = ? AND kind = ? AND name = ? AND value = ?`,
		&p.holder:     `SELECT id FROM unique_key WHERE gen = ? AND kind = ? AND name = ? AND value = ?`,
	})
}

// Put writes the documents in one transaction: all or none.
func (s *Store) Put(ctx context.Context, docs ...projection.Document) error {
	return s.putTo(ctx, docs, func(w *writer) ([]int64, error) { return w.generations(w.put.generations) })
}

// putTo writes docs to the generations that targets finds inside the
// transaction.
func (s *Store) putTo(ctx context.Context, docs []projection.Document, targets func(w *writer) ([]int64, error)) error {
	docs, err := batch.Of(docs)
	if err != nil {
		return fmt.Errorf("put: %w", err)
	}
	if len(docs) == 0 {
		return ctx.Err()
	}
	err = inTx(ctx, s.write, func(ctx context.Context, tx *sql.Tx) error {
		w := &writer{ctx: ctx, put: s.put.in(ctx, tx)}
		generations, err := targets(w)
		if err != nil {
			return err
		}
		for _, gen := range generations {
			if err := w.write(gen, docs); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("put %d documents: %w", len(docs), err)
	}
	return nil
}

func (p *putStatements) in(ctx context.Context, tx *sql.Tx) putStatements {
	return putStatements{
		generations: tx.StmtContext(ctx, p.generations),
		building:    tx.StmtContext(ctx, p.building),
		stored:      tx.StmtContext(ctx, p.stored),
		insert:      tx.StmtContext(ctx, p.insert),
		update:      tx.StmtContext(ctx, p.update),
		addKeys:     tx.StmtContext(ctx, p.addKeys),
		dropKey:     tx.StmtContext(ctx, p.dropKey),
		addUnique:   tx.StmtContext(ctx, p.addUnique),
		dropUnique:  tx.StmtContext(ctx, p.dropUnique),
		holder:      tx.StmtContext(ctx, p.holder),
	}
}

// A writer writes documents within one transaction, whose context it holds.
type writer struct {
	ctx context.Context
	put putStatements
}

// generations reads the numbers that statement finds.
func (w *writer) generations(statement *sql.Stmt) ([]int64, error) {
	rows, err := statement.QueryContext(w.ctx)
	if err != nil {
		return nil, fmt.Errorf("read generations: %w", err)
	}
	defer rows.Close()
	return integers(rows)
}

// write puts the documents that are newer than what is stored. Every key that
// one of them gives up is dropped before any is taken, so that a unique key may
// change hands within a batch.
func (w *writer) write(gen int64, docs []projection.Document) error {
	taking := make([]func() error, 0, len(docs))
	for _, d := range docs {
		take, err := w.replace(gen, d)
		if err != nil {
			return fmt.Errorf("%s %s: %w", d.Kind, d.ID, err)
		}
		if take != nil {
			taking = append(taking, take)
		}
	}
	for _, take := range taking {
		if err := take(); err != nil {
			return err
		}
	}
	return nil
}

// replace writes one document and drops the keys it no longer has; take adds
// those that are new. take is nil when there are none. Most documents are new,
// so that is tried first.
func (w *writer) replace(gen int64, d projection.Document) (take func() error, err error) {
	row := []any{
		gen, d.Kind, d.ID, int64(d.Seq), cursor.Nanos(d.At), batch.Text(d.Keys), batch.Text(d.Unique), []byte(d.Body),
	}
	added, err := changed(w.put.insert.ExecContext(w.ctx, row...))
	if err != nil {
		return nil, err
	}
	if added {
		return func() error { return w.take(gen, d, true, true) }, nil
	}
	old, err := w.stored(gen, d.Kind, d.ID)
	if err != nil || d.Seq <= old.Seq {
		return nil, err
	}
	if _, err = w.put.update.ExecContext(w.ctx, row...); err != nil {
		return nil, err
	}
	keysStay := maps.Equal(old.Keys, d.Keys) && cursor.Nanos(old.At) == cursor.Nanos(d.At)
	uniqueStay := maps.Equal(old.Unique, d.Unique)
	if !keysStay {
		err = w.dropKeys(gen, old)
	}
	if !uniqueStay && err == nil {
		err = w.dropUnique(gen, old)
	}
	if err != nil || keysStay && uniqueStay {
		return nil, err
	}
	return func() error { return w.take(gen, d, !keysStay, !uniqueStay) }, nil
}

// changed tells whether a statement changed a row.
func changed(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// stored reads what the guard and the keys need; a document that is not there
// has Seq 0.
func (w *writer) stored(gen int64, kind, id string) (projection.Document, error) {
	d := projection.Document{Kind: kind, ID: id}
	var seq, at int64
	var keys, unique string
	err := w.put.stored.QueryRowContext(w.ctx, gen, kind, id).Scan(&seq, &at, &keys, &unique)
	if errors.Is(err, sql.ErrNoRows) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	d.Seq, d.At = uint64(seq), cursor.Time(at)
	if d.Keys, err = batch.Keys(keys); err != nil {
		return d, err
	}
	d.Unique, err = batch.Keys(unique)
	return d, err
}

func (w *writer) dropKeys(gen int64, d projection.Document) error {
	for name, value := range d.Keys {
		if _, err := w.put.dropKey.ExecContext(w.ctx, gen, d.Kind, name, value, cursor.Nanos(d.At), d.ID); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) dropUnique(gen int64, d projection.Document) error {
	for name, value := range d.Unique {
		if _, err := w.put.dropUnique.ExecContext(w.ctx, gen, d.Kind, name, value); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) take(gen int64, d projection.Document, keys, unique bool) error {
	if keys && len(d.Keys) > 0 {
		if _, err := w.put.addKeys.ExecContext(w.ctx, gen, d.Kind, cursor.Nanos(d.At), d.ID, batch.Text(d.Keys)); err != nil {
			return fmt.Errorf("index %s %s: %w", d.Kind, d.ID, err)
		}
	}
	if unique {
		for name, value := range d.Unique {
			if err := w.takeUnique(gen, d, name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) takeUnique(gen int64, d projection.Document, name, value string) error {
	added, err := changed(w.put.addUnique.ExecContext(w.ctx, gen, d.Kind, name, value, d.ID))
	if err != nil {
		return fmt.Errorf("index %s %s by %s: %w", d.Kind, d.ID, name, err)
	}
	if added {
		return nil
	}
	conflict := &projection.ConflictError{Kind: d.Kind, Key: name, ID: d.ID}
	if err := w.put.holder.QueryRowContext(w.ctx, gen, d.Kind, name, value).Scan(&conflict.Holder); err != nil {
		return fmt.Errorf("find the holder: %w", err)
	}
	return conflict
}
