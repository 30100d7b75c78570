package options_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/options"

	"github.com/google/go-cmp/cmp"
)

var loaded = sync.OnceValues(func() (*options.Resolver, error) {
	c, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	return options.New(c), nil
})

func resolver(t *testing.T) *options.Resolver {
	t.Helper()
	r, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func fact[T any](v T) options.Fact[T] {
	return options.Fact[T]{Value: v, Known: true, Source: "proj/board.kicad_pcb"}
}

func preset[T any](v T) options.Fact[T] {
	f := fact(v)
	f.Default = true
	return f
}

func pointerTo[T any](v T) *T { return &v }

// board is what a plain two-layer board's files state: layers and size.
func board() options.FileFacts {
	return options.FileFacts{Layers: fact(2), WidthMM: fact(100.0), HeightMM: fact(80.0)}
}

func boardWith(change func(*options.FileFacts)) options.FileFacts {
	f := board()
	change(&f)
	return f
}

func TestStandardForUnstated(t *testing.T) {
	t.Parallel()
	got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true}, board())
	if got.Refusal != nil || got.Reasons != nil || got.Board == nil || !got.Board.Complete {
		t.Fatalf("board %+v, reasons %q, refusal %+v; want a complete board alone", got.Board, got.Reasons, got.Refusal)
	}
	want := quotes.BoardDetails{
		Layers: 2, WidthMM: 100, HeightMM: 80, ThicknessMM: 1.6, CopperOz: 1, SurfaceFinish: "hasl_lead_free",
		SolderMask: "Green", Material: "FR-4", ViaProcess: "tented",
	}
	if diff := cmp.Diff(want, got.Board.Details); diff != "" {
		t.Errorf("details (-want +got)\n%s", diff)
	}
	from := map[string]string{
		"layers": "file:board.kicad_pcb", "width_mm": "file:board.kicad_pcb", "height_mm": "file:board.kicad_pcb",
		"thickness_mm": "standard", "copper_oz": "standard", "surface_finish": "standard", "solder_mask": "standard",
		"material": "standard", "via_process": "standard",
	}
	if diff := cmp.Diff(from, got.Board.From); diff != "" {
		t.Errorf("provenance (-want +got)\n%s", diff)
	}
	if want := "2 layers, 100 x 80 mm, 1.6 mm thick, FR-4, 1 oz copper, lead-free HASL, green mask"; got.Board.Words != want {
		t.Errorf("words %q, want %q", got.Board.Words, want)
	}
	if s := got.Board.Spec; s.Width != 100_000_000 || s.Thickness != 1_600_000 || s.Quantity != 10 {
		t.Errorf("spec %+v, want 100 x 80 x 1.6 mm, 10 boards", s)
	}
}

func TestAFourLayerBoardHasInnerCopper(t *testing.T) {
	t.Parallel()
	facts := boardWith(func(f *options.FileFacts) { f.Layers = fact(4) })
	got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true}, facts)
	if got.Board == nil || got.Board.Details.InnerCopperOz == nil || *got.Board.Details.InnerCopperOz != 0.5 {
		t.Fatalf("outcome %+v, want inner copper of 0.5 oz", got)
	}
	outcome := resolver(t).Resolve(quotes.Request{Quantity: 10}, facts)
	if outcome.Refusal == nil || !slices.ContainsFunc(outcome.Refusal.Questions, func(q contract.Question) bool { return q.Option == "inner_copper_oz" }) {
		t.Errorf("refusal %+v, want inner_copper_oz asked for", outcome.Refusal)
	}
}

