package faults_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/standalone/local"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/projection"

	"github.com/nats-io/nats.go/jetstream"
)

var (
	longForm = flag.Bool("faults", false, "the long form: all scenarios, and kills at random under some thousand quotes, some hundred payments")
	verbose  = flag.Bool("busy", false, "tell what the healed system is still busy with, and keep the data")
	seedFlag = flag.Uint64("seed", 0, "seed of the kills and of the load; 0 = any")
)

// A plan bounds one run.
type plan struct {
	quotes   int // different requests
	payments int // of these, are paid for
	uploads  int // sets of files
	clients  int
	pace     time.Duration // between two new requests
	calm     time.Duration // longest pause between two kills
	load     time.Duration // until when all requests must have their outcome, or a scenario its end
	heal     time.Duration // until when the system must be at rest after the last kill
}

func newPlan() plan {
	return plan{
		quotes: 4000, payments: 400, uploads: 40, clients: 32, pace: 60 * time.Millisecond, calm: time.Second,
		load: 12 * time.Minute, heal: 3 * time.Minute,
	}
}

func TestFaults(t *testing.T) {
	if !*longForm {
		t.Skip("takes minutes; ask for it by -faults (make test-faults)")
	}
	r := start(t, newPlan(), seed())
	for _, phase := range []struct {
		name string
		do   func()
	}{{"load", r.run}, {"rest", r.rest}, {"check", r.check}} {
		began := time.Now()
		phase.do()
		r.phase(phase.name, began)
		if phase.name == "load" { // kills follow each other too closely for a limit; how long requests waited is told
			r.spans = append(r.spans, span{scenario{name: "kills at random"}, began, time.Now()})
		}
	}
	r.report()
}

// A rig is the system under test and all that is known of the run.
type rig struct {
	t      *testing.T
	plan   plan
	seed   uint64
	dir    string
	bin    string
	system *local.System
	bus    *bus.Bus
	js     jetstream.JetStream
	docs   projection.Store
	ledger *ledger
	kills  kills
	began  time.Time

	giveUp   context.CancelFunc // ends the load
	failures atomic.Int64
	boards   atomic.Int64  // so many were sent
	rush     chan int      // so many requests at once, please
	enough   chan struct{} // closed when no more requests shall be made
	dice     *rand.Rand    // decide what customers want
	wishes   int           // so many were made
	phases   []string      // how long each took
	spans    []span        // scenarios whose ledgers are to be compared
	notices  string        // what the card processor says of the run
	mailed   struct{ all, again int }
	webhooks *receiver
	remade   int // outcomes that another version made anew
}

// environment makes the waits for companies outside short and the logs long.
func environment() map[string]string {
	vars := local.ShortWaits()
	vars["LOG_LEVEL"], vars["ORDER_POLL_MOST"] = "debug", "3s"
	vars["WEBHOOK_ALLOW_LOOPBACK"] = "true"
	return vars
}

// nodes is how many the broker has.
const nodes = 3

// two gives two processes of every service.
func two() map[string]int {
	counts := map[string]int{}
	for name := range local.Usual() {
		counts[name] = 2
	}
	return counts
}

func start(t *testing.T, p plan, seed uint64) *rig {
	t.Helper()
	dir, err := os.MkdirTemp("", "faults-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() || *verbose {
			t.Logf("seed %d; logs in %s", seed, filepath.Join(dir, "logs"))
			return
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	bin := programs(t)
	r := &rig{
		t: t, plan: p, seed: seed, dir: dir, bin: bin, ledger: newLedger(), rush: make(chan int, 1), enough: make(chan struct{}),
		dice: rand.New(rand.NewPCG(seed, 2)), began: time.Now(),
	}
	t.Logf("seed %d", seed)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // a busy machine makes streams slowly
	defer cancel()
	r.system, err = local.Start(ctx, local.Config{
		Bin: bin, Data: dir, Addr: "127.0.0.1:0", Env: environment(), InfraArgs: []string{"-fabricator-pace", "100ms"},
		Nodes: nodes, Root: filepath.Join("..", "..", ".."), TLS: certificates(t), Counts: two(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.system.Stop)
	if r.bus, r.docs, err = r.system.Connect(ctx, "test"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.bus.Close()
		if err := r.docs.Close(); err != nil {
			t.Error(err)
		}
	})
	nc, err := bus.Dial(ctx, r.system.Broker(access.OperatorUser))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if r.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	r.webhooks = r.watch(ctx)
	return r
}

// certificates are what the nodes of the broker and the programs show each other.
func certificates(t *testing.T) bus.TLS {
	t.Helper()
	authority := bustest.NewAuthority(t)
	cert, key := authority.Issue(t, "boardorder")
	return bus.TLS{CA: authority.File, Cert: cert, Key: key}
}

// programs gives a folder of the built programs, building them unless BIN_DIR
// names one.
func programs(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("BIN_DIR"); dir != "" {
		return dir
	}
	dir := t.TempDir()
	args := []string{"build", "-ldflags=-s -w", "-o", dir + string(filepath.Separator), "boardorder/deploy/standalone/cmd/infra", "boardorder/deploy/topology", "github.com/nats-io/nats-server/v2"}
	for name := range local.Usual() {
		args = append(args, "boardorder/services/"+name+"/cmd/"+name)
	}
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		t.Fatalf("build the programs: %v\n%s", err, out)
	}
	return dir
}
