package standalone

import (
	"context"

	"boardorder/deploy/standalone/internal/demo"
)

// openDemoAccount makes the demo account and the shop's the first time.
func (s *System) openDemoAccount(ctx context.Context) error {
	d := demo.Demo{
		Dir: s.cfg.DataDir, Send: s.deps.Bus, Docs: s.deps.Docs, RequestsPerMinute: s.cfg.Env["DEMO_REQUESTS_PER_MINUTE"],
	}
	key, made, err := d.OpenAccount(ctx)
	s.ready.APIKey, s.ready.NewKey = key, made
	if err != nil {
		return err
	}
	return d.OpenShop(ctx)
}

func (s *System) writeSample(context.Context) error { return demo.WriteSample(s.cfg.DataDir) }
