package run

import (
	"context"
	"strings"
	"testing"
)

// TestStartChecksRows: a list of the configuration of which a number is left out stops the start.
func TestStartChecksRows(t *testing.T) {
	type config struct {
		Makers []struct {
			Name string `env:"NAME"`
		} `envPrefix:"MAKER"`
	}
	t.Setenv("MAKER_0_NAME", "a")
	t.Setenv("MAKER_2_NAME", "c")
	err := start(t.Context(), "rows", func(context.Context, config, Deps) (Service, error) { t.Error("it was built"); return nil, errDone })
	if err == nil || !strings.Contains(err.Error(), "MAKER_1_NAME is missing") {
		t.Errorf("started with MAKER_0 and MAKER_2: %v, want an error that names MAKER_1_NAME", err)
	}
}
