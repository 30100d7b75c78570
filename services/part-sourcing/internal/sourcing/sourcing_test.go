package sourcing_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/shared"
	"boardorder/services/part-sourcing/internal/sourcing"
	"boardorder/services/part-sourcing/internal/supplierstest"
	"boardorder/services/part-sourcing/internal/verdict"
)

const hours = 12 * time.Hour

// sourcer makes a sourcer of a world, as the service does.
func sourcer(t testing.TB, w *supplierstest.World) *sourcing.Sourcer {
	t.Helper()
	return replica(t, w, lookup.NewMemory(50_000, nil), nil)
}

// replica makes a sourcer that shares answers and claims with others.
func replica(t testing.TB, w *supplierstest.World, cache lookup.Cache, claims lookup.Claims) *sourcing.Sourcer {
	policy := lookup.Policy{Found: hours, Missing: hours}
	e := lookup.NewShared(cache, claims, nil,
		lookup.Supply{Source: w.Fab, Policy: policy}, lookup.Supply{Source: w.A, Policy: policy}, lookup.Supply{Source: w.B, Policy: policy}, lookup.Supply{Source: w.Search, Policy: policy})
	t.Cleanup(e.Close)
	return &sourcing.Sourcer{Engine: e, Rounds: [][]string{{"fab"}, {"distributor_a", "distributor_b"}, {"aggregator"}}}
}

func rates(t testing.TB) assemblyprice.Rates {
	t.Helper()
	table, err := assemblyprice.LoadBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	r, ok := table.RatesOn(time.Now())
	if !ok {
		t.Fatal("no rates for today")
	}
	return r
}

func request(t testing.TB, boards int64, list bom.List) sourcing.Request {
	t.Helper()
	r := rates(t)
	plan := assembly.Match(list, nil, assembly.Choices{})
	lines, _ := sourcing.Lines(plan.Lines, boards, &r, nil)
	return sourcing.Request{Boards: boards, Lines: lines}
}

// listParts lists n parts of the catalogue from the given one on.
func listParts(c *parts.Catalogue, from, n int) bom.List {
	var l bom.List
	for i := range n {
		p := &c.Parts[(from+i*7)%len(c.Parts)]
		l.Lines = append(l.Lines, bom.Line{Refs: []string{fmt.Sprint("U", i+1)}, Quantity: 1, MPN: p.MPN, Manufacturer: p.Manufacturer})
	}
	return l
}

