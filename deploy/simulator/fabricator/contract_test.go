package fabricator_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	sim "boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/fault"
	"boardorder/pkg/clocktest"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/openfab"
)

// A bench is the real adapter talking to the stand-in over HTTP.
type bench struct {
	sim    *sim.Server
	dir    string
	url    string
	faults *fault.Registry
	fab    *openfab.Client
	clock  *clocktest.Clock
	calls  *counter
}

// A counter counts the calls by their last path element.
type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counter) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.n[r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]]++
		c.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

func (c *counter) count(name string) int { c.mu.Lock(); defer c.mu.Unlock(); return c.n[name] }

const pace = 2 * time.Second

func setup(t *testing.T, change ...func(*openfab.Config)) *bench {
	t.Helper()
	b := &bench{
		dir: t.TempDir(), faults: &fault.Registry{}, calls: &counter{n: map[string]int{}},
		clock: clocktest.New(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)),
	}
	b.sim = b.open(t)
	mux := http.NewServeMux()
	mux.Handle("/fab/", b.calls.wrap(b.faults.Wrap(http.StripPrefix("/fab", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.sim.ServeHTTP(w, r) })))))
	ts := httptest.NewServer(mux)
	t.Cleanup(ts.Close)
	b.url = ts.URL + "/fab"
	cfg := openfab.Config{
		URL: b.url, AppID: sim.AppID, AccessKey: sim.AccessKey, SecretKey: sim.SecretKey,
		PerSecond: 10_000, TripAfter: 1000, Now: b.clock.Now,
	}
	for _, f := range change {
		f(&cfg)
	}
	var err error
	if b.fab, err = openfab.New(cfg); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) open(t *testing.T) *sim.Server {
	t.Helper()
	s, err := sim.New(sim.Config{Dir: b.dir, Pace: pace, Faults: b.faults, Now: b.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func (b *bench) upload(t *testing.T) string {
	t.Helper()
	key, err := b.fab.Upload(t.Context(), "board.zip", bytes.NewReader(boardZip(t)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func boardZip(t *testing.T) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range []string{"board-F_Cu.gbr", "board-B_Cu.gbr", "board-Edge_Cuts.gbr", "board.drl", "README.md"} {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func spec(key string) fabricator.Spec {
	return fabricator.Spec{
		Layers: 2, Quantity: 5, Width: 50e6, Height: 40e6, Thickness: 1.6e6, OuterCopper: 1, Material: "FR-4",
		Finish: "hasl_lead_free", Mask: "Green", ViaProcess: "tented", FileKey: key,
		To: fabricator.Destination{Country: "US", PostalCode: "94103", City: "San Francisco"},
	}
}

func order(key, reference string) fabricator.PlaceRequest {
	return fabricator.PlaceRequest{
		Reference: reference, Spec: spec(key), Shipping: "DHL Express",
		ShipTo: fabricator.Address{
			Name: "Ada King Lovelace", Line1: "1 Market St", City: "San Francisco", State: "CA", PostalCode: "94103", Country: "US", Phone: "+1 415 555 0100",
		},
	}
}

func kind(t *testing.T, what string, err error, want fabricator.Kind) {
	t.Helper()
	if err == nil || fabricator.KindOf(err) != want {
		t.Errorf("%s: error %v, want kind %s", what, err, want)
	}
}

func TestPrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p, err := b.fab.Price(t.Context(), spec(b.upload(t)))
	if err != nil {
		t.Fatal(err)
	}
	want := fabricator.Price{
		Currency: "USD",
		Lines: []fabricator.Line{
			{Code: "engineering", Label: "Engineering", Cents: 400}, {Code: "board", Label: "Boards", Cents: 295}, {Code: "surface_finish", Label: "Surface finish", Cents: 124},
		},
		Builds: []fabricator.Build{{Hours: 48, Name: "2 days", Chosen: true}, {Hours: 24, Name: "24 hours", Cents: 1500}},
		Shipping: []fabricator.Shipping{
			{ID: "Global Standard Direct Line", Carrier: "Global Standard Direct Line", Service: "Global Standard Direct Line", Cents: 1070, DaysMin: 8, DaysMax: 12},
			{ID: "UPS EXPRESS", Carrier: "UPS", Service: "UPS Worldwide Express Saver", Cents: 2118, DaysMin: 3, DaysMax: 6},
			{ID: "DHL Express", Carrier: "DHL", Service: "DHL Express Worldwide", Cents: 2290, DaysMin: 2, DaysMax: 4},
			{ID: "FedEx International Priority", Carrier: "FedEx", Service: "FedEx International Priority", Cents: 2251, DaysMin: 3, DaysMax: 5},
		},
		Weight: 113, PricedAt: b.clock.Now(), ValidUntil: b.clock.Now().Add(time.Minute), Source: "openfab",
	}
	want.Shipping[2], want.Shipping[3] = want.Shipping[3], want.Shipping[2]
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("price (-want +got):\n%s", diff)
	}
}

func TestPriceNeedsNoFilesButAnOrderDoes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := b.fab.Price(t.Context(), spec("")); err != nil {
		t.Error(err)
	}
	_, err := b.fab.Place(t.Context(), order("", "BO-20"))
	kind(t, "an order without files", err, fabricator.Files)
}

func TestExpressBuildIsALine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := spec(b.upload(t))
	s.BuildHours = 24
	p, err := b.fab.Price(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Build(); got.Hours != 24 || got.Cents != 1500 {
		t.Errorf("chosen build = %+v, want 24 h for 1500", got)
	}
	s.BuildHours = 0
	std, err := b.fab.Price(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if p.Boards()-std.Boards() != 1500 {
		t.Errorf("24 h costs %d, the standard build %d; want 1500 between them", p.Boards(), std.Boards())
	}
	s.BuildHours = 7
	_, err = b.fab.Price(t.Context(), s)
	kind(t, "a build time that is not offered", err, fabricator.Refused)
}

// The standard build is found whatever its hours are, by asking a few times,
// and then remembered.
func TestStandardBuildIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := spec(b.upload(t))
	s.Layers, s.InnerCopper, s.Quantity, s.Width, s.Height = 8, 0.5, 100, 150e6, 150e6
	s.Finish = "enig"
	p, err := b.fab.Price(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Build(); got.Hours != 192 || got.Cents != 0 {
		t.Errorf("standard build %+v, want 192 h without a surcharge", got)
	}
	before := b.calls.count("calculate")
	s.Quantity = 105
	if _, err := b.fab.Price(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if n := b.calls.count("calculate") - before; n != 1 {
		t.Errorf("the second price took %d calls, want 1", n)
	}
}

func TestPriceIsCachedForItsLifeOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := spec(b.upload(t))
	ask := func() fabricator.Price {
		t.Helper()
		p, err := b.fab.Price(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := ask()
	first.Lines[0].Cents = 1 // a caller's copy is its own
	b.clock.Pass(59 * time.Second)
	second := ask()
	if n := b.calls.count("calculate"); n != 1 || second.Lines[0].Cents == 1 {
		t.Errorf("%d calls and a first line of %d cents within the price's life, want 1 call and the price untouched", n, second.Lines[0].Cents)
	}
	b.clock.Pass(time.Second)
	third := ask()
	if n := b.calls.count("calculate"); n != 2 || !third.PricedAt.After(second.PricedAt) {
		t.Errorf("%d calls after the price's life, want 2", n)
	}
	s.To.PostalCode = "10001"
	ask()
	if n := b.calls.count("calculate"); n != 3 {
		t.Errorf("%d calls after another destination, want 3", n)
	}
}

func TestEqualPricesAreAskedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := spec(b.upload(t))
	if err := b.faults.Add(fault.Fault{Match: "POST /fab/overseas/openapi/pcb/calculate", Kind: fault.Delay, DelayMS: 200}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := b.fab.Price(t.Context(), s); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := b.calls.count("calculate"); n != 1 {
		t.Errorf("20 equal prices took %d calls, want 1", n)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.upload(t)
	tests := []struct {
		name   string
		change func(*fabricator.Spec)
		kind   fabricator.Kind
		field  string
	}{
		{"unknown files", func(s *fabricator.Spec) { s.FileKey = "nothing" }, fabricator.Files, ""},
		{"thin without ENIG", func(s *fabricator.Spec) { s.Thickness = 0.4e6 }, fabricator.Refused, "surface_finish"},
		{"thickness", func(s *fabricator.Spec) { s.Thickness = 1.7e6 }, fabricator.Refused, "thickness_mm"},
		{"odd layers", func(s *fabricator.Spec) { s.Layers = 5; s.InnerCopper = 0.5 }, fabricator.Refused, "layers"},
		{"too few", func(s *fabricator.Spec) { s.Quantity = 3 }, fabricator.Refused, "quantity"},
		{"too large", func(s *fabricator.Spec) { s.Width = 700e6 }, fabricator.Review, ""},
		{"many layers", func(s *fabricator.Spec) { s.Layers, s.InnerCopper, s.Thickness, s.Finish = 24, 0.5, 2.5e6, "enig" }, fabricator.Review, ""},
		{"no word on the wire", func(s *fabricator.Spec) { s.Finish = "immersion_silver" }, fabricator.Review, ""},
		{"aluminum with ENIG", func(s *fabricator.Spec) { s.Material, s.Layers, s.Finish = "Aluminum", 1, "enig" }, fabricator.Refused, "surface_finish"},
		{"castellated on one layer", func(s *fabricator.Spec) { s.Layers = 1; s.Options = map[string]any{"castellated_sides": 2.0} }, fabricator.Refused, "fab_options.castellated_sides"},
		{"small vias on two layers", func(s *fabricator.Spec) { s.Options = map[string]any{"min_via": "0.2/0.4"} }, fabricator.Refused, "fab_options.min_via"},
		{"blind slots", func(s *fabricator.Spec) {
			s.Options = map[string]any{"blind_slots": []any{map[string]any{"side": "top"}}}
		}, fabricator.Review, ""},
		{"embargo", func(s *fabricator.Spec) { s.To.Country = "KP" }, fabricator.Shipment, "shipping"},
		{"no country", func(s *fabricator.Spec) { s.To.Country = "??" }, fabricator.Shipment, "ship_to.country"},
		{"impedance on two layers", func(s *fabricator.Spec) { s.Impedance = true }, fabricator.Refused, "impedance_controlled"},
		{"a stackup of another layer count", func(s *fabricator.Spec) { s.Layers, s.InnerCopper, s.Stackup = 4, 0.5, "SIM0616-7628" }, fabricator.Refused, "fab_stackup"},
	}
	for _, tt := range tests {
		s := spec(key)
		tt.change(&s)
		_, err := b.fab.Price(t.Context(), s)
		kind(t, tt.name, err, tt.kind)
		var field string
		if e, ok := err.(*fabricator.Error); ok && len(e.Fields) == 1 {
			field = e.Fields[0].Field
		}
		if field != tt.field {
			t.Errorf("%s: field %q, want %q (%v)", tt.name, field, tt.field, err)
		}
	}
}

// Whatever goes wrong with a price, it is no price.
func TestNoFaultMakesAPrice(t *testing.T) {
	t.Parallel()
	const calculate = "POST /fab/overseas/openapi/pcb/calculate"
	for _, f := range []fault.Fault{
		{Kind: fault.Drop}, {Kind: fault.LoseReply}, {Kind: fault.ErrorBefore}, {Kind: fault.ErrorBefore, Status: 429}, {Kind: fault.ErrorAfter},
		{Kind: fault.Garbage}, {Kind: fault.Delay, DelayMS: 4000}, {Kind: fault.DelayAfter, DelayMS: 4000},
		{Kind: sim.FaultNegative}, {Kind: sim.FaultZero}, {Kind: sim.FaultSum}, {Kind: sim.FaultCurrency}, {Kind: sim.FaultNoWeight},
		{Kind: sim.FaultServer}, {Kind: sim.FaultBusy}, {Kind: sim.FaultHuge}, {Kind: sim.FaultTorn}, {Kind: sim.FaultNoShips},
	} {
		t.Run(fmt.Sprintf("%s %d", f.Kind, f.Status), func(t *testing.T) {
			t.Parallel()
			b := setup(t, func(c *openfab.Config) { c.Timeout = 2 * time.Second })
			s := spec(b.upload(t))
			f.Match, f.Times = calculate, -1
			if err := b.faults.Add(f); err != nil {
				t.Fatal(err)
			}
			p, err := b.fab.Price(t.Context(), s)
			kind(t, fmt.Sprintf("price %+v", p), err, fabricator.Unavailable)
			b.faults.Clear()
			if _, err := b.fab.Price(t.Context(), s); err != nil {
				t.Errorf("a failure was remembered: %v", err)
			}
		})
	}
}

func TestWrongSecretIsOurFault(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *openfab.Config) { c.SecretKey = "another" })
	_, err := b.fab.Upload(t.Context(), "board.zip", bytes.NewReader(boardZip(t)))
	kind(t, "wrong secret", err, fabricator.Internal)
}

func TestUploadRefusesWhatIsNoArchive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, content := range []string{"", "G04 a Gerber file, not zipped*"} {
		_, err := b.fab.Upload(t.Context(), "board.gbr", strings.NewReader(content))
		kind(t, fmt.Sprintf("upload of %q", content), err, fabricator.Files)
	}
}

// The way of an order: not found, placed once, found, followed to its parcel,
// and still there after the stand-in has died.
func TestOrderComesAlong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	_, err := b.fab.FindOrder(ctx, "BO-1")
	kind(t, "an order that nobody placed", err, fabricator.NotFound)
	placed, err := b.fab.Place(ctx, order(b.upload(t), "BO-1"))
	if err != nil {
		t.Fatal(err)
	}
	want := []fabricator.Status{"in_review", "in_review", "confirmed", "in_production", "in_production", "shipped"}
	at := []time.Duration{0, pace - 1, pace, 2 * pace, 3*pace + pace/4, 10 * pace}
	start := b.clock.Now()
	for i, d := range at {
		b.clock.Pass(start.Add(d).Sub(b.clock.Now()))
		if i == 3 {
			b.sim.Close()
			b.sim = b.open(t)
		}
		p, err := b.fab.Progress(ctx, placed)
		if err != nil {
			t.Fatal(err)
		}
		if p.Status != want[i] {
			t.Errorf("after %v: %s, want %s", d, p.Status, want[i])
		}
		switch p.Status {
		case fabricator.InProgress:
			if len(p.Steps) == 0 || p.Steps[0].Name != "Engineering data" || !p.Steps[0].At.Equal(start.Add(2*pace)) {
				t.Errorf("after %v: steps %+v, want them to begin with the engineering data at %v", d, p.Steps, start.Add(2*pace))
			}
		case fabricator.Shipped:
			if p.Tracking == nil || p.Tracking.Carrier != "DHL" || p.Tracking.Number == "" || p.Tracking.URL == "" {
				t.Errorf("shipped with tracking %+v, want DHL, a number and an address", p.Tracking)
			}
		}
		if (p.Tracking != nil) != (p.Status == fabricator.Shipped) {
			t.Errorf("after %v: %s with tracking %+v, want one only when it is shipped", d, p.Status, p.Tracking)
		}
	}
	found, err := b.fab.FindOrder(ctx, "BO-1")
	if err != nil {
		t.Fatal(err)
	}
	if found.Orders != 1 || found.OrderNumber == "" || found.Cents != placed.Cents || found.Cents == 0 || !found.At.Equal(placed.At) {
		t.Errorf("found %+v, want one order as placed %+v", found, placed)
	}
}

// A create whose reply is lost is Unknown, was done exactly once, and is found.
func TestLostCreateIsFoundAgain(t *testing.T) {
	t.Parallel()
	for _, kindOfFault := range []string{fault.LoseReply, fault.ErrorAfter, fault.Garbage, fault.DelayAfter} {
		t.Run(kindOfFault, func(t *testing.T) {
			t.Parallel()
			b := setup(t, func(c *openfab.Config) { c.Timeout = 2 * time.Second })
			key := b.upload(t)
			f := fault.Fault{Match: "POST /fab/overseas/openapi/pcb/create", Kind: kindOfFault}
			if kindOfFault == fault.DelayAfter {
				f.DelayMS = 4000
			}
			if err := b.faults.Add(f); err != nil {
				t.Fatal(err)
			}
			_, err := b.fab.Place(t.Context(), order(key, "BO-7"))
			kind(t, "a create without its reply", err, fabricator.Unknown)
			found, err := b.fab.FindOrder(t.Context(), "BO-7")
			if err != nil || found.Orders != 1 {
				t.Fatalf("found %+v, %v; want one order", found, err)
			}
			if n := b.calls.count("create"); n != 1 {
				t.Errorf("%d creates were sent, want 1", n)
			}
			if n := len(b.sim.Ledger().Orders); n != 1 {
				t.Errorf("the ledger holds %d orders, want 1", n)
			}
		})
	}
}

// A create that was certainly not done says so, so that it may be sent again.
func TestFailedCreateIsNotDone(t *testing.T) {
	t.Parallel()
	tests := []struct {
		fault fault.Fault
		want  fabricator.Kind
	}{
		{fault.Fault{Kind: fault.ErrorBefore, Status: 429}, fabricator.Unavailable},
		{fault.Fault{Kind: sim.FaultBusy}, fabricator.Unavailable},
		{fault.Fault{Kind: fault.ErrorBefore, Status: 403}, fabricator.Internal},
		// These look the same as failures after the work: only asking shows it.
		{fault.Fault{Kind: fault.Drop}, fabricator.Unknown},
		{fault.Fault{Kind: fault.ErrorBefore, Status: 502}, fabricator.Unknown},
		{fault.Fault{Kind: sim.FaultServer}, fabricator.Unknown},
	}
	for _, tt := range tests {
		b := setup(t)
		key := b.upload(t)
		f := tt.fault
		f.Match = "POST /fab/overseas/openapi/pcb/create"
		if err := b.faults.Add(f); err != nil {
			t.Fatal(err)
		}
		_, err := b.fab.Place(t.Context(), order(key, "BO-8"))
		kind(t, fmt.Sprintf("%s %d", f.Kind, f.Status), err, tt.want)
		_, err = b.fab.FindOrder(t.Context(), "BO-8")
		kind(t, "an order that was not made", err, fabricator.NotFound)
	}
}

func TestNobodyThereIsUnavailable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.upload(t)
	if _, err := b.fab.Price(t.Context(), spec(key)); err != nil { // so that Place needs the create only
		t.Fatal(err)
	}
	gone, err := openfab.New(openfab.Config{URL: "http://127.0.0.1:1", AppID: "a", AccessKey: "b", SecretKey: "c"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = gone.Place(t.Context(), order(key, "BO-9"))
	kind(t, "nobody there", err, fabricator.Unavailable)
}

func TestPlaceRefusesAPriceThatMoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := order(b.upload(t), "BO-10")
	p, err := b.fab.Price(t.Context(), r.Spec)
	if err != nil {
		t.Fatal(err)
	}
	ship, _ := p.ShippingByID(r.Shipping)
	r.AgreedCents, r.Currency = p.Boards()+ship.Cents, p.Currency
	b.clock.Pass(time.Hour)
	if err := b.faults.Add(fault.Fault{Kind: sim.FaultDear}); err != nil {
		t.Fatal(err)
	}
	_, err = b.fab.Place(t.Context(), r)
	kind(t, "twice the price", err, fabricator.PriceMoved)
	if n := len(b.sim.Ledger().Orders); n != 0 {
		t.Errorf("the ledger holds %d orders, want none", n)
	}
	b.clock.Pass(time.Hour)
	placed, err := b.fab.Place(t.Context(), r)
	if err != nil || placed.Cents != r.AgreedCents {
		t.Errorf("placed %+v, %v; want %d cents", placed, err, r.AgreedCents)
	}
}

func TestPlaceRefusesBadAddresses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.upload(t)
	tests := []struct {
		change func(*fabricator.PlaceRequest)
		field  string
	}{
		{func(r *fabricator.PlaceRequest) { r.ShipTo.Phone = "" }, "ship_to.phone"},
		{func(r *fabricator.PlaceRequest) { r.ShipTo.PostalCode = "" }, "ship_to.postal_code"},
		{func(r *fabricator.PlaceRequest) { r.ShipTo.Country, r.Spec.To.Country = "BR", "BR" }, "ship_to.tax_id"},
		{func(r *fabricator.PlaceRequest) { r.Shipping = "pigeon" }, "shipping"},
	}
	for _, tt := range tests {
		r := order(key, "BO-11")
		tt.change(&r)
		_, err := b.fab.Place(t.Context(), r)
		kind(t, tt.field, err, fabricator.Shipment)
		if e, ok := err.(*fabricator.Error); ok && e.Fields[0].Field != tt.field {
			t.Errorf("field %q, want %q", e.Fields[0].Field, tt.field)
		}
	}
	r := order(key, "BO 11")
	_, err := b.fab.Place(t.Context(), r)
	kind(t, "a reference with a blank", err, fabricator.Internal)
}

func TestSecondOrderUnderOneReferenceIsSeen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := order(b.upload(t), "BO-12")
	for range 2 {
		if _, err := b.fab.Place(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	found, err := b.fab.FindOrder(t.Context(), "BO-12")
	if err != nil || found.Orders != 2 {
		t.Errorf("found %+v, %v; want it to say that there are two", found, err)
	}
	post(t, b.url+"/orders/"+b.sim.Ledger().Orders[0].ID+"/cancel")
	found, err = b.fab.FindOrder(t.Context(), "BO-12")
	if err != nil || found.Orders != 1 {
		t.Errorf("found %+v, %v; want one after the other was cancelled", found, err)
	}
	p, err := b.fab.Progress(t.Context(), found)
	if err != nil || p.Status != fabricator.InReview {
		t.Errorf("progress %+v, %v; want that of the order that lives", p, err)
	}
	post(t, b.url+"/orders/"+b.sim.Ledger().Orders[1].ID+"/cancel")
	p, err = b.fab.Progress(t.Context(), found)
	if err != nil || p.Status != fabricator.Cancelled || p.Why == "" {
		t.Errorf("progress %+v, %v; want cancelled, and why", p, err)
	}
}

func post(t *testing.T, url string) {
	t.Helper()
	res, err := http.Post(url, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK { // the list, after the redirect
		t.Fatalf("POST %s: %s, want 200", url, res.Status)
	}
}

func TestBreakerLeavesItAlone(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *openfab.Config) { c.TripAfter, c.TripFor = 3, time.Hour })
	key := b.upload(t)
	if err := b.faults.Add(fault.Fault{Match: "POST /fab/", Kind: fault.ErrorBefore, Times: -1}); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		s := spec(key)
		s.Quantity = 5 + i
		_, err := b.fab.Price(t.Context(), s)
		kind(t, "while it is down", err, fabricator.Unavailable)
	}
	if n := b.calls.count("calculate"); n != 3 {
		t.Errorf("%d calls reached it, want 3 before the breaker opened", n)
	}
	// A create that the breaker holds back was certainly not sent.
	_, err := b.fab.Place(t.Context(), order(key, "BO-13"))
	kind(t, "place with an open breaker", err, fabricator.Unavailable)
}

// Refusals are answers: they do not open the breaker.
func TestRefusalsDoNotTrip(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *openfab.Config) { c.TripAfter = 2 })
	key := b.upload(t)
	for range 5 {
		s := spec(key)
		s.Thickness = 1.7e6
		_, err := b.fab.Price(t.Context(), s)
		kind(t, "refused thickness", err, fabricator.Refused)
	}
	if _, err := b.fab.Price(t.Context(), spec(key)); err != nil {
		t.Error(err)
	}
}

