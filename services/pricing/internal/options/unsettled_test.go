package options

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
)

func valuesOf(words ...string) []boards.StatedValue {
	var out []boards.StatedValue
	for i, w := range words {
		out = append(out, boards.StatedValue{Words: w, File: "notes/fab.txt", Line: i + 1})
	}
	return out
}

// TestUnsettledOptionsAreAsked: no standard stands for an option that the files leave open,
// and the request's word settles it, which is said.
func TestUnsettledOptionsAreAsked(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	thick, mask := 1.2, "Black"
	for name, tt := range map[string]struct {
		stated  map[string][]boards.StatedValue
		request quotes.Request
		option  string // that is asked for
		words   []string
	}{
		"two thicknesses":   {map[string][]boards.StatedValue{"thickness_mm": valuesOf("0.8 mm", "1.2 mm")}, quotes.Request{}, "thickness_mm", []string{`"0.8 mm" (fab.txt, line 1)`, `"1.2 mm" (fab.txt, line 2)`}},
		"a range":           {map[string][]boards.StatedValue{"thickness_mm": valuesOf("0.8 - 1.0 mm")}, quotes.Request{}, "thickness_mm", []string{"none of the values that are built"}},
		"two masks":         {map[string][]boards.StatedValue{"solder_mask": valuesOf("black", "white")}, quotes.Request{}, "solder_mask", []string{"Black (fab.txt, line 1)", "White (fab.txt, line 2)"}},
		"two finishes":      {map[string][]boards.StatedValue{"surface_finish": valuesOf("ENIG", "gold-coloured")}, quotes.Request{}, "surface_finish", []string{"enig (", `"gold-coloured"`}},
		"two weights":       {map[string][]boards.StatedValue{"copper_oz": valuesOf("2 oz", "1 oz")}, quotes.Request{}, "copper_oz", []string{`"2 oz"`, "special_requirements"}},
		"two, and a word":   {map[string][]boards.StatedValue{"thickness_mm": valuesOf("0.8 mm", "1.2 mm")}, quotes.Request{ThicknessMM: &thick}, "", []string{"1.2 mm, and the request was followed"}},
		"masks, and a word": {map[string][]boards.StatedValue{"solder_mask": valuesOf("black", "white")}, quotes.Request{SolderMask: &mask}, "", []string{"Black, and the request was followed"}},
	} {
		tt.request.Quantity, tt.request.StandardForUnstated = 5, true
		facts := FileFacts{Layers: Fact[int]{Value: 2, Known: true}, WidthMM: Fact[float64]{Value: 50, Known: true}, HeightMM: Fact[float64]{Value: 40, Known: true}, Stated: tt.stated}
		out := New(c).Resolve(tt.request, facts)
		text := ""
		switch {
		case tt.option != "" && (out.Refusal == nil || len(out.Refusal.Questions) != 1 || out.Refusal.Questions[0].Option != tt.option || len(out.Refusal.Questions[0].Choices) == 0):
			t.Errorf("%s: %+v; want one question of %s with choices", name, out, tt.option)
			continue
		case tt.option != "":
			text = out.Refusal.Questions[0].Question
		case out.Refusal != nil || len(out.Reasons) > 0:
			t.Errorf("%s: refused by %+v, reviewed for %v; want neither", name, out.Refusal, out.Reasons)
			continue
		default:
			text = strings.Join(out.Board.Notes, "\n")
		}
		for _, w := range tt.words {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q lacks %q", name, text, w)
			}
		}
	}
}

// TestWordsOfNotes: silkscreens, panels, bare HASL and what the request declines are asked
// about, quoted by people or said.
func TestWordsOfNotes(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	yes, src := Fact[bool]{Value: true, Known: true, Source: "fab.txt"}, "fab.txt"
	word := func(s string) Fact[string] { return Fact[string]{Value: s, Known: true, Source: src} }
	two, twelve := Fact[int]{Value: 2, Known: true}, Fact[int]{Value: 12, Known: true}
	for name, tt := range map[string]struct {
		facts   FileFacts
		request quotes.Request
		want    string // asked, review, priced
		words   string // in its questions, reasons or notes
	}{
		"a yellow silkscreen":        {FileFacts{Silkscreen: word("yellow")}, quotes.Request{}, "review", "silkscreen in another colour"},
		"a white silkscreen":         {FileFacts{Silkscreen: word("white")}, quotes.Request{}, "priced", ""},
		"a black silkscreen":         {FileFacts{Silkscreen: word("Black")}, quotes.Request{}, "priced", "printed in white"},
		"panels":                     {FileFacts{PanelWanted: yes}, quotes.Request{}, "asked", "panel_by"},
		"panels in the files":        {FileFacts{PanelWanted: yes, Panel: yes}, quotes.Request{}, "priced", ""},
		"single boards all the same": {FileFacts{PanelWanted: yes}, quotes.Request{FabOptions: map[string]any{"panel_by": "none"}}, "priced", ""},
		"HASL":                       {FileFacts{SurfaceFinish: word("HASL")}, quotes.Request{}, "priced", "without saying whether with lead"},
		"leaded HASL":                {FileFacts{SurfaceFinish: word("leaded HASL")}, quotes.Request{}, "priced", ""},
		"HASL on many layers":        {FileFacts{SurfaceFinish: word("HASL"), Layers: twelve}, quotes.Request{}, "priced", "hasl_lead_free is built on this board"},
		"leaded HASL on many layers": {FileFacts{SurfaceFinish: word("leaded HASL"), Layers: twelve}, quotes.Request{}, "asked", "not built with leaded HASL"},
		"castellations declined":     {FileFacts{Castellations: yes}, quotes.Request{FabOptions: map[string]any{"castellated_sides": 0.0}}, "priced", "castellated_sides: 0, and was followed"},
		"castellations":              {FileFacts{Castellations: yes}, quotes.Request{FabOptions: map[string]any{"castellated_sides": 2.0}}, "priced", ""},
		"class 3":                    {FileFacts{Processes: []NeededProcess{{pcb.HigherClass, yes}}}, quotes.Request{}, "review", "IPC class 3"},
		"a mask on one side":         {FileFacts{Processes: []NeededProcess{{pcb.PartialMasking, yes}}}, quotes.Request{}, "review", "one side only"},
		"a hybrid":                   {FileFacts{Processes: []NeededProcess{{pcb.HybridStack, yes}}}, quotes.Request{}, "review", "several laminates"},
	} {
		tt.request.Quantity, tt.request.StandardForUnstated = 5, true
		if !tt.facts.Layers.Known {
			tt.facts.Layers = two
		}
		tt.facts.WidthMM, tt.facts.HeightMM = Fact[float64]{Value: 50, Known: true}, Fact[float64]{Value: 40, Known: true}
		out := New(c).Resolve(tt.request, tt.facts)
		got, text := "priced", ""
		switch {
		case out.Refusal != nil:
			got, text = "asked", out.Refusal.Message
			for _, q := range out.Refusal.Questions {
				text += q.Option + q.Question
			}
		case len(out.Reasons) > 0:
			got, text = "review", strings.Join(out.Reasons, "\n")
		default:
			text = strings.Join(out.Board.Notes, "\n")
		}
		if got != tt.want || !strings.Contains(text, tt.words) || tt.words == "" && strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "The files hold a panel") {
			t.Errorf("%s: %s, %q; want %s with %q", name, got, text, tt.want, tt.words)
		}
	}
}