func TestTwoPhases(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	s := sourcer(t, w)
	list, err := bom.Read("bom.csv", []byte(strings.Join([]string{
		"Designator,Value,Footprint,MPN",
		"\"R1,R2\",10k,R_0603_1608Metric,", "C1,100n 16V X7R,C_0402_1005Metric,", "U1,,SOIC-8,LM358DR", "U2,,LQFP-48,STM32F103C8T6", "U3,,,LMS1587IS-3.3/NOPB",
		"U4,BAV99,,", "J1,Connector,,", "U5,,,no-such-part-1", "U6,XYZ-98765-none,,",
	}, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	r := request(t, 10, list)
	fab := s.Fab(t.Context(), r)
	if fab.Phase != sourcing.Fab || len(fab.Parts) != 9 || fab.RetryAfter == 0 || fab.Parts[0].Verdict != verdict.OK || fab.Parts[0].Source != "fab" || fab.Parts[7].Verdict != verdict.Checking {
		t.Errorf("what the fabricator has: %+v, want 9 parts, the first its own, the eighth still looked for", fab)
	}
	all := s.Complete(t.Context(), r)
	c := w.Sim.Parts().Catalogue()
	for i, p := range all.Parts {
		l := r.Lines[i]
		if known := c.Find(p.MPN); p.Bought > 0 && (known == nil || p.CostCents <= 0 || *p.Stock < p.Bought || p.Bought < l.Need) {
			t.Errorf("%s: %+v, want a known part with a price and stock for the %d that are needed", l.Name, p, l.Need)
		}
		if p.Verdict == verdict.Checking {
			t.Errorf("%s is still being looked up", l.Name)
		}
	}
	if p := all.Parts[4]; p.Verdict != verdict.Problem || p.Lifecycle != "obsolete" {
		t.Errorf("an obsolete part: %+v, want %s, obsolete", p, verdict.Problem)
	} else if sub := c.Find("LM1085IS-3.3/NOPB"); sub.Stock(parts.DigiKey)+sub.Stock(parts.Mouser)+sub.Stock(parts.Library) > 100 && (p.Similar == nil || p.Similar.MPN != sub.MPN) {
		t.Errorf("nothing similar: %+v, want %s", p, sub.MPN)
	}
	for i, want := range map[int]verdict.Verdict{0: verdict.OK, 6: verdict.Problem, 7: verdict.Problem} {
		if all.Parts[i].Verdict != want {
			t.Errorf("%s: %+v, want %v", r.Lines[i].Name, all.Parts[i], want)
		}
	}
	const want = "[5 6 8]" // BAV99 lacks the rest of its number
	if got := fmt.Sprint(sourcing.FindUnnamed(r.Lines, all.Parts)); got != want {
		t.Errorf("lines %s name no part, want %s", got, want)
	}
	if len(all.Parts[7].Searched) != 4 || all.RetryAfter != 0 || all.Summary.Complete {
		t.Errorf("the eighth part is %+v (retry after %v, complete %v), want all four sources searched, nothing to wait for, not complete", all.Parts[7], all.RetryAfter, all.Summary.Complete)
	}
}

// TestBurst: 200 checks of overlapping lists that begin at the same moment ask
// each supplier for each part at most once, also while its answers are on their
// way, and stay within the quotas; also where two replicas share the checks.
func TestBurst(t *testing.T) {
	t.Parallel()
	t.Run("one replica", func(t *testing.T) {
		t.Parallel()
		burst(t, func(w *supplierstest.World) []*sourcing.Sourcer { return []*sourcing.Sourcer{sourcer(t, w)} })
	})
	t.Run("two replicas", func(t *testing.T) {
		t.Parallel()
		broker := bustest.Server(t, topology.Config{})
		burst(t, func(w *supplierstest.World) []*sourcing.Sourcer {
			return []*sourcing.Sourcer{connectReplica(t, w, bustest.Connect(t, broker)), connectReplica(t, w, bustest.Connect(t, broker))}
		})
	})
}

// connectReplica is a replica with a connection to a broker.
func connectReplica(t testing.TB, w *supplierstest.World, b *bus.Bus) *sourcing.Sourcer {
	t.Helper()
	answers, err := b.Bucket(t.Context(), contract.PartAnswersBucket)
	if err != nil {
		t.Fatal(err)
	}
	// In a bucket that keeps them longer than their own does: what becomes of a claim
	// that lapses is another test's, and here none may, however busy the machine is.
	claims, err := b.Bucket(t.Context(), contract.SupplierQuotasBucket)
	if err != nil {
		t.Fatal(err)
	}
	return replica(t, w, shared.Cache{Bucket: answers}, &shared.Claims{Bucket: claims, Wait: time.Minute})
}

func burst(t *testing.T, replicas func(*supplierstest.World) []*sourcing.Sourcer) {
	w := supplierstest.Start(t, supplierstest.Options{
		Index: true, Sim: simulator.Config{DigiKey: parts.Limit{Minute: 300, Day: 300}, Mouser: parts.Limit{Minute: 60, Day: 60}},
		QuotaA: outside.NewWindows(nil, outside.Limit{Calls: 300, Period: time.Hour}), QuotaB: outside.NewWindows(nil, outside.Limit{Calls: 60, Period: time.Hour}),
	})
	s := replicas(w)
	c := w.Sim.Parts().Catalogue()
	const lists = 200
	delay(t, w, 20*time.Millisecond)
	requests := make([]sourcing.Request, lists)
	for i := range requests {
		requests[i] = request(t, 5, listParts(c, i*7, 60))
	}
	var wg sync.WaitGroup
	var most, running atomic.Int64 // checks that ran at once
	begin := make(chan struct{})
	for i := range lists {
		wg.Go(func() {
			<-begin
			now := running.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			report := s[i%len(s)].Complete(t.Context(), requests[i])
			running.Add(-1)
			if len(report.Parts) != 60 || report.Summary.Lines[verdict.Checking] > 0 {
				t.Errorf("list %d: %d parts, %+v; want 60, none being looked up", i, len(report.Parts), report.Summary)
			}
		})
	}
	close(begin)
	wg.Wait()
	if n := most.Load(); n != lists {
		t.Errorf("%d checks ran at once, want %d", n, lists)
	}
	for _, supplier := range []string{parts.DigiKey, parts.Mouser, "nexar"} {
		requests := w.Sim.Parts().Lookups(supplier)
		for number, times := range requests {
			if times > 1 {
				t.Errorf("%s was asked for %s %d times, want once", supplier, number, times)
			}
		}
		if len(requests) == 0 {
			t.Errorf("%s was not asked", supplier)
		}
	}
	for code, times := range w.Sim.Fabricator().Lookups() {
		if times > 1 {
			t.Errorf("the fabricator was asked for %s %d times, want once", code, times)
		}
	}
	if a, b := w.Sim.Parts().Calls(parts.DigiKey), w.Sim.Parts().Calls(parts.Mouser); a > 300 || b > 60 {
		t.Errorf("%d and %d calls of the two distributors, want 300 and 60 at most", a, b)
	}
}

// TestDegrades: suppliers that are down, slow, over quota or answer with something else leave
// an answer that says so, in time.
func TestDegrades(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]fault.Fault{
		"down": {Kind: fault.Drop}, "errors": {Kind: fault.ErrorBefore}, "something else": {Kind: fault.Garbage}, "over quota": {Kind: parts.FaultQuota}, "slow": {Kind: fault.Delay, DelayMS: 60_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := supplierstest.Start(t, supplierstest.Options{Index: true})
			s := sourcer(t, w)
			for _, supplier := range []string{"digikey/products", "mouser", "nexar/graphql"} {
				f.Match, f.Times = "* /parts/"+supplier, -1
				if err := w.Sim.Faults().Add(f); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), map[bool]time.Duration{true: 6 * time.Second, false: time.Minute}[name == "slow"])
			defer cancel()
			report := s.Complete(ctx, request(t, 10, bom.List{Lines: []bom.Line{
				{Refs: []string{"R1"}, Quantity: 1, Value: "10k", Footprint: "0603"}, {Refs: []string{"U1"}, Quantity: 1, MPN: "no-such-part-1"},
			}}))
			if report.Parts[0].Verdict != verdict.OK {
				t.Errorf("what the fabricator has: %+v, want %s", report.Parts[0], verdict.OK)
			}
			p := report.Parts[1]
			if reported := strings.Contains(p.Why, "could not be reached"); p.Verdict != verdict.Checking || reported != (name != "slow") || len(report.Unreached) > 0 != reported || report.RetryAfter == 0 {
				t.Errorf("%+v, again after %d s, unreached %v; want %s until later, said to be out of reach: %v", p, report.RetryAfter, report.Unreached, verdict.Checking, name != "slow")
			}
		})
	}
}

