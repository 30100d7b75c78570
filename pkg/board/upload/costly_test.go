package upload_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload"
)

// touching is a panel of 20 boards of 20 x 20 mm that meet at edges of many strokes, as
// fabricators draw them, with many tracks on both sides.
func touching() uploads.Set {
	var edge, copper []string
	for b := range 20 {
		const strokes = 59
		x, y := float64(b%4)*20, float64(b/4)*20
		corners := [][2]float64{{x, y}, {x + 20, y}, {x + 20, y + 20}, {x, y + 20}, {x, y}}
		for i, from := range corners[:4] {
			to := corners[i+1]
			at := func(k int) string {
				s := float64(k) / strokes
				return fmt.Sprintf("%.4f,%.4f", from[0]+(to[0]-from[0])*s, from[1]+(to[1]-from[1])*s)
			}
			for k := range strokes {
				edge = append(edge, at(k)+" "+at(k+1))
			}
		}
		for k := range 1000 {
			u, v := x+2+float64(k%40)*0.4, y+2+float64(k/40)*0.6
			copper = append(copper, fmt.Sprintf("%.3f,%.3f %.3f,%.3f", u, v, u+0.2, v), fmt.Sprintf("%.3f,%.3f", u, v+0.3))
		}
	}
	return uploads.Set{"x-F_Cu.gbr": uploads.Gerber("", copper...), "x-B_Cu.gbr": uploads.Gerber("", copper...), "x-Edge_Cuts.gbr": uploads.Gerber("", edge...)}
}

// TestPanelOfTouchingBoards: an ordinary panel takes a small part of the budget.
func TestPanelOfTouchingBoards(t *testing.T) {
	t.Parallel()
	tenth := pcb.Limits{Objects: pcb.DefaultLimits.Objects, Steps: pcb.DefaultLimits.Steps / 5}
	p := upload.Read(t.Context(), uploads.Ordinary().Merge(touching()).Files(), upload.Options{Limits: tenth})
	if len(p.Boards) != 1 || slices.Contains(uploads.Codes(p, pcb.Note), pcb.TooComplexCode) {
		t.Errorf("a panel within %+v: %d boards, findings %q; want 1, and none too complex", tenth, len(p.Boards), uploads.Codes(p, pcb.Note))
	}
}

// TestOneBoardTakesNoOther: where one board of an upload costs more than the budget, the
// others are read, and it stays among them by its name alone.
func TestOneBoardTakesNoOther(t *testing.T) {
	t.Parallel()
	both := uploads.Set{}
	for name, text := range uploads.Ordinary() {
		both["one/"+name] = text
		both["two/"+name] = strings.ReplaceAll(text, "x", "y")
	}
	many := make([]string, 2000)
	for i := range many {
		many[i] = fmt.Sprintf("%.3f,5", 1+float64(i)*0.009)
	}
	both["two/x-F_Cu.gbr"] = uploads.Gerber("", many...)
	p := upload.Read(t.Context(), both.Files(), upload.Options{Limits: pcb.Limits{Objects: 1000}})
	if len(p.Boards) != 2 || len(p.Boards[0].Layers) != 5 || len(p.Boards[1].Layers) != 0 {
		t.Fatalf("%d boards with findings %+v, want two, one of five layers and one of none", len(p.Boards), p.Findings)
	}
	if f := p.Boards[1].Findings; len(f) != 1 || f[0].Code != pcb.TooComplexCode || len(p.Files) != len(both) {
		t.Errorf("the costly board has findings %+v, and %d files; want that it is too complex, and %d", f, len(p.Files), len(both))
	}
	if slices.ContainsFunc(p.Findings, func(f pcb.Finding) bool { return f.Level == pcb.Problem }) {
		t.Errorf("the upload has findings %+v, want no problem", p.Findings)
	}
	if p := upload.Read(t.Context(), both.Files(), upload.Options{Limits: pcb.Limits{Objects: 10}}); len(p.Boards) != 0 {
		t.Errorf("%d boards where none can be read, want 0", len(p.Boards))
	} else if got := uploads.Codes(p, pcb.Problem); !slices.Equal(got, []string{pcb.TooComplexCode}) {
		t.Errorf("problems of files that are too much: %q, want the reason alone", got)
	}
}