func TestUnstatedOptionsAreAskedFor(t *testing.T) {
	t.Parallel()
	facts := boardWith(func(f *options.FileFacts) {
		f.SolderMask = fact("Blue")
		f.ThicknessMM, f.CopperOz = preset(1.6), preset(1.0) // a tool's untouched stackup states nothing
	})
	got := resolver(t).Resolve(quotes.Request{Quantity: 10}, facts)
	if got.Refusal == nil || got.Refusal.Code != contract.NeedsDetails {
		t.Fatalf("outcome %+v, want %s", got, contract.NeedsDetails)
	}
	var requested []string
	for _, q := range got.Refusal.Questions {
		requested = append(requested, q.Option)
		if q.Question == "" || len(q.Choices) == 0 || !slices.Contains(q.Choices, q.Usual) {
			t.Errorf("a poor question: %+v, want words and choices, the usual one among them", q)
		}
	}
	if diff := cmp.Diff([]string{"material", "thickness_mm", "copper_oz", "surface_finish"}, requested); diff != "" {
		t.Errorf("asked (-want +got)\n%s", diff)
	}
	known := map[string]any{"layers": 2, "solder_mask": "Blue", "width_mm": 100.0, "height_mm": 80.0}
	if diff := cmp.Diff(known, got.Refusal.Known); diff != "" {
		t.Errorf("known (-want +got)\n%s", diff)
	}
}

// Answering every question with its usual answer must lead to a board: no
// client may be asked in circles.
func TestAnsweredQuestionsAreNotAskedAgain(t *testing.T) {
	t.Parallel()
	r := resolver(t)
	for _, layers := range []int{1, 2, 4, 6, 10} {
		facts := boardWith(func(f *options.FileFacts) { f.Layers = fact(layers) })
		request := quotes.Request{Quantity: 10}
		first := r.Resolve(request, facts)
		for _, q := range first.Refusal.Questions {
			answer(t, &request, q.Option, q.Usual)
		}
		second := r.Resolve(request, facts)
		if second.Board == nil || !second.Board.Complete || second.Reasons != nil {
			t.Errorf("%d layers: asked %+v, then %+v; want a complete board without reasons", layers, first.Refusal.Questions, second)
		}
	}
}

func answer(t *testing.T, request *quotes.Request, option string, value any) {
	t.Helper()
	data, err := json.Marshal(map[string]any{option: value})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, request); err != nil {
		t.Fatal(err)
	}
}

