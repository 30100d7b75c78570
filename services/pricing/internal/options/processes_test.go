package options_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	pcb "boardorder/pkg/board/pcb"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/options"

	"github.com/google/go-cmp/cmp"
)

func boardNeeding(p pcb.Process) options.FileFacts {
	return boardWith(func(f *options.FileFacts) {
		f.Processes = []options.NeededProcess{{Name: p, Needed: fact(true)}}
		if p == pcb.Separating { // as readers state it with the pieces
			f.BoardsInPanel = fact(2)
		}
	})
}

// TestNoProcessIsPricedInSilence: what a plain board is made without goes to people by its
// name, with the standard for what is unstated and with checks skipped; or it is in the
// price as an option of the catalogue, and the reply says so.
func TestNoProcessIsPricedInSilence(t *testing.T) {
	t.Parallel()
	priced := map[pcb.Process]string{
		pcb.PressFitting: "fab_options.press_fit_holes", pcb.ViaFilling: "via_process", pcb.Coverlaying: "material",
	}
	for _, p := range pcb.Processes() {
		for _, skip := range []bool{false, true} {
			got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, SkipBoardChecks: skip}, boardNeeding(p))
			option, instant := priced[p]
			switch {
			case got.Refusal != nil || got.Board == nil:
				t.Errorf("%s: refused, %+v", p, got.Refusal)
			case instant && (got.Reasons != nil || got.Board.From[option] == "" || len(got.Board.Notes) == 0):
				t.Errorf("%s: reasons %q, from %v, notes %q; want it priced as %s and said", p, got.Reasons, got.Board.From, got.Board.Notes, option)
			case !instant && !strings.Contains(strings.Join(got.Reasons, " "), p.Words()):
				t.Errorf("%s: reasons %q do not name it", p, got.Reasons)
			}
		}
	}
}

// TestProcessesThatOptionsExpress: the request's word about a process is what is built.
func TestProcessesThatOptionsExpress(t *testing.T) {
	t.Parallel()
	flex := pointerTo("Polyimide")
	for _, tt := range []struct {
		name    string
		process pcb.Process
		request quotes.Request
		reason  string
		option  string
		want    any
	}{
		{"no press fit", pcb.PressFitting, quotes.Request{FabOptions: map[string]any{"press_fit_holes": false}}, "", "press_fit_holes", false},
		{"press fit", pcb.PressFitting, quotes.Request{}, "", "press_fit_holes", true},
		{"press fit of flexible boards", pcb.PressFitting, quotes.Request{Material: flex}, "press-fit holes, which does not exist for material Polyimide", "", nil},
		{"a stiffener", pcb.Stiffening, quotes.Request{Material: flex}, "a stiffener", "", nil},
		{"a stiffener that is chosen", pcb.Stiffening, quotes.Request{Material: flex, FabOptions: map[string]any{"polyimide_stiffener_mm": "0.2"}}, "", "polyimide_stiffener_mm", "0.2"},
		{"a stiffener that is not wanted", pcb.Stiffening, quotes.Request{FabOptions: map[string]any{"fr4_stiffener_mm": "none"}}, "", "fr4_stiffener_mm", "none"},
		{"a coverlay on FR-4", pcb.Coverlaying, quotes.Request{Material: pointerTo("FR-4")}, "a coverlay", "", nil},
		{"vias that are not to be filled", pcb.ViaFilling, quotes.Request{ViaProcess: pointerTo("tented")}, "", "", nil},
		{"several boards", pcb.Separating, quotes.Request{}, "fab_options.panel_by: customer says so, with the boards side by side in fab_options.panel_columns and those one above the other in fab_options.panel_rows", "", nil},
		{"several boards, called a panel", pcb.Separating, quotes.Request{FabOptions: map[string]any{"panel_by": "customer", "panel_columns": 2, "panel_rows": 1}}, "", "", nil},
		{"vias that cannot be filled", pcb.ViaFilling, quotes.Request{Material: flex}, "filled vias", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.request.Quantity, tt.request.StandardForUnstated = 10, true
			got := resolver(t).Resolve(tt.request, boardNeeding(tt.process))
			if got.Refusal != nil || (tt.reason == "") != (got.Reasons == nil) || !strings.Contains(strings.Join(got.Reasons, " "), tt.reason) {
				t.Fatalf("reasons %q, refusal %+v; want %q", got.Reasons, got.Refusal, tt.reason)
			}
			if tt.option != "" && got.Board.Spec.Options[tt.option] != tt.want {
				t.Errorf("options %v, want %s %v", got.Board.Spec.Options, tt.option, tt.want)
			}
		})
	}
}

