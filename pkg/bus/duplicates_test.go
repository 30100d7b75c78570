package bus_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/duplicates"

	"go.uber.org/zap"
)

// Aggregates are found by what their files hold, by no beginning of it, and what is
// forgotten leaves nothing at the broker.
func TestEquals(t *testing.T) {
	t.Parallel()
	server, err := embedded.Start(embedded.Config{Dir: t.TempDir(), Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	if err := topology.Ensure(t.Context(), bus.Config{InProcess: server, Name: "topology", Log: zap.NewNop()}, topology.Config{}); err != nil {
		t.Fatal(err)
	}
	b := bustest.Connect(t, server)
	a := contract.UploadAggregate
	enter := func(key, id string) {
		t.Helper()
		if err := b.NoteDuplicate(t.Context(), a, key, id); err != nil {
			t.Fatal(err)
		}
	}
	equals := func(keys ...string) []string {
		t.Helper()
		ids, _, err := b.Duplicates(t.Context(), a, keys...)
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	for i := range 300 {
		enter(fmt.Sprint("other", i), fmt.Sprint("u", i))
	}
	enter("key", "one")
	enter("key", "two")
	enter("key", "two")
	enter("ke", "three")
	for _, tt := range []struct{ keys, want []string }{
		{[]string{"key"}, []string{"one", "two"}}, {[]string{"key", "ke"}, []string{"one", "three", "two"}},
		{[]string{"other7"}, []string{"u7"}}, {[]string{"none"}, nil}, {nil, nil},
	} {
		if got := equals(tt.keys...); !slices.Equal(got, tt.want) {
			t.Errorf("equal to %v: %v, want %v", tt.keys, got, tt.want)
		}
	}
	if ids, _, err := b.Duplicates(t.Context(), contract.OrderAggregate, "key"); err != nil || len(ids) != 0 {
		t.Errorf("orders: %v, %v", ids, err)
	}
	for range 2 {
		if err := b.ForgetDuplicate(t.Context(), a, "key", "two"); err != nil {
			t.Fatal(err)
		}
	}
	if got := equals("key"); !slices.Equal(got, []string{"one"}) {
		t.Errorf("after one was forgotten: %v, want one", got)
	}
	if left := bustest.Search(t, server.ClientURL(), "key.two"); len(left) != 0 {
		t.Errorf("left of what was forgotten: %v", left)
	}
	for _, id := range []string{"", "a.b", "*", ">"} {
		if b.NoteDuplicate(t.Context(), a, "key", id) == nil || b.NoteDuplicate(t.Context(), a, id, "one") == nil {
			t.Errorf("%q was entered", id)
		}
	}
}

// What was there before entering began is not among the equals, so they are not all
// until it does not matter any more.
func TestEqualsAreWhole(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	whole := func(a contract.Aggregate) bool {
		t.Helper()
		_, whole, err := b.Duplicates(t.Context(), a, "key")
		if err != nil {
			t.Fatal(err)
		}
		return whole
	}
	begin := func(a contract.Aggregate) {
		t.Helper()
		if err := b.BeginDuplicates(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if whole(contract.UploadAggregate) {
		t.Error("whole before entering began")
	}
	begin(contract.UploadAggregate) // nothing was there
	for _, a := range []contract.Aggregate{contract.UploadAggregate, contract.OrderAggregate} {
		e := contract.Event{ID: string(a), Aggregate: a, AggregateID: "one", Name: "made", Version: 1, At: time.Now(), Data: []byte("{}")}
		if _, err := b.Append(t.Context(), e, 0); err != nil {
			t.Fatal(err)
		}
		begin(a)
	}
	if !whole(contract.UploadAggregate) || whole(contract.OrderAggregate) {
		t.Errorf("uploads whole %t, orders that were there before whole %t; want true, false", whole(contract.UploadAggregate), whole(contract.OrderAggregate))
	}
	now := time.Now()
	for _, tt := range []struct {
		a    contract.Aggregate
		ago  time.Duration
		want bool
	}{
		{contract.UploadAggregate, 30 * 24 * time.Hour, false}, {contract.UploadAggregate, 34 * 24 * time.Hour, true},
		{contract.OrderAggregate, 34 * 24 * time.Hour, false}, {contract.OrderAggregate, 402 * 24 * time.Hour, true},
	} {
		if got := duplicates.IsWhole(tt.a, now.Add(-tt.ago), now); got != tt.want {
			t.Errorf("%s, begun %v ago: whole %t, want %t", tt.a, tt.ago, got, tt.want)
		}
	}
}