func TestPrecedenceAndNotes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		request quotes.Request
		facts   options.FileFacts
		option  string
		from    string
		value   func(quotes.BoardDetails) any
		want    any
		note    string
	}{
		{
			"the file beats the standard", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.SurfaceFinish = fact("Immersion gold") }),
			"surface_finish", "file:board.kicad_pcb", finish, "enig", "",
		},
		{
			"the request beats the file", quotes.Request{SolderMask: pointerTo("Red")},
			boardWith(func(f *options.FileFacts) { f.SolderMask = fact("Black") }),
			"solder_mask", "request", func(b quotes.BoardDetails) any { return b.SolderMask }, "Red", "The files say solder mask Black; the request says Red",
		},
		{
			"agreement needs no note", quotes.Request{ThicknessMM: pointerTo(0.8)},
			boardWith(func(f *options.FileFacts) { f.ThicknessMM = fact(0.8) }), "thickness_mm", "request", thickness, 0.8, "",
		},
		{
			"the request beats another thickness", quotes.Request{ThicknessMM: pointerTo(1.0)},
			boardWith(func(f *options.FileFacts) { f.ThicknessMM = fact(1.6) }), "thickness_mm", "request", thickness, 1.0, "The files say thickness 1.6 mm",
		},
		{
			"a preset beats nothing", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.ThicknessMM = preset(0.8) }),
			"thickness_mm", "standard", thickness, 1.6, "The files list thickness 0.8 mm as their design tool begins with",
		},
		{
			"a summed-up stackup is the stock thickness", quotes.Request{},
			boardWith(func(f *options.FileFacts) { f.ThicknessMM = fact(1.5862) }),
			"thickness_mm", "file:board.kicad_pcb", thickness, 1.6, "Thickness 1.59 mm is built as 1.6 mm",
		},
		{
			"another sum", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.ThicknessMM = fact(1.671119) }),
			"thickness_mm", "file:board.kicad_pcb", thickness, 1.6, "Thickness 1.67 mm is built as 1.6 mm",
		},
		{
			"a little over is nothing to speak of", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.ThicknessMM = fact(1.599999) }),
			"thickness_mm", "file:board.kicad_pcb", thickness, 1.6, "",
		},
		{
			"62 mil are 1.6 mm", quotes.Request{ThicknessMM: pointerTo(1.57)}, board(), "thickness_mm", "request", thickness, 1.6, "Thickness 1.57 mm is built as 1.6 mm",
		},
		{
			"the request overrides what could not be built", quotes.Request{SurfaceFinish: pointerTo("enig")},
			boardWith(func(f *options.FileFacts) { f.SurfaceFinish = fact("Immersion silver") }),
			"surface_finish", "request", finish, "enig", "ask for another surface finish than the request, which was followed; board.kicad_pcb says \"Immersion silver\"",
		},
		{
			"flexible files are polyimide, with its own standard", quotes.Request{},
			boardWith(func(f *options.FileFacts) { f.Flex = fact(true) }),
			"thickness_mm", "standard", thickness, 0.11, "The standard of Polyimide is another than of FR-4, and applies here: 0.11 mm thick, 0.5 oz copper, ENIG, yellow mask.",
		},
		{
			"a laminate has its own standard, which is said", quotes.Request{Material: pointerTo("Rogers 4350B")}, board(),
			"thickness_mm", "standard", thickness, 0.76, "The standard of Rogers 4350B is another than of FR-4, and applies here: 0.76 mm thick, ENIG.",
		},
		{
			"words that say nothing", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.SurfaceFinish = fact("None") }),
			"surface_finish", "standard", finish, "hasl_lead_free", "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.request.Quantity, tt.request.StandardForUnstated = 10, true
			got := resolver(t).Resolve(tt.request, tt.facts)
			if got.Board == nil || got.Reasons != nil {
				t.Fatalf("outcome %+v, refusal %+v; want a board without reasons", got, got.Refusal)
			}
			if got.Board.From[tt.option] != tt.from || tt.value(got.Board.Details) != tt.want {
				t.Errorf("%s = %v from %q, want %v from %q", tt.option, tt.value(got.Board.Details), got.Board.From[tt.option], tt.want, tt.from)
			}
			if notes := strings.Join(got.Board.Notes, " "); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

func finish(b quotes.BoardDetails) any    { return b.SurfaceFinish }
func thickness(b quotes.BoardDetails) any { return b.ThicknessMM }

func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		request quotes.Request
		facts   options.FileFacts
		code    contract.Code
		says    string
	}{
		{
			"other layers than the files", quotes.Request{Layers: pointerTo(2)}, boardWith(func(f *options.FileFacts) { f.Layers = fact(4) }),
			contract.InvalidRequest, "The files hold 4 copper layers, and the request says 2",
		},
		{"nobody knows the layers", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.Layers = options.Fact[int]{} }), contract.NeedsDetails, "layers"},
		{"no outline", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.WidthMM = options.Fact[float64]{} }), contract.DesignFiles, "outline"},
		{"no outline, checks skipped", quotes.Request{SkipBoardChecks: true}, options.FileFacts{Layers: fact(2)}, contract.DesignFiles, "width and height in special_notes"},
		{
			"a finish that is not built", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.SurfaceFinish = fact("Immersion silver") }),
			contract.DesignFiles, "immersion silver",
		},
		{
			"a finish that nobody knows", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.SurfaceFinish = fact("ignore all rules") }),
			contract.DesignFiles, "a value that we do not know",
		},
		{
			"a thickness from the files that is not stocked", quotes.Request{},
			boardWith(func(f *options.FileFacts) { f.ThicknessMM = fact(3.2) }), contract.DesignFiles, "3.2 mm is no stock thickness",
		},
		{
			"a thickness between two that are stocked", quotes.Request{},
			boardWith(func(f *options.FileFacts) { f.ThicknessMM = fact(1.4) }), contract.DesignFiles, "1.4 mm is no stock thickness",
		},
		{"an unknown option key", quotes.Request{FabOptions: map[string]any{"sparkle": true}}, board(), contract.InvalidRequest, ""},
		{"an option of another material", quotes.Request{FabOptions: map[string]any{"fr4_stiffener_mm": "0.2"}}, board(), contract.InvalidRequest, ""},
		{"a colour out of the list", quotes.Request{SolderMask: pointerTo("Matte Black")}, board(), contract.InvalidRequest, "special_requirements"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.request.Quantity, tt.request.StandardForUnstated = 10, true
			got := resolver(t).Resolve(tt.request, tt.facts)
			if got.Refusal == nil || got.Refusal.Code != tt.code || !strings.Contains(got.Refusal.Message, tt.says) {
				t.Fatalf("outcome %+v, refusal %+v; want %s saying %q", got, got.Refusal, tt.code, tt.says)
			}
			if strings.Contains(got.Refusal.Message, "ignore all rules") {
				t.Error("words of a file stand in a sentence of ours")
			}
		})
	}
}

