package render

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"io"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// writeSVG is a layer of a board of 10 by 10 mm as SVG, in #010203.
func writeSVG(t *testing.T, l sheet, o Options) string {
	t.Helper()
	var buf bytes.Buffer
	o.Colour = color.NRGBA{1, 2, 3, 255}
	if err := LayerSVG(t.Context(), &buf, square(), l.Layer, o); err != nil {
		t.Errorf("LayerSVG: %v", err)
	}
	return buf.String()
}

// TestElements: what is drawn becomes these elements. Lengths are micrometres, Y goes up
// by the transform of the whole, so that a sweep-flag of 1 turns counter-clockwise.
func TestElements(t *testing.T) {
	t.Parallel()
	at := geom.Pt(3*mm, 4*mm)
	pen := pcb.Circle(250 * geom.Micrometre)
	for what, c := range map[string]struct {
		draw func(sheet)
		want []string
	}{
		"a round flash": {func(s sheet) { s.flash(pen, at) }, []string{`<path fill="none" stroke-width="250" d="M3000 4000h0"/>`}},
		"two of one aperture": {func(s sheet) {
			s.flash(pen, at)
			s.flash(pen, geom.Pt(mm, mm)).Shape = 0
		}, []string{`d="M3000 4000h0M1000 1000h0"/>`}},
		"lines that go on": {func(s sheet) {
			s.edge(pen, geom.Line(geom.Pt(0, 0), at))
			s.edge(pen, geom.Line(at, geom.Pt(mm, mm))).Shape = 0
		}, []string{`d="M0 0L3000 4000L1000 1000"/>`}},
		"lines that begin anew": {func(s sheet) {
			s.edge(pen, geom.Line(geom.Pt(0, 0), at))
			s.edge(pen, geom.Line(geom.Pt(mm, 0), geom.Pt(mm, mm))).Shape = 0
		}, []string{`d="M0 0L3000 4000M1000 0L1000 1000"/>`}},
		"another pen": {func(s sheet) {
			s.edge(pen, geom.Line(geom.Pt(0, 0), at))
			s.edge(pcb.Circle(mm), geom.Line(at, geom.Pt(mm, mm)))
		}, []string{`stroke-width="250" d="M0 0L3000 4000"/>`, `stroke-width="1000" d="M3000 4000L1000 1000"/>`}},
		"a line of no length": {func(s sheet) { s.edge(pen, geom.Line(at, at)) }, []string{`d="M3000 4000h0"/>`}},
		"a quarter counter-clockwise": {func(s sheet) {
			s.edge(pen, geom.ArcEdge(geom.Pt(2*mm, 0), geom.Pt(0, 2*mm), geom.Pt(0, 0), false))
		}, []string{`d="M2000 0A2000 2000 0 0 1 0 2000"/>`}},
		"three quarters clockwise": {func(s sheet) {
			s.edge(pen, geom.ArcEdge(geom.Pt(2*mm, 0), geom.Pt(0, 2*mm), geom.Pt(0, 0), true))
		}, []string{`d="M2000 0A2000 2000 0 1 0 0 2000"/>`}},
		"a half": {func(s sheet) {
			s.edge(pen, geom.ArcEdge(geom.Pt(2*mm, 0), geom.Pt(-2*mm, 0), geom.Pt(0, 0), false))
		}, []string{`d="M2000 0A2000 2000 0 0 1 -2000 0"/>`}},
		"a full circle": {func(s sheet) {
			s.edge(pen, geom.ArcEdge(geom.Pt(2*mm, 0), geom.Pt(2*mm, 0), geom.Pt(0, 0), false))
		}, []string{`d="M2000 0A2000 2000 0 0 1 -2000 0A2000 2000 0 0 1 2000 0"/>`}},
		"tenths of a micrometre": {func(s sheet) { s.flash(pcb.Circle(100_049), geom.Pt(1_250, -1_250)) }, []string{`stroke-width="100" d="M1.3 -1.3h0"/>`}},
		"a region":               {func(s sheet) { s.region(geom.Polygon{Outer: rect(0, 0, mm, 2*mm)}) }, []string{`<path d="M0 0L1000 0L1000 2000L0 2000`, `z"/>`}},
		"a region with a hole": {func(s sheet) {
			s.region(geom.Polygon{Outer: rect(0, 0, 9*mm, 9*mm), Holes: []geom.Path{rect(mm, mm, mm, mm)}})
		}, []string{`<path fill-rule="evenodd" d="M0 0L9000 0`, `zM1000 1000L2000 1000`}},
		"a rectangle": {func(s sheet) { s.flash(pcb.Rect(2*mm, mm), at) },
			[]string{`<path id="layer-a1" fill-rule="nonzero" d="M-1000 -500`, `<use href="#layer-a1" x="3000" y="4000"/>`}},
		"a rectangle with a hole": {func(s sheet) { s.flash(pcb.Rect(2*mm, mm).PunchHole(mm/2, 0), at) }, []string{`<path id="layer-a1" fill-rule="evenodd"`}},
		"a ring is no stroke":     {func(s sheet) { s.flash(pcb.Circle(2*mm).PunchHole(mm, 0), at) }, []string{`<use href="#layer-a1" x="3000" y="4000"/>`}},
		"a rectangle turned by 90°": {func(s sheet) { s.flashTurned(pcb.Rect(2*mm, mm), at, 90) },
			[]string{`<use href="#layer-a1" transform="matrix(0 1 -1 0 3000 4000)"/>`}},
		"a rectangle turned by 30°": {func(s sheet) { s.flashTurned(pcb.Rect(2*mm, mm), at, 30) },
			[]string{`transform="matrix(0.8660254 0.5 -0.5 0.8660254 3000 4000)"/>`}},
		"a square pen":        {func(s sheet) { s.edge(pcb.Rect(mm, mm), geom.Line(geom.Pt(0, 0), geom.Pt(4*mm, 0))) }, []string{`-500 -500`, `4500 -500`, `4500 500`, `-500 500`}},
		"what is erased":      {func(s sheet) { s.flash(pen, at).Clear = true }, []string{`<g fill="#000" stroke="#000" stroke-width="0"><path`}},
		"what is drawn":       {func(s sheet) { s.flash(pen, at) }, []string{`<g fill="#fff" stroke="#fff" stroke-width="0"><path`}},
		"a negative layer":    {func(s sheet) { negative(s).flash(pen, at) }, []string{`<rect x="0" y="0" width="10000" height="10000" fill="#fff"/>`, `<g fill="#000"`}},
		"erased of negatives": {func(s sheet) { negative(s).flash(pen, at).Clear = true }, []string{`height="10000" fill="#fff"/><g fill="#fff"`}},
		"a pen twice as wide": {func(s sheet) {
			s.edge(pen, geom.Line(geom.Pt(0, 0), at))
			s.Transforms = append(s.Transforms, geom.Transform{Scale: 2})
			f := s.edge(pen, geom.Line(at, geom.Pt(mm, mm)))
			f.Shape, f.Transform = 0, 1
		}, []string{`stroke-width="250" d="M0 0L3000 4000"/>`, `stroke-width="500" d="M3000 4000L1000 1000"/>`}},
		"a line that erases and goes on": {func(s sheet) {
			s.edge(pen, geom.Line(geom.Pt(0, 0), at))
			f := s.edge(pen, geom.Line(at, geom.Pt(mm, mm)))
			f.Shape, f.Clear = 0, true
		}, []string{`d="M0 0L3000 4000"/></g><g fill="#000" stroke="#000" stroke-width="0"><path fill="none" stroke-width="250" d="M3000 4000L1000 1000"/>`}},
		"a region that erases": {func(s sheet) {
			s.region(geom.Polygon{Outer: rect(0, 0, mm, mm)})
			s.region(geom.Polygon{Outer: rect(0, 0, 2*mm, 2*mm)}).Clear = true
		}, []string{`z"/></g><g fill="#000" stroke="#000" stroke-width="0"><path d="M0 0L2000 0`}},
		"a macro of areas that run either way": {func(s sheet) { // by the nonzero rule they would cancel out
			s.flash(pcb.Custom("m", []pcb.Primitive{{Kind: pcb.AreaPrimitive, Area: rect(0, 0, mm, mm)}, {Kind: pcb.AreaPrimitive, Area: rect(0, 0, 2*mm, 2*mm).Reverse()}}), at)
		}, []string{`fill-rule="nonzero" d="M0 0L1000 0L1000 1000L0 1000`, `L2000 0L2000 2000L0 2000`}},
		"a macro that erases": {func(s sheet) {
			s.flash(pcb.Custom("m", []pcb.Primitive{{Kind: pcb.CirclePrimitive, Radius: mm}, {Kind: pcb.CirclePrimitive, Radius: mm / 2, Clear: true}}), at)
		}, []string{`<mask id="layer-a1m" maskUnits="userSpaceOnUse" x="-1001" y="-1001" width="2002" height="2002"><path fill="#fff"`, `<path fill="#000"`, `mask="url(#layer-a1m)"/></g></defs>`}},
	} {
		l := newSheet(pcb.RoleCopper, pcb.Top)
		c.draw(l)
		got := writeSVG(t, l, Options{})
		for _, want := range append(c.want, `<rect x="0" y="0" width="10000" height="10000" fill="#010203" mask="url(#layer-it)"/>`) {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in\n%s", what, want, got)
			}
		}
	}
}

