package odd

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
)

// two is a usual board of two layers with a resistor and two vias.
func two(w, h float64) *design {
	d := blank(w, h, 2)
	d.pad("F", w/2-1, h/2, 0.8, 0.9)
	d.pad("F", w/2+1, h/2, 0.8, 0.9)
	d.line("F", "C,0.2", w/2-1, h/2, w/2-1, h/2+1.5)
	d.addVia(w/2-1, h/2+1.5, 0.3, 0.6)
	d.line("B", "C,0.2", w/2-1, h/2+1.5, w/2+1, h/2+1.5)
	d.addVia(w/2+1, h/2+1.5, 0.3, 0.6)
	d.line("F", "C,0.2", w/2+1, h/2+1.5, w/2+1, h/2)
	return d
}

// TestOdd draws boards that are out of the ordinary: each is read as one board of its
// size and layers, and nothing on it must be fixed.
func TestOdd(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		w, h   float64
		copper int
		draw   func() *design
	}{
		"tiny": {3.2, 3.2, 1, func() *design {
			d := blank(3.2, 3.2, 1)
			d.pad("F", 1, 1.6, 0.6, 0.6)
			d.pad("F", 2.2, 1.6, 0.6, 0.6)
			d.line("F", "C,0.2", 1, 1.6, 2.2, 1.6)
			return d
		}},
		"as large as is built": {500, 600, 2, func() *design { return two(500, 600) }},
		"long and narrow":      {6, 400, 2, func() *design { return two(6, 400) }},
		"slots, plated and not": {30, 20, 2, func() *design {
			d := two(30, 20)
			d.flash("F", "O,3.2X1.6", 6, 5)
			d.flash("B", "O,3.2X1.6", 6, 5)
			d.flash("FM", "O,3.3X1.7", 6, 5)
			d.flash("BM", "O,3.3X1.7", 6, 5)
			d.drill(true, 1, 5.2, 5, 6.8, 5)
			d.drill(false, 1.2, 20, 5, 25, 5)
			return d
		}},
		"castellations": {20, 20, 2, func() *design {
			d := two(20, 20)
			for i := range 6 {
				y := 4 + 2*float64(i)
				d.hole(0, y, 0.6, 1.2)
				d.line("F", "C,0.2", 0, y, 2, y)
			}
			return d
		}},
		"castellations drawn as strokes": {20, 20, 2, func() *design {
			d := two(20, 20)
			for i := range 6 {
				y := 4 + 2*float64(i)
				for _, l := range []string{"F", "B"} {
					d.line(l, "C,1.5", 1.3, y, -0.2, y)
					d.line(l+"M", "C,1.6", 1.3, y, -0.2, y)
				}
				d.drill(true, 0.9, 1.3, y)
			}
			return d
		}},
		"pour drawn over the edge": {20, 20, 2, func() *design {
			d := two(20, 20)
			d.box("B", 12, -0.5, 20.5, 8)
			return d
		}},
		"pour painted by thin strokes": {20, 20, 2, func() *design {
			d := two(20, 20)
			for i := range 60 {
				y := 2 + 0.05*float64(i)
				d.line("F", "C,0.06", 2, y, 7, y)
			}
			d.addVia(3, 3, 0.3, 0.6)
			return d
		}},
		"pour with thin rim and a sharp tip": {20, 20, 2, func() *design {
			d := two(20, 20)
			points := []float64{2, 2, 7, 2, 8, 3.498, 8.02, 3.5, 8, 3.502, 7, 5, 2, 5}
			d.area("F", points...)
			d.line("F", "C,0.026", append(points, 2, 2)...)
			d.addVia(3, 3, 0.3, 0.6)
			return d
		}},
		"thermal reliefs with round spokes": {20, 20, 2, func() *design {
			d := two(20, 20)
			d.box("B", 2, 2, 18, 8)
			d.erase("B", func() { d.flash("B", "C,2.4", 10, 5) })
			d.hole(10, 5, 0.9, 1.7)
			d.line("B", "C,0.4", 8.5, 5, 11.5, 5)
			d.line("B", "C,0.4", 10, 3.5, 10, 6.5)
			return d
		}},
		"negative plane": {20, 20, 4, func() *design {
			d := blank(20, 20, 4)
			d.box("In1", 0.5, 0.5, 19.5, 19.5)
			d.box("In2", 0.5, 0.5, 19.5, 19.5)
			for i := range 12 {
				x := 2 + 1.4*float64(i)
				d.erase("In1", func() { d.flash("In1", "C,1.1", x, 10) })
				d.flash("F", "C,0.6", x, 10)
				d.flash("B", "C,0.6", x, 10)
				d.flash("In2", "C,0.6", x, 10)
				d.drill(true, 0.3, x, 10)
			}
			return d
		}},
		"aluminium core: one layer, large openings": {40, 40, 1, func() *design {
			d := blank(40, 40, 1)
			for i := range 4 {
				x := 8 + 8*float64(i)
				d.pad("F", x-1.2, 20, 1.2, 3)
				d.pad("F", x+1.2, 20, 1.2, 3)
				if i > 0 {
					d.line("F", "C,1", x-6.8, 20, x-1.2, 20)
				}
			}
			for _, x := range []float64{4, 36} {
				d.drill(false, 3.2, x, 4)
				d.drill(false, 3.2, x, 36)
			}
			return d
		}},
		"one layer with openings over copper for heat": {30, 30, 1, func() *design {
			d := blank(30, 30, 1)
			d.box("F", 5, 5, 25, 25)
			d.box("FM", 8, 8, 22, 22)
			return d
		}},
		"via in pad": {20, 20, 2, func() *design {
			d := two(20, 20)
			d.pad("F", 5, 5, 1, 1)
			d.addVia(5, 5, 0.3, 0.6)
			return d
		}},
		"press-fit connector": {40, 20, 2, func() *design {
			d := two(40, 20)
			for i := range 10 {
				d.hole(4+2.54*float64(i), 5, 1.02, 1.7)
			}
			return d
		}},
		"BGA at 0.4 mm": {20, 20, 4, func() *design {
			d := blank(20, 20, 4)
			for i := range 8 {
				for j := range 8 {
					x, y := 8+0.4*float64(i), 8+0.4*float64(j)
					d.flash("F", "C,0.24", x, y)
					d.flash("FM", "C,0.26", x, y)
				}
			}
			for j := range 8 {
				d.line("F", "C,0.1", 8, 8+0.4*float64(j), 6, 8+0.4*float64(j))
				d.addVia(6-0.8*float64(j%2), 8+0.4*float64(j), 0.2, 0.4)
				d.line("F", "C,0.1", 6, 8+0.4*float64(j), 6-0.8*float64(j%2), 8+0.4*float64(j))
			}
			return d
		}},
		"flex tail": {60, 20, 2, func() *design {
			d := blank(60, 20, 2)
			d.layers["Edge"] = &sheet{}
			d.line("Edge", "C,0.05", 0, 0, 20, 0, 20, 7, 60, 7, 60, 13, 20, 13, 20, 20, 0, 20, 0, 0)
			for i := range 8 {
				y := 8.25 + 0.5*float64(i)
				d.flash("F", "R,3X0.3", 58.5, y)
				d.line("F", "C,0.15", 57, y, 10, y)
				d.addVia(10-0.9*float64(i%2), y, 0.3, 0.6)
				d.line("F", "C,0.15", 10, y, 10-0.9*float64(i%2), y)
			}
			d.box("FM", 57, 8, 60, 12)
			return d
		}},
		"microphone hole": {20, 20, 2, func() *design {
			d := two(20, 20)
			d.flash("F", "C,1.6", 5, 5)
			d.flash("FM", "C,1.7", 5, 5)
			d.erase("F", func() { d.flash("F", "C,1.0", 5, 5) })
			d.drill(false, 0.5, 5, 5)
			return d
		}},
		"fiducials and tooling holes": {40, 30, 2, func() *design {
			d := two(40, 30)
			for _, x := range []float64{3, 37} {
				d.flash("F", "C,1", x, 26)
				d.flash("FM", "C,2", x, 26)
				d.drill(false, 1.152, x, 3)
			}
			return d
		}},
		"posts drawn as pads no larger than their hole": {20, 20, 2, func() *design {
			d := two(20, 20)
			for _, x := range []float64{4, 16} {
				d.flash("F", "C,0.8", x, 4)
				d.flash("B", "C,0.8", x, 4)
				d.drill(true, 0.8, x, 4)
				d.pad("F", x, 5.5, 1, 1)
			}
			return d
		}},
		"such pads, and drills rounded to thousandths of an inch": {20, 20, 2, func() *design {
			d := two(20, 20)
			for _, x := range []float64{4, 16} {
				d.flash("F", "C,0.9", x, 4)
				d.flash("B", "C,0.9", x, 4)
				d.drill(true, 0.889, x+0.001, 4)
			}
			return d
		}},
		"pads drawn as strokes, plating not stated": {20, 20, 2, func() *design {
			d := two(20, 20)
			d.unsaid = true
			for _, x := range []float64{4, 7, 10, 13} {
				for _, l := range []string{"F", "B"} {
					d.line(l, "C,1.32", x, 4, x, 5.3)
					d.line(l+"M", "C,1.42", x, 4, x, 5.3)
				}
				d.drill(true, 0.8, x, 4)
			}
			return d
		}},
		"spokes that end in their hole": {20, 20, 2, func() *design {
			d := two(20, 20)
			d.hole(5, 5, 1.6, 3)
			d.erase("F", func() { d.flash("F", "C,1.6", 5, 5) })
			d.line("F", "C,0.05", 5, 5, 5.6, 5.6)
			return d
		}},
		"a row of holes to break along": {40, 20, 2, func() *design {
			d := two(40, 20)
			for i := range 8 {
				d.drill(false, 0.5, 30, 2+0.8*float64(i))
			}
			return d
		}},
		"V-scores": {40, 20, 2, func() *design {
			d := two(40, 20)
			d.line("V", "C,0.1", -2, 5, 42, 5)
			d.line("V", "C,0.1", -2, 15, 42, 15)
			return d
		}},
		"round board": {30, 30, 2, func() *design {
			d := two(30, 30)
			d.layers["Edge"] = &sheet{}
			d.circle("Edge", "C,0.05", 15, 15, 15)
			return d
		}},
		"ring": {40, 40, 2, func() *design {
			d := blank(40, 40, 2)
			d.layers["Edge"] = &sheet{}
			d.circle("Edge", "C,0.05", 20, 20, 20)
			d.circle("Edge", "C,0.05", 20, 20, 12)
			for _, x := range []float64{4, 36} {
				d.pad("F", x, 20, 2, 2)
			}
			return d
		}},
		"cutouts": {50, 40, 2, func() *design {
			d := two(50, 40)
			d.rect("Edge", "C,0.05", 5, 5, 15, 12)
			d.rect("Edge", "C,0.05", 35, 28, 45, 35)
			return d
		}},
		"edge connector": {40, 20, 2, func() *design {
			d := two(40, 20)
			for i := range 12 {
				x := 6 + 2.54*float64(i)
				for _, l := range []string{"F", "B"} {
					d.flash(l, "R,1.6X5", x, 2.5)
				}
			}
			d.box("FM", 4, 0, 36, 5.2)
			d.box("BM", 4, 0, 36, 5.2)
			return d
		}},
		"copper up to every edge": {20, 20, 2, func() *design {
			d := two(20, 20)
			for _, l := range []string{"F", "B"} {
				d.box(l, 0, 0, 20, 3)
			}
			return d
		}},
		"lettering in copper over the edge": {30, 20, 2, func() *design {
			d := two(30, 20)
			d.line("F", "C,0.3", 25, 17, 27, 19.9, 29, 17)
			return d
		}},
		"hatched plane": {30, 30, 2, func() *design {
			d := two(30, 30)
			for i := range 10 {
				v := 2 + float64(i)
				d.line("B", "C,0.2", 2, v, 11, v)
				d.line("B", "C,0.2", v, 2, v, 11)
			}
			d.addVia(5, 5, 0.3, 0.6)
			return d
		}},
		"heat sink under a part, with vias": {30, 30, 2, func() *design {
			d := two(30, 30)
			d.pad("F", 6, 6, 5, 5)
			d.pad("B", 6, 6, 5, 5)
			for i := range 9 {
				d.addVia(4.5+1.5*float64(i%3), 4.5+1.5*float64(i/3), 0.3, 0.6)
			}
			return d
		}},
		"sixteen layers": {40, 40, 16, func() *design {
			d := blank(40, 40, 16)
			for i := range 14 {
				d.box(fmt.Sprintf("In%d", i+1), 10, 10, 30, 30)
			}
			d.addVia(20, 20, 0.3, 0.6)
			d.addVia(22, 20, 0.3, 0.6)
			return d
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := readBoard(t, tt.draw().files())
			if n := len(b.Copper()); n != tt.copper {
				t.Errorf("%d copper layers, want %d", n, tt.copper)
			}
			if box := b.Outline.Bounds(); isOff(box.Width(), tt.w) || isOff(box.Height(), tt.h) {
				t.Errorf("outline %v, want %g × %g mm", box, tt.w, tt.h)
			}
			sound(t, b)
		})
	}
}

