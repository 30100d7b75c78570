package faults_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/standalone/local"
	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// A scenario is one thing that goes wrong while customers go on. It brings the
// fault about, says what must hold during it, ends it and returns.
type scenario struct {
	name   string
	short  bool // also in the short form
	strict bool // no customer gets a 5xx or no answer meanwhile
	do     func(ctx context.Context, s *stage) error
}

// Every scenario ends with the same proof: a quote is answered, everything that
// runs is ready, and the books agree.
var scenarios = []scenario{
	{"leader killed", true, false, leaderKilled},
	{"node cut off", true, false, nodeCutOff},
	{"node stopped", false, false, nodeStopped},
	{"clock an hour ahead", true, false, clockWrong(time.Hour)},
	{"clock an hour behind", false, false, clockWrong(-time.Hour)},
	{"process of each service stopped", true, false, processesStopped},
	{"services killed", true, false, servicesKilled},
	{"rolling restart", true, true, rollingRestart},
	{"store takes no writes", false, false, storeLocked},
	{"files away", false, false, filesAway},
	{"requests full", false, false, requestsFull},
	{"quotes full", false, false, quotesFull},
	{"next version", false, true, nextVersion},
	{"rebuild of the projection", false, true, rebuild},
}

var (
	only  = flag.String("only", "", "only the scenarios whose name holds this")
	still = flag.Duration("still", ackWait+2*time.Second, "how long a scenario leaves what stopped or is away so; more than the ack wait")
)

// stage is what a scenario works with.
type stage struct {
	*rig
	js jetstream.JetStream
	// still is how long what stopped or is away stays so: longer than AckWait.
	still time.Duration
	asked int // quantities that were quoted to see that the system has recovered
}

func TestScenarios(t *testing.T) {
	if testing.Short() {
		t.Skip("starts two dozen processes and ends them for a minute; left out by -short")
	}
	r := start(t, scenarioPlan(), seed())
	s := newStage(t, r)
	ctx, cancel := context.WithTimeout(t.Context(), r.plan.load)
	defer cancel()
	r.giveUp = cancel
	if r.upload(ctx); t.Failed() {
		return
	}
	var trade sync.WaitGroup
	trade.Go(func() { r.trade(ctx, 1<<30) })
	for _, sc := range scenarios {
		if chosen(sc) && !t.Failed() {
			s.play(ctx, sc)
		}
	}
	close(r.enough)
	trade.Wait()
	r.rest()
	r.check()
	r.report()
}

// chosen reports whether a scenario belongs to this run.
func chosen(sc scenario) bool {
	if *only != "" {
		return strings.Contains(sc.name, *only)
	}
	return sc.short || *longForm
}

func scenarioPlan() plan {
	p := plan{quotes: 100, payments: 10, uploads: 4, clients: 12, pace: 120 * time.Millisecond, load: 3 * time.Minute, heal: 90 * time.Second}
	if *longForm {
		p.uploads, p.load, p.heal = 20, 18*time.Minute, 3*time.Minute
	}
	return p
}