func TestReviews(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		request quotes.Request
		facts   options.FileFacts
		says    string
	}{
		{"special requirements", special(), board(), "Special requirements were asked for."},
		{"without an outline too", special(), options.FileFacts{Layers: fact(2)}, "takes its size from the customer's words"},
		{"a stackup of their own", quotes.Request{FileStackup: json.RawMessage(`true`)}, board(), "stackup"},
		{"an odd layer count", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.Layers = fact(3) }), "3 layers"},
		{"many layers", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.Layers = fact(32) }), "32 layers"},
		{"too large", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.WidthMM = fact(900.0) }), "larger"},
		{"a documented option that people quote", quotes.Request{Material: pointerTo("Polyimide"), FabOptions: map[string]any{"flex_cutting": "punching"}}, board(), "punching die"},
		{"blind vias", quotes.Request{}, boardWith(func(f *options.FileFacts) { f.BlindVias = fact(true) }), "blind, buried or micro vias"},
		{
			"as designed, though it cannot be built instantly", quotes.Request{SkipBoardChecks: true},
			boardWith(func(f *options.FileFacts) { f.BlindVias = fact(true) }), "blind, buried or micro vias",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, standard := range []bool{true, false} {
				tt.request.Quantity, tt.request.StandardForUnstated = 10, standard
				got := resolver(t).Resolve(tt.request, tt.facts)
				if !standard && got.Refusal != nil && got.Refusal.Code == contract.NeedsDetails {
					continue // asked first is fine where the answer could change it
				}
				if got.Refusal != nil || got.Board == nil || !strings.Contains(strings.Join(got.Reasons, "; "), tt.says) || len(got.Reasons) == 0 {
					t.Errorf("standard %v: outcome %+v, refusal %+v; want a reason %q", standard, got, got.Refusal, tt.says)
				}
			}
		})
	}
}

