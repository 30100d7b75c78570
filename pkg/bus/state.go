package bus

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// StreamState is how full a stream is and who reads it.
type StreamState struct {
	Name     string
	Stream   string // of the contract; Name is one of its parts
	About    string
	Messages uint64
	Bytes    uint64
	MaxBytes int64 // 0 or less: no bound
	LastAt   time.Time
	FirstAt  time.Time // of the oldest message that is kept
	LastSeq  uint64    // of the last message that was ever stored
	// OfflineReplicas are those that are offline or not current, as the leader sees it.
	OfflineReplicas int
	Consumers       []ConsumerState // durable ones, by name
}

// ConsumerState is how far a consumer is behind.
type ConsumerState struct {
	Name        string
	Pending     uint64    // not delivered yet
	AckPending  int       // delivered, not acknowledged
	Redelivered int       // of those that are not acknowledged
	Taken       uint64    // how many were delivered, ever
	LastTaken   time.Time // zero: never
}

// States describes every stream of this connection's account, by name.
func (b *Bus) States(ctx context.Context) ([]StreamState, error) {
	var states []StreamState
	list := b.js.ListStreams(ctx)
	for info := range list.Info() {
		if strings.HasPrefix(info.Config.Name, "KV_") {
			continue // buckets
		}
		states = append(states, StreamState{
			Name: info.Config.Name, Stream: b.layout.declarationOf(info.Config.Name), About: info.Config.Description, Messages: info.State.Msgs,
			Bytes: info.State.Bytes, MaxBytes: info.Config.MaxBytes, LastAt: info.State.LastTime,
			FirstAt: info.State.FirstTime, LastSeq: info.State.LastSeq, OfflineReplicas: countOffline(info.Config.Replicas, info.Cluster),
		})
	}
	if err := list.Err(); err != nil {
		return nil, fmt.Errorf("list streams: %w", err)
	}
	slices.SortFunc(states, func(a, b StreamState) int { return strings.Compare(a.Name, b.Name) })
	for i := range states {
		consumers, err := b.consumers(ctx, states[i].Name)
		if err != nil {
			return nil, err
		}
		states[i].Consumers = consumers
	}
	return states, nil
}

// countOffline counts what a stream lacks of its replicas. A broker that stands
// alone has none that could be offline.
func countOffline(replicas int, c *jetstream.ClusterInfo) int {
	if c == nil || replicas < 2 {
		return 0
	}
	offline := replicas
	if c.Leader != "" {
		offline--
	}
	for _, p := range c.Replicas {
		if p.Current && !p.Offline {
			offline--
		}
	}
	return max(offline, 0)
}

func (b *Bus) consumers(ctx context.Context, stream string) ([]ConsumerState, error) {
	s, err := b.openStream(ctx, stream)
	if err != nil {
		return nil, fmt.Errorf("consumers of %s: %w", stream, err)
	}
	var states []ConsumerState
	list := s.ListConsumers(ctx)
	for info := range list.Info() {
		if info.Config.Durable != "" {
			states = append(states, consumerState(info))
		}
	}
	if err := list.Err(); err != nil {
		return nil, fmt.Errorf("consumers of %s: %w", stream, err)
	}
	slices.SortFunc(states, func(a, b ConsumerState) int { return strings.Compare(a.Name, b.Name) })
	return states, nil
}

func consumerState(info *jetstream.ConsumerInfo) ConsumerState {
	c := ConsumerState{
		Name: info.Name, Pending: info.NumPending, AckPending: info.NumAckPending, Redelivered: info.NumRedelivered, Taken: info.Delivered.Consumer,
	}
	if info.Delivered.Last != nil {
		c.LastTaken = *info.Delivered.Last
	}
	return c
}
