package infra

import (
	"fmt"
	"maps"
	"path/filepath"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fabricator"

	"go.uber.org/zap"
)

// WebhookSecret is shared with the simulator only: nothing outside this machine
// can reach either.
const WebhookSecret = "whsec_standalone_simulator"

// Simulator opens the simulator so that it sends card notices to the API. The
// caller runs it.
func Simulator(cfg simulator.Config, publicURL string, log *zap.Logger) (*simulator.Simulator, error) {
	cfg.WebhookURL, cfg.WebhookSecret = publicURL+"/webhooks/card", WebhookSecret
	sim, err := simulator.New(cfg, log.With(zap.String("service", "simulator")))
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	return sim, nil
}

// Environment is what points the services at the simulator.
func Environment(sim *simulator.Simulator, publicURL string) map[string]string {
	return map[string]string{
		"PUBLIC_URL":                  publicURL,
		"CARD_WEBHOOK_SECRETS":        WebhookSecret,
		"STRIPE_API_KEY":              "sk_test_standalone",
		"STRIPE_URL":                  sim.CardsURL(),
		"CARD_PAGES":                  sim.URL(),
		"SMTP_URL":                    sim.SMTPURL(),
		"MAIL_FROM":                   "Board Ordering <orders@boardorder.example>",
		"TEAM_EMAIL":                  "team@boardorder.example",
		"EXCHANGE_RATES_URL":          sim.RatesURL(),
		"FABRICATOR":                  "openfab",
		"FABRICATOR_URL":              sim.FabricatorURL(),
		"FABRICATOR_APP_ID":           fabricator.AppID,
		"FABRICATOR_ACCESS_KEY":       fabricator.AccessKey,
		"FABRICATOR_SECRET_KEY":       fabricator.SecretKey,
		"FABRICATOR_CALLS_PER_SECOND": "1000",
		"ORDER_POLL_FIRST":            "1s",
		"ORDER_POLL_MOST":             "30s",
	}
}

// environment is all that a service needs to run over this infrastructure.
func (i *Infra) environment() (map[string]string, error) {
	dir, err := filepath.Abs(i.cfg.DataDir)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	vars := map[string]string{
		"NATS_URL":        i.natsURL(),
		"MONGO_URI":       "sqlite:" + filepath.Join(dir, "projection.db"),
		"S3_URL":          "file:" + filepath.Join(dir, "files"),
		"MASTER_KEY_FILE": filepath.Join(dir, "master.key"),
	}
	maps.Copy(vars, Environment(i.sim, i.cfg.PublicURL))
	return vars, nil
}
