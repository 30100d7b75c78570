package tariff_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/pkg/fabricator/tariff"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A port is what services use of either adapter; both must fit.
type port interface {
	Upload(ctx context.Context, name string, zip io.Reader) (string, error)
	Price(ctx context.Context, s fabricator.Spec) (fabricator.Price, error)
	Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error)
	FindOrder(ctx context.Context, reference string) (fabricator.Placed, error)
	Progress(ctx context.Context, p fabricator.Placed) (fabricator.Progress, error)
	Stackups(ctx context.Context, s fabricator.Spec) ([]fabricator.Stackup, error)
}

var (
	_ port = (*tariff.Tariff)(nil)
	_ port = (*openfab.Client)(nil)
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func defaultTariff(t testing.TB) *tariff.Tariff {
	t.Helper()
	tf, err := tariff.New(tariff.Config{Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	return tf
}

func spec() fabricator.Spec {
	return fabricator.Spec{
		Layers: 2, Quantity: 10, Width: 100e6, Height: 80e6, Thickness: 1.6e6, OuterCopper: 1, Material: "FR-4",
		Finish: "hasl_lead_free", Mask: "Green", ViaProcess: "tented", To: fabricator.Destination{Country: "US"},
	}
}

func price(t *testing.T, tf *tariff.Tariff, s fabricator.Spec) fabricator.Price {
	t.Helper()
	p, err := tf.Price(t.Context(), s)
	if err != nil {
		t.Fatalf("Price(%+v): %v", s, err)
	}
	return p
}

// The price list of the built-in table, to be read by people.
func TestPriceListGolden(t *testing.T) {
	t.Parallel()
	tf := defaultTariff(t)
	var b strings.Builder
	row := func(name string, s fabricator.Spec) {
		p, err := tf.Price(t.Context(), s)
		if err != nil {
			fmt.Fprintf(&b, "%-34s %v\n", name, err)
			return
		}
		fmt.Fprintf(&b, "%-34s %9.2f %s in %-16s %6d g", name, float64(p.Boards())/100, p.Currency, p.Build().Name, p.Weight)
		for _, l := range p.Lines {
			fmt.Fprintf(&b, " | %s %.2f", l.Code, float64(l.Cents)/100)
		}
		for _, x := range p.Builds[1:] {
			fmt.Fprintf(&b, " | -> %s +%.2f", x.Name, float64(x.Cents)/100)
		}
		for _, x := range p.Shipping {
			fmt.Fprintf(&b, " | %s %.2f", x.ID, float64(x.Cents)/100)
		}
		b.WriteByte('\n')
	}
	for _, layers := range []int{1, 2, 4, 6, 8, 10, 12, 14, 20} {
		for _, n := range []int{5, 50, 200, 1000} {
			s := spec()
			s.Layers, s.Quantity, s.InnerCopper, s.Finish = layers, n, 0.5, "enig"
			s.Options = map[string]any{"gold_thickness_uin": "1"}
			row(fmt.Sprintf("%d layers, %d boards", layers, n), s)
		}
	}
	variants := []struct {
		name   string
		change func(*fabricator.Spec)
	}{
		{"hasl", func(*fabricator.Spec) {}},
		{"gold 3 microinch", func(s *fabricator.Spec) { s.Finish = "enig"; s.Options = map[string]any{"gold_thickness_uin": "3"} }},
		{"gold unstated", func(s *fabricator.Spec) { s.Finish = "enig" }},
		{"2 oz", func(s *fabricator.Spec) { s.OuterCopper = 2 }},
		{"2.0 mm", func(s *fabricator.Spec) { s.Thickness = 2e6 }},
		{"0.4 mm", func(s *fabricator.Spec) { s.Thickness = 0.4e6 }},
		{"yellow", func(s *fabricator.Spec) { s.Mask = "Yellow" }},
		{"red", func(s *fabricator.Spec) { s.Mask = "Red" }},
		{"filled vias", func(s *fabricator.Spec) { s.ViaProcess = "epoxy_filled_capped" }},
		{"castellated and plated edge", func(s *fabricator.Spec) {
			s.Options = map[string]any{"castellated_sides": 2.0, "edge_plating": true}
		}},
		{"Tg 170", func(s *fabricator.Spec) { s.Material = "FR-4 / TG170" }},
		{"impedance, 4 layers", func(s *fabricator.Spec) { s.Layers, s.InnerCopper, s.Impedance = 4, 0.5, true }},
		{"0.2 mm holes, 0.11 mm tracks", func(s *fabricator.Spec) { s.MinHole, s.MinTrack = 0.2e6, 0.11e6 }},
		{"3 designs", func(s *fabricator.Spec) { s.Options = map[string]any{"different_designs": json.Number("3")} }},
		{"express", func(s *fabricator.Spec) { s.BuildHours = 72 }},
		{"our panel 2 x 3", func(s *fabricator.Spec) {
			s.Options = map[string]any{"panel_by": "fabricator", "panel_columns": 2.0, "panel_rows": 3.0}
		}},
		{"to Germany", func(s *fabricator.Spec) { s.To.Country = "DE" }},
		{"to Brazil, 1000", func(s *fabricator.Spec) { s.To.Country, s.Quantity = "BR", 1000 }},
		{"to North Korea", func(s *fabricator.Spec) { s.To.Country = "KP" }},
		{"aluminum", func(s *fabricator.Spec) { s.Material, s.Layers = "Aluminum", 1 }},
		{"gold fingers", func(s *fabricator.Spec) { s.Options = map[string]any{"gold_fingers": "plain"} }},
		{"three layers", func(s *fabricator.Spec) { s.Layers = 3 }},
		{"8 layers, 3 boards", func(s *fabricator.Spec) { s.Layers, s.InnerCopper, s.Quantity = 8, 0.5, 3 }},
		{"fine tracks on 2 layers", func(s *fabricator.Spec) { s.MinSpace = 0.09e6 }},
		{"20000 boards", func(s *fabricator.Spec) { s.Quantity = 20000 }},
		{"no such build", func(s *fabricator.Spec) { s.BuildHours = 13 }},
	}
	for _, v := range variants {
		s := spec()
		v.change(&s)
		row(v.name, s)
	}
	path := filepath.Join("testdata", "prices.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("price list (-want +got), run with -update if meant:\n%s", diff)
	}
}

// random is any board that the built-in table may price.
func random(r *rand.Rand) fabricator.Spec {
	s := spec()
	s.Layers = []int{1, 2, 4, 6, 8, 10, 12, 16, 20}[r.IntN(9)]
	s.Quantity = 5 + r.IntN(300)
	s.Width, s.Height = int64(10+r.IntN(390))*1e6, int64(10+r.IntN(390))*1e6
	s.Thickness = []int64{0.6e6, 0.8e6, 1e6, 1.2e6, 1.6e6, 2e6}[r.IntN(6)]
	s.InnerCopper = []float64{0.5, 1}[r.IntN(2)]
	s.Finish = []string{"hasl", "hasl_lead_free", "enig"}[r.IntN(3)]
	s.Mask = []string{"Green", "Red", "Yellow", "Blue"}[r.IntN(4)]
	s.Material = []string{"FR-4", "FR-4 / TG155", "FR-4 / TG170"}[r.IntN(3)]
	s.ViaProcess = []string{"tented", "plugged", "epoxy_filled_capped"}[r.IntN(3)]
	s.Options = map[string]any{"castellated_sides": float64(r.IntN(3)), "edge_plating": r.IntN(2) == 0}
	s.To.Country = []string{"US", "DE", "JP", "BR", "AU"}[r.IntN(5)]
	return s
}

// More boards or larger boards never cost less, weigh less, or ship for less.
func TestPricesAreMonotonic(t *testing.T) {
	t.Parallel()
	tf := defaultTariff(t)
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range 4000 {
		small := random(r)
		large := small
		switch r.IntN(3) {
		case 0:
			large.Quantity += 1 + r.IntN(50)
		case 1:
			large.Width += int64(1+r.IntN(100)) * 1e5
		case 2:
			large.Height += int64(1+r.IntN(100)) * 1e5
		}
		a, errA := tf.Price(t.Context(), small)
		b, errB := tf.Price(t.Context(), large)
		if errA != nil || errB != nil {
			if errA != nil && errB == nil {
				t.Errorf("%+v: %v, but the larger one has a price", small, errA)
			}
			continue
		}
		compared++
		if a.Boards() > b.Boards() || a.Weight > b.Weight {
			t.Errorf("the smaller costs or weighs more: %d cents, %d g: %+v\nthe larger: %d cents, %d g: %+v", a.Boards(), a.Weight, small, b.Boards(), b.Weight, large)
		}
		for _, x := range b.Shipping {
			if y, ok := a.ShippingByID(x.ID); !ok || y.Cents > x.Cents {
				t.Errorf("%s ships %d g for %d cents (known %t), want no more than the %d cents of %d g", x.ID, a.Weight, y.Cents, ok, x.Cents, b.Weight)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d pairs had prices: the test tests nothing", compared)
	}
}

// The lines are each rounded, so their sum is what the table says to within
// half a cent a line, and a faster build is dearer by exactly what it says.
func TestLinesAddUp(t *testing.T) {
	t.Parallel()
	tf := defaultTariff(t)
	r := rand.New(rand.NewPCG(3, 4))
	express := 0
	for range 2000 {
		s := random(r)
		std, err := tf.Price(t.Context(), s)
		if err != nil {
			continue
		}
		if err := std.Check(); err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		for _, b := range std.Builds[1:] {
			s.BuildHours = b.Hours
			if got := price(t, tf, s).Boards(); got != std.Boards()+b.Cents {
				t.Errorf("%s: %d cents, want %d + %d", b.Name, got, std.Boards(), b.Cents)
			}
			express++
		}
	}
	if express == 0 {
		t.Error("no board had an express build: the test tests nothing")
	}
}

// Prices that a person can work out with the table beside them.
func TestByHand(t *testing.T) {
	t.Parallel()
	tf := defaultTariff(t)
	tests := []struct {
		name   string
		change func(*fabricator.Spec)
		cny    float64
		days   int
	}{
		{"0.08 m2 is a pack: 300 + 210", func(s *fabricator.Spec) {}, 510, 5},
		{"0.4 m2: 560 x 0.4 + 210 is less than the pack, so the pack", func(s *fabricator.Spec) { s.Quantity = 50 }, 510, 5},
		{"0.8 m2: 450 x 0.8 + 142 is less than the pack; test 60 x 0.8", func(s *fabricator.Spec) { s.Quantity = 100 }, 510 + 48, 5},
		{"1.6 m2: 460 x 1.6 + 142; test 60 x 1.6", func(s *fabricator.Spec) { s.Quantity = 200 }, 460*1.6 + 142 + 96, 7},
		{"four layers, pack, castellated, blue", func(s *fabricator.Spec) {
			s.Layers, s.InnerCopper, s.Mask, s.Options = 4, 0.5, "Blue", map[string]any{"castellated_sides": 1.0}
		}, 610 + 500 + 100, 7},
		{"two layers, yellow", func(s *fabricator.Spec) { s.Mask = "Yellow" }, 510 + 120, 7},
		{"gold of the usual thickness", func(s *fabricator.Spec) { s.Finish = "enig" }, 510 + 140, 5},
		{"two designs", func(s *fabricator.Spec) { s.Options = map[string]any{"different_designs": 2.0} }, 510 + 120, 5},
	}
	for _, tt := range tests {
		s := spec()
		tt.change(&s)
		p := price(t, tf, s)
		if want := int64(tt.cny*14 + 0.5); p.Boards() != want || p.Build().Hours != tt.days*24 {
			t.Errorf("%s: %d cents in %d h, want %d in %d h", tt.name, p.Boards(), p.Build().Hours, want, tt.days*24)
		}
	}
}

func TestWeight(t *testing.T) {
	t.Parallel()
	// 10 boards of 100 x 80 x 1.6 mm: 800 cm2; copper 2 x 0.0348 mm x 0.6 = 0.04176 mm
	// (29.9 g); laminate 1.55824 mm x 1.85 (230.6 g); x 1.05 + 120.
	if got := price(t, defaultTariff(t), spec()).Weight; got != 394 {
		t.Errorf("weight = %d g, want 394", got)
	}
}

func TestHouseOrders(t *testing.T) {
	t.Parallel()
	tf := defaultTariff(t)
	ctx := t.Context()
	key, err := tf.Upload(ctx, "board.zip", strings.NewReader("PK.."))
	again, _ := tf.Upload(ctx, "board.zip", strings.NewReader("PK.."))
	if err != nil || key != again || !strings.HasPrefix(key, "house-") {
		t.Errorf("upload gave %q and %q, %v; want one key for one content", key, again, err)
	}
	if _, err := tf.Upload(ctx, "board.zip", strings.NewReader("")); fabricator.KindOf(err) != fabricator.Files {
		t.Errorf("upload of nothing: %v, want files", err)
	}
	p := price(t, tf, spec())
	r := fabricator.PlaceRequest{Reference: "BO-1", Spec: spec(), Shipping: "dhl_express", Currency: "USD"}
	ship, _ := p.ShippingByID("dhl_express")
	r.AgreedCents = p.Boards() + ship.Cents
	first, err := tf.Place(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	second, err := tf.Place(ctx, r)
	if err != nil || !cmp.Equal(first, second) || !first.Manual || first.OrderNumber != "H-BO-1" || first.Cents != r.AgreedCents {
		t.Errorf("placed %+v, then %+v, %v; want the same house order", first, second, err)
	}
	if g, err := tf.Progress(ctx, first); err != nil || g.Status != fabricator.Received {
		t.Errorf("progress %+v, %v; want received", g, err)
	}
	if _, err := tf.FindOrder(ctx, "BO-1"); fabricator.KindOf(err) != fabricator.NotFound {
		t.Errorf("find: %v, want not found", err)
	}
	r.AgreedCents--
	if _, err := tf.Place(ctx, r); fabricator.KindOf(err) != fabricator.PriceMoved {
		t.Errorf("place for a cent less: %v, want that the price moved", err)
	}
	r.AgreedCents, r.Shipping = 0, "pigeon"
	if _, err := tf.Place(ctx, r); fabricator.KindOf(err) != fabricator.Shipment {
		t.Errorf("place by pigeon: %v, want shipping", err)
	}
}

func TestKindsOfRefusal(t *testing.T) {
	t.Parallel()
	tf := defaultTariff(t)
	tests := []struct {
		name   string
		change func(*fabricator.Spec)
		want   fabricator.Kind
	}{
		{"laminate", func(s *fabricator.Spec) { s.Material = "Megtron" }, fabricator.Review},
		{"option without a price", func(s *fabricator.Spec) { s.Options = map[string]any{"kelvin_test": true} }, fabricator.Review},
		{"option that is no option", func(s *fabricator.Spec) { s.Options = map[string]any{"magic": true} }, fabricator.Review},
		{"option at its default", func(s *fabricator.Spec) { s.Options = map[string]any{"kelvin_test": false} }, ""},
		{"value without a price", func(s *fabricator.Spec) { s.Options = map[string]any{"laminate_brand": "nanya"} }, fabricator.Review},
		{"stackup", func(s *fabricator.Spec) { s.Stackup = "X" }, fabricator.Review},
		{"no size", func(s *fabricator.Spec) { s.Width = 0 }, fabricator.Internal},
		{"too few", func(s *fabricator.Spec) { s.Layers, s.InnerCopper, s.Quantity = 10, 0.5, 4 }, fabricator.Refused},
		{"country in lower case", func(s *fabricator.Spec) { s.To.Country = "us" }, fabricator.Shipment},
		{"too heavy for anything", func(s *fabricator.Spec) { s.Quantity, s.Width, s.Height = 400, 400e6, 400e6 }, fabricator.Shipment},
		{"nowhere in particular", func(s *fabricator.Spec) { s.To.Country = "" }, ""},
	}
	for _, tt := range tests {
		s := spec()
		tt.change(&s)
		p, err := tf.Price(t.Context(), s)
		var got fabricator.Kind
		if err != nil {
			got = fabricator.KindOf(err)
		}
		if got != tt.want {
			t.Errorf("%s: %+v, %v; want kind %q", tt.name, p, err, tt.want)
		}
	}
}

// A mistake in the file is a sentence with its line.
func TestMistakesAreNamed(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("tariff.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ from, to, want string }{
		{"\nsell: USD", "\nsell: dollars", "sell is a currency code like USD"},
		{"\nsell: USD", "\nsell: EUR", "rates lacks a rate from CNY to EUR"},
		{"checked: 2026-11-21", "checked: lately", "checked is a date like 2026-11-21"},
		{"rate: 0.1400", "rate: -1", "rates[0].rate is more than zero"},
		{"rate: 0.1400", "rate: cheap", `"cheap" is no number`},
		{"finishes: [hasl_lead_free, hasl, enig]", "finishes: [hasl_lead_free, gold]", `covers.finishes[1] "gold" is not in the catalogue`},
		{"markup_percent: 0", "mark_up: 0", "field mark_up not found"},
		{"pack: {up_to_m2: 0.2, price: 300}", "pack: {up_to_m2: 0.2, price: 0}", "base[0].pack needs an area and a price above zero"},
		{"per_m2: 550, engineering: 210, days: 5", "per_m2: 550, engineering: 210, days: 0", "base[0].steps[0].days is one or more working days"},
		{"up_to_m2: 1, per_m2: 500", "up_to_m2: 0.4, per_m2: 500", "base[0].steps[1].up_to_m2 is larger than in the step before"},
		{"gold_thickness_uin: [\"1\"]", "gold_thickness_uin: [\"9\"]", "surcharges[0].when.options.gold_thickness_uin 9: fab_options.gold_thickness_uin takes one of 1, 2, 3"},
		{"times: different_designs", "times: designs", `surcharges[51].times "designs" is no whole-number option`},
		{"- {days: 1, flat: 100}", "- {days: 1}", "express[0].options[0] costs something"},
		{"density_g_cm3: {fr4: 1.85}", "density_g_cm3: {flex: 1.5}", "weight.density_g_cm3 lacks the density of fr4"},
		{"near: [CN, HK", "near: [CN, US", "is in zone"},
		{"zone: near", "zone: nearby", `"nearby" is no zone`},
		{"{to_g: 500, price: 95}", "{to_g: 500, price: 950}", "shipping.services[0].zones[0].breaks[1] is heavier and not cheaper"},
		{"  - paper_between_boards", "  - paper_between_bords", `included_options[0] "paper_between_bords" is no option`},
	}
	for _, tt := range tests {
		bad := bytes.Replace(good, []byte(tt.from), []byte(tt.to), 1)
		if bytes.Equal(bad, good) {
			t.Fatalf("the table does not hold %q", tt.from)
		}
		_, err := tariff.Parse(bad)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q for %q: %v\nwant a line and %q", tt.to, tt.from, err, tt.want)
		}
	}
}

func TestLineNumbersAreRight(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("tariff.yaml")
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Replace(good, []byte("layers: 6\n"), []byte("layers: 4\n"), 1)
	at := bytes.Count(good[:bytes.Index(good, []byte("layers: 6\n"))], []byte("\n")) + 1
	_, err = tariff.Parse(bad)
	if want := fmt.Sprintf("line %d: base[3].layers", at); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestOwnTable(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("tariff.yaml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "own.yaml")
	own := bytes.Replace(good, []byte("markup_percent: 0"), []byte("markup_percent: 50"), 1)
	if err := os.WriteFile(path, own, 0o600); err != nil {
		t.Fatal(err)
	}
	tf, err := tariff.New(tariff.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if got := price(t, tf, spec()).Boards(); got != 510*14*3/2 {
		t.Errorf("with 50 %% on top: %d cents, want %d", got, 510*14*3/2)
	}
	if _, err := tariff.New(tariff.Config{Path: path + ".gone"}); err == nil {
		t.Error("a table that is not there was read")
	}
}

func FuzzParse(f *testing.F) {
	good, err := os.ReadFile("tariff.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte("base:\n  - {layers: 2}\n"))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tf, err := tariff.Parse(data)
		if err != nil {
			return
		}
		if p, err := tf.Price(t.Context(), spec()); err == nil {
			if err := p.Check(); err != nil {
				t.Errorf("the tariff %q prices %+v as %+v: %v", data, spec(), p, err)
			}
		}
	})
}
