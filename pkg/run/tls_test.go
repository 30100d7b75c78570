package run

import (
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/bus"

	"github.com/caarlos0/env/v11"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
)

func TestTLSVariables(t *testing.T) {
	t.Parallel()
	var c Common
	err := env.ParseWithOptions(&c, env.Options{Environment: map[string]string{
		"NATS_URL": "tls://edge:x@nats:4222", "MONGO_URI": "sqlite:x", "S3_URL": "file:x",
		"NATS_TLS_CA": "/tls/ca.crt", "NATS_TLS_CERT": "/tls/tls.crt", "NATS_TLS_KEY": "/tls/tls.key", "NATS_TLS_FIRST": "true",
	}})
	if want := (bus.TLS{CA: "/tls/ca.crt", Cert: "/tls/tls.crt", Key: "/tls/tls.key", First: true}); err != nil || c.NATSTLS != want {
		t.Errorf("%+v, %v; want %+v", c.NATSTLS, err, want)
	}
}

// A wrong file stops the start with a sentence that begins with its variable.
func TestStartNamesTheVariableOfAWrongFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, _, err := open(t.Context(), "test", Common{
		NATSURL: "tls://127.0.0.1:1", NATSTLS: bus.TLS{CA: filepath.Join(dir, "missing")},
		DocsURL: "sqlite:" + filepath.Join(dir, "docs.db"), BlobsURL: "file:" + dir, MasterKey: strings.Repeat("ab", 32),
	}, zap.NewNop(), prometheus.NewRegistry())
	if err == nil || !strings.HasPrefix(err.Error(), "NATS_TLS_CA: ") {
		t.Errorf("%v; want a sentence about NATS_TLS_CA", err)
	}
}
