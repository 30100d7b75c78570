package options_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/stackups"
	"boardorder/services/pricing/internal/options"

	"github.com/google/go-cmp/cmp"
)

// shelf is what a fabricator has: B is listed for two thicknesses.
var shelf = []stackups.Stackup{
	{Code: "A-4", Material: "FR-4", Layers: 4, ThicknessMM: 1.6, CopperOz: 1, InnerCopperOz: 0.5},
	{Code: "B-4", Material: "FR-4", Layers: 4, ThicknessMM: 0.8, CopperOz: 1, InnerCopperOz: 0.5},
	{Code: "B-4", Material: "FR-4", Layers: 4, ThicknessMM: 1.2, CopperOz: 1, InnerCopperOz: 0.5},
	{Code: "A-6", Material: "FR-4", Layers: 6, ThicknessMM: 1.6, CopperOz: 1, InnerCopperOz: 0.5},
}

func fourLayers(f *options.FileFacts) { f.Layers = fact(4) }

func TestAStackupFixesLayersThicknessCopperAndMaterial(t *testing.T) {
	t.Parallel()
	details := func(change func(*quotes.BoardDetails)) quotes.BoardDetails {
		inner := 0.5
		d := quotes.BoardDetails{
			Layers: 4, WidthMM: 100, HeightMM: 80, ThicknessMM: 1.6, CopperOz: 1, InnerCopperOz: &inner, SurfaceFinish: "hasl_lead_free",
			SolderMask: "Green", Material: "FR-4", ViaProcess: "tented", FabStackup: "A-4",
		}
		change(&d)
		return d
	}
	same := func(*quotes.BoardDetails) {}
	for name, tt := range map[string]struct {
		request quotes.Request
		facts   func(*options.FileFacts)
		want    quotes.BoardDetails
		note    string
	}{
		"nothing beside it":       {quotes.Request{FabStackup: pointerTo("A-4")}, fourLayers, details(same), ""},
		"another case and blanks": {quotes.Request{FabStackup: pointerTo(" a-4 ")}, fourLayers, details(same), ""},
		"the same beside it": {
			quotes.Request{FabStackup: pointerTo("A-4"), Layers: pointerTo(4), ThicknessMM: pointerTo(1.57), CopperOz: pointerTo(1.0), InnerCopperOz: pointerTo(0.5), Material: pointerTo("FR-4")},
			fourLayers, details(same), "",
		},
		"the other thickness of its code": {
			quotes.Request{FabStackup: pointerTo("B-4"), ThicknessMM: pointerTo(1.2)}, fourLayers,
			details(func(d *quotes.BoardDetails) { d.FabStackup, d.ThicknessMM = "B-4", 1.2 }), "",
		},
		"files of another thickness": {
			quotes.Request{FabStackup: pointerTo("A-4")}, func(f *options.FileFacts) { f.Layers, f.ThicknessMM = fact(4), fact(0.8) }, details(same),
			"The files say thickness 0.8 mm; stackup A-4 of the request has 1.6 mm, and the request was followed.",
		},
		"files of heavier inner copper": {
			quotes.Request{FabStackup: pointerTo("A-4")}, func(f *options.FileFacts) { f.Layers, f.InnerCopperOz = fact(4), fact(2.0) }, details(same),
			"The files say inner copper 2 oz; stackup A-4 of the request has 0.5 oz, and the request was followed.",
		},
		"files of another laminate": {
			quotes.Request{FabStackup: pointerTo("A-4")}, func(f *options.FileFacts) { f.Layers, f.Material = fact(4), fact("FR-4 TG170") }, details(same),
			"The files say material FR-4 / TG170; stackup A-4 of the request has FR-4, and the request was followed.",
		},
	} {
		tt.request.Quantity, tt.request.StandardForUnstated = 10, true
		got := resolver(t).Resolve(tt.request, boardWith(tt.facts), shelf...)
		if got.Board == nil || !got.Board.Complete || got.Reasons != nil || got.Refusal != nil {
			t.Errorf("%s: %+v, refusal %+v; want a complete board without reasons", name, got, got.Refusal)
			continue
		}
		if diff := cmp.Diff(tt.want, got.Board.Details); diff != "" {
			t.Errorf("%s: details (-want +got)\n%s", name, diff)
		}
		if notes := strings.Join(got.Board.Notes, " "); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" && !strings.Contains(notes, "1.57") {
			t.Errorf("%s: notes %q; want %q", name, notes, tt.note)
		}
		if got.Board.From["fab_stackup"] != "request" || got.Board.From["thickness_mm"] != "request" || got.Board.Spec.Stackup != tt.want.FabStackup {
			t.Errorf("%s: from %v, built to %q; want both of the request, %q", name, got.Board.From, got.Board.Spec.Stackup, tt.want.FabStackup)
		}
	}
}

