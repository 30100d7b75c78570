package infra_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/standalone/infra"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/run"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
)

func start(t *testing.T, cfg infra.Config) (*infra.Infra, infra.Ready) {
	t.Helper()
	i, err := infra.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Errorf("close the infrastructure: %v", err)
		}
	})
	r, err := i.Ready()
	if err != nil {
		t.Fatal(err)
	}
	return i, r
}

func TestServesAndComesBackAtTheSameAddresses(t *testing.T) {
	t.Parallel()
	cfg := infra.Config{DataDir: t.TempDir(), PublicURL: "http://127.0.0.1:1"}
	first, r := start(t, cfg)
	send(t, r, "before")
	_, cfg.NATSAddr, _ = strings.Cut(r.NATSURL, "@")
	cfg.HTTPAddr, cfg.SMTPAddr = strings.TrimPrefix(r.SimulatorURL, "http://"), strings.TrimPrefix(r.Env["SMTP_URL"], "smtp://")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	_, again := start(t, cfg)
	if diff := cmp.Diff(r, again); diff != "" {
		t.Errorf("started again (-before +now):\n%s", diff)
	}
	if n := send(t, again, "after"); n != 2 {
		t.Errorf("%d commands are stored, want that of before the stop and that of after it", n)
	}
	resp, err := http.Get(again.SimulatorURL + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("the simulator at %s: %s, want 200", again.SimulatorURL, resp.Status)
	}
}

// send stores a command and gives how many there are.
func send(t *testing.T, r infra.Ready, id string) uint64 {
	t.Helper()
	b, err := bus.Connect(t.Context(), bus.Config{URL: r.NATSURL, Name: "test", Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err := contract.NewCommand(quotes.Price, id, "acc_1", time.Now(), struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	states, err := b.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		if s.Name == contract.CommandStream {
			return s.Messages
		}
	}
	return 0
}

// What the ready file says is all that a service needs.
func TestReadyFileRunsServices(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, r := start(t, infra.Config{DataDir: dir, PublicURL: "http://127.0.0.1:1"})
	file := filepath.Join(dir, "infra.json")
	if err := infra.WriteJSON(file, r); err != nil {
		t.Fatal(err)
	}
	read, err := infra.ReadReady(file)
	if diff := cmp.Diff(r, read); err != nil || diff != "" {
		t.Errorf("read %v (-written +read):\n%s", err, diff)
	}
	for _, name := range []string{"NATS_URL", "MONGO_URI", "S3_URL", "MASTER_KEY_FILE", "STRIPE_URL", "SMTP_URL", "FABRICATOR_0_URL", "PUBLIC_URL"} {
		if r.Env[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	if _, err := run.Keyring("", r.Env["MASTER_KEY_FILE"]); err != nil {
		t.Errorf("read the keys from %s: %v", r.Env["MASTER_KEY_FILE"], err)
	}
}

func TestKeepsWhatItMadeFirst(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "key")
	for _, text := range []string{"first", "second"} {
		got, err := infra.Keep(file, func() string { return text })
		if err != nil || got != "first" {
			t.Errorf("Keep of %q gives %q, %v; want first", text, got, err)
		}
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file %v, %v; want mode 0600", info, err)
	}
}

func TestStartTellsWhatIsWrong(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, taken := start(t, infra.Config{DataDir: t.TempDir(), PublicURL: "http://127.0.0.1:1"})
	for name, cfg := range map[string]infra.Config{
		"data folder":     {DataDir: filepath.Join(file, "data")},
		"address of NATS": {DataDir: t.TempDir(), NATSAddr: "nowhere"},
		"listen for HTTP": {DataDir: t.TempDir(), HTTPAddr: strings.TrimPrefix(taken.SimulatorURL, "http://")},
	} {
		i, err := infra.Start(context.WithoutCancel(t.Context()), cfg)
		if err == nil {
			i.Close() //nolint:errcheck // it should not have started
		}
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want an error that names it", name, err)
		}
	}
}

// TestBrokerAsksForItsToken: another user of this machine reads and sends
// nothing, and reads no file that says how.
func TestBrokerAsksForItsToken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, r := start(t, infra.Config{DataDir: dir, PublicURL: "http://127.0.0.1:1"})
	_, address, _ := strings.Cut(r.NATSURL, "@")
	for name, url := range map[string]string{"no token": "nats://" + address, "another": "nats://guess@" + address} {
		if nc, err := nats.Connect(url); err == nil {
			nc.Close()
			t.Errorf("%s: connected, want it refused", name)
		}
	}
	nc, err := nats.Connect(r.NATSURL)
	if err != nil {
		t.Fatalf("with the token: %v", err)
	}
	nc.Close()
	if err := infra.WriteJSON(filepath.Join(dir, "ready.json"), r); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"nats.token", "webhook.secret", "master.key", "ready.json"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want a file with mode 0600", name, info, err)
		}
	}
}

// TestSecretsAreAFoldersOwn: none is a constant.
func TestSecretsAreAFoldersOwn(t *testing.T) {
	t.Parallel()
	a, b := t.TempDir(), t.TempDir()
	for name, of := range map[string]func(string) (string, error){"broker's token": infra.BrokerToken, "webhook's secret": infra.WebhookSecret} {
		first, err1 := of(a)
		again, err2 := of(a)
		other, err3 := of(b)
		if err := errors.Join(err1, err2, err3); err != nil || first != again || first == other || len(first) < 32 {
			t.Errorf("%s: %q, again %q, of another folder %q; %v", name, first, again, other, err)
		}
	}
}
