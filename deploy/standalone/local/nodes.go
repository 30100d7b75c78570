package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"boardorder/deploy/standalone/infra"
	"boardorder/deploy/standalone/processes"
)

// unreachable is advertised as every node's address, so that nodes reach each
// other over the links only.
const unreachable = "127.0.0.1:1"

// startNodes starts the nodes of the broker and applies the topology.
func (s *System) startNodes(ctx context.Context) error {
	if s.cfg.Nodes == 0 {
		return nil
	}
	hosts, clients, monitors := s.take(s.cfg.Nodes), s.take(s.cfg.Nodes), s.take(s.cfg.Nodes)
	token, err := infra.BrokerToken(s.cfg.Data)
	if err != nil {
		return err
	}
	prefix := "nats://" + token + "@"
	s.broker = prefix + strings.Join(clients, ","+prefix)
	if err := s.openLinks(hosts); err != nil {
		return fmt.Errorf("link of broker nodes: %w", err)
	}
	for i := range s.cfg.Nodes {
		name := NodeName(i)
		p := processes.New(processes.Program{
			Name: name, Path: filepath.Join(s.cfg.Bin, "infra"), Log: s.log(name), Env: []string{"NODE_TOKEN=" + token},
			Args: []string{
				"-data", filepath.Join(s.cfg.Data, name), "-node", name, "-nats", clients[i], "-node-host", hosts[i],
				"-node-advertise", unreachable, "-node-routes", s.routes(i), "-node-monitor", monitors[i],
			},
			Probe: "http://" + monitors[i] + "/healthz",
		})
		s.Nodes = append(s.Nodes, p)
		if err := p.Start(); err != nil {
			return err
		}
	}
	for _, p := range s.Nodes {
		if err := p.Ready(ctx); err != nil {
			return err
		}
	}
	return s.firstTopology(ctx)
}

// firstTopology applies the topology once all nodes know of each other, which no
// node reports: until then no place is found for three replicas.
func (s *System) firstTopology(ctx context.Context) error {
	for {
		err := s.Topology(ctx, nil, "apply")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("topology (log %s): %w", s.log("topology"), errors.Join(err, ctx.Err()))
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// NodeName is the name of a node of the broker; the first is 0.
func NodeName(i int) string { return "node-" + strconv.Itoa(i+1) }

func (s *System) openLinks(hosts []string) error {
	for from := range hosts {
		for to, host := range hosts {
			if from == to {
				continue
			}
			l, err := openLink(host)
			if err != nil {
				return err
			}
			s.links[[2]int{from, to}] = l
		}
	}
	return nil
}

// routes is where a node reaches the others.
func (s *System) routes(from int) string {
	var out []string
	for to := range s.cfg.Nodes {
		if l := s.links[[2]int{from, to}]; l != nil {
			out = append(out, l.addr())
		}
	}
	return strings.Join(out, ",")
}

// CutOff cuts a node off from the others, not from clients.
func (s *System) CutOff(node int) { s.eachLink(node, (*link).cut) }

// Rejoin ends CutOff.
func (s *System) Rejoin(node int) { s.eachLink(node, (*link).mend) }

func (s *System) eachLink(node int, do func(*link)) {
	for ends, l := range s.links {
		if ends[0] == node || ends[1] == node {
			do(l)
		}
	}
}

// Topology runs the program that owns streams and consumers, with further
// variables and these arguments.
func (s *System) Topology(ctx context.Context, vars map[string]string, args ...string) error {
	all := maps.Clone(s.cfg.Env)
	if all == nil {
		all = map[string]string{}
	}
	all["NATS_URL"], all["STREAM_REPLICAS"] = s.broker, strconv.Itoa(s.cfg.Nodes)
	maps.Copy(all, vars)
	cmd := exec.CommandContext(ctx, filepath.Join(s.cfg.Bin, "topology"), args...)
	cmd.Env = append(os.Environ(), pairs(all)...)
	out, err := cmd.CombinedOutput()
	return errors.Join(err, s.keepOutput("topology", out))
}

// keepOutput adds what a program wrote to its log.
func (s *System) keepOutput(name string, out []byte) error {
	if err := os.MkdirAll(filepath.Dir(s.log(name)), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(s.log(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(out)
	return errors.Join(err, f.Close())
}
