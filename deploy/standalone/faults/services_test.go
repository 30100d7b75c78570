package faults_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// firsts are the first process of each service.
func (s *stage) firsts() []*processes.Process {
	var out []*processes.Process
	for _, p := range s.system.Services {
		if strings.HasSuffix(p.Name, "-1") {
			out = append(out, p)
		}
	}
	return out
}

// clockWrong runs one process of each service by a wrong clock for a while.
func clockWrong(offset time.Duration) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		usual := map[*processes.Process][]string{}
		for _, p := range s.firsts() {
			usual[p] = p.Env
			p.Env = append(slices.Clone(p.Env), "CLOCK_OFFSET="+offset.String())
		}
		err := s.restartFirsts(ctx)
		for p, env := range usual {
			p.Env = env
		}
		if err != nil {
			return err
		}
		err = errors.Join(s.askNewQuote(ctx, "by a wrong clock"), s.quoteAndBuy(ctx))
		wait(ctx, s.still)
		return errors.Join(err, s.restartFirsts(ctx))
	}
}

// quoteAndBuy has a quote, pays it and waits until it is shipped.
func (s *stage) quoteAndBuy(ctx context.Context) error {
	c := newClient(s.rig)
	defer c.http.CloseIdleConnections()
	name := fmt.Sprintf("bought %d", time.Now().UnixNano())
	id, err := c.quote(ctx, name, s.request(name))
	if err != nil {
		return err
	}
	return s.buy(ctx, id)
}

// restartFirsts restarts the first process of each service, all at a time.
func (s *stage) restartFirsts(ctx context.Context) error {
	var all errgroup.Group
	for _, p := range s.firsts() {
		all.Go(func() error { return s.restart(ctx, p) })
	}
	return all.Wait()
}

func (s *stage) restart(ctx context.Context, p *processes.Process) error {
	if !p.Stop(20 * time.Second) {
		s.t.Errorf("%s did not stop in time (log %s)", p.Name, p.Log)
	}
	if err := p.Start(); err != nil {
		return err
	}
	return p.Ready(ctx)
}

func processesStopped(ctx context.Context, s *stage) error {
	for _, p := range s.firsts() {
		p.Freeze()
		defer p.Thaw()
	}
	err := s.askNewQuote(ctx, "while others stand still")
	wait(ctx, s.still)
	return err
}

