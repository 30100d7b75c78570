package bus_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
)

// Replicas refuse a guarded message also while they still agree on another one.
// Whoever learns of a conflict finds what won.
func TestAConflictHasAWinner(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t, topology.Config{})
	var replicas []*bus.Bus
	for _, s := range servers {
		replicas = append(replicas, bustest.Connect(t, s))
	}
	request := contract.CommandName{Service: "pricing", Verb: "quote"}
	for name, try := range map[string]func(b *bus.Bus, id string, n int) (lost bool, err error){
		"append": func(b *bus.Bus, id string, n int) (bool, error) {
			e := event(id, 1)
			e.ID = fmt.Sprintf("%s-%d", id, n)
			_, err := b.Append(t.Context(), e, 0)
			if !errors.Is(err, aggregate.ErrConflict) {
				return false, err
			}
			_, err = b.Last(t.Context(), e.Aggregate, id)
			return true, err
		},
		"claim": func(b *bus.Bus, id string, n int) (bool, error) {
			command := fmt.Sprintf("%s-%d", id, n)
			err := b.Claim(t.Context(), bus.Claim{Key: id, Command: contract.Command{
				ID: command, Name: request, Request: command, At: time.Now().UTC(), Data: json.RawMessage(`{}`),
			}})
			if !errors.Is(err, bus.ErrWrongRevision) {
				return false, err
			}
			_, err = b.LatestClaim(t.Context(), request, id)
			return true, err
		},
		"create": func(b *bus.Bus, id string, n int) (bool, error) {
			k, err := b.Bucket(t.Context(), contract.RateLimitsBucket)
			if err != nil {
				return false, err
			}
			_, err = k.Create(t.Context(), id, []byte(strconv.Itoa(n)))
			if !errors.Is(err, bus.ErrWrongRevision) {
				return false, err
			}
			_, _, err = k.Get(t.Context(), id)
			return true, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for round := range 30 {
				id := fmt.Sprintf("%s%d", name, round)
				var wg sync.WaitGroup
				var mu sync.Mutex
				won := 0
				for n := range 9 {
					wg.Go(func() {
						lost, err := try(replicas[n%3], id, n)
						if err != nil {
							t.Errorf("%s %d: lost %v: %v", id, n, lost, err)
						}
						mu.Lock()
						defer mu.Unlock()
						if !lost && err == nil {
							won++
						}
					})
				}
				if wg.Wait(); won != 1 {
					t.Fatalf("%s has %d winners, want 1", id, won)
				}
			}
		})
	}
}

// Whoever is told that a value has changed sees another one: whoever looks and
// writes again and again does not come too late for nothing.
func TestAMovedValueWasMoved(t *testing.T) {
	t.Parallel()
	servers := bustest.Cluster(t, topology.Config{})
	var replicas []*bus.Bucket
	for _, s := range servers {
		k, err := bustest.Connect(t, s).Bucket(t.Context(), contract.RateLimitsBucket)
		if err != nil {
			t.Fatal(err)
		}
		replicas = append(replicas, k)
	}
	if _, err := replicas[0].Create(t.Context(), "key", []byte("first")); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, k := range replicas {
		wg.Go(func() {
			for range 30 {
				_, rev, err := k.Get(t.Context(), "key")
				if err != nil {
					t.Errorf("get the key: %v", err)
					return
				}
				if _, err = k.Update(t.Context(), "key", []byte("next"), rev); err == nil {
					continue
				}
				_, now, look := k.Get(t.Context(), "key")
				if !errors.Is(err, bus.ErrWrongRevision) || look != nil || now == rev {
					t.Errorf("update at %d = %v, and then it is at %d, %v; want %v, another revision", rev, err, now, look, bus.ErrWrongRevision)
					return
				}
			}
		})
	}
	wg.Wait()
}
