package faults_test

import (
	"boardorder/deploy/standalone/local"
	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/contract"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// leader is the number of the node that leads a stream.
func (s *stage) leader(ctx context.Context, stream string) (int, error) {
	for ; ctx.Err() == nil; wait(ctx, 100*time.Millisecond) {
		limited, cancel := context.WithTimeout(ctx, 2*time.Second)
		info, err := s.js.Stream(limited, stream)
		cancel()
		if err != nil || info.CachedInfo().Cluster == nil {
			continue
		}
		for i := range s.system.Nodes {
			if info.CachedInfo().Cluster.Leader == local.NodeName(i) {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("leader of %s: %w", stream, ctx.Err())
}

func leaderKilled(ctx context.Context, s *stage) error {
	i, err := s.leader(ctx, contract.EventStream(contract.QuoteAggregate))
	if err != nil {
		return err
	}
	s.system.Nodes[i].Kill()
	err = s.askNewQuote(ctx, "without the leader")
	wait(ctx, s.still)
	return errors.Join(err, s.system.Nodes[i].Start(), s.ready(ctx))
}

// nodesKilled kills each node of the broker, each time once all of them are well.
func nodesKilled(ctx context.Context, s *stage) error {
	for _, p := range s.system.Nodes {
		p.Kill()
		if err := errors.Join(s.askNewQuote(ctx, "without "+p.Name), p.Start(), s.ready(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// leaderRestarted restarts the node that leads what most requests pass, while boards
// are quoted, bought and shipped.
func leaderRestarted(ctx context.Context, s *stage) error {
	i, err := s.leader(ctx, contract.RequestStream)
	if err != nil {
		return err
	}
	bought := make(chan error, 1)
	go func() { bought <- s.quoteAndBuy(ctx) }()
	return errors.Join(s.relieve(ctx, s.system.Nodes[i]), <-bought)
}

// brokerRestarted restarts one node after the other, as a rolling restart does: the
// next one once everything that the one before stores is current again.
func brokerRestarted(ctx context.Context, s *stage) error {
	for _, p := range s.system.Nodes {
		if err := s.relieve(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// relieve restarts a node in an orderly way: its leaders move to others, and it ends
// once its clients have left it.
func (s *stage) relieve(ctx context.Context, p *processes.Process) error {
	const termination = 60 * time.Second // terminationGracePeriodSeconds of the broker's pods
	if !p.Retire(termination) {
		s.t.Errorf("%s did not end within %s (log %s)", p.Name, termination, p.Log)
	}
	return errors.Join(p.Start(), p.Ready(ctx))
}

func nodeCutOff(ctx context.Context, s *stage) error {
	i, err := s.leader(ctx, contract.RequestStream)
	if err != nil {
		return err
	}
	s.system.Isolate(i)
	defer s.system.Rejoin(i)
	err = s.askNewQuote(ctx, "without the node that led")
	wait(ctx, s.still)
	return err
}

func nodeStopped(ctx context.Context, s *stage) error {
	i, err := s.leader(ctx, contract.CommandStream)
	if err != nil {
		return err
	}
	s.system.Nodes[i].Freeze()
	defer s.system.Nodes[i].Thaw()
	err = s.askNewQuote(ctx, "while the node stands still")
	wait(ctx, s.still)
	return err
}

// twoNodesEnded leaves the broker without a majority: nothing can be accepted, and
// customers learn when to come again.
func twoNodesEnded(ctx context.Context, s *stage) error {
	first, err := s.leader(ctx, contract.RequestStream)
	if err != nil {
		return err
	}
	down := []*processes.Process{s.system.Nodes[first], s.system.Nodes[(first+1)%nodes]}
	for _, p := range down {
		p.Kill()
	}
	err = s.awaitRefusal(ctx)
	wait(ctx, s.still)
	err = errors.Join(err, s.wantAnswer(ctx, http.MethodGet, "/v1/quotes/"+s.ledger.pickQuote(), nil))
	for _, p := range down {
		err = errors.Join(err, p.Start())
	}
	return errors.Join(err, s.ready(ctx))
}

// wantAnswer makes a call and wants what it asks for, or when to come again.
func (s *stage) wantAnswer(ctx context.Context, method, path string, body []byte) error {
	c := newClient(s.rig)
	defer c.http.CloseIdleConnections()
	a, err := c.send(ctx, method, path, "application/json", body)
	switch {
	case err != nil:
		return err
	case a.status >= 500:
		c.note(a)
		return nil
	case a.status >= 300:
		return fmt.Errorf("%s %s: %d %s", method, path, a.status, a.body)
	}
	return nil
}