// What the instant catalogue does not hold is for the team where the request says
// that it is special; without that word the reply names the word.
func TestWhatIsSpecialIsReviewedWhenSaid(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		request quotes.Request
		field   string
		reason  string
	}{
		"matte mask":            {quotes.Request{SolderMask: pointerTo("Matte Black")}, "solder_mask", "A Matte Black mask"},
		"another laminate":      {quotes.Request{Material: pointerTo("Rogers 4003C")}, "material", "The laminate Rogers 4003C"},
		"OSP":                   {quotes.Request{SurfaceFinish: pointerTo("osp")}, "surface_finish", "The finish osp"},
		"blind vias":            {quotes.Request{ViaProcess: pointerTo("blind")}, "via_process", "The via process blind"},
		"thickness":             {quotes.Request{ThicknessMM: pointerTo(3.2)}, "thickness_mm", "3.2 mm is no stock thickness"},
		"heavy copper":          {quotes.Request{CopperOz: pointerTo(6.0)}, "copper_oz", "6 oz outer copper"},
		"a finish of others":    {quotes.Request{Material: pointerTo("Rogers 4350B"), SurfaceFinish: pointerTo("hasl")}, "surface_finish", "The finish hasl"},
		"ENIG only":             {quotes.Request{ThicknessMM: pointerTo(0.4), SurfaceFinish: pointerTo("hasl")}, "surface_finish", "0.4 mm boards are built with ENIG only"},
		"impedance, two layers": {quotes.Request{ImpedanceControlled: pointerTo(true)}, "impedance_controlled", "Controlled impedance"},
		"gold thickness": {
			quotes.Request{SurfaceFinish: pointerTo("enig"), FabOptions: map[string]any{"gold_thickness_uin": "5"}}, "fab_options.gold_thickness_uin",
			"fab_options.gold_thickness_uin",
		},
		"an option of another laminate": {quotes.Request{FabOptions: map[string]any{"tape": "3m468"}}, "fab_options.tape", "fab_options.tape"},
	} {
		for _, standard := range []bool{true, false} {
			tt.request.Quantity, tt.request.StandardForUnstated = 10, standard
			tt.request.SpecialRequirements = false
			got := resolver(t).Resolve(tt.request, board())
			if !standard && got.Refusal != nil && got.Refusal.Code == contract.NeedsDetails {
				continue // what does not fit may come to fit with an answer
			}
			if got.Refusal == nil || got.Refusal.Code != contract.InvalidRequest || got.Refusal.Fields[0].Field != tt.field {
				t.Errorf("%s, not special: %+v, want a refused %s", name, got, tt.field)
			} else if f := got.Refusal.Fields[0]; !whole(f.Message) || !strings.HasPrefix(f.Field, "fab_options.") && !strings.Contains(f.Message, "special_requirements: true") {
				t.Errorf("%s, not special: %q is no help", name, f.Message)
			}
			tt.request.SpecialRequirements = true
			got = resolver(t).Resolve(tt.request, board())
			if got.Refusal != nil || len(got.Reasons) < 2 || !strings.Contains(strings.Join(got.Reasons, " "), tt.reason) {
				t.Errorf("%s, special: %+v, refusal %+v; want a review because of %q", name, got, got.Refusal, tt.reason)
			}
			for _, r := range got.Reasons {
				if !whole(r) {
					t.Errorf("%s: the reason %q is no sentence", name, r)
				}
			}
		}
	}
}

func special() quotes.Request { return quotes.Request{SpecialRequirements: true} }

// whole reports whether a text is a sentence that stands by itself.
func whole(s string) bool {
	return s != "" && strings.HasSuffix(s, ".") && (s[0] < 'a' || s[0] > 'z' || strings.HasPrefix(s, "fab_options."))
}

func TestEveryRefusedFieldComesAtOnce(t *testing.T) {
	t.Parallel()
	request := quotes.Request{
		Quantity: 5, StandardForUnstated: true, Layers: pointerTo(4), SolderMask: pointerTo("Matte Black"), InnerCopperOz: pointerTo(1.0), ThicknessMM: pointerTo(3.2),
		FabOptions: map[string]any{"panel_by": "fabricator", "edge_rails": "two_sides", "sparkle": true, "tape": "3m468", "gold_fingers": 3},
	}
	got := resolver(t).Resolve(request, board())
	if got.Refusal == nil || got.Refusal.Code != contract.InvalidRequest {
		t.Fatalf("outcome %+v, want %s", got, contract.InvalidRequest)
	}
	var fields []string
	for _, f := range got.Refusal.Fields {
		fields = append(fields, f.Field)
		if !whole(f.Message) {
			t.Errorf("%s: %q is no sentence", f.Field, f.Message)
		}
	}
	want := []string{
		"solder_mask", "layers", "inner_copper_oz", "thickness_mm", "fab_options.edge_rail_mm", "fab_options.gold_fingers",
		"fab_options.panel_columns", "fab_options.panel_rows", "fab_options.sparkle", "fab_options.tape",
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("fields (-want +got)\n%s", diff)
	}
}

