package find

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/projection"
)

// A gathering answers no read before so many are under way.
type gathering struct {
	projection.Store
	mu      sync.Mutex
	missing int
	whole   chan struct{}
}

func (g *gathering) wait(ctx context.Context) error {
	g.mu.Lock()
	if g.missing--; g.missing == 0 {
		close(g.whole)
	}
	g.mu.Unlock()
	select {
	case <-g.whole:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the others are not read meanwhile: %w", ctx.Err())
	}
}

func (g *gathering) Find(ctx context.Context, kind, _ string, _ int) ([]projection.Document, error) {
	return []projection.Document{{Kind: kind, ID: "x"}}, g.wait(ctx)
}

func (g *gathering) Get(ctx context.Context, _, _ string) (projection.Document, error) {
	if err := g.wait(ctx); err != nil {
		return projection.Document{}, err
	}
	return projection.Document{}, projection.ErrNotFound
}

// What a search reads it reads at once: one after the other each would take its way to the
// store.
func TestPlacesAreSearchedAtOnce(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	reads := 0
	for _, a := range searched {
		reads += len(spellings(a, "abc"))
	}
	s := &Section{Docs: &gathering{missing: reads, whole: make(chan struct{})}}
	found, more, err := s.findAll(ctx, "abc")
	if err != nil || more {
		t.Fatalf("findAll: more %v, %v; want all there is", more, err)
	}
	for _, kind := range searched {
		if got := found[kind]; len(got) != 1 || got[0].doc.Kind != string(kind) {
			t.Errorf("found %+v, want one of %s", got, kind)
		}
	}
	s.Docs = &gathering{missing: 10, whole: make(chan struct{})} // an id is one of so many things
	if path, err := s.findByID(ctx, "abc"); path != "" || err != nil {
		t.Errorf("findByID = %q, %v; want nothing", path, err)
	}
}
