package page

import (
	"context"
	"fmt"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
)

// A gathering answers no read before so many are under way.
type gathering struct {
	projection.Store
	mu      sync.Mutex
	missing int
	whole   chan struct{}
}

func (g *gathering) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	g.mu.Lock()
	if g.missing--; g.missing == 0 {
		close(g.whole)
	}
	g.mu.Unlock()
	select {
	case <-g.whole:
		return projection.Document{Kind: kind, ID: id, Body: fmt.Appendf(nil, `{"name":"name of %s"}`, id)}, nil
	case <-ctx.Done():
		return projection.Document{}, ctx.Err()
	}
}

// Names that a list shows are read at once, each account's once, test mode's with it.
func TestNamesAreReadAtOnce(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	c := &Call{R: httptest.NewRequestWithContext(ctx, "GET", "/", nil), site: &Site{Docs: &gathering{missing: 3, whole: make(chan struct{})}}}
	owners := []string{"acc_1", "acc_2", "acc_1", "acc_3", accounts.APIKey{}.Owner("acc_2")}
	c.ReadAccountNames(owners)
	for _, owner := range owners {
		want := "name of " + contract.AccountOf(owner)
		if contract.IsTest(owner) {
			want += " (test)"
		}
		if got := c.AccountName(owner); got != want {
			t.Errorf("AccountName(%s) = %q, want %q", owner, got, want)
		}
	}
}
