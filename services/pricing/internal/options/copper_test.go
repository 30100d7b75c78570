package options_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/options"
)

func TestLayersOfUnlikeCopperAreAskedAbout(t *testing.T) {
	t.Parallel()
	const words = "1 oz on 2 layers, 0.5 oz on 2 layers"
	mixed := boardWith(func(f *options.FileFacts) {
		f.Layers, f.CopperOz, f.InnerCopperOz, f.MixedInner = fact(6), fact(1.0), fact(1.0), fact(words)
	})
	for _, standard := range []bool{true, false} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: standard}, mixed)
		asks := func(q contract.Question) bool {
			return q.Option == "inner_copper_oz" && strings.Contains(q.Question, words) && q.Usual == 1.0 && slices.Contains(q.Choices, any(0.5))
		}
		if got.Refusal == nil || got.Refusal.Code != contract.NeedsDetails || !slices.ContainsFunc(got.Refusal.Questions, asks) {
			t.Errorf("standard %v: %+v, %+v; want it asked for the inner copper, %q", standard, got, got.Refusal, words)
		}
		if strings.Contains(got.Refusal.Message, "standard_for_unstated") == standard {
			t.Errorf("standard %v: %s, want standard_for_unstated offered: %v", standard, got.Refusal.Message, !standard)
		}
	}
	answered := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, InnerCopperOz: pointerTo(0.5)}, mixed)
	if answered.Board == nil || *answered.Board.Details.InnerCopperOz != 0.5 || !strings.Contains(strings.Join(answered.Board.Notes, " "), words+"; the request says 0.5 oz for all") {
		t.Errorf("answered: %+v, %+v; want 0.5 oz of the request, and that the files differ", answered.Board, answered.Refusal)
	}
	team := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, FileStackup: json.RawMessage("true")}, mixed)
	if team.Refusal != nil || len(team.Reasons) == 0 {
		t.Errorf("as in the files: %+v, refusal %+v; want a reason for the team", team, team.Refusal)
	}
	outer := boardWith(func(f *options.FileFacts) {
		f.CopperOz, f.MixedOuter = fact(2.0), fact("2 oz on 1 layer, 1 oz on 1 layer")
	})
	if got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true}, outer); got.Refusal == nil || got.Refusal.Questions[0].Option != "copper_oz" {
		t.Errorf("unlike sides: %+v, %+v; want the outer copper asked for", got.Board, got.Refusal)
	}
}

// Half an ounce outside is foil that is plated; half an ounce within is what is built.
func TestOuterFoilIsPlated(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		copper  options.Fact[float64]
		request *float64
		want    float64
		note    string
	}{
		"foil of 0.5 oz": {fact(0.5), nil, 1, "The files say 0.5 oz of outer copper, which is its foil"},
		"one ounce":      {fact(1.0), nil, 1, ""},
		"two":            {fact(2.0), nil, 2, ""},
		"asked for 2 oz": {fact(0.5), pointerTo(2.0), 2, "The files say outer copper 1 oz; the request says 2 oz"},
	} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true, CopperOz: tt.request}, boardWith(func(f *options.FileFacts) { f.CopperOz = tt.copper }))
		if got.Board == nil || got.Board.Details.CopperOz != tt.want {
			t.Errorf("%s: board %+v, refused by %+v; want %v oz", name, got.Board, got.Refusal, tt.want)
			continue
		}
		if notes := strings.Join(got.Board.Notes, " "); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q", name, notes, tt.note)
		}
	}
}
