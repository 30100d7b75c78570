// Package local runs the system as it runs in production, each service a process
// of its own and several of those that scale, but on one machine: over one
// process of infrastructure and behind one address.
package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/standalone/infra"
	"boardorder/deploy/standalone/internal/demo"
	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/bus"
	"boardorder/pkg/projection"
	docopen "boardorder/pkg/projection/open"
)

// Config says what to run and where.
type Config struct {
	Bin         string            // folder of the built programs
	Data        string            // folder for everything that is kept, logs too
	Addr        string            // of the API; port 0 = any free port
	ConsoleAddr string            // empty = any free port
	Env         map[string]string // for every service, over what it gets anyway
	InfraArgs   []string          // further ones
	InfraBin    string            // whose infra takes the place of Bin's before services start, as a release's topology is applied first; "" = none
	Counts      map[string]int    // processes of a service; see Usual
	Nodes       int               // of the broker, each a process as in production; 0: it is one, within the infrastructure
	Root        string            // of the repository, whose configuration of the broker the nodes have
	TLS         bus.TLS           // what nodes and programs show each other; with Nodes
}

// Usual is how many processes there are of each service.
func Usual() map[string]int {
	counts := map[string]int{}
	for _, p := range access.Services() {
		counts[p.Name] = 1
	}
	counts["edge"], counts["pricing"] = 2, 2
	return counts
}

// System is the running system.
type System struct {
	Nodes      []*processes.Process // of the broker, if it has several
	Infra      *processes.Process
	Services   []*processes.Process
	Ready      infra.Ready
	BaseURL    string // of the API
	ConsoleURL string
	APIKey     string // of the demo account
	NewKey     bool   // it was made at this start

	cfg      Config
	door     *door
	edges    []string         // addresses
	probes   []string         // addresses of the edges' health
	console  []string         // addresses
	clients  []string         // addresses of a broker's several nodes, for clients
	password string           // of each user of theirs
	links    map[[2]int]*link // between nodes, by from and to
	free     []string         // addresses that nobody has yet
}

// Start starts everything and returns once it serves. What it started has to be
// stopped, also after an error.
func Start(ctx context.Context, cfg Config) (*System, error) {
	var err error
	if cfg.Data, err = filepath.Abs(cfg.Data); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	counts := Usual()
	maps.Copy(counts, cfg.Counts)
	cfg.Counts = counts
	s := &System{cfg: cfg, links: map[[2]int]*link{}}
	for _, step := range []func(context.Context) error{s.open, s.startNodes, s.startInfra, s.startServices, s.openAccount} {
		if err := step(ctx); err != nil {
			s.Stop()
			return nil, err
		}
	}
	return s, nil
}

// Processes lists the processes.
func (s *System) Processes() []*processes.Process {
	all := slices.Clone(s.Nodes)
	if s.Infra != nil {
		all = append(all, s.Infra)
	}
	return append(all, s.Services...)
}

// grace is how long a service may take to finish what it has in hand.
const grace = 25 * time.Second

// Stop stops the services, then what they stand on.
func (s *System) Stop() {
	processes.StopAll(grace, s.Services...)
	if s.Infra != nil {
		s.Infra.Stop(grace)
	}
	processes.StopAll(grace, s.Nodes...)
	for _, l := range s.links {
		l.close()
	}
	if s.door != nil {
		s.door.close()
	}
}

// open takes the address of the API, which the infrastructure is told.
func (s *System) open(context.Context) error {
	if err := os.MkdirAll(s.cfg.Data, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	n := 8 + 3*s.cfg.Nodes
	for _, of := range s.cfg.Counts {
		n += 2 * of
	}
	var err error
	if s.free, err = processes.Addresses(n); err != nil {
		return err
	}
	if err := s.openDoor(); err != nil {
		return err
	}
	s.console = s.take(s.cfg.Counts["console"])
	if s.cfg.ConsoleAddr != "" {
		s.console[0] = s.cfg.ConsoleAddr
	}
	return nil
}

func (s *System) openDoor() (err error) {
	s.edges, s.probes = s.take(s.cfg.Counts["edge"]), s.take(s.cfg.Counts["edge"])
	var behind []*backend
	for i, addr := range s.edges {
		behind = append(behind, &backend{addr: addr, probe: readyURL(s.probes[i])})
	}
	if s.door, err = openDoor(s.cfg.Addr, behind); err != nil {
		return fmt.Errorf("API address: %w", err)
	}
	s.BaseURL = "http://" + s.door.addr()
	return nil
}

// Withdraw has no new request sent to an edge, as Kubernetes takes a pod from its Service
// before it asks it to end. The first is 0.
func (s *System) Withdraw(edge int) { s.door.edges[edge].withdrawn.Store(true) }

// Readmit ends Withdraw.
func (s *System) Readmit(edge int) { s.door.edges[edge].withdrawn.Store(false) }

func readyURL(addr string) string { return "http://" + addr + "/readyz" }

// take gives n addresses that are the same after each start of a process.
func (s *System) take(n int) []string {
	taken := s.free[:n]
	s.free = s.free[n:]
	return taken
}

func (s *System) startInfra(ctx context.Context) error {
	addrs := s.take(3)
	ready := filepath.Join(s.cfg.Data, "infra.json")
	s.Infra = processes.New(processes.Program{
		Name: "infra", Path: filepath.Join(s.cfg.Bin, "infra"), Log: s.log("infra"), Env: append(pairs(s.cfg.Env), "BROKER_URL="+s.brokerURL(access.OperatorUser)),
		Args: append([]string{
			"-data", s.cfg.Data, "-nats", addrs[0], "-simulator", addrs[1], "-smtp", addrs[2],
			"-public-url", s.BaseURL, "-ready-file", ready,
		}, s.cfg.InfraArgs...),
		Probe: "http://" + addrs[1] + "/healthz",
	})
	if err := s.awaitInfra(ctx, ready); err != nil || s.cfg.InfraBin == "" {
		return err
	}
	s.Infra.Stop(grace)
	s.Infra.Path = filepath.Join(s.cfg.InfraBin, "infra")
	return s.awaitInfra(ctx, ready)
}

// awaitInfra starts what all stand on, and reads where it is from the file that it writes.
func (s *System) awaitInfra(ctx context.Context, ready string) error {
	if err := os.Remove(ready); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("ready file: %w", err)
	}
	if err := s.Infra.Start(); err != nil {
		return err
	}
	if err := s.Infra.Ready(ctx); err != nil {
		return err
	}
	var err error
	s.Ready, err = awaitFile(ctx, ready)
	return err
}

