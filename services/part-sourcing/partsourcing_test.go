package partsourcing

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/run"
	"boardorder/services/part-sourcing/internal/distributor"
	"boardorder/services/part-sourcing/internal/supplierstest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
)

// A shop is the service over a real broker and the simulator of its suppliers.
type shop struct {
	t       *testing.T
	sim     *simulator.Simulator
	connect func() *bus.Bus // as another replica has
	bus     *bus.Bus
	blobs   blob.Store
	clock   atomic.Int64 // offset from the real time, in ns
}

func (s *shop) currentTime() time.Time { return time.Now().Add(time.Duration(s.clock.Load())) }

func openShop(t *testing.T) *shop {
	t.Helper()
	broker := bustest.Server(t, topology.Config{})
	s := &shop{t: t, sim: supplierstest.Start(t, supplierstest.Options{}).Sim, connect: func() *bus.Bus { return bustest.Connect(t, broker) }}
	s.bus = s.connect()
	store, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	s.blobs = store
	return s
}

// replica starts one replica of the service.
func (s *shop) replica() {
	s.t.Helper()
	service := s.service()
	bustest.Go(s.t, func(ctx context.Context) error { return service.serve(ctx, s.bus) })
}

// service makes one replica that takes no commands by itself.
func (s *shop) service() *Service {
	s.t.Helper()
	base := s.sim.PartsURL()
	cfg := Config{
		Parallel: 8, ReadTimeout: time.Minute, BoardTimeout: time.Minute, FabTimeout: time.Minute, Timeout: time.Minute, IndexEvery: time.Hour, IndexWait: time.Minute,
		Fabricators: open.Rows{{Name: "fabricator", Interface: "openfab", Country: "CN", OpenFab: open.OpenFab{
			URL: s.sim.FabricatorURL(), AppID: fabricator.AppID, AccessKey: fabricator.AccessKey, SecretKey: fabricator.SecretKey, PerSecond: 1000,
		}}},
		Distributors: distributor.Rows{
			{Name: "distributor_a", Interface: "digikey", URL: base + "/digikey", ClientID: parts.ClientID, ClientSecret: parts.ClientSecret, PerMinute: 100, PerDay: 1000, Keep: 12 * time.Hour},
			{Name: "distributor_b", Interface: "mouser", URL: base + "/mouser", APIKey: parts.APIKey, PerMinute: 30, PerDay: 1000, Keep: 12 * time.Hour},
		},
		Search: Search{
			URL: base + "/nexar", IdentityURL: base + "/nexar", ClientID: parts.ClientID, ClientSecret: parts.ClientSecret, Similar: true, Lifecycle: true, Keep: 12 * time.Hour,
		},
	}
	d := run.Deps{Bus: s.connect(), Log: zap.NewNop(), Now: s.currentTime}
	p, err := cfg.build(s.t.Context(), d)
	if err != nil {
		s.t.Fatal(err)
	}
	made, err := cfg.newAssembler(d.Bus, s.blobs, workers, p.sourcer, d.Now)
	if err != nil {
		s.t.Fatal(err)
	}
	if p.service, err = New(cfg, d.Bus, suppliers(p.sourcer), made, workers, d.Log, d.Now); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(p.sourcer.Engine.Close)
	if err := p.library.refresh(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	return p.service
}

// send asks for a check; request tells requests apart.
func (s *shop) send(request string, data partchecks.CheckData) (id string) {
	s.t.Helper()
	c, data := s.command(request, data)
	if err := s.bus.Send(s.t.Context(), c); err != nil {
		s.t.Fatal(err)
	}
	return data.Check
}

func (s *shop) command(request string, data partchecks.CheckData) (contract.Command, partchecks.CheckData) {
	s.t.Helper()
	id, err := partchecks.ID("acc_1", data)
	if err != nil {
		s.t.Fatal(err)
	}
	data.Check = id
	c, err := contract.NewCommand(partchecks.Check, "", "acc_1", s.currentTime(), data)
	if err != nil {
		s.t.Fatal(err)
	}
	c.ID = contract.DeriveID(s.t.Name(), request)
	return c, data
}

// awaitCheck waits for a state of a check.
func (s *shop) awaitCheck(id, what string, ok func(partchecks.PartCheck) bool) (check partchecks.PartCheck) {
	s.t.Helper()
	bustest.WaitFor(s.t, what, func() bool {
		now, err := aggregate.At[partchecks.PartCheck](s.bus, contract.PartCheckAggregate, id).Load(s.t.Context())
		if err != nil {
			s.t.Fatal(err)
		}
		check = now.State
		return now.Exists() && ok(check)
	})
	return check
}

func hasEnded(c partchecks.PartCheck) bool { return c.Status != partchecks.Running }

func attempt(n int) func(partchecks.PartCheck) bool {
	return func(c partchecks.PartCheck) bool { return c.Attempt == n && hasEnded(c) }
}

// calls is how often suppliers were called.
func (s *shop) calls() int {
	n := s.sim.Parts().Calls(parts.DigiKey) + s.sim.Parts().Calls(parts.Mouser)
	for _, times := range s.sim.Fabricator().Lookups() {
		n += times
	}
	for _, times := range s.sim.Parts().Lookups("nexar") {
		n += times
	}
	return n
}

const aList = "Designator,Value,Footprint,MPN\n\"R1,R2\",10k,R_0603_1608Metric,\nU1,,SOIC-8,LM358DR\nU2,,,no-such-part-1\nJ1,Connector,,\nFID1,Fiducial,Fiducial_1mm,\n"

// TestCheck: a bill of materials is read, looked up and judged; asked again
// within ten minutes nobody does anything, after that what is known of its parts
// is used again, by every replica, until twelve hours have passed.
func TestCheck(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.replica()
	s.replica()
	data := partchecks.CheckData{Boards: 10, BOM: aList}
	id := s.send("1", data)
	check := s.awaitCheck(id, "the check", hasEnded)
	r := check.Report
	if check.Status != partchecks.Ended || r.Phase != partchecks.Complete || r.RetryAfterS != 0 || len(r.Parts) != 5 || len(r.Notes) != 1 {
		t.Fatalf("check %+v, want it ended and complete, with five parts and one note", check)
	}
	for i, want := range []string{"R1,R2 ok fab", "U1 ok", "U2 problem", "J1 problem", "FID1 ok"} {
		p := r.Parts[i]
		if off := p.Reference == "FID1"; p.LeftOff != off || off && (p.Bought > 0 || p.Why == "") {
			t.Errorf("part %+v, want FID1 alone left off, with the reason", p)
		}
		if got := strings.TrimSpace(p.Reference + " " + p.Verdict + " " + p.Source); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s: %+v", got, want, p)
		}
	}
	if p := r.Parts[0]; p.QuantityPerBoard != 2 || p.Bought < 20 || p.CostUSD == "" || p.Stock == nil || *p.Stock < p.Bought {
		t.Errorf("part %+v, want two a board, 20 at least bought, a price and the stock", p)
	}
	if r.Summary.Complete || r.Summary.PartsCents <= 0 || r.Summary.Lines["ok"] != 3 || r.Summary.Lines["problem"] != 2 {
		t.Errorf("summary %+v, want it not complete, a price, three ok and two problems", r.Summary)
	}
	before := s.calls()
	s.send("2", data)
	other := s.send("3", partchecks.CheckData{Boards: 11, BOM: aList})
	s.awaitCheck(other, "the other check", hasEnded)
	s.clock.Add(int64(partchecks.Fresh))
	s.send("4", data)
	s.awaitCheck(id, "the second attempt", attempt(2))
	if n := s.calls() - before; n != 0 {
		t.Errorf("suppliers were called %d times about parts that they were asked about a moment ago, want not at all", n)
	}
	s.clock.Add(int64(contract.PartAnswerRetention))
	s.send("5", data)
	s.awaitCheck(id, "the third attempt", attempt(3))
	if s.calls() == before {
		t.Errorf("suppliers were called %d times, as often as twelve hours before", before)
	}
}