func TestFilledViasAreAskedFor(t *testing.T) {
	t.Parallel()
	request := quotes.Request{Quantity: 10}
	got := resolver(t).Resolve(request, boardNeeding(pcb.ViaFilling))
	q := question(t, got, "via_process")
	if q.Usual != "epoxy_filled_capped" || slices.Contains(q.Choices, any("tented")) || q.Question == "" {
		t.Errorf("the question is %+v, want epoxy_filled_capped as usual, tented no choice", q)
	}
}

func question(t *testing.T, got options.Outcome, option string) contract.Question {
	t.Helper()
	if got.Refusal == nil || got.Refusal.Code != contract.NeedsDetails {
		t.Fatalf("outcome %+v, refusal %+v; want questions", got, got.Refusal)
	}
	i := slices.IndexFunc(got.Refusal.Questions, func(q contract.Question) bool { return q.Option == option })
	if i < 0 {
		t.Fatalf("%s is not among %+v", option, got.Refusal.Questions)
	}
	return got.Refusal.Questions[i]
}

// TestWhatFilesOnlySeemToShowIsAsked: no standard stands for it, so that it is neither ordered nor
// left out before the customer has said which.
func TestWhatFilesOnlySeemToShowIsAsked(t *testing.T) {
	t.Parallel()
	for key, change := range map[string]func(*options.FileFacts, options.Fact[bool]){
		"gold_fingers":      func(f *options.FileFacts, v options.Fact[bool]) { f.GoldFingers = v },
		"castellated_sides": func(f *options.FileFacts, v options.Fact[bool]) { f.Castellations = v },
	} {
		for _, doubtful := range []bool{false, true} {
			shown := fact(true)
			shown.Doubtful = doubtful
			facts := boardWith(func(f *options.FileFacts) { change(f, shown) })
			choice := question(t, resolver(t).Resolve(quotes.Request{Quantity: 10}, facts), "fab_options."+key)
			if none := len(choice.Choices) > 0 && (choice.Choices[0] == any("none") || choice.Choices[0] == any(0.0)); none != doubtful {
				t.Errorf("%s, doubtful %v: asked with the choices %v, want none as the first where it is doubtful, else not", key, doubtful, choice.Choices)
			}
			got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true}, facts)
			if doubtful {
				if again := question(t, got, "fab_options."+key); !strings.Contains(got.Refusal.Message, "no standard stands") || !cmp.Equal(again, choice) {
					t.Errorf("%s, doubtful, with the standard for what is unstated: %q asks %+v, want %+v", key, got.Refusal.Message, again, choice)
				}
			} else if _, ordered := got.Board.Spec.Options[key]; !ordered || !strings.Contains(strings.Join(got.Board.Notes, " "), "fab_options."+key) {
				t.Errorf("%s: ordered %v; notes %q; want it ordered and said", key, ordered, got.Board.Notes)
			}
			none := quotes.Request{Quantity: 10, StandardForUnstated: true, FabOptions: map[string]any{key: choice.Choices[0]}}
			if got := resolver(t).Resolve(none, facts); got.Refusal != nil || got.Reasons != nil {
				t.Errorf("%s: the answer %v is refused: %+v", key, choice.Choices[0], got)
			}
		}
	}
}

// TestOptionsOfTheFilesThatDoNotFitAreNoFaultOfTheRequest: nothing is refused that was not
// sent; what the request sends and does not fit still is.
func TestOptionsOfTheFilesThatDoNotFitAreNoFaultOfTheRequest(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		facts   options.FileFacts
		request quotes.Request
		says    string
	}{
		"plated edges": {boardWith(func(f *options.FileFacts) { f.Flex, f.EdgePlating = fact(true), fact(true) }), quotes.Request{}, "The files show edge plating, which does not exist for material Polyimide."},
		"gold fingers": {boardWith(func(f *options.FileFacts) { f.Material, f.GoldFingers = fact("Kapton"), fact(true) }), quotes.Request{}, "The files show gold fingers, which does not exist for material Polyimide."},
		"one layer":    {boardWith(func(f *options.FileFacts) { f.Layers, f.EdgePlating = fact(1), fact(true) }), quotes.Request{}, "The files show edge plating, which needs 2 or more layers."},
	} {
		for _, standard := range []bool{true, false} {
			tt.request.Quantity, tt.request.StandardForUnstated = 10, standard
			got := resolver(t).Resolve(tt.request, tt.facts)
			if standard && !slices.Contains(got.Reasons, tt.says) || got.Refusal != nil && got.Refusal.Code == contract.InvalidRequest {
				t.Errorf("%s, standard %v: %+v, refusal %+v; want %q", name, standard, got, got.Refusal, tt.says)
			}
		}
	}
	sent := quotes.Request{Quantity: 10, StandardForUnstated: true, FabOptions: map[string]any{"edge_plating": true}}
	got := resolver(t).Resolve(sent, boardWith(func(f *options.FileFacts) { f.Flex = fact(true) }))
	if got.Refusal == nil || got.Refusal.Code != contract.InvalidRequest {
		t.Errorf("what the request sends does not fit: %+v, want %s", got, contract.InvalidRequest)
	}
}

