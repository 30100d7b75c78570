package render

import (
	"image/color"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/paint"
	"boardorder/pkg/board/pcb"
)

// square is a board of 10 by 10 mm whose layers are those given.
func square(layers ...sheet) *pcb.Board {
	b := pcb.NewBoard("square")
	b.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: rect(0, 0, 10*mm, 10*mm)}}}
	for _, l := range layers {
		b.Adopt(l.Layer)
	}
	return b
}

// block is a layer that covers a square of 4 mm with its lower left corner at 2, 2.
func block(r pcb.Role, s pcb.Side) sheet {
	l := newSheet(r, s)
	l.region(geom.Polygon{Outer: rect(2*mm, 2*mm, 4*mm, 4*mm)})
	return l
}

func negative(l sheet) sheet {
	l.Negative = true
	return l
}

// A spot is a place on a board, in millimetres seen from above, and what is seen there.
type spot struct {
	x, y float64
	want color.NRGBA
}

// holdSpots draws a side of a board, its frame 14 by 14 mm from -2, -2 on, and looks at spots.
func holdSpots(t *testing.T, what string, b *pcb.Board, side pcb.Side, o Options, spots ...spot) {
	t.Helper()
	o.Width, o.Window = 280, geom.Box{Min: geom.Pt(-2*mm, -2*mm), Max: geom.Pt(12*mm, 12*mm)}
	img, err := Side(t.Context(), b, side, o)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	for _, s := range spots {
		x, y := int((s.x+2)*20), 279-int((s.y+2)*20)
		if side == pcb.Bottom {
			x = 279 - x
		}
		if got := img.NRGBAAt(x, y); got != s.want {
			t.Errorf("%s, %v side at %g, %g mm: %v, want %v", what, side, s.x, s.y, got, s.want)
		}
	}
}