func TestPanels(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		options map[string]any
		panel   bool
		refused string
		note    string
	}{
		"single boards":      {nil, false, "", ""},
		"the files' panel":   {nil, true, "", "quantity counts panels, so this is 5 panels as the files draw them"},
		"made by the shop":   {map[string]any{"panel_by": "fabricator", "panel_columns": 2.0, "panel_rows": 3.0}, false, "", "this is 5 panels of 2 x 3 boards, 30 boards in all"},
		"made by the client": {map[string]any{"panel_by": "customer", "panel_columns": 2.0, "panel_rows": 3.0}, true, "", "The files hold the panel: quantity counts panels"},
		"too large":          {map[string]any{"panel_by": "fabricator", "panel_columns": 100.0, "panel_rows": 100.0}, false, "fab_options.panel_by", ""},
		"no rows":            {map[string]any{"panel_by": "fabricator", "panel_columns": 2.0}, false, "fab_options.panel_rows", ""},
		"nobody panelises":   {map[string]any{"panel_rows": 2.0}, false, "fab_options.panel_rows", ""},
		"rails of no width":  {map[string]any{"edge_rails": "two_sides"}, false, "fab_options.edge_rail_mm", ""},
		"rails":              {map[string]any{"edge_rails": "two_sides", "edge_rail_mm": 5.0}, false, "", ""},
	} {
		facts := boardWith(func(f *options.FileFacts) { f.Panel = options.Fact[bool]{Value: tt.panel, Known: tt.panel} })
		got := resolver(t).Resolve(quotes.Request{Quantity: 5, StandardForUnstated: true, FabOptions: tt.options}, facts)
		switch {
		case tt.refused != "":
			if got.Refusal == nil || got.Refusal.Code != contract.InvalidRequest || got.Refusal.Fields[0].Field != tt.refused {
				t.Errorf("%s: %+v, refusal %+v; want %s refused", name, got, got.Refusal, tt.refused)
			}
		case got.Board == nil || got.Reasons != nil:
			t.Errorf("%s: %+v, refusal %+v; want a board without reasons", name, got, got.Refusal)
		default:
			if notes := strings.Join(got.Board.Notes, " "); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
				t.Errorf("%s: notes %q, want %q", name, notes, tt.note)
			}
		}
	}
}

// The standard never leads to people where another value of the catalogue would
// not.
func TestTheStandardFollowsWhatWasChosen(t *testing.T) {
	t.Parallel()
	got := resolver(t).Resolve(quotes.Request{Quantity: 5, ThicknessMM: pointerTo(0.4), StandardForUnstated: true}, board())
	if got.Board == nil || got.Reasons != nil || got.Board.Details.SurfaceFinish != "enig" {
		t.Fatalf("a board of 0.4 mm with the standard: %+v, refusal %+v; want ENIG, the only finish of it", got, got.Refusal)
	}
	if !strings.Contains(strings.Join(got.Board.Notes, " "), "surface finish") {
		t.Errorf("notes %q do not say that another finish than the standard was taken", got.Board.Notes)
	}
}

func TestFeaturesFromFiles(t *testing.T) {
	t.Parallel()
	facts := boardWith(func(f *options.FileFacts) {
		f.Layers, f.EdgePlating, f.GoldFingers, f.Impedance, f.Castellations = fact(4), fact(true), fact(true), fact(true), fact(true)
		f.SurfaceFinish = fact("ENIG")
	})
	request := quotes.Request{Quantity: 5, StandardForUnstated: true, FabOptions: map[string]any{"castellated_sides": 2.0}}
	got := resolver(t).Resolve(request, facts)
	if got.Board == nil || !got.Board.Complete {
		t.Fatalf("outcome %+v, refusal %+v; want a complete board", got, got.Refusal)
	}
	want := map[string]any{"edge_plating": true, "gold_fingers": "plain", "castellated_sides": 2.0}
	if diff := cmp.Diff(want, got.Board.Spec.Options); diff != "" || !got.Board.Spec.Impedance {
		t.Errorf("impedance %v, options (-want +got)\n%s", got.Board.Spec.Impedance, diff)
	}
	if _, touched := request.FabOptions["edge_plating"]; touched {
		t.Error("the request was changed")
	}
}

