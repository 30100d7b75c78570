package edge

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/stackups"
	"boardorder/services/edge/internal/web"
)

// capabilities is the reply of GET /v1/capabilities, the same for everyone: the
// catalogue, and the stackups that the fabricator has on its shelf.
type capabilities struct {
	catalog  *catalog.Catalog
	stackups interface {
		Get(ctx context.Context, key string) ([]byte, uint64, error)
	}
	reply atomic.Pointer[web.Static]
	list  atomic.Pointer[stackupList]
}

// A stackupList is what is known of the fabricator's stackups.
type stackupList struct {
	stackups []stackups.Stackup
	complete bool
}

// How often the list is read: sooner while it is not known.
const (
	stackupInterval      = 5 * time.Minute
	firstStackupInterval = 2 * time.Second
)

// newCapabilities replies with the stackups that were known before, until run has looked
// for new ones.
func newCapabilities(ctx context.Context, c *catalog.Catalog, stackups *bus.Bucket) (*capabilities, error) {
	out := &capabilities{catalog: c, stackups: stackups}
	return out, out.keep(out.look(ctx))
}

// run reads the list from time to time until ctx ends.
func (c *capabilities) run(ctx context.Context) error {
	for ctx.Err() == nil {
		every := stackupInterval
		found, known := c.look(ctx)
		if !known {
			every = firstStackupInterval
		}
		if err := c.keep(found, known); err != nil {
			return err
		}
		t := time.NewTimer(every)
		select {
		case <-ctx.Done():
		case <-t.C:
		}
		t.Stop()
	}
	return nil
}

// look reads the list; known is false while some of it was never asked for.
func (c *capabilities) look(ctx context.Context) (found []stackups.Stackup, known bool) {
	known = true
	for _, layers := range c.catalog.StackupLayers() {
		var some []stackups.Stackup
		value, _, err := c.stackups.Get(ctx, stackups.Key(layers))
		if err != nil || json.Unmarshal(value, &some) != nil {
			known = false
			continue
		}
		found = append(found, some...)
	}
	return found, known
}

// keep makes the reply. One that lacks stackups says so, and is not to be kept.
func (c *capabilities) keep(found []stackups.Stackup, known bool) error {
	all, caching := c.catalog.Capabilities(), "private, max-age=300"
	all.Stackups, all.StackupsComplete = append(all.Stackups, found...), known
	if !known {
		caching = "private, no-cache"
		all.Notes = append(slices.Clone(all.Notes), "fab_stackups is not complete yet: the fabricator is still being asked. Ask again in a minute.")
	}
	body, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode capabilities: %w", err)
	}
	c.reply.Store(web.NewStatic("application/json", caching, body))
	c.list.Store(&stackupList{found, known})
	return nil
}

// listStackups lists the fabricator's stackups, and reports whether they are all that it has.
func (c *capabilities) listStackups() ([]stackups.Stackup, bool) {
	s := c.list.Load()
	return s.stackups, s.complete
}

func (c *capabilities) serve(call *web.Call) error { return c.reply.Load().Serve(call) }