// TestSurface: which of laminate, solder mask, copper, finish and silkscreen one sees.
func TestSurface(t *testing.T) {
	t.Parallel()
	s, nothing := paint.Look{}.Scheme(), color.NRGBA{}
	copper, open, ink := block(pcb.RoleCopper, pcb.Top), block(pcb.RoleMask, pcb.Top), block(pcb.RoleSilk, pcb.Top)
	elsewhere := newSheet(pcb.RoleMask, pcb.Top)
	elsewhere.flash(pcb.Circle(mm), geom.Pt(9*mm, 9*mm))
	beyond := newSheet(pcb.RoleSilk, pcb.Top)
	beyond.region(geom.Polygon{Outer: rect(-2*mm, -2*mm, 14*mm, 14*mm)})
	hollow, other := block(pcb.RoleCopper, pcb.Top), block(pcb.RoleCopper, pcb.Top)
	hollow.flash(pcb.Circle(2*mm), geom.Pt(4*mm, 4*mm)).Clear = true
	inner, below := block(pcb.RoleCopper, pcb.Inner), block(pcb.RoleCopper, pcb.Bottom)
	below.flash(pcb.Circle(mm), geom.Pt(8*mm, 8*mm))
	single, lower := block(pcb.RoleCopper, pcb.NoSide), newSheet(pcb.RoleCopper, pcb.NoSide)
	lower.region(geom.Polygon{Outer: rect(7*mm, 7*mm, 2*mm, 2*mm)})
	for _, c := range []struct {
		what  string
		board *pcb.Board
		side  pcb.Side
		spots []spot
	}{
		{"nothing but an outline", square(), pcb.Top, []spot{{5, 5, s.Masked}, {-1, 5, nothing}, {5, 11, nothing}}},
		{"copper and an opening elsewhere", square(copper, elsewhere), pcb.Top, []spot{{3, 3, s.OverCopper}, {9, 9, s.Substrate}, {8, 3, s.Masked}}},
		{"copper in an opening", square(copper, open), pcb.Top, []spot{{3, 3, s.Finish}, {7, 7, s.Masked}}},
		{"an opening without copper", square(open), pcb.Top, []spot{{3, 3, s.Substrate}}},
		{"openings written as a negative", square(copper, negative(block(pcb.RoleMask, pcb.Top))), pcb.Top, []spot{{3, 3, s.Finish}, {7, 7, s.Masked}}},
		{"mask files of the other side alone", square(below, open), pcb.Bottom, []spot{{8, 8, s.OverCopper}, {7, 5, s.Masked}}},
		{"copper of the other side", square(below, elsewhere), pcb.Top, []spot{{3, 3, s.Masked}}},
		{"copper within the board", square(inner, copper, elsewhere), pcb.Bottom, []spot{{3, 3, s.Masked}}},
		{"silkscreen over mask", square(ink, elsewhere), pcb.Top, []spot{{3, 3, s.Silkscreen}, {7, 7, s.Masked}}},
		{"silkscreen over covered copper", square(ink, copper, elsewhere), pcb.Top, []spot{{3, 3, s.Silkscreen}}},
		{"silkscreen over an opening", square(ink, copper, open), pcb.Top, []spot{{3, 3, s.Finish}}},
		{"silkscreen of the other side", square(ink, elsewhere), pcb.Bottom, []spot{{3, 3, s.Masked}}},
		{"silkscreen beyond the edge", square(beyond), pcb.Top, []spot{{1, 1, s.Silkscreen}, {-1, 1, nothing}, {1, 11, nothing}}},
		{"what one file erases another keeps", square(other, hollow, elsewhere), pcb.Top, []spot{{4, 4, s.OverCopper}}},
		{"what a file erases", square(hollow, elsewhere), pcb.Top, []spot{{4, 4, s.Masked}, {2.5, 2.5, s.OverCopper}}},
		{"a negative plane outside", square(negative(block(pcb.RoleCopper, pcb.Top)), elsewhere), pcb.Top, []spot{{3, 3, s.Masked}, {7, 7, s.OverCopper}}},
		{"the first of two without sides", square(single, lower, elsewhere), pcb.Top, []spot{{3, 3, s.OverCopper}, {8, 8, s.Masked}}},
		{"the last of two without sides", square(single, lower, elsewhere), pcb.Bottom, []spot{{3, 3, s.Masked}, {8, 8, s.OverCopper}}},
		{"a single one without a side", square(single, elsewhere), pcb.Top, []spot{{3, 3, s.OverCopper}}},
		{"a single one without a side is on top", square(single, elsewhere), pcb.Bottom, []spot{{3, 3, s.Masked}}},
		{"the top alone", square(copper, elsewhere), pcb.Bottom, []spot{{3, 3, s.Masked}}},
		{"one layer, of the other side", square(below, elsewhere), pcb.Bottom, []spot{{3, 3, s.OverCopper}}},
	} {
		holdSpots(t, c.what, c.board, c.side, Options{}, c.spots...)
	}
}

// TestHolesAreSeenThrough: what a drill or a cutter takes away is transparent, no more.
func TestHolesAreSeenThrough(t *testing.T) {
	t.Parallel()
	masked, nothing := paint.Look{}.Scheme().Masked, color.NRGBA{}
	hit := func(x, y, d int64) pcb.Hole { return pcb.Hole{A: geom.Pt(x, y), B: geom.Pt(x, y), Diameter: d} }
	arc := geom.Path{}
	arc.LineTo(geom.Pt(8*mm, 2*mm))
	arc.ArcTo(geom.Pt(2*mm, 8*mm), geom.Pt(2*mm, 2*mm), false)
	for what, c := range map[string]struct {
		hole  pcb.Hole
		spots []spot
	}{
		"a drill of 2 mm":        {hit(5*mm, 5*mm, 2*mm), []spot{{5, 5, nothing}, {5.9, 5, nothing}, {5, 4.1, nothing}, {6.1, 5, masked}, {5.8, 5.8, masked}}},
		"a drill over the edge":  {hit(10*mm, 5*mm, 2*mm), []spot{{9.1, 5, nothing}, {8.9, 5, masked}, {11, 5, nothing}}},
		"a drill without a size": {hit(5*mm, 5*mm, 0), []spot{{5, 5, masked}}},
		"a slot": {pcb.Hole{A: geom.Pt(3*mm, 5*mm), B: geom.Pt(7*mm, 5*mm), Diameter: mm, Kind: pcb.SlotHole},
			[]spot{{3, 5, nothing}, {5, 5.4, nothing}, {7.4, 5, nothing}, {7.6, 5, masked}, {5, 5.6, masked}, {2.4, 5, masked}}},
		"a quarter circle of 6 mm that is routed": {pcb.Hole{Kind: pcb.RoutedHole, Diameter: mm},
			[]spot{{6.2, 6.2, nothing}, {8, 2, nothing}, {5, 5, masked}, {2, 2, masked}, {6.8, 6.8, masked}, {8, 1.3, masked}}},
		"a route that is not there": {pcb.Hole{A: geom.Pt(5*mm, 5*mm), B: geom.Pt(5*mm, 5*mm), Kind: pcb.RoutedHole, Path: 7, Diameter: mm},
			[]spot{{5, 5, nothing}, {5, 5.6, masked}}},
	} {
		b := square(newSheet(pcb.RoleMask, pcb.Top))
		b.Holes, b.Routes = []pcb.Hole{c.hole}, []geom.Path{arc}
		for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
			holdSpots(t, what, b, side, Options{}, c.spots...)
		}
	}
}