func newStage(t *testing.T, r *rig) *stage {
	t.Helper()
	nc, err := nats.Connect(r.system.Ready.NATSURL, nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return &stage{rig: r, js: js, still: *still}
}

// play runs one scenario, proves that the system recovers without help, and says
// when the fault was over.
func (s *stage) play(ctx context.Context, sc scenario) (ended time.Time) {
	began, before := time.Now(), s.ledger.failures()
	if err := sc.do(ctx, s); err != nil {
		s.t.Errorf("%s: %v", sc.name, err)
	}
	ended = time.Now()
	if n := s.ledger.failures() - before; sc.strict && n > 0 {
		s.t.Errorf("%s: customers got %d failures; all so far: %v", sc.name, n, s.ledger.kinds())
	}
	if err := errors.Join(s.quoted(ctx, "after "+sc.name), s.ready(ctx), s.asking(ctx)); err != nil {
		s.t.Errorf("after %s: %v", sc.name, err)
	}
	for _, p := range s.system.All() {
		if why := p.Failed(); why != nil {
			s.t.Errorf("%s: a process ended by itself: %v", sc.name, why)
		}
	}
	s.phases = append(s.phases, fmt.Sprintf("%s %.1f s, recovered in %.1f s", sc.name, ended.Sub(began).Seconds(), time.Since(ended).Seconds()))
	if *verbose {
		s.t.Log(s.phases[len(s.phases)-1])
	}
	return ended
}

// quoted asks for a quote that nobody asked for before, and waits for it.
func (s *stage) quoted(ctx context.Context, why string) error {
	c := newClient(s.rig)
	defer c.http.CloseIdleConnections()
	s.asked++
	name := fmt.Sprintf("%s %d", why, time.Now().UnixNano())
	_, err := c.quote(ctx, name, s.requestOf(name, 100+s.asked))
	return err
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
			if err := errors.Join(s.quoted(ctx, "asked again"), s.bought(ctx)); err != nil {
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

func (s *stage) request(name string) []byte { return s.requestOf(name, 10) }

func (s *stage) requestOf(name string, quantity int) []byte {
	return fmt.Appendf(nil, `{"upload_id":%q,"quantity":%d,"standard_for_unstated":true,"project_name":%q}`, s.ledger.uploads[0], quantity, name)
}

func (s *stage) ready(ctx context.Context) error {
	for _, p := range s.system.All() {
		if err := p.Ready(ctx); err != nil {
			return err
		}
	}
	return nil
}

// leader is the number of the node that leads a stream.
func (s *stage) leader(ctx context.Context, stream string) (int, error) {
	for ; ctx.Err() == nil; wait(ctx, 100*time.Millisecond) {
		limited, cancel := context.WithTimeout(ctx, 2*time.Second)
		info, err := s.js.Stream(limited, stream)
		cancel()
		if err != nil || info.CachedInfo().Cluster == nil {
			continue
		}
		for i := range s.system.Nodes {
			if info.CachedInfo().Cluster.Leader == local.NodeName(i) {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("leader of %s: %w", stream, ctx.Err())
}

func leaderKilled(ctx context.Context, s *stage) error {
	i, err := s.leader(ctx, contract.EventStream(contract.QuoteAggregate))
	if err != nil {
		return err
	}
	s.system.Nodes[i].Kill()
	err = s.quoted(ctx, "without the leader")
	return errors.Join(err, s.system.Nodes[i].Start(), s.ready(ctx))
}

func nodeCutOff(ctx context.Context, s *stage) error {
	i, err := s.leader(ctx, contract.RequestStream)
	if err != nil {
		return err
	}
	s.system.CutOff(i)
	defer s.system.Rejoin(i)
	err = s.quoted(ctx, "without the node that led")
	wait(ctx, s.still)
	return err
}

func nodeStopped(ctx context.Context, s *stage) error {
	i, err := s.leader(ctx, contract.CommandStream)
	if err != nil {
		return err
	}
	s.system.Nodes[i].Freeze()
	defer s.system.Nodes[i].Thaw()
	err = s.quoted(ctx, "while the node stands still")
	wait(ctx, s.still)
	return err
}

// firsts are the first process of each service.
func (s *stage) firsts() []*processes.Process {
	var out []*processes.Process
	for _, p := range s.system.Services {
		if strings.HasSuffix(p.Name, "-1") {
			out = append(out, p)
		}
	}
	return out
}

// clockWrong runs one process of each service by a wrong clock for a while.
func clockWrong(offset time.Duration) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		for _, p := range s.firsts() {
			usual := p.Env
			p.Env = append(slices.Clone(usual), "CLOCK_OFFSET="+offset.String())
			if err := s.restart(ctx, p); err != nil {
				return err
			}
			p.Env = usual
		}
		err := errors.Join(s.quoted(ctx, "by a wrong clock"), s.bought(ctx))
		wait(ctx, s.still)
		for _, p := range s.firsts() {
			err = errors.Join(err, s.restart(ctx, p))
		}
		return err
	}
}

// bought has a quote, pays it and waits until it is shipped.
func (s *stage) bought(ctx context.Context) error {
	c := newClient(s.rig)
	defer c.http.CloseIdleConnections()
	name := fmt.Sprintf("bought %d", time.Now().UnixNano())
	id, err := c.quote(ctx, name, s.request(name))
	if err != nil {
		return err
	}
	return s.buy(ctx, id)
}

func (s *stage) restart(ctx context.Context, p *processes.Process) error {
	if !p.Stop(20 * time.Second) {
		s.t.Errorf("%s did not stop in time (log %s)", p.Name, p.Log)
	}
	if err := p.Start(); err != nil {
		return err
	}
	return p.Ready(ctx)
}

func processesStopped(ctx context.Context, s *stage) error {
	for _, p := range s.firsts() {
		p.Freeze()
		defer p.Thaw()
	}
	err := s.quoted(ctx, "while others stand still")
	wait(ctx, s.still)
	return err
}

func rollingRestart(ctx context.Context, s *stage) error {
	for _, p := range s.system.Services {
		if err := s.restart(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// servicesKilled ends each process as a power cut does, while its work is in
// hand, and has the companies outside lose replies.
func servicesKilled(ctx context.Context, s *stage) error {
	dice := rand.New(rand.NewPCG(s.seed, 3))
	for _, i := range dice.Perm(len(s.system.Services)) {
		s.loseReplies(ctx, dice)
		s.kill(s.system.Services[i], time.Duration(dice.Int64N(int64(200*time.Millisecond))))
		wait(ctx, time.Duration(dice.Int64N(int64(200*time.Millisecond))))
	}
	s.kill(s.system.Infra, 0)
	return s.ready(ctx)
}

// nextVersion restarts each process from another folder, as a deploy does, and
// then back.
func nextVersion(ctx context.Context, s *stage) error {
	next := filepath.Join(s.dir, "next-version")
	if err := os.CopyFS(next, os.DirFS(s.bin)); err != nil {
		return err
	}
	for _, bin := range []string{next, s.bin} {
		for _, p := range s.system.Services {
			p.Path = filepath.Join(bin, filepath.Base(p.Path))
			if err := s.restart(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// storeLocked holds the write lock of the projection.
func storeLocked(ctx context.Context, s *stage) error {
	db, err := sql.Open("sqlite", strings.TrimPrefix(s.system.Ready.Env["MONGO_URI"], "sqlite:")+"?_pragma=busy_timeout(30000)")
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	wait(ctx, min(s.still, time.Minute))
	_, err = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return err
}

// filesAway takes the folders of the files away. A file in the place of each
// makes every read and write an error, rather than find nothing.
func filesAway(ctx context.Context, s *stage) error {
	files := strings.TrimPrefix(s.system.Ready.Env["S3_URL"], "file:")
	folders, err := os.ReadDir(files)
	if err != nil {
		return err
	}
	for _, f := range folders {
		path := filepath.Join(files, f.Name())
		err = errors.Join(err, os.Rename(path, away(path)), os.WriteFile(path, nil, 0o600))
	}
	if err != nil {
		return err
	}
	uploaded := make(chan error, 1)
	go func() {
		c := newClient(s.rig)
		defer c.http.CloseIdleConnections()
		id, err := c.upload(ctx, 1000)
		if err == nil {
			s.ledger.do(func() { s.ledger.uploads = append(s.ledger.uploads, id) })
		}
		uploaded <- err
	}()
	wait(ctx, min(s.still, time.Minute))
	select {
	case err := <-uploaded:
		uploaded <- errors.Join(errors.New("an upload was answered while its files could not be kept"), err)
	default:
	}
	for _, f := range folders {
		path := filepath.Join(files, f.Name())
		err = errors.Join(err, os.Remove(path), os.Rename(away(path), path))
	}
	return errors.Join(err, <-uploaded)
}

// away is where a folder of files is meanwhile, out of the store's sight.
func away(path string) string {
	return filepath.Dir(path) + ".away-" + filepath.Base(path)
}

// full leaves no space in a stream.
func (s *stage) full(ctx context.Context, stream string) error {
	st, err := s.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	cfg := st.CachedInfo().Config
	cfg.MaxBytes = max(int64(st.CachedInfo().State.Bytes), 1)
	_, err = s.js.UpdateStream(ctx, cfg)
	return err
}

// enlarge applies the topology, which gives a stream its size again.
func (s *stage) enlarge(ctx context.Context) error { return s.system.Topology(ctx, nil, "apply") }

// requestsFull proves that a customer learns when to come again.
func requestsFull(ctx context.Context, s *stage) error {
	if err := s.full(ctx, contract.RequestStream); err != nil {
		return err
	}
	refused := s.refused(ctx)
	if err := errors.Join(refused, s.enlarge(ctx)); err != nil {
		return err
	}
	return nil
}

// refused makes new requests until one is refused: what is full is so by its
// bytes, and some may still fit.
func (s *stage) refused(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for i := 0; limited.Err() == nil; i++ {
		body := s.request(fmt.Sprintf("too many %d %d", i, time.Now().UnixNano()))
		req, err := http.NewRequestWithContext(limited, http.MethodPost, s.system.BaseURL+"/v1/quotes?wait_s=0", bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("X-API-Key", s.system.APIKey)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable {
			if resp.Header.Get("Retry-After") == "" {
				return errors.New("503 does not say when to come again")
			}
			return nil
		}
		if resp.StatusCode >= 400 {
			return fmt.Errorf("a full stream answers %s", resp.Status)
		}
	}
	return errors.New("no request was refused")
}

// quotesFull proves that what was accepted waits for space.
func quotesFull(ctx context.Context, s *stage) error {
	if err := s.full(ctx, contract.EventStream(contract.QuoteAggregate)); err != nil {
		return err
	}
	answered := make(chan error, 1)
	go func() { answered <- s.quoted(ctx, "quotes full") }()
	wait(ctx, min(s.still, 20*time.Second))
	if err := s.enlarge(ctx); err != nil {
		return err
	}
	return <-answered
}

// rebuild makes the projection anew while it is used.
func rebuild(ctx context.Context, s *stage) error {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "projector"), "-rebuild")
	vars := maps.Clone(s.system.Ready.Env)
	vars["METRICS_ADDR"] = "127.0.0.1:0"
	cmd.Env = os.Environ()
	for name, value := range vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("rebuild: %w\n%s", err, out)
	}
	return nil
}

func seed() uint64 {
	if *seedFlag != 0 {
		return *seedFlag
	}
	return rand.Uint64()
}