// TestDielectricsAreSaid: what the files have between copper layers stands beside what is built.
func TestDielectricsAreSaid(t *testing.T) {
	t.Parallel()
	stock := []stackups.Stackup{{Code: "A-4", Material: "FR-4", Layers: 4, ThicknessMM: 1.6, CopperOz: 1, InnerCopperOz: 0.5, Sheets: []stackups.Sheet{
		{Kind: "copper", Content: "1 oz"}, {Kind: "prepreg", Content: "7628 0.2104 mm"}, {Kind: "core", Content: "1.065 mm"},
	}}}
	chosen := fact("0.1, 1.24, 0.1 mm")
	untouched := chosen
	untouched.Default = true
	for name, tt := range map[string]struct {
		request quotes.Request
		stated  options.Fact[string]
		want    string
	}{
		"a stackup of the request":     {quotes.Request{FabStackup: pointerTo("A-4")}, chosen, "The files have 0.1, 1.24, 0.1 mm between the copper layers; stackup A-4 of the request is built with prepreg 7628 0.2104 mm, core 1.065 mm."},
		"none":                         {quotes.Request{}, chosen, "The files have 0.1, 1.24, 0.1 mm between the copper layers; the fabricator's own stackup is built"},
		"what the tool began with":     {quotes.Request{FabStackup: pointerTo("A-4")}, untouched, ""},
		"files that say nothing of it": {quotes.Request{}, options.Fact[string]{}, ""},
	} {
		tt.request.Quantity, tt.request.StandardForUnstated = 10, true
		got := resolver(t).Resolve(tt.request, boardWith(func(f *options.FileFacts) { f.Layers, f.Dielectrics = fact(4), tt.stated }), stock...)
		if got.Board == nil {
			t.Errorf("%s: %+v, want a board", name, got)
			continue
		}
		notes := strings.Join(got.Board.Notes, " ")
		if !strings.Contains(notes, tt.want) || tt.want == "" && strings.Contains(notes, "between the copper layers") {
			t.Errorf("%s: notes %q, want %q", name, notes, tt.want)
		}
	}
}

func TestWhatContradictsItsStackupIsRefused(t *testing.T) {
	t.Parallel()
	noLayers := func(f *options.FileFacts) { f.Layers = options.Fact[int]{} }
	for name, tt := range map[string]struct {
		request        quotes.Request
		facts          func(*options.FileFacts)
		field, problem string
		allowed        any
	}{
		"thickness":         {quotes.Request{FabStackup: pointerTo("A-4"), ThicknessMM: pointerTo(0.8)}, fourLayers, "thickness_mm", "contradicts_stackup", []any{1.6}},
		"either thickness":  {quotes.Request{FabStackup: pointerTo("B-4"), ThicknessMM: pointerTo(1.6)}, fourLayers, "thickness_mm", "contradicts_stackup", []any{0.8, 1.2}},
		"inner copper":      {quotes.Request{FabStackup: pointerTo("A-4"), InnerCopperOz: pointerTo(2.0)}, fourLayers, "inner_copper_oz", "contradicts_stackup", []any{0.5}},
		"outer copper":      {quotes.Request{FabStackup: pointerTo("A-4"), CopperOz: pointerTo(2.0)}, fourLayers, "copper_oz", "contradicts_stackup", []any{1.0}},
		"laminate":          {quotes.Request{FabStackup: pointerTo("A-4"), Material: pointerTo("FR-4 / TG170")}, fourLayers, "material", "contradicts_stackup", []any{"FR-4"}},
		"layers asked for":  {quotes.Request{FabStackup: pointerTo("A-6"), Layers: pointerTo(4)}, noLayers, "layers", "contradicts_stackup", []any{6}},
		"layers of files":   {quotes.Request{FabStackup: pointerTo("A-6")}, fourLayers, "fab_stackup", "contradicts_files", []string{"A-4", "B-4"}},
		"no such code":      {quotes.Request{FabStackup: pointerTo("X-1")}, fourLayers, "fab_stackup", "unsupported", []string{"A-4", "B-4"}},
		"none of any count": {quotes.Request{FabStackup: pointerTo("X-1")}, noLayers, "fab_stackup", "unsupported", []string{"A-4", "B-4", "A-6"}},
		"two-layer boards":  {quotes.Request{FabStackup: pointerTo("X-1")}, func(*options.FileFacts) {}, "fab_stackup", "unsupported", []string{}},
	} {
		tt.request.Quantity, tt.request.StandardForUnstated = 10, true
		got := resolver(t).Resolve(tt.request, boardWith(tt.facts), shelf...)
		if got.Refusal == nil || got.Refusal.Code != contract.InvalidRequest || len(got.Refusal.Fields) != 1 {
			t.Errorf("%s: %+v, refusal %+v; want %s of one field", name, got.Board, got.Refusal, contract.InvalidRequest)
			continue
		}
		f := got.Refusal.Fields[0]
		if f.Field != tt.field || f.Problem != tt.problem || !cmp.Equal(tt.allowed, f.Allowed) {
			t.Errorf("%s: %+v; want %s, %s, %v", name, f, tt.field, tt.problem, tt.allowed)
		}
		if f.Problem == "contradicts_files" {
			continue // whoever quotes it needs files and request of one board
		}
		tt.request.SpecialRequirements = true
		if got := resolver(t).Resolve(tt.request, boardWith(tt.facts), shelf...); got.Refusal != nil || !slices.ContainsFunc(got.Reasons, func(r string) bool { return strings.Contains(r, "tackup") }) {
			t.Errorf("%s, with special requirements: reasons %q, refusal %+v; want the stackup as a reason", name, got.Reasons, got.Refusal)
		}
	}
}

func TestCopperIsThatOfTheStackup(t *testing.T) {
	t.Parallel()
	heavy := boardWith(func(f *options.FileFacts) { f.Layers, f.CopperOz, f.InnerCopperOz = fact(4), fact(2.0), fact(1.0) })
	for name, tt := range map[string]struct {
		request      quotes.Request
		outer, inner float64
	}{
		"the files'":      {quotes.Request{}, 2, 1},
		"the request's":   {quotes.Request{InnerCopperOz: pointerTo(2.0)}, 2, 2},
		"the stackup's":   {quotes.Request{FabStackup: pointerTo("A-4")}, 1, 0.5},
		"no such stackup": {quotes.Request{FabStackup: pointerTo("X")}, 2, 1},
	} {
		if outer, inner := resolver(t).Copper(tt.request, heavy, shelf...); outer != tt.outer || inner != tt.inner {
			t.Errorf("%s: %v and %v oz; want %v and %v", name, outer, inner, tt.outer, tt.inner)
		}
	}
}
