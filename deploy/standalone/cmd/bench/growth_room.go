package main

import (
	"context"
	"fmt"

	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// What one quote adds to the streams, in bytes, generously.
const (
	requestBytes = 1200
	quoteBytes   = 12_000
)

// environment is what the program needs to take all the quotes, and to say what
// they cost it.
func (g growing) environment() ([]string, error) {
	at, err := processes.Addresses(1)
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("STREAM_MAX_BYTES=%d", roomFor(g.quotes+g.filled)), "METRICS_ADDR=" + at[0]}, nil
}

// roomFor is the sum of which every stream has its share, large enough for n
// quotes.
func roomFor(n int) int64 {
	total := int64(topology.DefaultMaxBytes)
	for limitOf(contract.RequestStream, total) < int64(n)*requestBytes || limitOf(contract.EventStream(contract.QuoteAggregate), total) < int64(n)*quoteBytes {
		total *= 2
	}
	return total
}

func limitOf(stream string, total int64) int64 {
	for _, s := range registry.Streams() {
		if s.Name == stream {
			return registry.SizeOf(s, total)
		}
	}
	return 0
}

// roomLeft says after one part of the quotes whether what is stored will fit
// when all parts are: a stream that fills up would stop the run near its end.
func (s *system) roomLeft(ctx context.Context, parts int) error {
	nc, err := nats.Connect(s.NATSURL)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	list := js.ListStreams(ctx)
	for info := range list.Info() {
		if err := fits(info, parts); err != nil {
			return err
		}
	}
	return list.Err()
}

// fits reports a stream that refuses what is new before it holds so many times
// what it holds.
func fits(info *jetstream.StreamInfo, parts int) error {
	most := info.Config.MaxBytes
	if most <= 0 || info.Config.Discard != jetstream.DiscardNew || info.State.Bytes*uint64(parts) <= uint64(most) {
		return nil
	}
	return fmt.Errorf("stream %s would be full before the end: %d bytes after the first of %d parts, and room for %d", info.Config.Name, info.State.Bytes, parts, most)
}
