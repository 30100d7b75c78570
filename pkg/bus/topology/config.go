package topology

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// environment is the configuration as variables.
type environment struct {
	Replicas int           `env:"STREAM_REPLICAS" envDefault:"1"`
	MaxBytes int64         `env:"STREAM_MAX_BYTES" envDefault:"21474836480"`
	Parts    string        `env:"STREAM_PARTS"` // EVENTS_QUOTE=4,REQUESTS=2
	AckWait  time.Duration `env:"ACK_WAIT" envDefault:"4500ms"`
}

// ParseEnvironment reads a Config from variables: STREAM_REPLICAS,
// STREAM_MAX_BYTES, STREAM_PARTS and ACK_WAIT.
func ParseEnvironment(vars map[string]string) (Config, error) {
	e, err := env.ParseAsWithOptions[environment](env.Options{Environment: vars})
	if err != nil {
		return Config{}, fmt.Errorf("topology: %w", err)
	}
	parts, err := parseParts(e.Parts)
	if err != nil {
		return Config{}, fmt.Errorf("STREAM_PARTS: %w", err)
	}
	cfg := Config{Replicas: e.Replicas, MaxBytes: e.MaxBytes, AckWait: e.AckWait, Parts: parts}
	return cfg, cfg.validate()
}

func parseParts(list string) (map[string]int, error) {
	parts := map[string]int{}
	for item := range strings.SplitSeq(list, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		name, count, _ := strings.Cut(item, "=")
		n, err := strconv.Atoi(count)
		if err != nil {
			return nil, fmt.Errorf("%q is not STREAM=NUMBER", item)
		}
		parts[name] = n
	}
	return parts, nil
}
