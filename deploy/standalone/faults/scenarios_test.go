package faults_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/standalone/internal/release"
	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/bus"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// A scenario is one thing that goes wrong while customers go on. It brings the
// fault about, says what must hold during it, ends it and returns.
type scenario struct {
	name   string
	short  bool          // also in the short form
	strict bool          // no customer gets a 5xx or no answer meanwhile
	limit  time.Duration // that a request made meanwhile may wait for its outcome; 0: it is not said
	do     func(ctx context.Context, s *stage) error
}

// Every scenario ends with the same proof: a quote is answered and everything that
// runs is ready; then the ledgers agree, in the long form after each scenario.
var scenarios = []scenario{
	{"leader killed", true, false, maxKilled, leaderKilled},
	{"leader restarted", true, false, maxOrderly, leaderRestarted},
	{"rolling restart of the broker", false, false, maxOrderly, brokerRestarted},
	{"each node killed", false, false, maxKilled, nodesKilled},
	{"node cut off", true, false, 0, nodeCutOff},
	{"node stopped", false, false, 0, nodeStopped},
	{"two nodes ended", true, false, 0, twoNodesEnded},
	{"disk of a node full", false, false, 0, diskFull},
	{"clock an hour ahead", true, false, 0, clockWrong(time.Hour)},
	{"clock an hour behind", false, false, 0, clockWrong(-time.Hour)},
	{"process of each service stopped", true, false, 0, processesStopped},
	{"services killed", true, false, 0, servicesKilled},
	{"edges killed while requests wait", true, false, 0, edgesKilled},
	{"restart with work in hand", true, true, 0, restartAtWork},
	{"rolling restart", true, true, 0, rollingRestart},
	{"store takes no writes", false, false, 0, storeLocked},
	{"store away", false, false, 0, storeAway},
	{"files away", false, false, 0, filesAway},
	{"requests full", false, false, 0, requestsFull},
	{"quotes full", false, false, 0, quotesFull},
	{"next version", false, true, 0, upgradeServices},
	{"rebuild of the projection", false, true, 0, rebuild},
}

// errNotHere says that a fault cannot be brought about on this machine.
var errNotHere = errors.New("not possible on this machine")

var (
	only  = flag.String("only", "", "only the scenarios whose name holds this, or one of several with | between them")
	still = flag.Duration("still", bus.DefaultAckWait+2*time.Second, "how long a scenario leaves what stopped or is away so; more than the ack wait")
)

// stage is what a scenario works with.
type stage struct {
	*rig
	// still is how long what stopped or is away stays so: longer than ACK_WAIT.
	still    time.Duration
	release  string // folder of the last release's programs; only in the long form
	requests int    // quantities that were quoted to see that the system has recovered
	// over, if any, is called when a fault has ended.
	over func(scenario)
}

func TestScenarios(t *testing.T) {
	if testing.Short() {
		t.Skip("starts two dozen processes and ends them for a minute; left out by -short")
	}
	r := start(t, scenarioPlan(), seed())
	s := newStage(t, r)
	r.round(r.plan.load, func(ctx context.Context) { r.upload(ctx) })
	for _, round := range rounds() {
		if t.Failed() {
			return
		}
		// A scenario that takes longer than its share fails by itself: see play.
		r.round(time.Duration(len(round)+1)*r.plan.load, func(ctx context.Context) { s.playBeside(ctx, round) })
		began := time.Now()
		r.rest()
		r.check()
		r.phase("rest and ledgers", began)
	}
	r.report()
}

// rounds are the chosen scenarios, in lots after each of which the ledgers are
// compared: each by itself in the long form.
func rounds() (out [][]scenario) {
	for _, sc := range scenarios {
		switch {
		case !isChosen(sc):
		case *longForm || len(out) == 0:
			out = append(out, []scenario{sc})
		default:
			out[0] = append(out[0], sc)
		}
	}
	return out
}

// round does a part of the run within a time.
func (r *rig) round(limit time.Duration, do func(ctx context.Context)) {
	ctx, cancel := context.WithTimeout(r.t.Context(), limit)
	defer cancel()
	r.giveUp = cancel
	do(ctx)
}

// playBeside plays scenarios one after the other while customers go on.
func (s *stage) playBeside(ctx context.Context, scs []scenario) {
	s.enough = make(chan struct{})
	var trade sync.WaitGroup
	trade.Go(func() { s.trade(ctx, 1<<30) })
	if err := s.askNewQuote(ctx, "before all"); err != nil {
		s.fail(err)
	}
	for _, sc := range scs {
		if !s.t.Failed() {
			s.play(ctx, sc)
		}
	}
	close(s.enough)
	trade.Wait()
}

// isChosen reports whether a scenario belongs to this run.
func isChosen(sc scenario) bool {
	if *only != "" {
		return slices.ContainsFunc(strings.Split(*only, "|"), func(part string) bool { return strings.Contains(sc.name, part) })
	}
	return sc.short || *longForm
}

