package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// memory lets clients wait for quotes that nobody prices, and says what each
// of them costs the system.
func memory(ctx context.Context, program string, n int) error {
	s, err := startSystem(ctx, program, n, "WITHOUT=pricing")
	if err != nil {
		return err
	}
	defer s.stop() //nolint:errcheck // a temporary folder at the worst
	upload, err := s.upload(ctx, 0)
	if err != nil {
		return err
	}
	before, err := resident(s.PID)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	var clients sync.WaitGroup
	var gone atomic.Int64
	for i := range n {
		clients.Go(func() {
			body := fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"project_name":"waits %d"}`, upload, i)
			_ = s.post(ctx, "/v1/quotes?wait_s=150", "application/json", bytes.NewReader([]byte(body)), http.StatusCreated, func([]byte) error { return nil })
			gone.Add(1)
		})
		if (i+1)%wave == 0 || i+1 == n { // they wait at once, but need not arrive at once
			if err := s.awaitQueue(ctx, i+1); err != nil {
				return err
			}
		}
	}
	after, err := resident(s.PID)
	if err != nil {
		return err
	}
	if left := gone.Load(); left > 0 {
		return fmt.Errorf("%d of %d clients did not wait", left, n)
	}
	fmt.Printf("\nmemory: %.0f MB idle, %.0f MB with %d waiting requests: %.1f KB each\n",
		float64(before)/1e6, float64(after)/1e6, n, float64(after-before)/1e3/float64(n))
	cancel()
	clients.Wait()
	return nil
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// resident is the memory of a process in bytes.
func resident(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	m := residentLine.FindSubmatch(status)
	if m == nil {
		return 0, fmt.Errorf("process %d shows no memory", pid)
	}
	kb, err := strconv.ParseInt(string(m[1]), 10, 64)
	return kb * 1024, err
}

// wave is how many clients arrive at once.
const wave = 250

// awaitQueue waits until the requests of n clients are stored, so that every
// one of them is waiting.
func (s *system) awaitQueue(ctx context.Context, n int) error {
	for {
		waiting, err := s.queueLength(ctx)
		if err != nil || waiting >= n {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d clients wait: %w", waiting, n, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// queueLength counts the requests; nobody takes them.
func (s *system) queueLength(ctx context.Context) (int, error) {
	nc, err := nats.Connect(s.NATSURL)
	if err != nil {
		return 0, err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return 0, err
	}
	stream, err := js.Stream(ctx, contract.RequestStream)
	if err != nil {
		return 0, err
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return 0, err
	}
	return int(info.State.Msgs), nil
}