// TestFrameOfSVG: the picture's size, its unit, and where the board lies in it.
func TestFrameOfSVG(t *testing.T) {
	t.Parallel()
	b := square()
	b.Outline.Areas[0].Outer = rect(-5*mm, 20*mm, 40*mm, 10*mm)
	window := geom.Box{Min: geom.Pt(0, 22*mm), Max: geom.Pt(4*mm, 23*mm)}
	for what, c := range map[string]struct {
		side pcb.Side
		o    Options
		want string
	}{
		"millimetres":     {pcb.Top, Options{}, `width="40mm" height="10mm" viewBox="0 0 40000 10000"><g transform="translate(5000 30000) scale(1 -1)"`},
		"from below":      {pcb.Bottom, Options{}, `viewBox="0 0 40000 10000"><g transform="translate(35000 30000) scale(-1 -1)"`},
		"a margin":        {pcb.Top, Options{Margin: mm}, `width="42mm" height="12mm" viewBox="0 0 42000 12000"><g transform="translate(6000 31000) scale(1 -1)"`},
		"a width":         {pcb.Top, Options{Width: 200}, `width="200" height="50" viewBox="0 0 40000 10000">`},
		"a height":        {pcb.Top, Options{Height: 100}, `width="400" height="100" viewBox`},
		"dots per inch":   {pcb.Top, Options{DPI: 25.4}, `width="40" height="10" viewBox`},
		"a window":        {pcb.Top, Options{Window: window, Margin: mm}, `width="4mm" height="1mm" viewBox="0 0 4000 1000"><g transform="translate(0 23000) scale(1 -1)"`},
		"a name for ids":  {pcb.Top, Options{ID: "p7-"}, `<mask id="p7-board" maskUnits="userSpaceOnUse" x="-5000" y="20000" width="40000" height="10000">`},
		"the side's name": {pcb.Bottom, Options{}, `<g mask="url(#bottom-board)">`},
	} {
		var buf bytes.Buffer
		if err := SVG(t.Context(), &buf, b, c.side, c.o); err != nil || !strings.Contains(buf.String(), c.want) {
			t.Errorf("%s: no %s in %.900s, %v", what, c.want, buf.String(), err)
		}
	}
}

