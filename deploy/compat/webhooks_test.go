package compat_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/feed"
	contractwebhooks "boardorder/pkg/contract/webhooks"
	"boardorder/pkg/run"
	"boardorder/pkg/secret"
	"boardorder/services/webhooks"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
)

// trial is a delivery as a receiver verifies it with a secret, so many seconds later.
type trial struct {
	Name    string            `json:"name"`
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	LateS   int               `json:"late_s"`
	want    string
}

const (
	verified = "verified"
	foreign  = "No matching signature found"
)

// judge gives what the specification's own library of a language says of trials.
func judge(t *testing.T, program, script, path string, trials []trial) (verdicts []string) {
	t.Helper()
	in, err := json.Marshal(trials)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, rootPath(t, filepath.Join("deploy/compat/standardwebhooks", script)))
	cmd.Stdin, cmd.Env = bytes.NewReader(in), append(os.Environ(), path)
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok { //nolint:errorlint // as Output gives it
			t.Fatalf("%s %s: %v\n%s", program, script, err, exit.Stderr)
		}
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &verdicts); err != nil || len(verdicts) != len(trials) {
		t.Fatalf("%s %s: %s, %v; want a verdict of %d trials", program, script, out, err, len(trials))
	}
	return verdicts
}

// hooked is an endpoint that the service as it ships delivers to.
type hooked struct {
	t        *testing.T
	bus      *bus.Bus
	keys     *secret.Keyring
	id       string
	ahead    atomic.Int64 // of the service's clock, in ns
	last     feed.Entry
	received chan trial
}

func hook(t *testing.T, signature contractwebhooks.Signature) *hooked {
	t.Helper()
	keys, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	h := &hooked{t: t, bus: bustest.Connect(t, bustest.Server(t, topology.Config{})), keys: keys, received: make(chan trial, 10)}
	h.id = contract.NewID(contractwebhooks.Prefix, h.now())
	service, err := webhooks.Build(t.Context(), webhooks.Config{PublicURL: "https://api.example.com", AllowLoopback: true}, run.Deps{
		Bus: h.bus, Secrets: keys, Log: zap.NewNop(), Metrics: prometheus.NewRegistry(), Now: h.now,
	})
	if err != nil {
		t.Fatal(err)
	}
	receiver := httptest.NewServer(http.HandlerFunc(h.receive))
	t.Cleanup(func() { receiver.CloseClientConnections(); receiver.Close() })
	bustest.Go(t, func(ctx context.Context) error { return service.Run(ctx) })
	h.do(contractwebhooks.Create, contractwebhooks.CreateData{
		Endpoint: h.id, Key: "key", Scopes: accounts.DefaultScopes(), Master: keys.MasterID(), URL: receiver.URL, Types: []string{contractwebhooks.AllTypes}, RatePerSecond: 10,
		Signature: signature,
	})
	return h
}

func (h *hooked) now() time.Time { return time.Now().Add(time.Duration(h.ahead.Load())) }

func (h *hooked) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		h.t.Error(err)
	}
	one := trial{Headers: map[string]string{}, Body: string(body)}
	for name := range r.Header {
		one.Headers[name] = r.Header.Get(name)
	}
	h.received <- one
	w.WriteHeader(http.StatusNoContent)
}