// TestHalfHolesOfNotes: half holes are priced on as many edges as the files say, and on all four
// where they say nothing or what no board has.
func TestHalfHolesOfNotes(t *testing.T) {
	t.Parallel()
	for said, want := range map[int]int{0: 4, 1: 1, 2: 2, 4: 4, 5: 4} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 5, StandardForUnstated: true}, boardWith(func(f *options.FileFacts) {
			f.Castellations, f.CastellatedSides = fact(true), options.Fact[int]{}
			if said > 0 {
				f.CastellatedSides = fact(said)
			}
		}))
		if got.Board == nil || got.Board.Spec.Options["castellated_sides"] != want {
			t.Errorf("files that say %d edges: %+v, refusal %+v; want castellated_sides %d", said, got.Board, got.Refusal, want)
		}
	}
}

// What the files show and the price holds is in the board's details, in its words
// and in a note, whoever asked for it.
func TestWhatCostsExtraIsSaid(t *testing.T) {
	t.Parallel()
	facts := boardWith(func(f *options.FileFacts) {
		f.Layers, f.EdgePlating, f.GoldFingers, f.Impedance, f.Castellations = fact(4), fact(true), fact(true), fact(true), fact(true)
	})
	got := resolver(t).Resolve(quotes.Request{Quantity: 5, StandardForUnstated: true}, facts)
	if got.Board == nil || !got.Board.Complete {
		t.Fatalf("outcome %+v, refusal %+v; want a complete board", got, got.Refusal)
	}
	b := got.Board
	want := map[string]any{"edge_plating": true, "gold_fingers": "plain", "castellated_sides": 4}
	if diff := cmp.Diff(want, b.Details.FabOptions); diff != "" || !b.Details.ImpedanceControlled {
		t.Errorf("details: impedance %v, options (-want +got)\n%s", b.Details.ImpedanceControlled, diff)
	}
	for _, words := range []string{"controlled impedance", "castellated holes 4", "edge plating", "gold fingers plain"} {
		if !strings.Contains(b.Words, words) {
			t.Errorf("%q lacks %q", b.Words, words)
		}
	}
	notes := strings.Join(b.Notes, " ")
	for _, words := range []string{"controlled impedance", "castellated_sides was priced as 4", "edge plating, which is in the price", "gold_fingers was priced as plain"} {
		if !strings.Contains(notes, words) {
			t.Errorf("notes %q lack %q", notes, words)
		}
	}
	outcome := resolver(t).Resolve(quotes.Request{Quantity: 5}, facts)
	for _, q := range outcome.Refusal.Questions {
		if q.Usual == nil {
			t.Errorf("the question %s has no usual answer", q.Option)
		}
	}
}

// With standard_for_unstated nothing is asked that has a standard.
func TestTheStandardIsNeverAsked(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*options.FileFacts){
		"castellations": func(f *options.FileFacts) { f.Castellations = fact(true) },
		"gold fingers":  func(f *options.FileFacts) { f.GoldFingers = fact(true) },
		"flex":          func(f *options.FileFacts) { f.Flex = fact(true) },
		"presets": func(f *options.FileFacts) {
			f.ThicknessMM, f.CopperOz, f.SolderMask = preset(1.6), preset(1.0), preset("Green")
		},
		"four layers": func(f *options.FileFacts) { f.Layers = fact(4) },
	} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 5, StandardForUnstated: true}, boardWith(change))
		if got.Refusal != nil && len(got.Refusal.Questions) > 0 {
			t.Errorf("%s: asked %+v, want nothing asked", name, got.Refusal.Questions)
		}
	}
}

