package standalone

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"

	"boardorder/deploy/simulator"
	"boardorder/deploy/standalone/infra"
	"boardorder/deploy/standalone/internal/demo"
	"boardorder/pkg/rows"
	"boardorder/pkg/run"
	"boardorder/pkg/worker"
	"boardorder/services/central"
	"boardorder/services/console"
	designcheck "boardorder/services/design-check"
	"boardorder/services/edge"
	"boardorder/services/feed"
	"boardorder/services/notify"
	partsourcing "boardorder/services/part-sourcing"
	"boardorder/services/payment"
	"boardorder/services/pricing"
	"boardorder/services/projector"
	"boardorder/services/upload"
	"boardorder/services/webhooks"

	"github.com/caarlos0/env/v11"
	"golang.org/x/sync/errgroup"
)

func (s *System) startSimulator(ctx context.Context) error {
	sim, err := infra.Simulator(s.cfg.DataDir, simulator.Config{Addr: s.cfg.Env["SIMULATOR_ADDR"]}, s.baseURL(), s.log)
	if err != nil {
		return err
	}
	s.sim = sim
	s.goes(ctx, "simulator", sim)
	return nil
}

func (s *System) baseURL() string {
	if u := s.cfg.Env["PUBLIC_URL"]; u != "" {
		return strings.TrimRight(u, "/")
	}
	return "http://" + local(s.listener.Addr())
}

// local is how an address is reached from this machine.
func local(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// environment is what the services read: what was given, over what points at
// the simulator.
func (s *System) environment() (map[string]string, error) {
	vars, err := infra.Environment(s.cfg.DataDir, s.sim, s.baseURL())
	if err != nil {
		return nil, err
	}
	vars["SHOP_ACCOUNT"] = demo.ShopAccount
	vars["WEBHOOK_ALLOW_LOOPBACK"] = "true"
	vars["CONSOLE_SECOND_FACTOR"] = "optional" // one person, on one machine
	vars["CONSOLE_URL"] = "http://" + local(s.console.Addr())
	return override(vars, s.cfg.Env), nil
}

// override puts what was given over what stands in for it.
func override(vars, given map[string]string) map[string]string {
	maps.Copy(vars, given)
	// Who takes real money takes customers' files.
	if _, reported := given[unconfined]; !reported && strings.HasPrefix(vars["STRIPE_API_KEY"], "sk_live_") {
		delete(vars, unconfined)
	}
	return vars
}

// unconfined is the variable that lets files be read where workers cannot be
// confined: on a developer's machine that is no Linux.
const unconfined = "DEVELOPMENT_UNCONFINED_WORKERS"

// Tasks are what the services have workers do: a program that calls [Start]
// passes them to [worker.Main] first.
func Tasks() []worker.Tasks {
	return []worker.Tasks{upload.Tasks(), designcheck.Tasks(), partsourcing.Tasks()}
}

// startServices builds every service as its own process would, all at the same time.
func (s *System) startServices(ctx context.Context) error {
	vars, err := s.environment()
	if err != nil {
		return err
	}
	var building errgroup.Group
	for _, build := range []func() error{
		func() error { return add(ctx, s, vars, "edge", s.buildEdge) },
		func() error { return add(ctx, s, vars, "console", s.buildConsole) },
		func() error { return add(ctx, s, vars, "projector", projector.Build) },
		func() error { return add(ctx, s, vars, "upload", upload.Build) },
		func() error { return add(ctx, s, vars, "design-check", designcheck.Build) },
		func() error { return add(ctx, s, vars, "central", central.Build) },
		func() error { return add(ctx, s, vars, "part-sourcing", partsourcing.Build) },
		func() error { return add(ctx, s, vars, "pricing", pricing.Build) },
		func() error { return add(ctx, s, vars, "payment", payment.Build) },
		func() error { return add(ctx, s, vars, "notify", notify.Build) },
		func() error { return add(ctx, s, vars, "feed", feed.Build) },
		func() error { return add(ctx, s, vars, "webhooks", webhooks.Build) },
	} {
		building.Go(build)
	}
	return building.Wait()
}

// The edge and the console serve on the ports that were taken for them.

func (s *System) buildConsole(_ context.Context, cfg console.Config, d run.Deps) (run.Service, error) {
	if cfg.OperatorsFile == "" && cfg.BootstrapToken == "" {
		o, err := infra.EnsureOperator(s.cfg.DataDir)
		if err != nil {
			return nil, err
		}
		cfg.OperatorsFile, cfg.BootstrapToken = o.File, o.Token
	}
	c, err := console.New(cfg, d)
	if err != nil {
		return nil, err
	}
	s.ready.ConsoleURL = c.SignInURL("http://" + local(s.console.Addr()))
	return run.Func(func(ctx context.Context) error { return c.Run(ctx, s.console) }), nil
}

func (s *System) buildEdge(ctx context.Context, cfg edge.Config, d run.Deps) (run.Service, error) {
	e, err := edge.New(ctx, cfg, edge.Deps{
		Bus: d.Bus, Docs: d.Docs, Blobs: d.Blobs, Secrets: d.Secrets, Log: d.Log, Metrics: d.Metrics, Now: d.Now,
	})
	return run.Func(func(ctx context.Context) error { return e.Run(ctx, s.listener) }), err
}

// add builds and starts one service, unless it runs as a process of its own
// (WITHOUT=pricing,payment).
func add[C any](ctx context.Context, s *System, vars map[string]string, name string, build func(context.Context, C, run.Deps) (run.Service, error)) error {
	if slices.Contains(strings.Split(vars["WITHOUT"], ","), name) {
		return nil
	}
	cfg, err := env.ParseAsWithOptions[C](env.Options{Environment: vars})
	if err = errors.Join(err, rows.CheckNumbers[C](slices.Collect(maps.Keys(vars)))); err != nil {
		return fmt.Errorf("%s: configuration: %w", name, err)
	}
	deps, err := s.connect(ctx, name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	service, err := build(ctx, cfg, deps)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.goes(ctx, name, service)
	return nil
}

// goes runs a service in the background; one that fails stops the system.
func (s *System) goes(ctx context.Context, name string, service run.Service) {
	s.group.Go(func() error {
		if err := service.Run(ctx); err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}
