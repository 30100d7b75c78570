package main

import (
	"context"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	t.Parallel()
	env := map[string]string{"SIMULATOR_ADDR": "127.0.0.1:0", "SIMULATOR_SMTP_ADDR": "127.0.0.1:0", "SIMULATOR_DATA": t.TempDir()}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := run(ctx, func(name string) string { return env[name] }); err != nil {
		t.Errorf("run: %v", err)
	}
	env["SIMULATOR_ADDR"] = "nowhere:1:2"
	if err := run(t.Context(), func(name string) string { return env[name] }); err == nil || !strings.Contains(err.Error(), "HTTP") {
		t.Errorf("run at a wrong address: %v", err)
	}
}
