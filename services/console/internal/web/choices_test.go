package web

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
)

func TestAskedSaysAllThatWasSent(t *testing.T) {
	t.Parallel()
	of := func(s string) *string { return &s }
	layers, oz, no := 6, 2.0, false
	got := map[string]string{}
	for _, w := range choicesOf(quotes.Request{
		Quantity: 5, Assembly: true, Layers: &layers, CopperOz: &oz, SurfaceFinish: of("enig"), ImpedanceControlled: &no,
		FabOptions:  map[string]any{"blind_vias": false, "gold_thickness_um": 0.05, "colours": []any{"green", "black"}},
		FileStackup: json.RawMessage(`{"layers": 6, "core": {"mm": 0.2}}`), SeparateBoards: json.RawMessage(`[{"name": "a"}, {"name": "b"}]`),
		SpecialRequirements: true, SpecialNotes: of("50 Ω"), ProjectName: of("Blinker"), BoardContext: of("for a lamp"),
		CustomerSuppliedRefs: []string{"U1", "U2"}, DoNotFitRefs: []string{"R9"}, StaffPicksParts: true,
		Substitutions: []assemblies.Substitution{{Reference: "R1", OriginalMPN: "A", ReplacementMPN: "B", Reason: "stock"}},
	}) {
		got[w.Name] = w.Value
	}
	for name, want := range map[string]string{
		"Project": "Blinker", "Customer’s notes": "50 Ω", "Context": "for a lamp", "Layers": "6", "Outer copper": "2 oz", "Surface finish": "enig",
		"Impedance controlled": "no", "Fabrication options": "blind vias: no\ncolours: green, black\ngold thickness um: 0.05",
		"Stackup in the files": "core: mm: 0.2\nlayers: 6", "Separate boards": "name: a, name: b", "Assembly": "yes", "Parts from the customer": "U1, U2",
		"Do not fit": "R9", "Substitution": "R1: B instead of A (stock)", "The team picks parts": "yes", "Special requirements": "yes",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if n := len(choicesOf(quotes.Request{Quantity: 1})); n != 0 {
		t.Errorf("a request that says nothing says %d things", n)
	}
}

func TestFactsInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		value      any
		want, said string
	}{
		{"blind_vias", false, "blind vias", "no"}, {"width_mm", 50.5, "width", "50.5 mm"}, {"copper_oz", 1.0, "copper", "1 oz"},
		{"layers", 2.0, "layers", "2"}, {"surface_finish", "enig", "surface finish", "enig"},
	} {
		f := fact{tt.name, boards.Fact{Value: tt.value}}
		if got := factName(tt.name); got != tt.want {
			t.Errorf("factName(%s) = %q", tt.name, got)
		}
		if got := factValue(f); got != tt.said {
			t.Errorf("factValue(%s %v) = %q, want %q", tt.name, tt.value, got, tt.said)
		}
	}
}

func TestFoldJoinsRepeats(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	var all []moment
	for i, name := range []contract.EventName{"priced", "delivery_chosen", "delivery_chosen", "delivery_chosen", "priced"} {
		all = append(all, moment{Headline: bus.Headline{Event: contract.Event{Aggregate: contract.QuoteAggregate, Name: name, At: at.Add(time.Duration(i) * time.Minute)}}})
	}
	got := fold(all)
	if len(got) != 3 || got[1].Count != 3 || got[1].Until != at.Add(3*time.Minute) || got[1].Interval != time.Minute || got[2].Interval != time.Minute {
		t.Errorf("fold = %+v", got)
	}
	for d, want := range map[time.Duration]string{
		-1: "0 s", 15 * time.Millisecond: "15 ms", 1500 * time.Millisecond: "1.5 s", 90 * time.Second: "1 min 30 s", 26 * time.Hour: "1 d 2 h", 61 * time.Minute: "1 h 1 min",
	} {
		if got := took(d); got != want {
			t.Errorf("took(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestMasked(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"Grace Hopper": "G… H…", "grace@example.com": "g…@e…", "": "", "Ärzte": "Ä…"} {
		if got := mask(in); got != want {
			t.Errorf("mask(%q) = %q, want %q", in, got, want)
		}
	}
	if got := mask("Grace Hopper"); strings.Contains(got, "race") {
		t.Errorf("a name stands in %q", got)
	}
}