// TestShapeOfTheBoard: where outlines close the board is what they enclose; where a
// chain that spans it does not, a straight line closes it; else the board is a rectangle.
func TestShapeOfTheBoard(t *testing.T) {
	t.Parallel()
	masked, nothing := paint.Look{}.Scheme().Masked, color.NRGBA{}
	chain := func(points ...geom.Point) geom.Path { return geom.Path{Points: points} }
	corner := chain(geom.Pt(0, 10*mm), geom.Pt(0, 0), geom.Pt(10*mm, 0)) // a triangle without its long side
	triangle := corner
	triangle.Closed = true
	scratch := chain(geom.Pt(9*mm, 9*mm), geom.Pt(10*mm, 10*mm))
	ninth := chain(geom.Pt(0, 9*mm), geom.Pt(0, 0), geom.Pt(10*mm, 0)) // 9 of 10 mm do not span
	frame := geom.Polygon{Outer: rect(0, 0, 10*mm, 10*mm), Holes: []geom.Path{rect(4*mm, 4*mm, 2*mm, 2*mm)}}
	piece := geom.Polygon{Outer: rect(8*mm, 8*mm, mm, mm)}
	inside, beyond, cutout := spot{2, 2, masked}, spot{7, 7, masked}, spot{5, 5, masked}
	for what, c := range map[string]struct {
		outline pcb.Outline
		spots   []spot
	}{
		"a triangle":                     {pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: triangle}}}, []spot{inside, {7, 7, nothing}}},
		"a cutout":                       {pcb.Outline{Closed: true, Areas: []geom.Polygon{frame}}, []spot{inside, {5, 5, nothing}, beyond}},
		"two pieces":                     {pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: triangle}, piece}}, []spot{inside, {7, 7, nothing}, {8.5, 8.5, masked}}},
		"a triangle that is open":        {pcb.Outline{Open: []geom.Path{corner}}, []spot{inside, {7, 7, nothing}}},
		"the longest chain counts":       {pcb.Outline{Open: []geom.Path{scratch, corner}}, []spot{inside, {7, 7, nothing}}},
		"open, with a piece closed":      {pcb.Outline{Open: []geom.Path{corner}, Areas: []geom.Polygon{piece}}, []spot{inside, {7, 7, nothing}, {8.5, 8.5, masked}}},
		"a chain that spans too little":  {pcb.Outline{Open: []geom.Path{ninth, scratch}}, []spot{inside, beyond}},
		"closed, but for a scratch":      {pcb.Outline{Open: []geom.Path{scratch}, Areas: []geom.Polygon{frame}}, []spot{inside, {5, 5, nothing}}},
		"scratches alone: the rectangle": {pcb.Outline{Open: []geom.Path{scratch, chain(geom.Pt(0, 0), geom.Pt(mm, 0))}}, []spot{inside, beyond, cutout, {-1, 5, nothing}}},
	} {
		b := pcb.NewBoard("shape")
		b.Outline = c.outline
		holdSpots(t, what, b, pcb.Top, Options{}, c.spots...)
	}
}

