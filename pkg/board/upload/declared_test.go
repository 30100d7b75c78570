package upload

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/pcb"
)

// kicadBoard is a KiCad board with copper layers, of which the first and the last
// are the outer ones.
func kicadBoard(layers int, body ...string) []byte {
	var b strings.Builder
	b.WriteString(`(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6)) (layers (0 "F.Cu" signal)`)
	for i := 1; i < layers-1; i++ {
		fmt.Fprintf(&b, `(%d "In%d.Cu" signal)`, i, i)
	}
	b.WriteString(`(31 "B.Cu" signal)(44 "Edge.Cuts" user)(38 "B.Mask" user)(39 "F.Mask" user)) (net 0 "") (net 1 "A")`)
	b.WriteString(strings.Join(body, "") + ")")
	return []byte(b.String())
}

// edges is a rectangle of the outline, in millimetres.
func edges(x, y, w, h float64) string {
	line := func(a, b, c, d float64) string {
		return fmt.Sprintf(`(gr_line (start %g %g) (end %g %g) (layer "Edge.Cuts") (width 0.1))`, a, b, c, d)
	}
	return line(x, y, x+w, y) + line(x+w, y, x+w, y+h) + line(x+w, y+h, x, y+h) + line(x, y+h, x, y)
}

// lead is a part with one plated hole.
func lead(ref string, x, y float64) string {
	return fmt.Sprintf(`(footprint "a:b" (layer "F.Cu") (at %g %g) (property "Reference" %q)
		(pad "1" thru_hole circle (at 0 0) (size 2 2) (drill 1) (layers "*.Cu" "*.Mask") (net 1 "A")))`, x, y, ref)
}

func segment(layer string, x0, x1, y float64) string {
	return fmt.Sprintf(`(segment (start %g %g) (end %g %g) (width 0.3) (layer %q) (net 1))`, x0, y, x1, y, layer)
}

// TestDeclared: what a board file declares beyond what it holds, or holds beyond one
// board, is said.
func TestDeclared(t *testing.T) {
	t.Parallel()
	wired := lead("J1", 5, 5) + lead("J2", 15, 5) + segment("F.Cu", 5, 15, 5)
	for _, c := range []struct {
		name   string
		data   []byte
		check  dfm.Name
		count  int
		pieces int
	}{
		{"two layers, both used", kicadBoard(2, edges(0, 0, 20, 20), wired), dfm.LayerEmpty, 0, 1},
		{"four layers, two of them with lands only", kicadBoard(4, edges(0, 0, 20, 20), wired), dfm.LayerEmpty, 2, 1},
		{"four layers, one of them with a track", kicadBoard(4, edges(0, 0, 20, 20), wired, segment("In1.Cu", 5, 15, 5)), dfm.LayerEmpty, 1, 1},
		{"sixteen layers, fourteen of them with lands only", kicadBoard(16, edges(0, 0, 20, 20), wired), dfm.LayerEmpty, 14, 1},
		{"one outline", kicadBoard(2, edges(0, 0, 20, 20), wired), dfm.BoardPieces, 0, 1},
		{"three outlines", kicadBoard(2, edges(0, 0, 20, 20), edges(30, 0, 20, 20), edges(60, 0, 30, 20), wired, lead("J3", 35, 5), lead("J4", 65, 5)), dfm.BoardPieces, 3, 3},
		{"an outline with a cutout", kicadBoard(2, edges(0, 0, 40, 20), edges(25, 5, 5, 5), wired), dfm.BoardPieces, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := Read(t.Context(), []File{{"x.kicad_pcb", c.data}}, Options{})
			if len(p.Boards) != 1 {
				t.Fatalf("%s: %d boards, want 1", c.name, len(p.Boards))
			}
			b := p.Boards[0]
			if n := len(b.Outline.Areas); n != c.pieces {
				t.Errorf("%s: %d pieces, want %d", c.name, n, c.pieces)
			}
			if f := b.Facts.Panel; f.Value != (c.pieces > 1) {
				t.Errorf("%s: panel is %+v, want %v", c.name, f, c.pieces > 1)
			}
			r, err := check.Run(t.Context(), b, dfm.Options{Only: []dfm.Name{c.check}})
			if err != nil {
				t.Fatalf("%s: check: %v", c.name, err)
			}
			count := 0
			for _, f := range r.Findings {
				if f.Check == c.check && f.Level == dfm.Warning {
					count += f.Count
				}
			}
			if count != c.count {
				t.Errorf("%s: %d, want %d; findings %+v", c.check, count, c.count, r.Findings)
			}
		})
	}
}

// TestReportOfPADS: the plating and the count of holes stand in the report beside the
// drill file, and nowhere else.
func TestReportOfPADS(t *testing.T) {
	t.Parallel()
	drill := "%\nT1C.013F095S3\nX010000Y010000\nX020000Y010000\nT2C.125F095S3\nX015000Y020000\nM30\n"
	report := "Drill Sizes Report\n\nTool   Size(mil)  Pltd  Feed  Speed  Qty\n  1   13.00   x   95   3   2\n  2   125.00  -   95   3   1\n"
	gerber := "%FSLAX24Y24*%\n%MOIN*%\n%ADD10C,0.05*%\nD10*\nX010000Y010000D03*\nX020000Y010000D03*\nX010000Y010000D02*\nX020000Y010000D01*\nM02*\n"
	for _, c := range []struct {
		name, report string
		plated       int
	}{
		{"drl001.rep", report, 2},
		{"other.rep", report, 0},
	} {
		p := Read(t.Context(), []File{{"art001.pho", []byte(gerber)}, {"drl001.drl", []byte(drill)}, {c.name, []byte(c.report)}}, Options{})
		if len(p.Boards) != 1 || len(p.Boards[0].Holes) != 3 {
			t.Fatalf("%s: %d boards, want 1 with 3 holes", c.name, len(p.Boards))
		}
		plated, bare := 0, 0
		for _, h := range p.Boards[0].Holes {
			switch h.Plating {
			case pcb.Plated:
				plated++
			case pcb.NonPlated:
				bare++
			}
		}
		if reported := c.plated > 0; reported && (plated != 2 || bare != 1) {
			t.Errorf("%s: %d plated, %d not; want 2 and 1", c.name, plated, bare)
		}
		deduced := false
		for _, f := range p.Boards[0].Findings {
			deduced = deduced || f.Code == "plating_deduced"
		}
		if deduced == (c.plated > 0) {
			t.Errorf("%s: plating deduced %v, want %v", c.name, deduced, !deduced)
		}
	}
}
