package bus

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// layout is where messages lie: for each stream of the contract the streams of
// the broker that it is kept in, part by part. Services find it out and never
// change it.
type layout struct {
	mu    sync.RWMutex
	parts map[string][]jetstream.Stream
}

func (l *layout) partsOf(declared string) []jetstream.Stream {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.parts[declared]
}

// declarationOf is the stream of the contract that a part belongs to.
func (l *layout) declarationOf(part string) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for name, parts := range l.parts {
		for _, s := range parts {
			if s.CachedInfo().Config.Name == part {
				return name
			}
		}
	}
	return part
}

// holding gives the part of a stream that holds an id's partition, and its number.
func (l *layout) holding(declared, id string) (jetstream.Stream, int, error) {
	parts := l.partsOf(declared)
	if len(parts) == 0 {
		return nil, 0, fmt.Errorf("stream %s: %w", declared, ErrTopology)
	}
	n := contract.PartitionOf(id) % len(parts)
	return parts[n], n, nil
}

// ErrTopology says that the broker lacks a stream, a consumer or a bucket.
var ErrTopology = errors.New("it is missing or incomplete: apply the topology (program deploy/topology)")

// Verify finds all streams, consumers and buckets of the contract on the
// broker. While the broker is unreachable or they are being made it waits, until ctx
// ends; then it says what is missing.
func (b *Bus) Verify(ctx context.Context) error {
	for logged := false; ; {
		err := b.verify(ctx)
		if err == nil || !errors.Is(err, ErrTopology) && !unreachable(err) {
			return err
		}
		if ctx.Err() != nil {
			return err
		}
		if !logged {
			b.log.Warn("waiting for streams and consumers", zap.Error(err))
			logged = true
		}
		pause(ctx, verifyPause)
	}
}

// openTimeout is for finding a consumer: while its leader is elected nobody answers.
const openTimeout = 2 * time.Second

const (
	verifyPause   = 250 * time.Millisecond
	verifyTimeout = 10 * time.Second
)

func (b *Bus) verify(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verifyTimeout)
	defer cancel()
	found := map[string]jetstream.Stream{}
	list := b.js.ListStreams(ctx)
	for info := range list.Info() {
		s, err := b.openStream(ctx, info.Config.Name)
		if err != nil {
			return fmt.Errorf("stream %s: %w", info.Config.Name, err)
		}
		found[info.Config.Name] = s
	}
	if err := list.Err(); err != nil {
		return fmt.Errorf("list streams: %w", err)
	}
	if found[contract.CommandStream] != nil {
		if err := b.CompareClocks(ctx); err != nil {
			return err
		}
	}
	parts := map[string][]jetstream.Stream{}
	for _, s := range registry.Streams() {
		p, err := partsOf(s, found)
		if err != nil {
			return err
		}
		parts[s.Name] = p
	}
	attempts, err := b.Bucket(ctx, contract.AttemptsBucket)
	if err != nil {
		return err
	}
	b.layout.mu.Lock()
	defer b.layout.mu.Unlock()
	b.layout.parts, b.attempts = parts, attempts
	return nil
}

// partsOf finds the streams that a declared one is kept in. They must store all
// of its partitions, each where it is looked for.
func partsOf(s contract.Stream, found map[string]jetstream.Stream) ([]jetstream.Stream, error) {
	n := 0
	for found[s.PartName(n)] != nil && n < contract.Partitions {
		n++
	}
	if n == 0 {
		return nil, fmt.Errorf("stream %s: %w", s.Name, ErrTopology)
	}
	var out []jetstream.Stream
	for _, p := range s.Parts(n) {
		stream := found[p.Name]
		if stream == nil || strings.Join(stream.CachedInfo().Config.Subjects, " ") != strings.Join(p.Subjects, " ") {
			return nil, fmt.Errorf("stream %s does not store %s: %w", p.Name, strings.Join(p.Subjects, " "), ErrTopology)
		}
		out = append(out, stream)
	}
	return out, nil
}

// openConsumer gives a durable consumer of a stream, or says that it is missing.
func openConsumer(ctx context.Context, s jetstream.Stream, name string) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	cons, err := s.Consumer(ctx, name)
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, fmt.Errorf("consumer %s of stream %s: %w", name, s.CachedInfo().Config.Name, ErrTopology)
	}
	return cons, err
}

// unreachable reports whether the broker gave no answer, or is not ready yet.
func unreachable(err error) bool {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return api.Code == http.StatusServiceUnavailable && api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabled &&
			api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabledForAccount
	}
	for _, silence := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, errBroken, errUnanswered, jetstream.ErrNoStreamResponse, jetstream.ErrJetStreamNotEnabled,
	} {
		if errors.Is(err, silence) {
			return true
		}
	}
	return false
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
