// Command simulator runs the stand-ins for the companies outside as a process
// of its own. It is configured by environment variables:
//
//	SIMULATOR_ADDR             where HTTP is answered (127.0.0.1:8090)
//	SIMULATOR_SMTP_ADDR        where mail is taken (127.0.0.1:8025)
//	SIMULATOR_DATA             the folder of the ledger (./data/simulator)
//	SIMULATOR_PUBLIC_URL       how a browser reaches SIMULATOR_ADDR, when that differs
//	SIMULATOR_CARD_KEY         the only card API key that is taken (any test key)
//	SIMULATOR_WEBHOOK_URL      where card events are sent (they wait)
//	SIMULATOR_WEBHOOK_SECRET   signs card events (whsec_simulator)
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"boardorder/deploy/simulator"

	"go.uber.org/zap"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "simulator:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, env func(string) string) error {
	log, err := zap.NewProduction()
	if err != nil {
		return fmt.Errorf("make a logger: %w", err)
	}
	defer log.Sync()
	s, err := simulator.New(simulator.Config{
		Addr:          cmp.Or(env("SIMULATOR_ADDR"), "127.0.0.1:8090"),
		SMTPAddr:      cmp.Or(env("SIMULATOR_SMTP_ADDR"), "127.0.0.1:8025"),
		DataDir:       cmp.Or(env("SIMULATOR_DATA"), "data/simulator"),
		PublicURL:     env("SIMULATOR_PUBLIC_URL"),
		CardKey:       env("SIMULATOR_CARD_KEY"),
		WebhookURL:    env("SIMULATOR_WEBHOOK_URL"),
		WebhookSecret: cmp.Or(env("SIMULATOR_WEBHOOK_SECRET"), "whsec_simulator"),
	}, log)
	if err != nil {
		return err
	}
	log.Info("simulator ready", zap.String("url", s.URL()), zap.String("smtp", s.SMTPAddr()))
	return s.Run(ctx)
}
