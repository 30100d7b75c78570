package edge

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/web"
)

// capabilities is the reply of GET /v1/capabilities, the same for everyone: the
// catalogue, and the stackups that the fabricator has on its shelf.
type capabilities struct {
	catalog  *catalog.Catalog
	stackups interface {
		Get(ctx context.Context, key string) ([]byte, uint64, error)
	}
	now func() time.Time

	mu    sync.Mutex
	reply *web.Static
	until time.Time
}

// How long a reply is used again: shorter while the shelf is not known.
const (
	shelfLife      = 5 * time.Minute
	emptyShelfLife = time.Second
)

// serve answers with what is known. Without the bucket there are no stackups in it.
func (c *capabilities) serve(call *web.Call) error {
	reply, err := c.current(call.Context())
	if err != nil {
		return err
	}
	return reply.Serve(call)
}

func (c *capabilities) current(ctx context.Context) (*web.Static, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now().Before(c.until) {
		return c.reply, nil
	}
	all := c.catalog.Capabilities()
	known := true
	for _, layers := range c.catalog.StackupLayers() {
		found, ok := c.of(ctx, layers)
		all.Stackups, known = append(all.Stackups, found...), known && ok
	}
	body, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("encode capabilities: %w", err)
	}
	life := shelfLife
	if !known {
		life = emptyShelfLife
	}
	c.reply, c.until = web.NewStatic("application/json", "private, max-age=300", body), c.now().Add(life)
	return c.reply, nil
}

// of are the stackups with so many layers; not ok while nobody has asked for them.
func (c *capabilities) of(ctx context.Context, layers int) (found []contract.Stackup, ok bool) {
	value, _, err := c.stackups.Get(ctx, contract.StackupsKey(layers))
	return found, err == nil && json.Unmarshal(value, &found) == nil
}