// TestWhichPadsAreOpen: where no file draws the solder mask, the pads of the outer copper
// are open, and vias are not. A pad of 2 mm lies at 4, 4, a hole in it.
func TestWhichPadsAreOpen(t *testing.T) {
	t.Parallel()
	s := paint.Look{}.Scheme()
	const um = geom.Micrometre
	for what, c := range map[string]struct {
		pad, drill pcb.Function
		kind       pcb.HoleKind
		diameter   int64
		off        geom.Point // of the hole from the pad
		clear      bool
		want       color.NRGBA
	}{
		"a pad without a hole":                   {want: s.Finish},
		"a hole of 520 µm":                       {diameter: 520 * um, want: s.OverCopper},
		"a hole of 521 µm":                       {diameter: 521 * um, want: s.Finish},
		"a small slot":                           {diameter: 300 * um, kind: pcb.SlotHole, want: s.Finish},
		"25 µm beside the middle":                {diameter: 300 * um, off: geom.Pt(-15*um, -20*um), want: s.OverCopper},
		"26 µm beside the middle":                {diameter: 300 * um, off: geom.Pt(26*um, 0), want: s.Finish},
		"a drill file that says via":             {drill: pcb.FuncViaDrill, diameter: mm, want: s.OverCopper},
		"a drill file that says component":       {drill: pcb.FuncComponentDrill, diameter: 300 * um, want: s.Finish},
		"a pad said to be a via's":               {pad: pcb.FuncViaPad, want: s.OverCopper},
		"a pad said to be a part's":              {pad: pcb.FuncSMDPad, diameter: 300 * um, want: s.Finish},
		"a pad said to be something else":        {pad: pcb.FuncOther, diameter: 300 * um, want: s.OverCopper},
		"something else, without a hole":         {pad: pcb.FuncOther, want: s.Finish},
		"what erases a pad leaves its opening":   {clear: true, want: s.Substrate},
		"copper thieving is no pad, and covered": {pad: pcb.FuncBalancing, want: s.OverCopper},
	} {
		top := newSheet(pcb.RoleCopper, pcb.Top)
		at := geom.Pt(4*mm, 4*mm)
		top.flash(pcb.Circle(2*mm), at).Function = c.pad
		if c.clear {
			top.flash(pcb.Circle(2*mm), at).Clear = true
		}
		b := square(top)
		if c.diameter > 0 {
			hole := at.Add(c.off)
			b.Holes = []pcb.Hole{{A: hole, B: hole, Diameter: c.diameter, Kind: c.kind, Function: c.drill}}
		}
		holdSpots(t, what, b, pcb.Top, Options{}, spot{4.7, 4, c.want}, spot{8, 8, s.Masked})
	}
}

// TestWordsOfColours: what is asked for counts before what the board states.
func TestWordsOfColours(t *testing.T) {
	t.Parallel()
	say := func(word string) pcb.Fact[string] { return pcb.State(word, pcb.Source{}, 1, "") }
	b := square(block(pcb.RoleCopper, pcb.Top), block(pcb.RoleMask, pcb.Top))
	ink := newSheet(pcb.RoleSilk, pcb.Top)
	ink.region(geom.Polygon{Outer: rect(7*mm, 7*mm, 2*mm, 2*mm)})
	b.Adopt(ink.Layer)
	b.Facts.MaskColour, b.Facts.SilkscreenColour, b.Facts.Finish, b.Facts.Material = say("Red"), say("Black"), say("HASL"), say("Polyimide")
	gap := newSheet(pcb.RoleMask, pcb.Top)
	gap.region(geom.Polygon{Outer: rect(7*mm, 2*mm, 2*mm, 2*mm)})
	b.Adopt(gap.Layer)
	look := func(what string, o Options, l paint.Look) {
		t.Helper()
		s := l.Scheme()
		holdSpots(t, what, b, pcb.Top, o, spot{1, 1, s.Masked}, spot{3, 3, s.Finish}, spot{8, 8, s.Silkscreen}, spot{8, 3, s.Substrate})
	}
	stated := paint.Look{Mask: "red", Silkscreen: "black", Finish: "hasl", Material: "polyimide"}
	look("as stated", Options{}, stated)
	requested := stated
	requested.Mask = "blue"
	look("another mask", Options{Mask: "blue"}, requested)
	requested = stated
	requested.Silkscreen = "yellow"
	look("another silkscreen", Options{Silkscreen: "yellow"}, requested)
	requested = stated
	requested.Finish = "ENIG"
	look("another finish", Options{Finish: "ENIG"}, requested)
	b.Facts.MaskColour.Known = false
	requested = stated
	requested.Mask = ""
	look("a mask colour that is not known", Options{}, requested)
}