// TestSmallestFile holds that a Gerber file of 61 bytes is a layer like others.
func TestSmallestFile(t *testing.T) {
	t.Parallel()
	d := two(10, 10)
	files := d.files()
	for i := range files {
		if files[i].Name == "board-BM.gbr" {
			files[i] = upload.File{Name: "board-B_Mask.gbr", Data: []byte("%FSLAX46Y46*%%MOMM*%%ADD10C,1*%D10*X5000000Y5000000D03*M02*\n\n")}
			if n := len(files[i].Data); n != 61 {
				t.Fatalf("a file of %d bytes, want 61", n)
			}
		}
	}
	sound(t, readBoard(t, files))
}

// TestFaultsAreFound holds that such boards are judged: what cannot be built is found.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		check dfm.Name
		spoil func(d *design)
	}{
		"a narrow track":          {dfm.TrackWidth, func(d *design) { d.line("F", "C,0.05", 9, 10, 5, 10) }},
		"a small gap":             {dfm.PadClearance, func(d *design) { d.pad("F", 8.12, 10, 0.9, 0.9) }},
		"a track across the edge": {dfm.CopperOutside, func(d *design) { d.line("F", "C,0.2", 9, 10, -1, 10) }},
		"a hole of a pad's size, with a track": {dfm.AnnularRing, func(d *design) {
			d.addVia(4, 4, 0.8, 0.806)
			d.line("F", "C,0.2", 4, 4, 9, 10)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := two(20, 20)
			tt.spoil(d)
			r := report(t, readBoard(t, d.files()))
			if !slices.ContainsFunc(r.Findings, func(f dfm.Finding) bool { return f.Level == dfm.MustFix && f.Check == tt.check }) {
				t.Errorf("no must_fix of %s: %+v", tt.check, r.Findings)
			}
		})
	}
}

