package choices

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/quotes"
)

func TestAskedSaysAllThatWasSent(t *testing.T) {
	t.Parallel()
	of := func(s string) *string { return &s }
	layers, oz, no := 6, 2.0, false
	got := map[string]string{}
	for _, w := range List(quotes.Request{
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
	if n := len(List(quotes.Request{Quantity: 1})); n != 0 {
		t.Errorf("a request that says nothing says %d things, want none", n)
	}
}