func scenarioPlan() plan {
	p := plan{quotes: 100, payments: 10, uploads: 4, clients: 12, pace: 120 * time.Millisecond, load: 3 * time.Minute, heal: 90 * time.Second}
	if *longForm {
		p.uploads, p.load, p.heal = 20, 8*time.Minute, 3*time.Minute
	}
	return p
}

func newStage(t *testing.T, r *rig) *stage {
	t.Helper()
	s := &stage{rig: r, still: *still}
	if *longForm {
		commit, err := release.Commit()
		if err != nil {
			t.Fatal(err)
		}
		s.release = release.Programs(t, commit)
	}
	return s
}

// play runs one scenario and proves that the system recovers without help, all
// within the plan's time.
func (s *stage) play(ctx context.Context, sc scenario) {
	ctx, cancel := context.WithTimeout(ctx, s.plan.load)
	defer cancel()
	began, before := time.Now(), s.ledger.failures()
	if err := sc.do(ctx, s); errors.Is(err, errNotHere) {
		s.t.Logf("%s was left out: %v", sc.name, err)
	} else if err != nil {
		s.t.Errorf("bring about %s: %v", sc.name, err)
	}
	ended := time.Now()
	if s.over != nil {
		s.over(sc)
	}
	if n := s.ledger.failures() - before; sc.strict && n > 0 {
		s.t.Errorf("%s: customers got %d failures, want none; all so far: %v", sc.name, n, s.ledger.kinds())
	}
	if err := errors.Join(s.askNewQuote(ctx, "after "+sc.name), s.ready(ctx), s.asking(ctx)); err != nil {
		s.t.Errorf("after %s, want a new quote and every service ready: %v", sc.name, err)
	}
	for _, p := range s.system.Processes() {
		if why := p.Failure(); why != nil {
			s.t.Errorf("%s: a process ended by itself: %v", sc.name, why)
		}
	}
	s.spans = append(s.spans, span{sc, began, time.Now()})
	s.phases = append(s.phases, fmt.Sprintf("%s %.1f s, recovered in %.1f s", sc.name, ended.Sub(began).Seconds(), time.Since(ended).Seconds()))
	s.t.Log(s.phases[len(s.phases)-1])
}

// phase notes how long a part of the run took.
func (r *rig) phase(name string, began time.Time) {
	r.phases = append(r.phases, fmt.Sprintf("%s %.1f s", name, time.Since(began).Seconds()))
}

// askNewQuote asks for a quote that nobody asked for before, and waits for it.
func (s *stage) askNewQuote(ctx context.Context, why string) error {
	c := newClient(s.rig)
	defer c.http.CloseIdleConnections()
	name := fmt.Sprintf("%s %d", why, time.Now().UnixNano())
	_, err := c.quote(ctx, name, s.freshRequest(name))
	return err
}

// freshRequest asks for so many boards that nobody remembers a price.
func (s *stage) freshRequest(name string) []byte {
	s.requests++
	return requestOf(s.ledger.uploads[0], name, 100+s.requests)
}

// asking waits until no process that serves customers leaves a company outside
// alone any more for what it met during the fault: what the next scenario forbids
// would be this one's. A process asks again only when a customer makes it.
func (s *stage) asking(ctx context.Context) error {
	for _, p := range s.system.Services {
		if !strings.HasPrefix(p.Name, "pricing-") && !strings.HasPrefix(p.Name, "payment-") {
			continue
		}
		for {
			alone, err := leavesAlone(ctx, p)
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			if !alone {
				break
			}
			if err := errors.Join(s.askNewQuote(ctx, "asked again"), s.quoteAndBuy(ctx)); err != nil {
				return fmt.Errorf("while %s leaves a company alone: %w", p.Name, err)
			}
			wait(ctx, 100*time.Millisecond)
		}
	}
	return nil
}

// leavesAlone reads from a process's metrics whether one of its circuits is open.
func leavesAlone(ctx context.Context, p *processes.Process) (bool, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(p.Program.Probe, "/readyz")+"/metrics", nil)
	if err != nil {
		return false, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(resp.Body)
	if err != nil {
		return false, err
	}
	for _, m := range families["boardorder_circuits_open"].GetMetric() {
		if m.GetGauge().GetValue() > 0 {
			return true, nil
		}
	}
	return false, nil
}

func (s *stage) request(name string) []byte { return requestOf(s.ledger.uploads[0], name, 10) }

func requestOf(upload, name string, quantity int) []byte {
	return fmt.Appendf(nil, `{"upload_id":%q,"quantity":%d,"standard_for_unstated":true,"project_name":%q}`, upload, quantity, name)
}

func (s *stage) ready(ctx context.Context) error {
	for _, p := range s.system.Processes() {
		if err := p.Ready(ctx); err != nil {
			return err
		}
	}
	return nil
}

func seed() uint64 {
	if *seedFlag != 0 {
		return *seedFlag
	}
	return rand.Uint64()
}