func rollingRestart(ctx context.Context, s *stage) error {
	for _, p := range s.system.Services {
		if err := s.restart(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// servicesKilled ends each process as a power cut does, while its work is in
// hand, and has the companies outside lose replies.
func servicesKilled(ctx context.Context, s *stage) error {
	dice := rand.New(rand.NewPCG(s.seed, 3))
	for _, i := range dice.Perm(len(s.system.Services)) {
		s.loseReplies(ctx, dice)
		s.kill(s.system.Services[i], time.Duration(dice.Int64N(int64(200*time.Millisecond))))
		wait(ctx, time.Duration(dice.Int64N(int64(200*time.Millisecond))))
	}
	s.kill(s.system.Infra, 0)
	return s.ready(ctx)
}

// withdrawal is how long an edge goes on after nothing new is sent to it: preStop of
// k8s/base/edge.yaml. The last release's needs it: whoever had connected and was not
// accepted when it ended was cut off.
const withdrawal = 5 * time.Second

// replace restarts a process as a rollout does.
func (s *stage) replace(ctx context.Context, p *processes.Process) error {
	number, isEdge := strings.CutPrefix(p.Name, "edge-")
	if !isEdge {
		return s.restart(ctx, p)
	}
	i, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	s.system.Withdraw(i - 1)
	defer s.system.Readmit(i - 1)
	wait(ctx, withdrawal)
	return s.restart(ctx, p)
}

// upgradeServices deploys the last release, and then this version over it as any next
// one: the topology first, then each process.
func upgradeServices(ctx context.Context, s *stage) error {
	for _, bin := range []string{s.release, s.bin} {
		if bin == s.bin {
			if err := s.system.Topology(ctx, nil, "apply"); err != nil {
				return err
			}
		}
		for _, p := range s.system.Services {
			p.Path = filepath.Join(bin, filepath.Base(p.Path))
			if err := s.replace(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// processesOf are the processes of a service.
func (s *stage) processesOf(service string) (out []*processes.Process) {
	for _, p := range s.system.Services {
		if strings.HasPrefix(p.Name, service+"-") {
			out = append(out, p)
		}
	}
	return out
}

// many is how many requests wait at once for what a scenario is about.
const many = 8

// edgesKilled ends the edges while customers wait for their prices: each gets an
// answer that asks for the same request again, and by its key finds the same quote.
func edgesKilled(ctx context.Context, s *stage) error {
	for _, p := range s.processesOf("pricing") {
		p.Freeze()
		defer p.Thaw()
	}
	c := newClient(s.rig)
	defer c.http.CloseIdleConnections()
	run := fmt.Sprintf("waiting at an edge %d", time.Now().UnixNano())
	first, err := s.js.Stream(ctx, contract.RequestStream)
	if err != nil {
		return err
	}
	answers := make(chan error, many)
	names, bodies := make([]string, many), make([][]byte, many)
	for i := range many {
		names[i] = fmt.Sprintf("%s %d", run, i)
		bodies[i] = s.freshRequest(names[i])
		go func() { answers <- c.wantRetry(ctx, names[i], bodies[i]) }()
	}
	err = s.awaitRequests(ctx, first.CachedInfo().State.LastSeq+1, run, many)
	for _, p := range s.processesOf("edge") {
		p.Kill()
	}
	for range many {
		err = errors.Join(err, <-answers)
	}
	for _, p := range s.processesOf("edge") {
		err = errors.Join(err, p.Start())
	}
	err = errors.Join(err, s.readyAll(ctx, s.processesOf("edge")))
	for _, p := range s.processesOf("pricing") {
		p.Thaw()
	}
	for i, name := range names {
		for range 2 {
			if _, again := c.quote(ctx, name, bodies[i], "Idempotency-Key", name); again != nil {
				err = errors.Join(err, again)
			}
		}
	}
	return err
}

// wantRetry sends a request that is not to be answered but by a 5xx that says
// when to come again.
func (c *client) wantRetry(ctx context.Context, name string, body []byte) error {
	a, err := c.send(ctx, http.MethodPost, "/v1/quotes?wait_s=14", "application/json", body, "Idempotency-Key", name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if a.status < 500 {
		return fmt.Errorf("%s: the answer of an edge that was killed is %d %s", name, a.status, a.body)
	}
	c.note(a)
	return nil
}

// awaitRequests waits until n requests that hold a text lie in REQUESTS from a sequence on.
func (s *stage) awaitRequests(ctx context.Context, from uint64, text string, n int) error {
	stream, err := s.js.Stream(ctx, contract.RequestStream)
	if err != nil {
		return err
	}
	for found := 0; found < n; from++ {
		m, err := stream.GetMsg(ctx, from)
		for ; errors.Is(err, jetstream.ErrMsgNotFound) && ctx.Err() == nil; m, err = stream.GetMsg(ctx, from) {
			wait(ctx, 10*time.Millisecond)
		}
		if err != nil {
			return fmt.Errorf("%d of %d requests are stored: %w", found, n, err)
		}
		if bytes.Contains(m.Data, []byte(text)) {
			found++
		}
	}
	return nil
}

func (s *stage) readyAll(ctx context.Context, all []*processes.Process) error {
	for _, p := range all {
		if err := p.Ready(ctx); err != nil {
			return err
		}
	}
	return nil
}

// restartAtWork restarts the processes that make prices while the fabricator takes
// longer for each than a process that ends may: what they have in hand is finished
// by others, and nobody is refused.
func restartAtWork(ctx context.Context, s *stage) error {
	const slow = 8 * time.Second // more than SHUTDOWN_GRACE
	for _, p := range s.processesOf("pricing") {
		err := s.control(ctx, map[string]any{"faults": []map[string]any{
			{"match": "POST /fab/overseas/openapi/pcb/calculate", "kind": fault.Delay, "delay_ms": slow.Milliseconds(), "times": -1},
		}})
		if err != nil {
			return err
		}
		answers := make(chan error, many)
		for i := range many {
			name := fmt.Sprintf("in hand of %s %d %d", p.Name, i, time.Now().UnixNano())
			body := s.freshRequest(name)
			go func() {
				c := newClient(s.rig)
				defer c.http.CloseIdleConnections()
				_, err := c.quote(ctx, name, body)
				answers <- err
			}()
		}
		err = s.awaitInHand(ctx, many)
		stopped := make(chan error, 1)
		go func() { stopped <- s.restart(ctx, p) }()
		err = errors.Join(err, s.control(ctx, map[string]any{"clear": true}), <-stopped)
		for range many {
			err = errors.Join(err, <-answers)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// awaitInHand waits until pricing has so many requests in hand.
func (s *stage) awaitInHand(ctx context.Context, n int) error {
	for ; ctx.Err() == nil; wait(ctx, 20*time.Millisecond) {
		states, err := s.bus.States(ctx)
		if err != nil {
			return err
		}
		for _, st := range states {
			for _, c := range st.Consumers {
				if st.Name == contract.RequestStream && c.AckPending >= n {
					return nil
				}
			}
		}
	}
	return fmt.Errorf("no %d requests came in hand: %w", n, ctx.Err())
}
