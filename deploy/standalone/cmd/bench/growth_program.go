package main

import (
	"context"
	"fmt"
	"time"

	"boardorder/pkg/contract"
)

// growthClients is how many clients ask at once: enough to keep the program busy.
const growthClients = 32

// growProgram asks the program for n quotes and starts it again after each
// tenth, on all that it has stored.
func growProgram(ctx context.Context, program string, n int, show func(stage)) error {
	s, err := startSystem(ctx, program, growthClients, roomFor(n))
	if err != nil {
		return err
	}
	defer s.stop() //nolint:errcheck // a temporary folder at the worst
	upload, err := s.upload(ctx)
	if err != nil {
		return err
	}
	for tenth := range tenths {
		f, err := s.askTenth(ctx, upload, tenth, n/tenths)
		if err != nil {
			return err
		}
		now := stage{stored: (tenth + 1) * (n / tenths), figure: f}
		if now.resident, err = resident(s.PID); err != nil {
			return err
		}
		s.end()
		if now.disk, err = size(s.data()); err != nil {
			return err
		}
		begun := time.Now()
		if err := s.start(ctx, program, roomFor(n)); err != nil {
			return err
		}
		now.restart = time.Since(begun)
		show(now)
	}
	return nil
}

// roomFor gives the streams room for n quotes: their usual limits are parts of a
// sum that every stream has its share of.
func roomFor(n int) string {
	const request, quote = 1200, 12_000 // bytes, generously
	total := int64(20 << 30)
	for limitOf(contract.RequestStream, total) < int64(n)*request || limitOf(contract.EventStream(contract.QuoteAggregate), total) < int64(n)*quote {
		total *= 2
	}
	return fmt.Sprintf("STREAM_MAX_BYTES=%d", total)
}

func limitOf(stream string, total int64) int64 {
	for _, s := range contract.Streams() {
		if s.Name == stream {
			return contract.SizeOf(s, total)
		}
	}
	return 0
}

func (s *system) askTenth(ctx context.Context, upload string, tenth, n int) (figure, error) {
	asking := newAsker(s, growthClients)
	return loadWhile(ctx, growthClients, times(n), with(s.PID), func(_ context.Context, client, i int) error {
		return asking.quote(fmt.Appendf(nil,
			`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"project_name":"growth %d %d %d"}`, upload, tenth, client, i))
	})
}
