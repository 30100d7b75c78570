package options_test

import (
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/options"
)

// TestEverySelectionSaysWhereItIsFrom: options of the fabricator and the stackup like
// layers and thickness, whoever chose them.
func TestEverySelectionSaysWhereItIsFrom(t *testing.T) {
	t.Parallel()
	bevelled := boardWith(func(f *options.FileFacts) { f.Bevel = fact(true) })
	fingers := boardWith(func(f *options.FileFacts) { f.GoldFingers = fact(true) })
	for name, tt := range map[string]struct {
		request quotes.Request
		facts   options.FileFacts
		option  string
		want    string
	}{
		"chosen":                          {quotes.Request{FabOptions: map[string]any{"gold_fingers": "plain"}}, board(), "fab_options.gold_fingers", "request"},
		"chosen against the files":        {quotes.Request{FabOptions: map[string]any{"gold_fingers": "none"}}, bevelled, "fab_options.gold_fingers", "request"},
		"shown by the files":              {quotes.Request{}, bevelled, "fab_options.gold_fingers", "file:board.kicad_pcb"},
		"the standard for what is shown":  {quotes.Request{}, fingers, "fab_options.gold_fingers", "standard"},
		"neither chosen nor shown":        {quotes.Request{}, board(), "fab_options.gold_fingers", ""},
		"another option is chosen beside": {quotes.Request{FabOptions: map[string]any{"edge_plating": true}}, bevelled, "fab_options.edge_plating", "request"},
	} {
		tt.request.Quantity, tt.request.StandardForUnstated = 10, true
		got := resolver(t).Resolve(tt.request, tt.facts)
		if got.Board == nil {
			t.Errorf("%s: %+v is no board: %+v", name, tt.request, got)
			continue
		}
		if from := got.Board.From[tt.option]; from != tt.want {
			t.Errorf("%s: %s is from %q, want %q", name, tt.option, from, tt.want)
		}
		for key := range got.Board.Details.FabOptions {
			if got.Board.From["fab_options."+key] == "" {
				t.Errorf("%s: fab_options.%s is from nowhere", name, key)
			}
		}
	}
}