// TestParts: lines come back under the client's own references, in its own
// quantities.
func TestParts(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.replica()
	check := s.awaitCheck(s.send("1", partchecks.CheckData{Boards: 3, Parts: []partchecks.Line{
		{Reference: "the sensor", MPN: "LM358DR", Quantity: 4}, {Reference: "R1-R4", Value: "10k", Footprint: "0603"}, {Value: "1u", Footprint: "0402", Description: "capacitor", Quantity: 2},
	}}), "the check", hasEnded)
	var got []string
	for _, p := range check.Report.Parts {
		got = append(got, fmt.Sprint(p.Reference, "/", p.QuantityPerBoard))
		if p.Verdict == "ok" && p.Bought < 3*p.QuantityPerBoard {
			t.Errorf("part %+v, want it bought for three boards at least", p)
		}
	}
	if want := "[the sensor/4 R1-R4/4 /2]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestReferencesTwice: two parts at one place are not both bought for a file; lines of a
// request come back as they were sent.
func TestReferencesTwice(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.replica()
	for _, tt := range []struct {
		data partchecks.CheckData
		want []string
		note string
	}{
		{
			partchecks.CheckData{Boards: 3, BOM: "Designator,MPN\n\"U1,U2\",LM358DR\nU2,LM324DR\nU3,LM358DR\nU3,LM358DR\n"},
			// Three boards take six of them; one more is lost in feeding.
			[]string{"U1 LM358DR ok 3 0", "U2 LM358DR / LM324DR check 0 0", "U3 LM358DR ok 4 0"}, "counted once: U2, U3.",
		},
		{
			partchecks.CheckData{Boards: 3, Parts: []partchecks.Line{
				{Reference: "U1,U2", MPN: "LM358DR"}, {MPN: "LM324DR"}, {Reference: "U3", MPN: "LM358DR"}, {Reference: "U3", MPN: "LM358DR"}, {MPN: "LM324DR"}, {Reference: "TP1", Value: "test point"},
			}},
			[]string{"U1,U2 LM358DR ok 6 1", " LM324DR ok 3 2", "U3 LM358DR ok 3 3", "U3 LM358DR ok 4 4", " LM324DR ok 4 5", "TP1 test point problem 0 6"}, "",
		},
	} {
		check := s.awaitCheck(s.send(tt.note, tt.data), "the check", hasEnded)
		var got []string
		for _, p := range check.Report.Parts {
			got = append(got, fmt.Sprint(p.Reference, " ", p.Part, " ", p.Verdict, " ", p.Bought, " ", p.Line))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("parts (-want +got)\n%s", d)
		}
		if n := strings.Join(check.Report.Notes, " "); !strings.Contains(n, tt.note) || strings.Contains(n, "line 0") {
			t.Errorf("notes %s, want %q and no line 0", n, tt.note)
		}
	}
}

// TestPhases: what the fabricator has is known while a distributor is slow. What
// nobody answered in time is still checked, and a later check has it.
func TestPhases(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.replica()
	slow := fault.Fault{Match: "* /parts/", Kind: fault.Delay, DelayMS: 2000, Times: -1}
	if err := s.sim.Faults().Add(slow); err != nil {
		t.Fatal(err)
	}
	id := s.send("1", partchecks.CheckData{Boards: 3, Parts: []partchecks.Line{
		{Reference: "R1", Value: "10k", Footprint: "0603"}, {Reference: "U1", MPN: "no-such-part-1"},
	}})
	fab := s.awaitCheck(id, "the fabricator's answer", func(c partchecks.PartCheck) bool { return c.Report != nil })
	if fab.Status != partchecks.Running || fab.Report.Phase != partchecks.AtFab || fab.Report.Parts[0].Verdict != "ok" || fab.Report.Parts[1].Verdict != "checking" || fab.Report.RetryAfterS == 0 {
		t.Errorf("the fabricator's answer is %s, %+v; want it running, the first part ok, the second looked for", fab.Status, fab.Report)
	}
	all := s.awaitCheck(id, "the whole", hasEnded)
	if all.Report.Phase != partchecks.Complete || all.Report.Parts[1].Verdict != "problem" {
		t.Errorf("the whole is %+v, want it complete, the second part a problem", all.Report)
	}
}

// TestRefusals: texts that are no list, and lists that are too long.
func TestRefusals(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.replica()
	for text, want := range map[string]string{
		"hello":                     "malformed",
		"\x00\x01\x02PK\x03\x04zip": "malformed",
		"Designator,MPN\n":          "malformed",
		"Designator,MPN\n" + strings.Repeat("U1,LM358DR\n", 301): "too_long",
	} {
		check := s.awaitCheck(s.send(text, partchecks.CheckData{Boards: 1, BOM: text}), "a refusal", hasEnded)
		if r := check.Refusal; check.Status != partchecks.Refused || r == nil || len(r.Fields) != 1 || r.Fields[0].Problem != want || !check.Usable(s.currentTime()) {
			t.Errorf("list %.20q: %+v, want it refused as %s", text, check, want)
		}
	}
}

// TestOneAtATime: while a command checks a list another does nothing, unless it
// takes too long. One that is delivered again goes on where it was.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	service := s.service()
	list := partchecks.CheckData{Boards: 2, Parts: []partchecks.Line{{Reference: "R1", Value: "10k", Footprint: "0603"}}}
	first, data := s.command("first", list)
	second, _ := s.command("second", list)
	third, _ := s.command("third", list)
	if _, err := service.begin(t.Context(), first, data); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		command contract.Command
		after   time.Duration
		status  partchecks.Status
		attempt int
	}{
		{"another", second, 0, partchecks.Running, 1},
		{"the first again", first, 0, partchecks.Ended, 1},
		{"the first, when it is done", first, 0, partchecks.Ended, 1},
		{"another, when it is done", second, 0, partchecks.Ended, 1},
		{"another, later", third, partchecks.Fresh, partchecks.Ended, 2},
		{"the first, much too late", first, 0, partchecks.Ended, 2},
	} {
		s.clock.Add(int64(tt.after))
		if err := service.check(t.Context(), tt.command); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		s.awaitCheck(data.Check, tt.name, func(c partchecks.PartCheck) bool {
			if c.Status != tt.status || c.Attempt != tt.attempt {
				t.Errorf("%s: %s, attempt %d; want %s, %d", tt.name, c.Status, c.Attempt, tt.status, tt.attempt)
			}
			return true
		})
	}
	list.Boards = 3
	stuck, data := s.command("stuck", list)
	if _, err := service.begin(t.Context(), stuck, data); err != nil {
		t.Fatal(err)
	}
	s.clock.Add(int64(partchecks.GivenUp))
	other, _ := s.command("other", list)
	for _, c := range []contract.Command{other, stuck} {
		if err := service.check(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	s.awaitCheck(data.Check, "what took too long", func(c partchecks.PartCheck) bool { return c.Attempt == 2 && c.Command == other.ID && hasEnded(c) })
}