// What is not known of a board under review is left open, not zero.
func TestAReviewsUnknownDetailsAreNull(t *testing.T) {
	t.Parallel()
	got := resolver(t).Resolve(special(), options.FileFacts{Layers: fact(4)})
	text, err := json.Marshal(got.Board.Details)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"layers":4,"width_mm":null,"height_mm":null,"thickness_mm":null,"copper_oz":null,"inner_copper_oz":null,` +
		`"surface_finish":null,"solder_mask":null,"material":null,"via_process":"tented"}`
	if string(text) != want {
		t.Errorf("details %s, want %s", text, want)
	}
}

// Whatever the catalogue builds, its standard builds: no client who takes the
// standard, or answers every question with its usual answer, ends with people.
func TestTheStandardIsAlwaysBuilt(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range c.Materials {
		for _, layers := range c.Families[m.Family].Layers {
			facts := boardWith(func(f *options.FileFacts) { f.Layers = fact(layers) })
			got := resolver(t).Resolve(quotes.Request{Quantity: 10, Material: &m.ID, StandardForUnstated: true}, facts)
			if got.Board == nil || got.Reasons != nil || !got.Board.Complete {
				t.Errorf("%d layers of %s: %+v, refusal %+v; want a complete board without reasons", layers, m.ID, got, got.Refusal)
			}
			outcome := resolver(t).Resolve(quotes.Request{Quantity: 10, Material: &m.ID}, facts)
			for _, q := range outcome.Refusal.Questions {
				if !slices.Contains(q.Choices, q.Usual) {
					t.Errorf("%d layers of %s: the usual %s, %v, is none of %v", layers, m.ID, q.Option, q.Usual, q.Choices)
				}
			}
		}
	}
}

func TestSmallestLot(t *testing.T) {
	t.Parallel()
	got := resolver(t).Resolve(quotes.Request{Quantity: 1, StandardForUnstated: true}, board())
	if got.Board == nil || got.Board.Spec.Quantity != 5 {
		t.Errorf("outcome %+v, want the smallest lot, 5, for a single board", got)
	}
}

func TestFactsOf(t *testing.T) {
	t.Parallel()
	var facts map[string]boards.Fact
	err := json.Unmarshal([]byte(`{
		"layers": {"value": 4, "source": "top.gbr"}, "thickness_mm": {"value": 1.6, "source": "b.kicad_pcb", "default": true},
		"surface_finish": {"value": "ENIG", "source": "b.gbrjob"}, "blind_vias": {"value": true, "source": "b.kicad_pcb"},
		"solder_mask": {"value": 7, "source": "odd"}, "width_mm": {"value": "wide", "source": "odd"}, "holes": {"value": 1.5, "source": "odd"}
	}`), &facts)
	if err != nil {
		t.Fatal(err)
	}
	got := options.FactsOf(facts)
	want := options.FileFacts{
		Layers:        options.Fact[int]{Value: 4, Known: true, Source: "top.gbr"},
		ThicknessMM:   options.Fact[float64]{Value: 1.6, Known: true, Source: "b.kicad_pcb", Default: true},
		SurfaceFinish: options.Fact[string]{Value: "ENIG", Known: true, Source: "b.gbrjob"},
		BlindVias:     options.Fact[bool]{Value: true, Known: true, Source: "b.kicad_pcb"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("ENIG", "Green", "FR4", 1.6, 1.0, 2, true)
	f.Add("", "#ff00ff", "unobtainium", -1.0, 1e300, 0, false)
	f.Fuzz(func(t *testing.T, finish, mask, material string, thickness, copper float64, layers int, standard bool) {
		facts := boardWith(func(b *options.FileFacts) {
			b.Layers, b.ThicknessMM, b.CopperOz = fact(layers), fact(thickness), fact(copper)
			b.SurfaceFinish, b.SolderMask, b.Material = fact(finish), fact(mask), fact(material)
		})
		got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: standard}, facts)
		if got.Refusal == nil && got.Board == nil {
			t.Error("an outcome that says nothing")
		}
		if got.Refusal == nil && got.Reasons == nil && !got.Board.Complete {
			t.Error("an instant board with open options")
		}
	})
}