// do has a command carried out by the service, and those who deliver see what came of it.
func (h *hooked) do(name contract.CommandName, data any) {
	h.t.Helper()
	c, err := contract.NewCommand(name, contract.NewID(contract.RequestPrefix, time.Now()), "acc_1", time.Now(), data)
	if err == nil {
		err = h.bus.Send(h.t.Context(), c)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	bustest.WaitFor(h.t, string(name.Verb), func() bool {
		now, err := aggregate.At[contractwebhooks.Endpoint](h.bus, contract.WebhookEndpointAggregate, h.id).Load(h.t.Context())
		return err == nil && now.Did(c.ID)
	})
	if err := h.bus.Wake(contract.WebhookEndpointAggregate, h.id); err != nil {
		h.t.Fatal(err)
	}
}

// deliver has an event happen, and gives it as it came.
func (h *hooked) deliver() trial {
	h.t.Helper()
	key := feed.KeyOf(contract.OrderAggregate, "o1")
	e := feed.Entry{Owner: "acc_1", Key: key, Cause: "cause", Event: feed.Event{
		ID: feed.IDOf(key, h.last.Sequence+feed.Places), Type: feed.OrderPaid, Timestamp: time.Now().UTC(), Sequence: h.last.Sequence + feed.Places, Previous: h.last.Sequence,
		Livemode: true, Data: feed.Data{Object: feed.OrderObject, OrderID: "o1", Changed: []string{"status"}},
	}}
	var err error
	if e.Seq, err = h.bus.PublishPublic(h.t.Context(), e, h.last.Seq); err == nil {
		err = h.bus.WakeFeed(e.Owner)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.last = e
	return <-h.received
}

// secretOf is a secret as the endpoint's owner was shown it.
func (h *hooked) secretOf(endpoint string, generation int) string {
	key, ok := h.keys.WebhookSecret(h.keys.MasterID(), endpoint, generation)
	if !ok {
		h.t.Fatalf("there is no secret %d of %s", generation, endpoint)
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(key)
}

// TestReceiversVerifyDeliveries: the specification's own libraries for TypeScript and Python take what the
// service sends with the endpoint's secrets, and nothing that was changed, came late or is signed with others.
func TestReceiversVerifyDeliveries(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("STANDARDWEBHOOKS")
	if dir == "" {
		t.Skip("STANDARDWEBHOOKS names no folder with the libraries; make test-compat fetches them")
	}
	h := hook(t, contractwebhooks.HMAC)
	const (
		early = "Message timestamp too new"
		old   = "Message timestamp too old"
	)
	var trials []trial
	try := func(name string, of trial, secret, want string, change ...func(*trial)) {
		of.Name, of.Secret, of.Headers, of.want = name, secret, maps.Clone(of.Headers), want
		for _, change := range change {
			change(&of)
		}
		trials = append(trials, of)
	}
	first, one := h.secretOf(h.id, 1), h.deliver()
	try("as it came", one, first, verified)
	try("four minutes later", one, first, verified, func(t *trial) { t.LateS = 240 })
	try("sent again by somebody six minutes later", one, first, old, func(t *trial) { t.LateS = 360 })
	try("by another endpoint's secret", one, h.secretOf("we_other", 1), foreign)
	try("with another body", one, first, foreign, func(t *trial) { t.Body = strings.Replace(t.Body, "o1", "o2", 1) })
	try("with another id", one, first, foreign, func(t *trial) { t.Headers["Webhook-Id"] += "1" })
	try("with another timestamp", one, first, foreign, func(t *trial) {
		t.Headers["Webhook-Timestamp"] = strconv.FormatInt(h.now().Add(time.Minute).Unix(), 10)
	})
	try("with another signature", one, first, foreign, func(t *trial) {
		t.Headers["Webhook-Signature"] = "v1," + base64.StdEncoding.EncodeToString(make([]byte, 32))
	})
	h.ahead.Store(int64(6 * time.Minute))
	try("of a clock that is six minutes ahead", h.deliver(), first, early)
	h.ahead.Store(0)
	h.do(contractwebhooks.Rotate, contractwebhooks.RotateData{Endpoint: h.id, Master: h.keys.MasterID(), Overlap: time.Hour})
	both := h.deliver()
	try("during a rotation, by the old secret", both, first, verified)
	try("during a rotation, by the new secret", both, h.secretOf(h.id, 2), verified)
	h.do(contractwebhooks.Rotate, contractwebhooks.RotateData{Endpoint: h.id, Master: h.keys.MasterID()})
	third := h.deliver()
	try("after a leak, by the first secret", third, first, foreign)
	try("after a leak, by the second secret", third, h.secretOf(h.id, 2), foreign)
	try("after a leak, by the new secret", third, h.secretOf(h.id, 3), verified)
	for program, of := range map[string]struct{ script, path string }{
		"node":    {"judge.js", "NODE_PATH=" + filepath.Join(dir, "node_modules")},
		"python3": {"judge.py", "PYTHONPATH=" + filepath.Join(dir, "python")},
	} {
		for i, got := range judge(t, program, of.script, of.path, trials) {
			if c := trials[i]; got != c.want {
				t.Errorf("%s, %s: %q, want %q\n%v\n%s", program, c.Name, got, c.want, c.Headers, c.Body)
			}
		}
	}
}

// TestPublicKeysVerifyDeliveries: Node's own cryptography takes what is signed by ed25519, by the text that the
// specification names, and the libraries, which know no v1a, take none of it for theirs.
func TestPublicKeysVerifyDeliveries(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("STANDARDWEBHOOKS")
	if dir == "" {
		t.Skip("STANDARDWEBHOOKS names no folder with the libraries; make test-compat fetches them")
	}
	h := hook(t, contractwebhooks.Ed25519)
	public := func(endpoint string) string {
		pair, ok := h.keys.WebhookSigningKey(h.keys.MasterID(), endpoint, 1)
		if !ok {
			t.Fatalf("there is no pair of %s", endpoint)
		}
		return "whpk_" + base64.StdEncoding.EncodeToString(pair.Public().(ed25519.PublicKey))
	}
	one := h.deliver()
	changed := one
	changed.Body = strings.Replace(one.Body, "o1", "o2", 1)
	trials := []trial{one, one, changed, one}
	for i, want := range []struct{ name, secret, verdict string }{
		{"as it came", public(h.id), verified}, {"by another endpoint's key", public("we_other"), foreign},
		{"with another body", public(h.id), foreign}, {"by the library, with the secret that it would have", h.secretOf(h.id, 1), foreign},
	} {
		trials[i].Name, trials[i].Secret, trials[i].want = want.name, want.secret, want.verdict
	}
	for i, got := range judge(t, "node", "judge.js", "NODE_PATH="+filepath.Join(dir, "node_modules"), trials) {
		if c := trials[i]; got != c.want {
			t.Errorf("%s: %q, want %q\n%v\n%s", c.Name, got, c.want, c.Headers, c.Body)
		}
	}
}
