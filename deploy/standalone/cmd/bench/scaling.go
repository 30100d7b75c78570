package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"boardorder/deploy/standalone"
	"boardorder/deploy/standalone/local"
)

const (
	// supplierDelay is how long the fabricator takes for each answer.
	supplierDelay = 200 * time.Millisecond
	// scalingClients is more than four pricing processes ask the fabricator for at
	// once.
	scalingClients = 64
)

// scaling shows what more processes of pricing, over as many parts of the
// streams, bring while each quote has to wait for the fabricator.
func scaling(ctx context.Context, bin string, each time.Duration) error {
	fmt.Printf("\nquotes/s of %d clients, each of another price, the fabricator answering in %s:", scalingClients, supplierDelay)
	for _, n := range []int{1, 2, 4} {
		f, err := measureScaling(ctx, bin, n, each)
		if err != nil {
			return fmt.Errorf("%d processes: %w", n, err)
		}
		fmt.Printf("   %d: %.0f (p99 %s)", n, f.rate, show(f.p99))
	}
	fmt.Println("\nprocesses of pricing, and parts that the streams of requests and quotes are kept in; a process asks the fabricator for eight prices at once.")
	return nil
}

// measureScaling measures n processes of pricing over n parts of their streams.
func measureScaling(ctx context.Context, bin string, n int, each time.Duration) (figure, error) {
	dir, err := os.MkdirTemp("", "bench-*")
	if err != nil {
		return figure{}, err
	}
	defer os.RemoveAll(dir)
	s := &system{dir: dir, client: &http.Client{}}
	starting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	services, err := local.Start(starting, local.Config{
		Bin: bin, Data: s.data(), Addr: "127.0.0.1:0", Counts: map[string]int{"pricing": n, "edge": 1},
		Env: map[string]string{
			"DEMO_REQUESTS_PER_MINUTE": "100000000", "STREAM_PARTS": fmt.Sprintf("REQUESTS=%d,EVENTS_QUOTE=%d", n, n),
		},
	})
	if err != nil {
		return figure{}, err
	}
	defer services.Stop()
	s.Ready = standalone.Ready{BaseURL: services.BaseURL, APIKey: services.APIKey, SimulatorURL: services.Ready.SimulatorURL}
	upload, err := s.upload(ctx, 0)
	if err != nil {
		return figure{}, err
	}
	asker := newAsker(s, scalingClients)
	ask := func(client, i int) error {
		return asker.quote(fmt.Appendf(nil, `{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"ship_to":{"country":"US","postal_code":"%d"},"project_name":"%d"}`,
			upload, 10000+(client*61+i)%4000, i))
	}
	if err := ask(scalingClients, 0); err != nil {
		return figure{}, err // files are read from here on
	}
	if err := s.delayFabricator(ctx); err != nil {
		return figure{}, err
	}
	return load(ctx, scalingClients, each, cpuTime, func(_ context.Context, client, i int) error { return ask(client, i) })
}

// delayFabricator makes the stand-in take its time.
func (s *system) delayFabricator(ctx context.Context) error {
	control := fmt.Sprintf(`{"faults":[{"match":"* /fab/","kind":"delay","delay_ms":%d,"times":-1}]}`, supplierDelay.Milliseconds())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.SimulatorURL+"/_control", strings.NewReader(control))
	if err != nil {
		return err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("simulator: %s", resp.Status)
	}
	return nil
}

// programs is the folder of the built programs, of which one is given.
func programs(program string) string { return filepath.Dir(program) }