// awaitFile reads the file that is written right after the first sign of life.
func awaitFile(ctx context.Context, file string) (infra.Ready, error) {
	for {
		r, err := infra.ReadReady(file)
		if err == nil {
			return r, nil
		}
		select {
		case <-ctx.Done():
			return r, errors.Join(ctx.Err(), err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *System) startServices(ctx context.Context) error {
	for _, program := range access.Services() {
		for i := range s.cfg.Counts[program.Name] {
			if err := s.startService(s.cfg.Bin, program.Name, i); err != nil {
				return err
			}
		}
	}
	for _, p := range s.Services {
		if err := p.Ready(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Add starts one process of a service that none runs of, of the programs in a folder: one that
// another version brings.
func (s *System) Add(ctx context.Context, bin, name string) error {
	if err := s.startService(bin, name, 0); err != nil {
		return err
	}
	return s.Services[len(s.Services)-1].Ready(ctx)
}

func (s *System) startService(bin, name string, i int) error {
	vars := s.Environment(name)
	vars["CONSOLE_SECOND_FACTOR"] = "optional" // one person, on one machine
	vars["TRUSTED_PROXIES"], vars["CONSOLE_URL"] = "127.0.0.1", "http://"+s.console[0]
	maps.Copy(vars, s.cfg.Env)
	p, err := s.service(bin, name, i, vars)
	if err != nil {
		return err
	}
	s.Services = append(s.Services, p)
	return p.Start()
}

func (s *System) service(bin, name string, i int, vars map[string]string) (*processes.Process, error) {
	own, err := s.addresses(name, i)
	if err != nil {
		return nil, err
	}
	health := own["METRICS_ADDR"]
	maps.Copy(own, vars)
	label := name
	if s.cfg.Counts[name] > 1 {
		label += "-" + strconv.Itoa(i+1)
	}
	return processes.New(processes.Program{
		Name: label, Path: filepath.Join(bin, name), Env: pairs(own), Log: s.log(label), Probe: readyURL(health),
	}), nil
}

// addresses are where a service listens.
func (s *System) addresses(name string, i int) (map[string]string, error) {
	if name == "edge" {
		return map[string]string{"HTTP_ADDR": s.edges[i], "METRICS_ADDR": s.probes[i]}, nil
	}
	own := map[string]string{"METRICS_ADDR": s.take(1)[0]}
	if name == "console" {
		own["CONSOLE_ADDR"] = s.console[i]
		o, err := infra.EnsureOperator(s.cfg.Data)
		if err != nil {
			return nil, err
		}
		own["CONSOLE_OPERATORS_FILE"], own["CONSOLE_BOOTSTRAP_TOKEN"] = o.File, o.Token
		if i == 0 {
			s.ConsoleURL = "http://" + s.console[i] + "/?token=" + o.Token
		}
	}
	return own, nil
}

func pairs(vars map[string]string) []string {
	out := make([]string, 0, len(vars))
	for name, value := range vars {
		out = append(out, name+"="+value)
	}
	return out
}

func (s *System) log(name string) string { return filepath.Join(s.cfg.Data, "logs", name+".log") }

// Connect reaches the broker, as somebody who may do everything, and the projection.
// Close both.
func (s *System) Connect(ctx context.Context, name string) (*bus.Bus, projection.Store, error) {
	docs, err := docopen.Open(ctx, s.Ready.Env["MONGO_URI"])
	if err != nil {
		return nil, nil, fmt.Errorf("projection: %w", err)
	}
	broker := s.Broker(access.OperatorUser)
	broker.Name = name
	b, err := bus.Connect(ctx, broker)
	if err != nil {
		return nil, nil, errors.Join(err, docs.Close())
	}
	if err := b.Verify(ctx); err != nil {
		b.Close()
		return nil, nil, errors.Join(err, docs.Close())
	}
	return b, docs, nil
}

func (s *System) openAccount(ctx context.Context) error {
	b, docs, err := s.Connect(ctx, "demo")
	if err != nil {
		return err
	}
	defer b.Close()
	defer docs.Close() //nolint:errcheck // it was read from only
	d := demo.Demo{Dir: s.cfg.Data, Send: b, Docs: docs, RequestsPerMinute: s.cfg.Env["DEMO_REQUESTS_PER_MINUTE"]}
	if s.APIKey, s.NewKey, err = d.OpenAccount(ctx); err != nil {
		return err
	}
	return demo.WriteSample(s.cfg.Data)
}

// Table lists the processes for people.
func (s *System) Table() string {
	var out strings.Builder
	for _, p := range s.Processes() {
		fmt.Fprintf(&out, "  %-14s %s\n", p.Name, p.Log)
	}
	for i, e := range s.edges {
		fmt.Fprintf(&out, "  edge-%d alone   http://%s\n", i+1, e)
	}
	return out.String()
}

// hostOf is how an address is reached from this machine.
func hostOf(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
