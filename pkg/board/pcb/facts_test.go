package pcb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
)

// TestFactList: facts under the names that orders have for them, lengths in millimetres.
func TestFactList(t *testing.T) {
	t.Parallel()
	stack, note := Source{File: "stack.csv"}, Source{File: "readme.txt"}
	for _, c := range []struct {
		name  string
		facts Facts
		want  []string
	}{
		{"nothing", Facts{}, nil},
		{"lengths to a micrometre", Facts{Width: State(geom.MM(25.4)+499, stack, 1, ""), Height: State(geom.MM(10)+500, stack, 1, "")}, []string{"width_mm 25.4", "height_mm 10.001"}},
		{"a preset is listed", Facts{Thickness: Preset(geom.MM(1.6), stack, "")}, []string{"thickness_mm 1.6"}},
		{"holes of all platings", Facts{PlatedHoles: State(3, stack, 1, ""), NonPlatedHoles: State(2, stack, 1, ""), UnknownHoles: State(1, stack, 1, "")}, []string{"plated_holes 3", "non_plated_holes 2", "holes 6"}},
		{"no holes, and known so", Facts{PlatedHoles: State(0, stack, 1, "")}, []string{"plated_holes 0", "holes 0"}},
		{
			"mixed copper of the stack that the weight is of",
			Facts{OuterCopper: State(2.0, stack, 1, ""), MixedOuter: State("1 oz, 2 oz", stack, 1, "")}, []string{"copper_oz 2", "mixed_copper 1 oz, 2 oz"},
		},
		{
			"mixed copper that another source beats",
			Facts{OuterCopper: State(2.0, note, 1, ""), MixedOuter: State("1 oz, 2 oz", stack, 1, "")}, []string{"copper_oz 2"},
		},
		{
			"mixed inner copper",
			Facts{InnerCopper: State(1.0, stack, 1, ""), MixedInner: State("0.5 oz, 1 oz", stack, 1, "")}, []string{"inner_copper_oz 1", "mixed_inner_copper 0.5 oz, 1 oz"},
		},
		{"processes by their names", Facts{Processes: []Fact[Process]{State(BackDrilling, note, 1, "")}}, []string{"back_drilling true"}},
	} {
		var got []string
		for name, f := range c.facts.List() {
			got = append(got, fmt.Sprint(name, " ", f.Value))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: facts listed (-want +got):\n%s", c.name, diff)
		}
	}
	facts := Facts{CopperLayers: State(2, stack, 1, ""), Width: State(geom.MM(1), stack, 1, "")}
	count := 0
	for range facts.List() {
		count++
		break
	}
	if count != 1 {
		t.Errorf("%d facts where the walk ends after one, want 1", count)
	}
}

// TestNeeds: each process once, with what is best known of it.
func TestNeeds(t *testing.T) {
	t.Parallel()
	var f Facts
	weak, strong := State(Stiffening, Source{File: "a"}, 0.5, "name"), State(Stiffening, Source{File: "b"}, 0.9, "note")
	f.Needs(weak)
	f.Needs(State(Coverlaying, Source{File: "a"}, 0.5, "name"))
	f.Needs(strong)
	f.Needs(weak)
	if len(f.Processes) != 2 || f.Processes[0] != strong {
		t.Errorf("processes needed are %+v, want the stiffener once, as the note says, and the coverlay", f.Processes)
	}
}

// TestProcessWords: every process has words that do not end like a sentence.
func TestProcessWords(t *testing.T) {
	t.Parallel()
	all := Processes()
	if !slices.IsSorted(all) || len(all) < 20 {
		t.Errorf("processes %v, want all of them, sorted", all)
	}
	for _, p := range all {
		if w := p.Words(); w == "" || strings.HasSuffix(w, ".") || w[:1] == strings.ToUpper(w[:1]) && !strings.HasPrefix(w, "IPC") {
			t.Errorf("words of %q are %q, want some within a sentence", p, w)
		}
	}
	if got := Process("none").Words(); got != "" {
		t.Errorf("words of a process that is none: %q, want none", got)
	}
}

