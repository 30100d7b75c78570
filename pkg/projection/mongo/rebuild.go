package mongo

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/batch"
)

// Rebuild starts a generation and waits until every process writes to it.
func (s *Store) Rebuild(ctx context.Context) (projection.Fresh, error) {
	state, err := s.generations.change(ctx, func(s *state) error {
		s.Building, s.Next, s.Retiring = s.Next, s.Next+1, 0
		return nil
	})
	if err == nil {
		err = s.generations.wait(ctx)
	}
	if err == nil {
		err = s.sweep(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("start rebuild: %w", err)
	}
	return &fresh{store: s, gen: state.Building, view: view{db: s.db, generation: func(context.Context) (int64, error) {
		return state.Building, nil
	}}}, nil
}

// sweep drops the collections of generations that are no more.
func (s *Store) sweep(ctx context.Context) error {
	state, err := s.generations.refresh(ctx)
	if err != nil {
		return err
	}
	names, err := s.db.ListCollectionNames(ctx, bson.D{})
	if err != nil {
		return fmt.Errorf("list collections: %w", err)
	}
	for _, name := range names {
		gen, ok := generationOf(name)
		if !ok || gen == state.Live || gen == state.Building || gen == state.Retiring || gen >= state.Next {
			continue
		}
		if err := s.db.Collection(name).Drop(ctx); err != nil {
			return fmt.Errorf("drop %s: %w", name, err)
		}
	}
	return nil
}

// fresh is a generation that is being built.
type fresh struct {
	store *Store
	gen   int64
	view
}

// Put writes to this generation alone.
func (f *fresh) Put(ctx context.Context, docs ...projection.Document) error {
	docs, err := batch.Of(docs)
	if err != nil {
		return fmt.Errorf("put: %w", err)
	}
	state, err := f.store.generations.current(ctx)
	if err == nil && state.Building != f.gen {
		err = projection.ErrSuperseded
	}
	if err == nil {
		err = f.store.write(ctx, []int64{f.gen}, docs)
	}
	if err != nil {
		return fmt.Errorf("put: %w", err)
	}
	return nil
}

func (f *fresh) Ping(ctx context.Context) error { return f.store.Ping(ctx) }

func (f *fresh) Close() error { return nil }

// Swap makes the generation live, waits until every process reads it, and
// drops the one before, which is written to until then.
func (f *fresh) Swap(ctx context.Context) error {
	err := f.change(ctx, func(s *state) { s.Live, s.Building, s.Retiring = f.gen, 0, s.Live })
	if err != nil {
		return fmt.Errorf("swap: %w", err)
	}
	err = f.store.generations.wait(ctx)
	if err == nil {
		_, err = f.store.generations.change(ctx, func(s *state) error {
			if s.Live == f.gen {
				s.Retiring = 0
			}
			return nil
		})
	}
	if err == nil {
		err = f.store.generations.wait(ctx) // let nobody write to what is dropped
	}
	if err == nil {
		err = f.store.sweep(ctx)
	}
	if err != nil {
		return fmt.Errorf("drop the generation before: %w", err)
	}
	return nil
}

// Discard gives the generation up.
func (f *fresh) Discard(ctx context.Context) error {
	err := f.change(ctx, func(s *state) { s.Building = 0 })
	if err == nil {
		err = f.store.generations.wait(ctx)
	}
	if err == nil {
		err = f.store.sweep(ctx)
	}
	if err != nil {
		return fmt.Errorf("discard: %w", err)
	}
	return nil
}

// change edits the state provided that the generation is still being built.
func (f *fresh) change(ctx context.Context, edit func(s *state)) error {
	_, err := f.store.generations.change(ctx, func(s *state) error {
		if s.Building != f.gen {
			return projection.ErrSuperseded
		}
		edit(s)
		return nil
	})
	return err
}
