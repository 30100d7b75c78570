package central_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/uploads"
)

// TestDeclaredAfterItWasSent: the request_id comes again with a declaration. The
// process dies at each effect; the order ends as controlled, and nothing derived
// from its files stays.
func TestDeclaredAfterItWasSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for origin, keeps := range map[string]bool{formal.USOrigin: true, "": false, "cn": false} {
		for n := 0; ; n++ {
			id := fmt.Sprint("po-", origin, n)
			key := w.submitOrder(id)
			again := w.form(id)
			again.ITAR, again.BoardOrigin = true, origin
			c := w.command(formal.Submit, again)
			w.queue, w.fuse = nil, n
			err := w.try(c)
			died := err != nil && contract.RefusalIn(err) == nil
			w.fuse = -1
			for range 2 {
				err = w.try(c)
				if r := contract.RefusalIn(err); keeps && err != nil || !keeps && (r == nil || r.Code != contract.ITAROrigin) {
					t.Fatalf("%q, crash %d: %v", origin, n, err)
				}
			}
			o := w.order(key)
			if !o.ITAR || !o.Labels().IsControlled() || o.Check != nil || o.Has(formal.Gerbers) != true {
				t.Errorf("%q, crash %d: the order is %+v, want it controlled, without a check, its files listed", origin, n, o)
			}
			if kept := len(w.keys(formal.Prefix + key + "/")); (kept == 2) != keeps || (kept == 0) == keeps {
				t.Errorf("%q, crash %d: %d files are kept, want 2: %t, else none", origin, n, kept, keeps)
			}
			if left := w.keys(uploads.StagingPrefix); len(left) > 0 {
				t.Errorf("%q, crash %d: staged %v, want none", origin, n, left)
			}
			if !slices.ContainsFunc(w.queue, func(c contract.Command) bool { return c.Name == uploads.DeclareITAR }) {
				t.Errorf("%q, crash %d: what was derived stays", origin, n)
			}
			for _, c := range w.queue {
				if c.Name == formal.CheckDesign {
					t.Errorf("%q, crash %d: it is checked again", origin, n)
				}
			}
			if !died {
				break
			}
		}
	}
}

// TestAbroadLeavesAControlledOrder: an order that was controlled from the
// beginning keeps its files when a request says another origin.
func TestAbroadLeavesAControlledOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	data := w.form("po-1")
	data.ITAR, data.BoardOrigin = true, formal.USOrigin
	if code := w.do(formal.Submit, data); code != "" {
		t.Fatalf("submit a controlled order made in the United States: %s, want it granted", code)
	}
	again := w.form("po-1")
	again.ITAR, again.BoardOrigin = true, "cn"
	if code := w.do(formal.Submit, again); code != contract.ITAROrigin {
		t.Errorf("refused with %q, want %q", code, contract.ITAROrigin)
	}
	if o := w.order(data.Order); !o.ITAR || len(w.keys(formal.Prefix)) != 2 {
		t.Errorf("%+v, files %v; want it controlled, 2", o, w.keys(formal.Prefix))
	}
}
