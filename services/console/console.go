package console

import (
	"context"
	"fmt"
	"net"

	"boardorder/pkg/bus"
	"boardorder/pkg/run"

	"golang.org/x/sync/errgroup"
)

// Config of the console.
type Config struct {
	Addr string `env:"CONSOLE_ADDR" envDefault:":8090"`
}

// Console is the operator's web application and the keeper of accounts.
type Console struct {
	cfg      Config
	deps     run.Deps
	accounts *Accounts
}

// New makes the console.
func New(cfg Config, d run.Deps) (*Console, error) {
	return &Console{cfg: cfg, deps: d, accounts: NewAccounts(d.Bus, d.Now)}, nil
}

// Build makes the console as a process runs it.
func Build(_ context.Context, cfg Config, d run.Deps) (run.Service, error) {
	c, err := New(cfg, d)
	if err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("CONSOLE_ADDR: %w", err)
	}
	return run.Func(func(ctx context.Context) error { return c.Run(ctx, ln) }), nil
}

// Run takes commands and serves pages until ctx ends.
func (c *Console) Run(ctx context.Context, ln net.Listener) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return c.deps.Bus.Serve(ctx, bus.Work{Service: "console", Handlers: c.accounts.Handlers(), Parallel: 4})
	})
	group.Go(func() error { return c.serve(ctx, ln) })
	return group.Wait()
}

func (c *Console) serve(ctx context.Context, ln net.Listener) error {
	<-ctx.Done()
	return ln.Close()
}