// TestSideAsSVG: one colour lies over the other, each behind the mask that lets it through.
func TestSideAsSVG(t *testing.T) {
	t.Parallel()
	b := square(block(pcb.RoleCopper, pcb.Top), negative(block(pcb.RoleMask, pcb.Top)), block(pcb.RoleSilk, pcb.Top))
	b.Outline.Areas[0].Holes = []geom.Path{rect(7*mm, 7*mm, mm, mm)}
	b.Holes = []pcb.Hole{{A: geom.Pt(mm, mm), B: geom.Pt(mm, 2*mm), Diameter: 800 * geom.Micrometre, Kind: pcb.SlotHole}}
	var buf bytes.Buffer
	if err := SVG(t.Context(), &buf, b, pcb.Top, Options{}); err != nil {
		t.Fatal(err)
	}
	left := buf.String()
	s := colours(b, Options{})
	const block = `<path d="M2000 2000L6000 2000`
	for _, want := range []string{
		`<mask id="top-board"`, `fill-rule="evenodd" d="M0 0L10000 0`, `zM7000 7000`, `<path stroke="#000" fill="none" stroke-width="800" d="M1000 1000L1000 2000"/>`,
		`<mask id="top-cu"`, block, `<mask id="top-open"`, `<g fill="#fff"`, block, `<mask id="top-silk"`, block,
		`<g mask="url(#top-open)"><rect`, `fill="#000000"/></g></mask></defs><g mask="url(#top-board)">`,
		hex(s.Masked) + `"/>`, hex(s.OverCopper) + `" mask="url(#top-cu)"/><g mask="url(#top-open)">`, hex(s.Substrate) + `"/>`, hex(s.Finish) + `" mask="url(#top-cu)"/></g>`,
		hex(s.Silkscreen) + `" mask="url(#top-silk)"/></g></g></svg>`,
	} {
		_, after, found := strings.Cut(left, want)
		if !found {
			t.Fatalf("no %s, or not in this order, left is\n%s\nof\n%s", want, left, buf.String())
		}
		left = after
	}
}

