package gerberout_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/format/kicad"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/gerberout"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

var update = flag.Bool("update", false, "write golden files")

// A project of four layers with all kinds of pads, holes and drawings.
const project = `(kicad_pcb (version 20241229) (generator pcbnew)
	(general (thickness 1.2))
	(layers (0 "F.Cu" signal) (4 "In1.Cu" power) (6 "In2.Cu" signal) (2 "B.Cu" signal) (13 "F.Paste" user)
		(5 "F.SilkS" user) (7 "B.SilkS" user) (1 "F.Mask" user) (3 "B.Mask" user) (25 "Edge.Cuts" user) (39 "User.1" user "V-Cuts"))
	(net 0 "") (net 1 "GND") (net 2 "/a,b*%é")
	(gr_arc (start 10 12) (mid 10.585786 10.585786) (end 12 10) (stroke (width 0.1)) (layer "Edge.Cuts"))
	(gr_line (start 12 10) (end 40 10) (stroke (width 0.1)) (layer "Edge.Cuts"))
	(gr_line (start 40 10) (end 40 30) (stroke (width 0.1)) (layer "Edge.Cuts"))
	(gr_line (start 40 30) (end 10 30) (stroke (width 0.1)) (layer "Edge.Cuts"))
	(gr_line (start 10 30) (end 10 12) (stroke (width 0.1)) (layer "Edge.Cuts"))
	(gr_circle (center 36 26) (end 37 26) (stroke (width 0.1)) (fill none) (layer "Edge.Cuts"))
	(gr_line (start 25 10) (end 25 30) (stroke (width 0.2)) (layer "User.1"))
	(gr_line (start 12 14) (end 20 14) (stroke (width 0.15)) (layer "F.SilkS"))
	(footprint "R" (layer "F.Cu") (at 20 20 30)
		(property "Reference" "R1" (at 0 0) (layer "F.SilkS") (hide yes))
		(pad "1" smd roundrect (at -1 0 30) (size 1 1.2) (layers "F.Cu" "F.Mask" "F.Paste") (roundrect_rratio 0.25) (net 1 "GND"))
		(pad "2" thru_hole oval (at 2 0 30) (size 1 2) (drill oval 0.6 1.4) (layers "*.Cu" "*.Mask") (net 2 "/a,b*%é"))
		(pad "" np_thru_hole circle (at 5 0) (size 3 3) (drill 3) (layers "*.Cu" "*.Mask")))
	(segment (start 19 20) (end 25 20) (width 0.25) (layer "F.Cu") (net 1))
	(arc (start 25 20) (mid 26 21) (end 27 20) (width 0.25) (layer "In1.Cu") (net 1))
	(via (at 25 20) (size 0.8) (drill 0.4) (layers "F.Cu" "B.Cu") (net 1))
	(via blind (at 30 20) (size 0.6) (drill 0.3) (layers "F.Cu" "In1.Cu") (net 1))
	(via blind (at 32 20) (size 0.6) (drill 0.3) (layers "In1.Cu" "In2.Cu") (net 1))
	(zone (net 1) (layer "B.Cu") (filled_polygon (layer "B.Cu") (pts (xy 12 12) (xy 30 12) (xy 30 28) (xy 12 28)))))`

func readProject(t *testing.T) *pcb.Board {
	t.Helper()
	boards, _ := kicad.Read(context.Background(), []kicad.File{{Name: "dir/little box.kicad_pcb", Data: []byte(project)}})
	if len(boards) != 1 {
		t.Fatalf("%d boards, want one", len(boards))
	}
	return boards[0]
}

// TestProject plots a project: the same board comes back, with its nets, and the
// files are those of the golden one, every time.
func TestProject(t *testing.T) {
	t.Parallel()
	b := readProject(t)
	opt := gerberout.Options{Vendor: "Example", Application: "plot", Version: "1.0", Created: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	var all bytes.Buffer
	files, err := gerberout.Files(b, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		fmt.Fprintf(&all, "==== %s\n%s", f.Name, f.Data)
	}
	golden(t, "project.txt", all.Bytes())
	for range 5 {
		more, err := gerberout.Files(b, opt)
		if err != nil || !slices.EqualFunc(files, more, func(x, y gerberout.File) bool { return x.Name == y.Name && bytes.Equal(x.Data, y.Data) }) {
			t.Fatalf("plotted again it is not the same (%v)", err)
		}
	}
	got := roundTrip(t, b)
	same(t, b, got, 0)
	for _, n := range b.Nets[1:] {
		if !slices.Contains(got.Nets, n) {
			t.Errorf("net %q is lost, left are %q", n.Name, got.Nets)
		}
	}
	if n := len(got.Find(pcb.RoleVCut, pcb.NoSide)); n != 1 {
		t.Errorf("%d layers of V-cuts, want 1", n)
	}
	if f := got.Facts.Thickness; f.Value != 1_200_000 {
		t.Errorf("thickness = %+v, want 1.2 mm", f)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"plain": "plain", "": "board", "..": "board", "../../etc/passwd": "etc_passwd", "a b/c:d": "a_b_c_d", "größe": "gr__e",
		strings.Repeat("x", 300): strings.Repeat("x", 64),
	} {
		b := plate(func(*artwork.Sheet) {})
		b.Name = name
		files, err := gerberout.Files(b, gerberout.Options{})
		if err != nil || files[0].Name != want+"-F_Cu.gbr" {
			t.Errorf("board %q: first file %q, %v; want %s-F_Cu.gbr", name, files[0].Name, err, want)
		}
	}
}

func TestNoCopper(t *testing.T) {
	t.Parallel()
	if files, err := gerberout.Files(pcb.NewBoard("x"), gerberout.Options{}); !errors.Is(err, gerberout.ErrNoCopper) || files != nil {
		t.Errorf("Files = %d files, %v", len(files), err)
	}
}

// TestOneLayer: a board of one layer keeps its side.
func TestOneLayer(t *testing.T) {
	t.Parallel()
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		b := plate(func(s *artwork.Sheet) {
			s.Flash(centre, artwork.Circle(2*mm), 0, false, artwork.Meta{})
			s.Layer.Side = side
		})
		b.Layers = b.Layers[:1]
		if got := roundTrip(t, b).Copper(); len(got) != 1 || got[0].Side != side || len(got[0].Features) != 1 {
			t.Errorf("%s layer became %d layers, want one of one feature on that side: %+v", side, len(got), got)
		}
	}
}