func TestCallerWhoLeaves(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *openfab.Config) { c.TripAfter = 1 })
	key := b.upload(t)
	if err := b.faults.Add(fault.Fault{Match: "POST /fab/overseas/openapi/pcb/order/detail", Kind: fault.Delay, DelayMS: 1000}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := b.fab.FindOrder(ctx, "BO-14")
	kind(t, "a caller who leaves", err, fabricator.Unavailable)
	if _, err := b.fab.Price(t.Context(), spec(key)); err != nil {
		t.Errorf("a caller who left opened the breaker: %v", err)
	}
}

func TestStackupsAndAudit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := spec(b.upload(t))
	s.Layers, s.InnerCopper = 4, 0.5
	sts, err := b.fab.Stackups(t.Context(), s)
	if err != nil || len(sts) != 3 || len(sts[0].Layers) != 7 || sts[0].Layers[0].Kind != "copper" {
		t.Fatalf("stackups %+v, %v; want three of seven sheets", sts, err)
	}
	s.Stackup, s.Impedance = sts[1].Code, true
	if _, err := b.fab.Price(t.Context(), s); err != nil {
		t.Error(err)
	}
	_, err = b.fab.Audit(t.Context(), s.FileKey)
	kind(t, "an audit at once", err, fabricator.Unavailable)
	b.clock.Pass(pace)
	a, err := b.fab.Audit(t.Context(), s.FileKey)
	if err != nil || a.Layers != 2 || len(a.Findings["blue"]) != 1 {
		t.Errorf("audit %+v, %v; want two layers and one file that is not used", a, err)
	}
}

func TestPageShowsOrders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := b.fab.Place(t.Context(), order(b.upload(t), "BO-15")); err != nil {
		t.Fatal(err)
	}
	res, err := http.Get(b.url + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"BO-15", "pending review", "DHL Express Worldwide"} {
		if !strings.Contains(body.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