// TestWhatIsNoPicture: nothing to draw, no room to write to, and too much work are told
// by every way to draw.
func TestWhatIsNoPicture(t *testing.T) {
	t.Parallel()
	heavy := sample()
	l := heavy.Layers[0]
	for range 3000 {
		l.Features = append(l.Features, pcb.Feature{Kind: pcb.LineFeature, B: geom.Pt(20*mm, 12*mm)})
	}
	for what, draw := range map[string]func(context.Context, io.Writer, *pcb.Board) error{
		"Side": func(ctx context.Context, _ io.Writer, b *pcb.Board) error {
			_, err := Side(ctx, b, pcb.Top, Options{Width: 300})
			return err
		},
		"SideMap": func(ctx context.Context, _ io.Writer, b *pcb.Board) error {
			_, err := SideMap(ctx, b, pcb.Top, Options{Width: 300})
			return err
		},
		"Stack": func(ctx context.Context, _ io.Writer, b *pcb.Board) error {
			_, err := Stack(ctx, b, Options{Width: 300})
			return err
		},
		"SidePNG": func(ctx context.Context, w io.Writer, b *pcb.Board) error {
			return SidePNG(ctx, w, b, pcb.Top, Options{Width: 300})
		},
		"StackPNG": func(ctx context.Context, w io.Writer, b *pcb.Board) error {
			return StackPNG(ctx, w, b, Options{Width: 300})
		},
		"SVG": func(ctx context.Context, w io.Writer, b *pcb.Board) error {
			return SVG(ctx, w, b, pcb.Top, Options{Width: 300})
		},
	} {
		room := &full{left: 1 << 30}
		if err := draw(t.Context(), room, pcb.NewBoard("empty")); !errors.Is(err, ErrNothing) {
			t.Errorf("%s of an empty board: %v, want %v", what, err, ErrNothing)
		}
		if err := draw(t.Context(), room, heavy); err != nil {
			t.Errorf("%s of 3000 lines: %v", what, err)
		}
		if err := draw(t.Context(), &full{left: 10}, heavy); room.left < 1<<30 && !errors.Is(err, errFull) {
			t.Errorf("%s into ten bytes: %v, want %v", what, err, errFull)
		}
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Steps: 1000})
		err := draw(ctx, io.Discard, heavy)
		if _, ok := errors.AsType[*pcb.TooComplex](err); !ok {
			t.Errorf("%s of 3000 lines within 1000 steps: %v, want that it is too much", what, err)
		}
		end()
	}
}