func TestMaskColours(t *testing.T) {
	t.Parallel()
	for want, in := range map[string][]string{
		"": nil, "green": {"green"}, "Green": {"Green", "green"}, "black top, white bottom": {"black", "white"},
	} {
		if got := MaskColours(in...); got != want {
			t.Errorf("MaskColours(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLaminates(t *testing.T) {
	t.Parallel()
	for want, in := range map[string][]string{
		"": nil, "FR4": {"FR4", "fr4"}, "FR4 + RO4350B": {"FR4", "RO4350B", "FR4"}, "RO4350B + FR4": {"RO4350B", "FR4"},
	} {
		if got := Laminates(in...); got != want {
			t.Errorf("Laminates(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestHoleBounds: the box and the centre lines of hits, slots and ways of the cutter.
func TestHoleBounds(t *testing.T) {
	t.Parallel()
	b := NewBoard("x")
	b.Routes = []geom.Path{geom.Rect(geom.Box{Max: geom.Pt(4*mm, 2*mm)})}
	box := func(x0, y0, x1, y1 int64) geom.Box { return geom.Box{Min: geom.Pt(x0, y0), Max: geom.Pt(x1, y1)} }
	for _, c := range []struct {
		name  string
		h     Hole
		want  geom.Box
		edges int
	}{
		{"a hit", Hole{A: geom.Pt(mm, 0), B: geom.Pt(mm, 0), Diameter: mm}, box(mm/2, -mm/2, mm+mm/2, mm/2), 1},
		{"a slot", Hole{Kind: SlotHole, B: geom.Pt(2*mm, 0), Diameter: mm}, box(-mm/2, -mm/2, 2*mm+mm/2, mm/2), 1},
		{"a way", Hole{Kind: RoutedHole, Diameter: 2 * mm}, box(-mm, -mm, 5*mm, 3*mm), 4},
		{"a way that is not there", Hole{Kind: RoutedHole, Path: 1, Diameter: 2 * mm}, box(-mm, -mm, mm, mm), 1},
	} {
		edges := 0
		b.HoleEdges(&c.h, func(geom.Edge) { edges++ })
		if got := b.HoleBounds(&c.h); got != c.want || edges != c.edges {
			t.Errorf("%s: %+v covers %v along %d edges, want %v along %d", c.name, c.h, got, edges, c.want, c.edges)
		}
	}
	if got := (&Hole{B: geom.Pt(2*mm, 0), Diameter: mm}).Outline().Bounds(); got != box(-mm/2, -mm/2, 2*mm+mm/2, mm/2) {
		t.Errorf("the wall of a slot of 3 by 1 mm lies in %v, want its box", got)
	}
}

// TestFind: layers by role and side, in the order of the files.
func TestFind(t *testing.T) {
	t.Parallel()
	b := NewBoard("x")
	for _, l := range []Layer{
		{Name: "b", Role: RoleCopper, Side: Bottom}, {Name: "m", Role: RoleMask, Side: Top}, {Name: "t", Role: RoleCopper, Side: Top}, {Name: "n", Role: RoleMask, Side: Bottom},
	} {
		b.Layers = append(b.Layers, &l)
	}
	names := func(layers []*Layer) (out string) {
		for _, l := range layers {
			out += l.Name
		}
		return out
	}
	for _, c := range []struct {
		role Role
		side Side
		want string
	}{{RoleCopper, NoSide, "bt"}, {RoleCopper, Top, "t"}, {RoleMask, NoSide, "mn"}, {RoleMask, Bottom, "n"}, {RoleSilk, NoSide, ""}, {RoleCopper, Inner, ""}} {
		if got := names(b.Find(c.role, c.side)); got != c.want {
			t.Errorf("layers of role %v and side %q: %q, want %q", c.role, c.side, got, c.want)
		}
	}
	if got := names(b.Copper()); got != "bt" {
		t.Errorf("copper layers: %q, want %q", got, "bt")
	}
	p := Project{Boards: []*Board{NewBoard("a"), b}}
	if p.Board("x") != b || p.Board("none") != nil {
		t.Errorf("board x is %v, board none %v; want the second one, and no board", p.Board("x"), p.Board("none"))
	}
}

// TestOutlineBounds: open chains count where the outline does not close.
func TestOutlineBounds(t *testing.T) {
	t.Parallel()
	o := Outline{Areas: []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(mm, mm)})}}, Open: []geom.Path{{Points: []geom.Point{{}, {X: 9 * mm}}}}}
	for closed, want := range map[bool]int64{true: mm, false: 9 * mm} {
		if o.Closed = closed; o.Bounds().Width() != want {
			t.Errorf("an outline that is closed %v with a chain of 9 mm is %d wide, want %d", closed, o.Bounds().Width(), want)
		}
	}
	if got := (Outline{}).Bounds(); !got.Empty() {
		t.Errorf("no outline lies in %v, want nothing", got)
	}
}

// TestStrings: what roles, sides and kinds are called, whatever number they are.
func TestStrings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		got  fmt.Stringer
		want string
	}{
		{RoleUnknown, "unknown"}, {RoleCopper, "copper"}, {RoleOther, "other"}, {Role(200), "unknown"}, {NoSide, ""}, {Top, "top"}, {Inner, "inner"}, {Bottom, "bottom"},
		{CircleShape, "circle"}, {BlockShape, "block"}, {ShapeKind(99), "unknown"}, {LineFeature, "line"}, {RegionFeature, "region"},
		{PlatingUnknown, "unknown"}, {Plated, "plated"}, {NonPlated, "non-plated"}, {MixedPlating, "mixed"}, {Note, "note"}, {Warning, "warning"}, {Problem, "problem"}, {Level(9), "problem"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%T %#v is called %q, want %q", c.got, c.got, got, c.want)
		}
	}
	for in, want := range map[string]bool{"REF**": true, "R?": true, "R1": false, "": false, "R*": false, "?R": false} {
		if got := Placeholder(in); got != want {
			t.Errorf("Placeholder(%q) = %v, want %v", in, got, want)
		}
	}
}

// TestPads: functions of what something is soldered to.
func TestPads(t *testing.T) {
	t.Parallel()
	pads := []Function{
		FuncComponentPad, FuncSMDPad, FuncSMDPadMask, FuncBGAPad, FuncBGAPadMask, FuncConnectorPad, FuncHeatsinkPad, FuncCastellatedPad, FuncTestPad, FuncWasherPad, FuncFiducial, FuncFiducialLocal,
	}
	for f := FuncUnknown; f <= FuncEtched; f++ {
		if got, want := f.Pad(), slices.Contains(pads, f); got != want {
			t.Errorf("function %d is one of a pad: %v, want %v", f, got, want)
		}
	}
}

// TestAdopt: the names of a layer's file become the board's, and its pins get their nets.
func TestAdopt(t *testing.T) {
	t.Parallel()
	b := NewBoard("x")
	vcc := b.Net("VCC")
	l := NewLayer("x", "x.gbr")
	l.Nets, l.Pins = []string{"", "GND", "VCC"}, []PinName{{}, {Component: "U1", Pin: "7", Function: "CLK"}}
	l.Features = []Feature{{Net: 2, Pin: 1}, {Net: 1, Pin: 1}, {Net: 1}}
	b.Adopt(l)
	pin := b.Pins[l.Features[0].Pin]
	if l.Features[0].Net != vcc || b.Nets[l.Features[2].Net].Name != "GND" || l.Nets != nil || l.Pins != nil || len(b.Layers) != 1 {
		t.Errorf("features adopted are %+v of nets %+v, want VCC first, and the layer's own names gone", l.Features, b.Nets)
	}
	if pin.Name != "CLK" || pin.Number != "7" || pin.Net != vcc || b.Components[pin.Component].Ref != "U1" {
		t.Errorf("pin adopted is %+v of %+v, want CLK, 7 of U1 on VCC, the net of its first feature", pin, b.Components)
	}
}
