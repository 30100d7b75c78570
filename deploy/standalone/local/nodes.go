package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/standalone/infra"
	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/bus"

	"go.uber.org/zap"
)

// unreachable is advertised as every node's address, so that nodes reach each
// other over the links only.
const unreachable = "127.0.0.1:1"

// startNodes starts the nodes of the broker and applies the topology.
func (s *System) startNodes(ctx context.Context) error {
	if s.cfg.Nodes == 0 {
		return nil
	}
	hosts := s.take(s.cfg.Nodes)
	s.clients = s.take(s.cfg.Nodes)
	monitors := s.take(s.cfg.Nodes)
	token, err := infra.BrokerToken(s.cfg.Data)
	if err != nil {
		return err
	}
	s.password = "k" + token // without the letter it may read as a number
	conf, err := s.writeConf()
	if err != nil {
		return fmt.Errorf("configuration of broker nodes: %w", err)
	}
	if err := s.openLinks(hosts); err != nil {
		return fmt.Errorf("link of broker nodes: %w", err)
	}
	for i := range s.cfg.Nodes {
		p, err := s.node(i, conf, hosts[i], monitors[i])
		if err != nil {
			return err
		}
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
	return s.applyTopology(ctx)
}

// node is the broker's own program with production's configuration, but for where it
// listens and keeps its files.
func (s *System) node(i int, conf, host, monitor string) (*processes.Process, error) {
	name := NodeName(i)
	ip, port, err := net.SplitHostPort(s.clients[i])
	if err != nil {
		return nil, err
	}
	_, monitorPort, err := net.SplitHostPort(monitor)
	if err != nil {
		return nil, err
	}
	return processes.New(processes.Program{
		Name: name, Path: filepath.Join(s.cfg.Bin, "nats-server"), Log: s.log(name), Env: append(s.passwords(), "POD_NAME="+name, "STORE_DIR="+filepath.Join(s.cfg.Data, name)),
		Args: []string{
			"--config", conf, "--addr", ip, "--port", port, "--http_port", monitorPort, "--pid", filepath.Join(s.cfg.Data, name+".pid"),
			"--cluster", "tls://" + host, "--cluster_advertise", unreachable, "--routes", s.routes(i),
		},
		Probe: "http://" + monitor + "/healthz",
	}), nil
}

// writeConf copies production's configuration of a node and of the users, with the
// files where they are on this machine.
func (s *System) writeConf() (file string, err error) {
	text, err := os.ReadFile(filepath.Join(s.cfg.Root, "k8s", "overlays", "production", "nats.conf"))
	if err != nil {
		return "", err
	}
	users, err := os.ReadFile(filepath.Join(s.cfg.Root, "deploy", "nats", "users.conf"))
	if err != nil {
		return "", err
	}
	const secrets = "/run/secrets/tls/"
	conf := strings.NewReplacer("store_dir: /data", "store_dir: $STORE_DIR", secrets+"ca.crt", s.cfg.TLS.CA, secrets+"tls.crt", s.cfg.TLS.Cert, secrets+"tls.key", s.cfg.TLS.Key).Replace(string(text))
	file = filepath.Join(s.cfg.Data, "broker", "nats.conf")
	return file, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(conf), 0o600),
		os.WriteFile(filepath.Join(filepath.Dir(file), "users.conf"), users, 0o600))
}

// passwords are the variables by which the configuration has the users' passwords.
func (s *System) passwords() []string {
	out := []string{access.Variable(access.SystemUser) + "=" + s.password, access.Variable(access.OperatorUser) + "=" + s.password}
	for _, p := range access.Programs() {
		out = append(out, access.Variable(p.Name)+"="+s.password)
	}
	return out
}

// Broker is how a program connects to the broker as its user: one that
// deploy/access knows, or the operator's, who may do everything.
func (s *System) Broker(user string) bus.Config {
	cfg := bus.Config{URL: s.Ready.NATSURL, Name: user, Log: zap.NewNop()}
	if s.cfg.Nodes > 0 {
		cfg.URL, cfg.TLS = s.brokerURL(user), s.cfg.TLS
	}
	return cfg
}

func (s *System) brokerURL(user string) string {
	var urls []string
	for _, client := range s.clients {
		urls = append(urls, "tls://"+user+":"+s.password+"@"+client)
	}
	return strings.Join(urls, ",")
}

// Environment is what a program needs to run as a user of the broker, over
// everything that is here.
func (s *System) Environment(user string) map[string]string {
	vars := maps.Clone(s.Ready.Env)
	if vars == nil {
		vars = map[string]string{}
	}
	if s.cfg.Nodes > 0 {
		vars["NATS_URL"] = s.brokerURL(user)
		vars["NATS_TLS_CA"], vars["NATS_TLS_CERT"], vars["NATS_TLS_KEY"] = s.cfg.TLS.CA, s.cfg.TLS.Cert, s.cfg.TLS.Key
	}
	return vars
}

// applyTopology applies the topology once all nodes know of each other, which no
// node reports: until then no place is found for three replicas.
func (s *System) applyTopology(ctx context.Context) error {
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
			out = append(out, "tls://"+l.addr())
		}
	}
	return strings.Join(out, ",")
}

// Isolate cuts a node off from the others, not from clients.
func (s *System) Isolate(node int) { s.visitLinks(node, (*link).block) }

// Rejoin ends Isolate.
func (s *System) Rejoin(node int) { s.visitLinks(node, (*link).mend) }

func (s *System) visitLinks(node int, do func(*link)) {
	for ends, l := range s.links {
		if ends[0] == node || ends[1] == node {
			do(l)
		}
	}
}

// Topology runs the program that owns streams and consumers, with further
// variables and these arguments.
func (s *System) Topology(ctx context.Context, vars map[string]string, args ...string) error {
	all := s.Environment("topology")
	all["STREAM_REPLICAS"] = strconv.Itoa(s.cfg.Nodes)
	maps.Copy(all, s.cfg.Env)
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