// TestLayersOfAKind end in one file, and none erases what another has drawn.
func TestLayersOfAKind(t *testing.T) {
	t.Parallel()
	b := plate(func(s *artwork.Sheet) { s.Flash(centre, artwork.Circle(mm), 0, false, artwork.Meta{}) })
	for i := range 2 {
		s := artwork.NewSheet(fmt.Sprint("silk", i), "x", pcb.RoleSilk, pcb.Top)
		if i == 1 {
			s.Flash(centre, artwork.Circle(4*mm), 0, false, artwork.Meta{Clear: true})
		}
		s.Line(geom.Pt(2*mm, int64(3+i)*mm), geom.Pt(8*mm, int64(3+i)*mm), mm/2, artwork.Meta{})
		b.Layers = append(b.Layers, s.Layer)
	}
	got := roundTrip(t, b)
	if n := len(got.Find(pcb.RoleSilk, pcb.Top)); n != 1 {
		t.Fatalf("%d legend files, want 1", n)
	}
	samePicture(t, b, got, pcb.Top, 0)
}

// TestHoles drills each kind of hole.
func TestHoles(t *testing.T) {
	t.Parallel()
	b := plate(func(s *artwork.Sheet) { s.Flash(centre, artwork.Circle(mm), 0, false, artwork.Meta{}) })
	arc := geom.Path{}
	arc.LineTo(geom.Pt(2*mm, 5*mm))
	arc.ArcTo(geom.Pt(5*mm, 2*mm), centre, true) // three quarters
	arc.LineTo(geom.Pt(6*mm, 2*mm))
	b.Routes = []geom.Path{arc, geom.Circle(geom.Pt(7*mm, 7*mm), mm)}
	at := func(x, y int64) geom.Point { return geom.Pt(x*mm/10, y*mm/10) }
	b.Holes = []pcb.Hole{
		{A: at(10, 10), B: at(10, 10), Diameter: 300_000, Plating: pcb.Plated, Function: pcb.FuncViaDrill},
		{A: at(20, 10), B: at(20, 10), Diameter: 300_000, Plating: pcb.Plated, Function: pcb.FuncComponentDrill},
		{A: at(30, 10), B: at(40, 15), Diameter: 500_000, Plating: pcb.Plated, Kind: pcb.SlotHole},
		{A: at(60, 10), B: at(60, 10), Diameter: 2 * mm, Plating: pcb.NonPlated},
		{A: arc.Points[0], B: arc.Points[2], Diameter: mm, Plating: pcb.NonPlated, Kind: pcb.RoutedHole},
		{A: at(80, 70), B: at(80, 70), Diameter: mm / 2, Plating: pcb.NonPlated, Kind: pcb.RoutedHole, Path: 1},
		{A: at(85, 10), B: at(85, 10), Diameter: 0, Plating: pcb.Plated},
	}
	got := roundTrip(t, b)
	b.Holes = b.Holes[:6]
	same(t, b, got, 100)
	for i := range got.Holes {
		h := &got.Holes[i]
		const limit = 1000
		if h.Kind == pcb.RoutedHole && h.Diameter == mm {
			if d := magnitude(got.Routes[h.Path].Length() - arc.Length()); d > limit {
				t.Errorf("the routed path changed its length by %.0f nm, want %d at most", d, limit)
			}
		}
	}
}

func magnitude(v float64) float64 { return max(v, -v) }

// TestOpenOutline is drawn as far as it goes.
func TestOpenOutline(t *testing.T) {
	t.Parallel()
	b := plate(func(s *artwork.Sheet) { s.Flash(centre, artwork.Circle(mm), 0, false, artwork.Meta{}) })
	open := b.Outline.Areas[0].Outer
	open.Closed = false
	b.Outline = pcb.Outline{Open: []geom.Path{open}}
	text := string(file(t, b, "plate-Edge_Cuts.gbr"))
	if n := strings.Count(text, "D01*"); n != 3 {
		t.Errorf("%d strokes of an outline of three sides, want 3", n)
	}
	b.Outline = pcb.Outline{}
	files, err := gerberout.Files(b, gerberout.Options{})
	if err != nil || slices.ContainsFunc(files, func(f gerberout.File) bool { return strings.Contains(f.Name, "Edge_Cuts") }) {
		t.Errorf("a board without outline has a profile (%v)", err)
	}
}
