package standalone

import (
	"context"

	"boardorder/deploy/standalone/internal/demo"
)

// openDemoAccount makes the demo account the first time.
func (s *System) openDemoAccount(ctx context.Context) error {
	key, made, err := demo.Demo{
		Dir: s.cfg.DataDir, Send: s.deps.Bus, Docs: s.deps.Docs, RequestsPerMinute: s.cfg.Env["DEMO_REQUESTS_PER_MINUTE"],
	}.OpenAccount(ctx)
	s.ready.APIKey, s.ready.NewKey = key, made
	return err
}

func (s *System) writeSample(context.Context) error { return demo.WriteSample(s.cfg.DataDir) }