// readBoard is the one board that files hold, read without a question.
func readBoard(t *testing.T, files []upload.File) *pcb.Board {
	t.Helper()
	p := upload.Read(t.Context(), files, upload.Options{})
	for _, f := range p.Findings {
		if f.Level == pcb.Problem {
			t.Errorf("reading finds %+v, want no problem", f)
		}
	}
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards, want one", len(p.Boards))
	}
	return p.Boards[0]
}

// sound holds that nothing must be fixed for the primary fabricator.
func sound(t *testing.T, b *pcb.Board) {
	t.Helper()
	for _, f := range report(t, b).Findings {
		if f.Level == dfm.MustFix {
			t.Errorf("must_fix %s: %s %+v", f.Check, f.What, f.Places)
		}
	}
}

// report judges a board by the primary fabricator's limits.
func report(t *testing.T, b *pcb.Board) *dfm.Report {
	t.Helper()
	r, err := check.Run(t.Context(), b, dfm.Options{Limits: limits.Standard(len(b.Copper()), b.Facts.OuterCopper.Value)})
	if err != nil || len(r.Faults) > 0 {
		t.Fatalf("Run of board %s: %v, rules that broke down: %v; want neither", b.Name, err, r.Faults)
	}
	return r
}

func isOff(nm int64, mm float64) bool {
	return math.Abs(float64(nm)-mm*float64(geom.Millimetre)) > float64(10*geom.Micrometre)
}
