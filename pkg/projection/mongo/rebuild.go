package mongo

import (
	"context"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"boardorder/pkg/projection"
)

// Rebuild starts a generation and waits until every process writes to it.
func (s *Store) Rebuild(ctx context.Context) (projection.Fresh, error) {
	abandoned, err := s.findAbandoned(ctx)
	if err != nil {
		return nil, wrapError(err, "start rebuild")
	}
	db := s.db
	state, err := s.generations.change(ctx, func(s *state) error {
		if s.Building != abandoned {
			return projection.ErrRebuilding
		}
		if err := authorize(ctx, db, s.Live, s.Next); err != nil {
			return err
		}
		s.Building, s.Next, s.Retiring = s.Next, s.Next+1, 0
		return nil
	})
	if err != nil {
		return nil, wrapError(err, "start rebuild")
	}
	f := &fresh{store: s, gen: state.Building, view: view{db: s.db, generation: func(context.Context) (int64, error) {
		return state.Building, nil
	}}}
	f.alive = startHeartbeat(s.generations, f.gen)
	err = forget(ctx, s.generations.c, abandoned)
	if err == nil {
		err = s.generations.wait(ctx)
	}
	if err == nil {
		err = s.sweep(ctx)
	}
	if err != nil {
		f.alive.end()
		return nil, wrapError(err, "start rebuild")
	}
	return f, nil
}

// findAbandoned is the generation that a rebuild left that does not go on, or 0
// when there is none. A rebuild that goes on is ErrRebuilding.
func (s *Store) findAbandoned(ctx context.Context) (int64, error) {
	state, err := s.generations.refresh(ctx)
	if err != nil || state.Building == 0 {
		return 0, err
	}
	before, err := heartbeats(ctx, s.generations.c, state.Building)
	for range missedHeartbeats {
		if err == nil {
			err = s.generations.wait(ctx)
		}
	}
	if err != nil {
		return 0, err
	}
	after, err := heartbeats(ctx, s.generations.c, state.Building)
	if err == nil && after != before {
		err = projection.ErrRebuilding
	}
	return state.Building, err
}

// authorize holds that we may write to all collections of a generation that is about
// to begin. Users' rights name generations, and every writer writes to what is being
// built: one that nobody may write to would stop them all.
func authorize(ctx context.Context, db *driver.Database, live, next int64) error {
	names, err := db.ListCollectionNames(ctx, bson.D{})
	if err != nil {
		return fmt.Errorf("list collections: %w", err)
	}
	for _, name := range names {
		if gen, ok := generationOf(name); !ok || gen != live {
			continue
		}
		_, kind, _ := strings.Cut(name, ".")
		if _, err := db.Collection(collection(next, kind)).DeleteOne(ctx, bson.D{{Key: "_id", Value: ""}}); err != nil {
			return fmt.Errorf("write to %s, for which the script that makes MongoDB's users may have to run again: %w", collection(next, kind), err)
		}
	}
	return nil
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
	alive *heartbeat
	view
}

// Put writes to this generation alone.
func (f *fresh) Put(ctx context.Context, docs ...projection.Document) error {
	return f.store.put(ctx, docs, func(state state) ([]int64, error) {
		if state.Building != f.gen {
			return nil, projection.ErrSuperseded
		}
		return []int64{f.gen}, nil
	})
}

func (f *fresh) Ping(ctx context.Context) error { return f.store.Ping(ctx) }

// Close lets another rebuild begin, as the end of the process does.
func (f *fresh) Close() error {
	f.alive.end()
	return nil
}

// Swap makes the generation live, waits until every process reads it, and
// drops the one before, which is written to until then.
func (f *fresh) Swap(ctx context.Context) error {
	err := f.change(ctx, func(s *state) { s.Live, s.Building, s.Retiring = f.gen, 0, s.Live })
	if err != nil {
		return wrapError(err, "swap")
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
	return wrapError(err, "drop the generation before")
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
	return wrapError(err, "discard")
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
	if err == nil {
		f.alive.end()
		err = forget(ctx, f.store.generations.c, f.gen)
	}
	return err
}