// TestSlowDistributors: what they keep for too long is bought elsewhere.
func TestSlowDistributors(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	s := sourcer(t, w)
	for _, supplier := range []string{"digikey/products", "mouser"} {
		if err := w.Sim.Faults().Add(fault.Fault{Match: "* /parts/" + supplier, Kind: fault.Delay, DelayMS: 60_000, Times: -1}); err != nil {
			t.Fatal(err)
		}
	}
	var list bom.List
	c := w.Sim.Parts().Catalogue()
	for i := range c.Parts {
		if p := &c.Parts[i]; !p.IsSoldBy(parts.Library) && p.Stock(parts.Arrow) > 1000 && len(list.Lines) < 5 {
			list.Lines = append(list.Lines, bom.Line{Refs: []string{fmt.Sprint("U", i)}, Quantity: 1, MPN: p.MPN})
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	for _, p := range s.Complete(ctx, request(t, 10, list)).Parts {
		if p.Source != "aggregator" || p.Bought < 10 {
			t.Errorf("part %+v, want 10 of the aggregator's at least", p)
		}
	}
}

func TestUsesArePriced(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	s, r := sourcer(t, w), rates(t)
	list, err := bom.Read("bom.csv", []byte("Designator,Value,Footprint,MPN\n\"R1,R2\",10k,R_0603_1608Metric,\nU1,,QFN-56-1EP_7x7mm,RP2040\nJ1,,DIP-8_W7.62mm,X1\nR9,1k,0603,\n"))
	if err != nil {
		t.Fatal(err)
	}
	var places placement.List
	for _, ref := range []string{"R1", "R2", "U1", "J1", "R9"} {
		places.Parts = append(places.Parts, placement.Part{Ref: ref, Side: placement.Top})
	}
	plan := assembly.Match(list, []placement.List{places}, assembly.Choices{CustomerSupplied: []string{"J1"}, DoNotFit: []string{"R9"}})
	lines, at := sourcing.Lines(plan.Lines, 10, &r, nil)
	report := s.Fab(t.Context(), sourcing.Request{Boards: 10, Lines: lines})
	uses := sourcing.Uses(plan.Lines, report.Parts, at, nil)
	if len(lines) != 3 || report.Parts[2].Bought > 0 || len(uses) != 3 || uses[0].Top != 2 || !uses[0].Basic || uses[0].Joints != 2 || uses[1].Joints < 56 || !uses[1].BottomTerminated || !uses[2].ThroughHole || uses[2].Joints != 8 {
		t.Errorf("%d lines, uses %+v, want three: 2 on top and basic of 2 joints; 56 joints at least, with pads below; through holes of 8 joints", len(lines), uses)
	}
	if p := r.Assemble(assemblyprice.Job{Boards: 10, Uses: uses}); p.Cents <= 0 || len(p.Lines) < 5 {
		t.Errorf("assembly of 10 boards costs %+v, want a price of five lines at least", p)
	}
}

// supplierCall is how long a supplier takes to answer a call, where that counts.
const supplierCall = 300 * time.Millisecond

// delay lets every supplier's call take so long.
func delay(t testing.TB, w *supplierstest.World, each time.Duration) {
	t.Helper()
	for _, match := range []string{"* /parts", "POST /fab/overseas/openapi/component"} {
		if err := w.Sim.Faults().Add(fault.Fault{Match: match, Kind: fault.Delay, DelayMS: int(each.Milliseconds()), Times: -1}); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkFabPhase is a check of 300 lines against a fabricator that takes 300 ms
// a call, of parts that nobody asked for before; BenchmarkWarm is of parts that
// somebody did. A check that asked nobody, or one call after another, fails.
func BenchmarkFabPhase(b *testing.B) {
	w := supplierstest.Start(b, supplierstest.Options{Index: true})
	fabPhase(b, w, func() *sourcing.Sourcer { return sourcer(b, w) })
}

// BenchmarkFabPhaseShared is BenchmarkFabPhase of a replica, which claims each part
// at a broker.
func BenchmarkFabPhaseShared(b *testing.B) {
	w := supplierstest.Start(b, supplierstest.Options{Index: true})
	fabPhase(b, w, func() *sourcing.Sourcer { return connectReplica(b, w, bustest.Start(b)) })
}

func fabPhase(b *testing.B, w *supplierstest.World, cold func() *sourcing.Sourcer) {
	r := request(b, 10, listParts(w.Sim.Parts().Catalogue(), 0, 300))
	delay(b, w, supplierCall)
	b.ReportAllocs()
	held := 0.0
	for b.Loop() {
		b.StopTimer()
		s := cold()
		b.StartTimer()
		before := heap()
		begun := time.Now()
		report := s.Fab(b.Context(), r)
		took := time.Since(begun)
		held = max(held, heap()-before)
		runtime.KeepAlive(s)
		switch {
		case held > maxHeld:
			b.Fatalf("holds %.1f MB, want %d at most", held, int(maxHeld))
		case len(report.Parts) != 300 || report.Summary.Lines[verdict.OK] == 0:
			b.Fatalf("%d parts, summary %+v; want 300 parts, some of them OK", len(report.Parts), report.Summary)
		case took < supplierCall:
			b.Fatalf("300 lines in %v: nobody was asked", took)
		case took > maxFabPhase:
			b.Fatalf("300 lines in %v, want %v at most", took, maxFabPhase)
		}
	}
	b.ReportMetric(held, "MB-held")
}

const (
	maxFabPhase = 2 * time.Second
	maxHeld     = 20                    // MB
	maxWarm     = 50 * time.Millisecond // of a list that was looked up before
)

// heap is what is in use, in MB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

func BenchmarkWarm(b *testing.B) {
	w := supplierstest.Start(b, supplierstest.Options{Index: true})
	warm(b, w, sourcer(b, w))
}

// BenchmarkWarmShared is BenchmarkWarm of answers that a broker keeps.
func BenchmarkWarmShared(b *testing.B) {
	w := supplierstest.Start(b, supplierstest.Options{Index: true})
	warm(b, w, connectReplica(b, w, bustest.Start(b)))
}

func warm(b *testing.B, w *supplierstest.World, s *sourcing.Sourcer) {
	r := request(b, 10, listParts(w.Sim.Parts().Catalogue(), 0, 300))
	s.Fab(b.Context(), r)
	b.ReportAllocs()
	for b.Loop() {
		begun := time.Now()
		s.Fab(b.Context(), r)
		if took := time.Since(begun); took > maxWarm {
			b.Fatalf("300 lines in %v, want %v at most", took, maxWarm)
		}
	}
}

// TestNearNumbers: a number that nobody has is answered with one that is nearly it, which
// is offered and never bought; one that is far is not.
func TestNearNumbers(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	s := sourcer(t, w)
	r := request(t, 2, bom.List{Lines: []bom.Line{
		{Refs: []string{"U1"}, Quantity: 1, MPN: "LM358D"}, {Refs: []string{"U2"}, Quantity: 1, MPN: "STM32F103C8"}, {Refs: []string{"U3"}, Quantity: 1, MPN: "STM32F103C8T6TR"},
		{Refs: []string{"U4"}, Quantity: 1, MPN: "STM32F130C8T6"}, {Refs: []string{"U5"}, Quantity: 1, MPN: "no-such-part-1"},
	}})
	parts := s.Complete(t.Context(), r).Parts
	for i, want := range []string{"LM358DR", "STM32F103C8T6", "STM32F103C8T6", "STM32F103C8T6", ""} {
		p, got := parts[i], ""
		if p.Similar != nil {
			got = p.Similar.MPN
		}
		if p.Bought > 0 || p.Verdict != verdict.Problem || got != want {
			t.Errorf("%s: %s, offered %q, want %q", r.Lines[i].Name, p.Verdict, got, want)
		}
	}
}

// TestNamesOfALine: whichever of its names is dead, a part is found by another, and names
// of different parts are no purchase.
func TestNamesOfALine(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	s := sourcer(t, w)
	catalogue := w.Sim.Parts().Catalogue()
	code := catalogue.Code(catalogue.Find("LM358DR"))
	for name, tt := range map[string]struct {
		line bom.Line
		want string
	}{
		"a dead code beside a number":      {bom.Line{MPN: "STM32F103C8T6", FabCode: "C999999999"}, "ok STM32F103C8T6"},
		"a dead code beside a value":       {bom.Line{Value: "STM32F103C8T6", FabCode: "C999999999"}, "check STM32F103C8T6"},
		"a dead code beside words":         {bom.Line{Value: "Connector", FabCode: "C999999999"}, "problem "},
		"a dead code beside a resistance":  {bom.Line{Refs: []string{"R1"}, Value: "10k", Footprint: "R_0603_1608Metric", FabCode: "C999999999"}, "problem "},
		"a code beside another number":     {bom.Line{MPN: "STM32F103C8T6", FabCode: code}, "problem "},
		"a code beside a number of nobody": {bom.Line{MPN: "NOSUCHPART", FabCode: code}, "problem "},
		"a code beside its number":         {bom.Line{MPN: "LM358DR", FabCode: code}, "ok LM358DR"},
		"a distributor's code of another":  {bom.Line{MPN: "STM32F103C8T6", Codes: part.Codes{{Scheme: part.Mouser, Number: "999-BMP280"}}}, "problem "},
		"a distributor's dead code":        {bom.Line{MPN: "STM32F103C8T6", Codes: part.Codes{{Scheme: part.Mouser, Number: "511-NOSUCHTHING"}}}, "ok STM32F103C8T6"},
	} {
		if tt.line.Refs == nil {
			tt.line.Refs = []string{"U1"}
		}
		tt.line.Quantity = 1
		p := s.Complete(t.Context(), request(t, 2, bom.List{Lines: []bom.Line{tt.line}})).Parts[0]
		if got := string(p.Verdict) + " " + p.MPN; got != tt.want {
			t.Errorf("%s: %s (%s), want %s", name, got, p.Why, tt.want)
		}
	}
}
