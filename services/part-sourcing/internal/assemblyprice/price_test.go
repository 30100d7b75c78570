package assemblyprice_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/assemblyprice"
)

func rates(t testing.TB) assemblyprice.Rates {
	t.Helper()
	table, err := assemblyprice.LoadBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	r, ok := table.RatesOn(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	if !ok {
		t.Fatal("no rates for that day")
	}
	return r
}

func TestAssemble(t *testing.T) {
	t.Parallel()
	r := rates(t)
	chip := assemblyprice.Use{Top: 10, Joints: 2, Basic: true, Size: "0603"}
	ic := assemblyprice.Use{Top: 1, Joints: 48, Pitch: 500_000}
	qfn := assemblyprice.Use{Top: 2, Joints: 49, Pitch: 500_000, BottomTerminated: true}
	header := assemblyprice.Use{Top: 1, Joints: 4, ThroughHole: true}
	below := assemblyprice.Use{Bottom: 3, Joints: 2, Basic: true, Size: "0402"}
	fine := assemblyprice.Use{Top: 1, Joints: 2, Basic: true, Size: "0201"}
	for _, tt := range []struct {
		name   string
		boards int64
		uses   []assemblyprice.Use
		want   string
	}{
		{"chips on one side", 10, []assemblyprice.Use{chip}, "economic setup 812, stencil 152, top 34, minimum 202 = 1200"},
		{"with a chip that is not loaded", 10, []assemblyprice.Use{chip, ic}, "economic setup 812, stencil 152, top 116, feeders 304 = 1384"},
		{"both sides", 10, []assemblyprice.Use{chip, below}, "standard setup 5080, stencil 1560, top 32, bottom 10, feeders 304 = 6986"},
		{"finer than the simple service", 10, []assemblyprice.Use{fine}, "standard setup 2540, stencil 780, top 3, feeders 152 = 3475"},
		{"joints below", 10, []assemblyprice.Use{qfn}, "economic setup 812, stencil 152, top 167, feeders 304, xray 1000 = 2435"},
		{"by hand", 10, []assemblyprice.Use{chip, header}, "economic setup 812, stencil 152, top 34, hand_setup 355, hand 69 = 1422"},
		{"by hand only", 10, []assemblyprice.Use{header}, "economic hand_setup 355, hand 69, minimum 776 = 1200"},
		{"nothing", 10, nil, "economic  = 0"},
		{"no boards", 0, []assemblyprice.Use{chip}, "economic  = 0"},
	} {
		p := r.Assemble(assemblyprice.Job{Boards: tt.boards, Uses: tt.uses})
		var lines []string
		for _, l := range p.Lines {
			short := strings.NewReplacer("assembly_", "", "placement_", "", "_soldering", "", "_charge", "").Replace(l.Code)
			lines = append(lines, fmt.Sprintf("%s %d", short, l.Cents))
		}
		if got := fmt.Sprintf("%s %s = %d", p.Service, strings.Join(lines, ", "), p.Cents); got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
	}
	if p := r.Assemble(assemblyprice.Job{Boards: 1, Uses: []assemblyprice.Use{{Top: 1}}}); p.UncountedParts != 1 {
		t.Errorf("a use that is not counted: %+v, want one such part", p)
	}
}

// TestLinesAddUp: whatever is assembled, lines cost something and add up, and
// more boards never cost less.
func TestLinesAddUp(t *testing.T) {
	t.Parallel()
	rates := rates(t)
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		var uses []assemblyprice.Use
		for range r.IntN(8) {
			uses = append(uses, assemblyprice.Use{
				Top: r.IntN(50), Bottom: r.IntN(2) * r.IntN(50), Joints: r.IntN(100), ThroughHole: r.IntN(4) == 0, Basic: r.IntN(2) == 0,
				BottomTerminated: r.IntN(5) == 0, Size: []string{"", "0201", "0402"}[r.IntN(3)], Pitch: int64(r.IntN(2) * 350_000),
			})
		}
		last := int64(0)
		for boards := int64(1); boards < 3000; boards *= 3 {
			p := rates.Assemble(assemblyprice.Job{Boards: boards, Uses: uses})
			sum := int64(0)
			for _, l := range p.Lines {
				sum += l.Cents
				if l.Cents <= 0 || l.Label == "" {
					t.Fatalf("line %+v, want a label and a price", l)
				}
			}
			if sum != p.Cents || p.Cents < last {
				t.Fatalf("%+v: lines make %d, want the total of %d, and no less than the %d of fewer boards", p, sum, p.Cents, last)
			}
			last = p.Cents
		}
	}
}

func TestNeeded(t *testing.T) {
	t.Parallel()
	r := rates(t)
	for _, tt := range []struct {
		count int64
		size  string
		hand  bool
		want  int64
	}{{100, "0402", false, 120}, {10_000, "0402", false, 10_300}, {100, "", false, 101}, {10_000, "2512", false, 10_050}, {100, "0402", true, 100}, {0, "0402", false, 0}} {
		if got := r.PurchaseCount(tt.count, tt.size, tt.hand); got != tt.want {
			t.Errorf("PurchaseCount(%d, %q, %v) = %d, want %d", tt.count, tt.size, tt.hand, got, tt.want)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing": "[]", "another field": "- {valid_from: 2026-01-01, x: 1}", "no amounts": "- {valid_from: 2026-01-01, checked: 2026-01-01, source: s}", "no day": "- {valid_from: soon}",
	} {
		if _, err := assemblyprice.ReadTable([]byte(text)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	table, err := assemblyprice.LoadBuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := table.RatesOn(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)); ok {
		t.Error("rates for a day before the first")
	}
}