// TestLayersThatCarryNothingAreConfirmed: only the number of layers in the request does so.
func TestLayersThatCarryNothingAreConfirmed(t *testing.T) {
	t.Parallel()
	facts := boardWith(func(f *options.FileFacts) { f.Layers, f.EmptyInner = fact(16), fact(14) })
	for _, skip := range []bool{true, false} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, SkipBoardChecks: skip}, facts)
		q := question(t, got, "layers")
		data, err := json.Marshal(q)
		if err != nil || len(q.Choices) != 1 || q.Choices[0] != any(16) || !strings.Contains(string(data), "14 inner carry nothing") {
			t.Errorf("asked %s (%v)", data, err)
		}
	}
	if got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, Layers: pointerTo(16)}, facts); got.Refusal != nil || got.Reasons != nil {
		t.Errorf("confirmed, and yet refusal %+v, reasons %q", got.Refusal, got.Reasons)
	}
	facts.EmptyInner = fact(0)
	if got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true}, facts); got.Refusal != nil {
		t.Errorf("no empty layer, and yet %+v", got.Refusal)
	}
}

// TestWhatFilesDoNotShowIsLookedAt: boards to separate where no panel is, and copper that
// nobody recognised.
func TestWhatFilesDoNotShowIsLookedAt(t *testing.T) {
	t.Parallel()
	unknown := options.FileFacts{WidthMM: fact(20.0), HeightMM: fact(10.0)}
	for name, tt := range map[string]struct {
		facts   options.FileFacts
		request quotes.Request
		says    string
	}{
		"boards to separate":             {board(), quotes.Request{SeparateBoards: json.RawMessage(`true`)}, "no panel was recognised"},
		"boards to separate, in words":   {board(), quotes.Request{SeparateBoards: json.RawMessage(`{"rows": 2}`)}, "no panel was recognised"},
		"nothing to separate":            {board(), quotes.Request{SeparateBoards: json.RawMessage(`false`)}, ""},
		"no copper, layers said":         {unknown, quotes.Request{Layers: pointerTo(2)}, "not all copper layers were recognised"},
		"no copper, checks skipped":      {unknown, quotes.Request{SkipBoardChecks: true}, "not all copper layers were recognised"},
		"no copper, both":                {unknown, quotes.Request{Layers: pointerTo(2), SkipBoardChecks: true}, "not all copper layers were recognised"},
		"films that nobody knows":        {boardWith(func(f *options.FileFacts) { f.CopperUnknown = fact(true) }), quotes.Request{SkipBoardChecks: true}, "not all copper layers were recognised"},
		"copper found, layers confirmed": {board(), quotes.Request{Layers: pointerTo(2), SkipBoardChecks: true}, ""},
	} {
		tt.request.Quantity, tt.request.StandardForUnstated = 10, true
		got := resolver(t).Resolve(tt.request, tt.facts)
		if reasons := strings.Join(got.Reasons, " "); got.Refusal != nil || (reasons == "") != (tt.says == "") || !strings.Contains(strings.ToLower(reasons), tt.says) {
			t.Errorf("%s: reasons %q, refusal %+v; want %q", name, reasons, got.Refusal, tt.says)
		}
	}
}

// TestBevelledFingers: an edge that the files state to be bevelled is in the price.
func TestBevelledFingers(t *testing.T) {
	t.Parallel()
	got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true}, boardWith(func(f *options.FileFacts) {
		f.GoldFingers, f.Bevel = fact(true), fact(true)
	}))
	if got.Board == nil || got.Reasons != nil || got.Board.Details.FabOptions["gold_fingers"] != "bevelled" || !strings.Contains(strings.Join(got.Board.Notes, " "), "in the price") {
		t.Errorf("gold fingers with a bevel, of the files: %+v, %v; want bevelled gold_fingers, said to be in the price", got.Board, got.Reasons)
	}
}

// TestPricedByPeople: of a board that people quote no note speaks of a price that there is.
func TestPricedByPeople(t *testing.T) {
	t.Parallel()
	for _, special := range []bool{false, true} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, SpecialRequirements: special}, boardWith(func(f *options.FileFacts) {
			f.EdgePlating = fact(true)
		}))
		if reported := strings.Contains(strings.Join(got.Board.Notes, " "), "is in the price"); reported == special {
			t.Errorf("special requirements %v: notes %q, want it said to be in the price: %v", special, got.Board.Notes, !special)
		}
	}
}
