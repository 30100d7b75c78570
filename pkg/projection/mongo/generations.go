package mongo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// A state says which generations there are. Readers read Live; writers write
// to all of them, so each is complete for as long as anybody may read it.
type state struct {
	Revision int64 `bson:"revision"` // counts changes
	Next     int64 `bson:"next"`     // the number of the next generation
	Live     int64 `bson:"live"`
	Building int64 `bson:"building"` // 0: none; to be live
	Retiring int64 `bson:"retiring"` // 0: none; was live
}

func (s state) writeTargets() []int64 {
	all := []int64{s.Live}
	for _, gen := range []int64{s.Building, s.Retiring} {
		if gen != 0 {
			all = append(all, gen)
		}
	}
	return all
}

// generations keeps the state in one document and a copy of it that is never
// older than the lease when it is used. So whoever changes the state and then
// waits for the lease knows that all processes act on the change.
type generations struct {
	c     *driver.Collection
	lease time.Duration
	cache chan cached // holds one; whoever takes it is alone
}

type cached struct {
	state
	at time.Time // before the state was read; zero: never
}

func newGenerations(c *driver.Collection, lease time.Duration) generations {
	g := generations{c: c, lease: lease, cache: make(chan cached, 1)}
	g.cache <- cached{}
	return g
}

// current returns the state, from the copy while the lease lasts.
func (g *generations) current(ctx context.Context) (state, error) { return g.get(ctx, g.lease) }

// refresh reads the state anew.
func (g *generations) refresh(ctx context.Context) (state, error) { return g.get(ctx, 0) }

func (g *generations) get(ctx context.Context, lease time.Duration) (state, error) {
	select {
	case <-ctx.Done():
		return state{}, ctx.Err()
	case c := <-g.cache:
		defer func() { g.cache <- c }()
		if err := ctx.Err(); err != nil {
			return state{}, err
		}
		if !c.at.IsZero() && time.Since(c.at) < lease {
			return c.state, nil
		}
		at := time.Now()
		s, err := g.read(ctx)
		if err != nil {
			return state{}, fmt.Errorf("read generations: %w", err)
		}
		c = cached{s, at}
		return s, nil
	}
}

var document = bson.D{{Key: "_id", Value: "projection"}}

func (g *generations) read(ctx context.Context) (state, error) {
	var s state
	err := g.c.FindOne(ctx, document).Decode(&s)
	if !errors.Is(err, driver.ErrNoDocuments) {
		return s, err
	}
	first := bson.D{
		{Key: "_id", Value: "projection"}, {Key: "revision", Value: int64(1)}, {Key: "next", Value: int64(2)},
		{Key: "live", Value: int64(1)}, {Key: "building", Value: int64(0)}, {Key: "retiring", Value: int64(0)},
	}
	if _, err := g.c.InsertOne(ctx, first); err != nil && !driver.IsDuplicateKeyError(err) {
		return s, err
	}
	err = g.c.FindOne(ctx, document).Decode(&s)
	return s, err
}

// change applies edit to the newest state, again when another process changes
// it meanwhile, and returns the result. An error of edit ends it.
func (g *generations) change(ctx context.Context, edit func(s *state) error) (state, error) {
	for {
		s, err := g.refresh(ctx)
		if err != nil {
			return s, err
		}
		old := s.Revision
		if err := edit(&s); err != nil {
			return s, err
		}
		s.Revision++
		filter := append(document[:1:1], bson.E{Key: "revision", Value: old})
		result, err := g.c.UpdateOne(ctx, filter, bson.D{{Key: "$set", Value: s}})
		if err != nil {
			return s, fmt.Errorf("change generations: %w", err)
		}
		if result.MatchedCount == 1 {
			return g.refresh(ctx)
		}
	}
}

// wait returns when every process has seen the last change.
func (g *generations) wait(ctx context.Context) error {
	timer := time.NewTimer(g.lease)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
