package options_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/options"
)

func TestWhatToolsListIsToldWhereTheStandardDiffers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*options.FileFacts)
		option string
		words  string // of the note and of the question
		note   string
	}{
		"inner copper": {
			func(f *options.FileFacts) { f.Layers, f.InnerCopperOz = fact(4), preset(1.0) }, "inner_copper_oz", "The files list 1 oz",
			"The files list inner copper 1 oz as their design tool begins with, which counts as unstated: the standard 0.5 oz is built",
		},
		"thickness": {
			func(f *options.FileFacts) { f.ThicknessMM = preset(1.99) }, "thickness_mm", "The files list 2 mm",
			"The files list thickness 2 mm as their design tool begins with, which counts as unstated: the standard 1.6 mm is built",
		},
		"finish": {
			func(f *options.FileFacts) { f.SurfaceFinish = preset("HASL") }, "surface_finish", "The files list hasl,",
			"The files list surface finish hasl as their design tool begins with",
		},
		"the standard itself": {
			func(f *options.FileFacts) {
				f.ThicknessMM, f.SolderMask, f.Material = preset(1.57), preset("green"), preset("FR4")
			}, "thickness_mm", "", "",
		},
		"words that nobody knows": {func(f *options.FileFacts) { f.SurfaceFinish = preset("sparkle") }, "surface_finish", "", ""},
	} {
		got := resolver(t).Resolve(quotes.Request{Quantity: 10, StandardForUnstated: true}, boardWith(tt.change))
		if got.Board == nil {
			t.Errorf("%s: refused by %+v, want a board", name, got.Refusal)
			continue
		}
		if notes := strings.Join(got.Board.Notes, " "); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("%s: notes %q; want %q", name, notes, tt.note)
		}
		outcome := resolver(t).Resolve(quotes.Request{Quantity: 10}, boardWith(tt.change))
		i := slices.IndexFunc(outcome.Refusal.Questions, func(q contract.Question) bool { return q.Option == tt.option })
		if i < 0 || !strings.Contains(outcome.Refusal.Questions[i].Question, tt.words) || tt.words == "" && strings.Contains(outcome.Refusal.Questions[i].Question, "list") {
			t.Errorf("%s: asks %+v; want %q", name, outcome.Refusal.Questions, tt.words)
		}
	}
}
