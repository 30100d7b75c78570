package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"boardorder/pkg/bus"
)

// TestKeyring: the master key comes from its variable, else from a file; what is wrong with it is
// told by the variable's name and without the key.
func TestKeyring(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("ab", 32)
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(wrong, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for rule, tt := range map[string]struct{ value, file, err string }{
		"a file that holds none":    {"", wrong, "MASTER_KEY_FILE: "},
		"by value":                  {key, "", ""},
		"by file":                   {"", file, ""},
		"the value beats the file":  {key, "/nowhere", ""},
		"neither":                   {"", "", "MASTER_KEY or MASTER_KEY_FILE is required"},
		"a file that is not there":  {"", "/nowhere/at/all", "MASTER_KEY_FILE: "},
		"a key that is too short":   {key[:62], "", "MASTER_KEY: "},
		"a key of other characters": {strings.Repeat("zz", 32), "", "MASTER_KEY: "},
	} {
		ring, err := Keyring(tt.value, tt.file)
		if (err == nil) != (tt.err == "") || err == nil && ring == nil || err != nil && (!strings.Contains(err.Error(), tt.err) || tt.value != "" && strings.Contains(err.Error(), tt.value)) {
			t.Errorf("%s: Keyring gives %v, want an error with %q and without the key", rule, err, tt.err)
		}
	}
}

// TestLogger: a level is one of zap's; lines carry the service and a time in UTC.
func TestLogger(t *testing.T) {
	t.Parallel()
	for level, ok := range map[string]bool{"debug": true, "info": true, "WARN": true, "error": true, "": true, "loud": false} {
		log, err := Logger("edge", level)
		if (err == nil) != ok || err != nil && !strings.HasPrefix(err.Error(), "LOG_LEVEL: ") {
			t.Errorf("the level %q: %v, want an error %t that names LOG_LEVEL", level, err, !ok)
		}
		if ok && log.Core().Enabled(zap.DebugLevel) != (level == "debug") {
			t.Errorf("the level %q writes debug lines %t, want %t", level, log.Core().Enabled(zap.DebugLevel), level == "debug")
		}
	}
	at := time.Date(2026, 3, 1, 13, 0, 0, 7_999_999, time.FixedZone("", 3600))
	for _, names := range [][]string{{"edge"}, {"standalone", "edge"}} {
		var lines bytes.Buffer
		log := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(encoding()), zapcore.AddSync(&lines), zap.InfoLevel), zap.WithClock(fixedClock(at)))
		for _, name := range names {
			log = log.Named(name)
		}
		log.Info("ready", zap.Int("port", 80))
		want := `{"level":"info","time":"2026-03-01T12:00:00.007Z","service":"` + strings.Join(names, ".") + `","msg":"ready","port":80}`
		if got := strings.TrimSpace(lines.String()); got != want {
			t.Errorf("a line of %v is %s, want %s", names, got, want)
		}
	}
}

// fixedClock always gives the same time.
type fixedClock time.Time

func (c fixedClock) Now() time.Time                       { return time.Time(c) }
func (fixedClock) NewTicker(d time.Duration) *time.Ticker { return time.NewTicker(d) }

// TestEnvironment: what every service is told, and what it is where nothing is said.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	must := map[string]string{"NATS_URL": "nats://n", "MONGO_URI": "sqlite:x", "S3_URL": "file:x"}
	var c Common
	if err := env.ParseWithOptions(&c, env.Options{Environment: must}); err != nil {
		t.Fatal(err)
	}
	if want := (Common{NATSURL: "nats://n", DocsURL: "sqlite:x", BlobsURL: "file:x", TopologyTimeout: time.Minute, MetricsAddr: ":9090", LogLevel: "info"}); c != want {
		t.Errorf("with %v: %+v, want %+v", must, c, want)
	}
	for name := range must {
		less := map[string]string{}
		for other, value := range must {
			if other != name {
				less[other] = value
			}
		}
		if err := env.ParseWithOptions(&Common{}, env.Options{Environment: less}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v, want that it is named", name, err)
		}
	}
	for _, offset := range []time.Duration{0, 24 * time.Hour, -time.Hour} {
		before := time.Now()
		got := Common{ClockOffset: offset}.clock()
		if got.Before(before.Add(offset)) || got.After(time.Now().Add(offset)) {
			t.Errorf("with an offset of %s the clock says %s at %s, want their sum", offset, got, before)
		}
	}
}

// TestOpenNamesTheVariable: the first of what cannot be opened is named by its variable.
func TestOpenNamesTheVariable(t *testing.T) {
	t.Parallel()
	dir, key := t.TempDir(), strings.Repeat("ab", 32)
	good := Common{NATSURL: "nats://127.0.0.1:1", DocsURL: "sqlite:" + filepath.Join(dir, "docs.db"), BlobsURL: "file:" + dir, MasterKey: key}
	for variable, change := range map[string]func(*Common){
		"MASTER_KEY":  func(c *Common) { c.MasterKey = "" },
		"MONGO_URI: ": func(c *Common) { c.DocsURL = "paper:x" },
		"S3_URL: ":    func(c *Common) { c.BlobsURL = "tape:x" },
		"NATS_TLS_CA: ": func(c *Common) {
			c.NATSTLS = bus.TLS{CA: filepath.Join(dir, "missing")}
			c.NATSURL = "tls://127.0.0.1:1"
		},
	} {
		c := good
		change(&c)
		if _, _, err := open(t.Context(), "test", c, zap.NewNop(), prometheus.NewRegistry()); err == nil || !strings.HasPrefix(err.Error(), variable) {
			t.Errorf("%+v: %v, want a sentence that begins with %s", c, err, variable)
		}
	}
}

// TestOneshot: work that is done ends the process without an error, and one that fails with its own.
func TestOneshot(t *testing.T) {
	t.Parallel()
	sad := errors.New("sad")
	for want, does := range map[error]error{errDone: nil, sad: sad} {
		if err := Oneshot(func(context.Context) error { return does }).Run(t.Context()); !errors.Is(err, want) {
			t.Errorf("work that ends with %v: Run = %v, want %v", does, err, want)
		}
	}
	if err := Func(func(context.Context) error { return sad }).Run(t.Context()); !errors.Is(err, sad) {
		t.Errorf("a service that ends with %v: Run = %v", sad, err)
	}
}
