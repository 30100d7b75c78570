package infra

import (
	"fmt"
	"maps"
	"path/filepath"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/parts"

	"go.uber.org/zap"
)

// Simulator opens the simulator of a data folder so that it sends card notices
// to the API. The caller runs it.
func Simulator(dir string, cfg simulator.Config, publicURL string, log *zap.Logger) (*simulator.Simulator, error) {
	secret, err := WebhookSecret(dir)
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	cfg.DataDir, cfg.WebhookURL, cfg.WebhookSecret = filepath.Join(dir, "simulator"), publicURL+"/webhooks/card", secret
	sim, err := simulator.New(cfg, log.Named("simulator"))
	if err != nil {
		return nil, fmt.Errorf("simulator: %w", err)
	}
	return sim, nil
}

// Environment is what points the services at the simulator of a data folder.
func Environment(dir string, sim *simulator.Simulator, publicURL string) (map[string]string, error) {
	secret, err := WebhookSecret(dir)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"PUBLIC_URL":                    publicURL,
		"CARD_WEBHOOK_SECRETS":          secret,
		"STRIPE_API_KEY":                "sk_test_standalone",
		"STRIPE_TEST_API_KEY":           "sk_test_standalone_tests",
		"STRIPE_URL":                    sim.CardsURL(),
		"CARD_PAGES":                    sim.URL(),
		"SMTP_URL":                      sim.SMTPURL(),
		"MAIL_FROM":                     "Board Ordering <orders@boardorder.example>",
		"TEAM_EMAIL":                    "team@boardorder.example",
		"EXCHANGE_RATES_URL":            sim.RatesURL(),
		"FABRICATOR_0_NAME":             "board_maker",
		"FABRICATOR_0_INTERFACE":        "openfab",
		"FABRICATOR_0_URL":              sim.FabricatorURL(),
		"FABRICATOR_0_APP_ID":           fabricator.AppID,
		"FABRICATOR_0_ACCESS_KEY":       fabricator.AccessKey,
		"FABRICATOR_0_SECRET_KEY":       fabricator.SecretKey,
		"FABRICATOR_0_CALLS_PER_SECOND": "1000",
		"DISTRIBUTOR_0_NAME":            "distributor_a",
		"DISTRIBUTOR_0_INTERFACE":       "digikey",
		"DISTRIBUTOR_0_URL":             sim.PartsURL() + "/digikey",
		"DISTRIBUTOR_0_CLIENT_ID":       parts.ClientID,
		"DISTRIBUTOR_0_CLIENT_SECRET":   parts.ClientSecret,
		"DISTRIBUTOR_1_NAME":            "distributor_b",
		"DISTRIBUTOR_1_INTERFACE":       "mouser",
		"DISTRIBUTOR_1_URL":             sim.PartsURL() + "/mouser",
		"DISTRIBUTOR_1_API_KEY":         parts.APIKey,
		"PART_SEARCH_URL":               sim.PartsURL() + "/nexar",
		"PART_SEARCH_IDENTITY_URL":      sim.PartsURL() + "/nexar",
		"PART_SEARCH_CLIENT_ID":         parts.ClientID,
		"PART_SEARCH_CLIENT_SECRET":     parts.ClientSecret,
		"PART_SEARCH_SIMILAR":           "true",
		"PART_SEARCH_LIFECYCLE":         "true",
		"ORDER_POLL_FIRST":              "1s",
		"ORDER_POLL_MOST":               "30s",

		"DEVELOPMENT_UNCONFINED_WORKERS": "true", // whoever buys of the simulator is no customer
	}, nil
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
	outside, err := Environment(i.cfg.DataDir, i.sim, i.cfg.PublicURL)
	maps.Copy(vars, outside)
	return vars, err
}
