package notify

import (
	"context"
	"fmt"

	"boardorder/pkg/contract"
	"boardorder/pkg/run"
	"boardorder/services/notify/internal/smtp"
)

// Build makes the service with its real adapters, as a process runs it.
func Build(ctx context.Context, cfg Config, d run.Deps) (run.Service, error) {
	mail, err := smtp.New(smtp.Config{URL: cfg.SMTPURL, From: cfg.From, ReplyTo: cfg.ReplyTo, Parallel: cfg.Parallel})
	if err != nil {
		return nil, fmt.Errorf("SMTP_URL, MAIL_FROM, MAIL_REPLY_TO: %w", err)
	}
	sent, err := d.Bus.Bucket(ctx, contract.EmailsSentBucket)
	if err != nil {
		return nil, err
	}
	codes, err := d.Bus.Bucket(ctx, contract.PortalCodesBucket)
	if err != nil {
		return nil, err
	}
	s, err := New(cfg, d.Bus, d.Secrets, Ports{Mail: mail, Sent: sent, Codes: codes}, d.Log, d.Now)
	if err != nil {
		return nil, err
	}
	return run.ReportProviders(ctx, d, run.Func(func(ctx context.Context) error { return s.Serve(ctx, d.Bus) }))
}
