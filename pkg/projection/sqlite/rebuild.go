package sqlite

import (
	"context"
	"fmt"
	"slices"

	"boardorder/pkg/projection"
)

// sweepAtOnce is how many rows one transaction drops of an old generation: few
// enough that other writers hardly wait.
const sweepAtOnce = 1000

// Rebuild starts a generation. As every Put reads the list of generations in
// its own transaction, all writers know of it at once.
func (s *Store) Rebuild(ctx context.Context) (projection.Fresh, error) {
	held, err := lock(ctx, s.path+".rebuild")
	if err != nil {
		return nil, wrapError(err, "start rebuild")
	}
	gen, err := s.begin(ctx)
	if err != nil {
		held.release()
		return nil, wrapError(err, "start rebuild")
	}
	return &fresh{view: view{s, gen}, held: held}, nil
}

func (s *Store) begin(ctx context.Context) (gen int64, err error) {
	err = s.change(ctx, func(ctx context.Context, c *connection) error {
		if _, err := c.exec(ctx, `DELETE FROM generation WHERE live = 0`); err != nil {
			return err
		}
		// Those of the live generation before are kept until now: a reader may
		// have been writing a document of it.
		if _, err := c.exec(ctx, `DELETE FROM dictionary WHERE gen NOT IN (SELECT gen FROM generation)`); err != nil {
			return err
		}
		return c.row(ctx, `INSERT INTO generation (live) VALUES (0) RETURNING gen`, nil, &gen)
	})
	if err == nil {
		err = s.sweep(ctx)
	}
	return gen, err
}

// sweep drops the rows of generations that are no more. place comes last: what
// has no row there has none anywhere.
func (s *Store) sweep(ctx context.Context) error {
	dead, err := s.dead(ctx)
	for _, gen := range dead {
		for _, drop := range []func(context.Context, int64) error{s.dropDocuments, s.dropLists, s.dropPlaces} {
			if err == nil {
				err = drop(ctx, gen)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("drop old generation: %w", err)
	}
	return nil
}

// dead finds the generations that have rows in place but are not listed,
// stepping through the index from one to the next.
func (s *Store) dead(ctx context.Context) (dead []int64, err error) {
	err = s.write.use(ctx, func(c *connection) error {
		dead, err = c.integers(ctx, `
			WITH RECURSIVE present (gen) AS (
				SELECT min(gen) FROM place
				UNION ALL
				SELECT (SELECT min(gen) FROM place WHERE gen > present.gen) FROM present WHERE present.gen IS NOT NULL
			)
			SELECT gen FROM present WHERE gen IS NOT NULL AND gen NOT IN (SELECT gen FROM generation)`)
		return err
	})
	return dead, err
}

// dropDocuments goes once through all documents, in their order.
func (s *Store) dropDocuments(ctx context.Context, gen int64) error {
	var after int64
	return s.repeat(ctx, func(ctx context.Context, c *connection) (int, error) {
		rows, err := c.integers(ctx, `SELECT row FROM document WHERE row > ? AND gen = ? ORDER BY row LIMIT ?`, after, gen, sweepAtOnce)
		for _, row := range rows {
			if err == nil {
				_, err = c.exec(ctx, `DELETE FROM term WHERE row = ?`, row)
			}
			if err == nil {
				_, err = c.exec(ctx, `DELETE FROM document WHERE row = ?`, row)
			}
			after = row
		}
		return len(rows), err
	})
}

func (s *Store) dropLists(ctx context.Context, gen int64) error {
	return s.repeat(ctx, deletion(`DELETE FROM list WHERE (gen, list, at, row) IN (SELECT gen, list, at, row FROM list WHERE gen = ? LIMIT ?)`, gen))
}

func (s *Store) dropPlaces(ctx context.Context, gen int64) error {
	return s.repeat(ctx, deletion(`DELETE FROM place WHERE (gen, kind, id) IN (SELECT gen, kind, id FROM place WHERE gen = ? LIMIT ?)`, gen))
}

func deletion(statement string, gen int64) func(context.Context, *connection) (int, error) {
	return func(ctx context.Context, c *connection) (int, error) {
		result, err := c.exec(ctx, statement, gen, sweepAtOnce)
		if err != nil {
			return 0, err
		}
		gone, err := result.RowsAffected()
		return int(gone), err
	}
}

// repeat runs transactions until one drops fewer rows than it may.
func (s *Store) repeat(ctx context.Context, drop func(context.Context, *connection) (int, error)) error {
	for {
		var gone int
		err := s.change(ctx, func(ctx context.Context, c *connection) (err error) {
			gone, err = drop(ctx, c)
			return err
		})
		if err != nil || gone < sweepAtOnce {
			return err
		}
		s.upkeep.wrote(gone * documentCost)
	}
}

// fresh is a generation that is being built.
type fresh struct {
	view
	held *held
}

// Put writes to this generation alone.
func (f *fresh) Put(ctx context.Context, docs ...projection.Document) error {
	return f.store.put(ctx, docs, func(ctx context.Context, c *connection) ([]int64, error) {
		return []int64{f.gen}, f.checkSuperseded(ctx, c)
	})
}

func (f *fresh) checkSuperseded(ctx context.Context, c *connection) error {
	building, err := c.integers(ctx, `SELECT gen FROM generation WHERE live = 0`)
	if err == nil && !slices.Contains(building, f.gen) {
		err = projection.ErrSuperseded
	}
	return err
}

func (f *fresh) Ping(ctx context.Context) error { return f.store.Ping(ctx) }

// Close lets another rebuild begin, as the end of the process does.
func (f *fresh) Close() error {
	f.held.release()
	return nil
}

// Swap changes the generation in one transaction; no reader sees a mixture.
func (f *fresh) Swap(ctx context.Context) error {
	return wrapError(f.finish(ctx, `DELETE FROM generation WHERE live = 1 AND gen <> ?`, `UPDATE generation SET live = 1 WHERE gen = ?`), "swap")
}

// Discard gives the generation up.
func (f *fresh) Discard(ctx context.Context) error {
	return wrapError(f.finish(ctx, `DELETE FROM generation WHERE gen = ?`), "discard")
}

// finish runs statements in which ? is this generation, provided that it is
// still being built, and drops what they leave behind.
func (f *fresh) finish(ctx context.Context, statements ...string) error {
	err := f.store.change(ctx, func(ctx context.Context, c *connection) error {
		err := f.checkSuperseded(ctx, c)
		for _, statement := range statements {
			if err == nil {
				_, err = c.exec(ctx, statement, f.gen)
			}
		}
		return err
	})
	if err == nil {
		err = f.store.sweep(ctx)
		f.held.release()
	}
	return err
}
