package ipc2581

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const um = geom.Micrometre

// readFlash reads a pad with a primitive at 10, 20 mm on the top.
func readFlash(t *testing.T, primitive string) (*pcb.Board, *pcb.Layer) {
	t.Helper()
	b := readOne(t, `<LayerFeature layerRef="TOP"><Set net="N1"><Pad><Location x="10" y="20"/>`+primitive+`</Pad></Set></LayerFeature>`)
	return b, b.Copper()[0]
}

// TestStandardPrimitives holds the box of each standard primitive to its sizes.
func TestStandardPrimitives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		primitive     string
		width, height int64 // micrometres
	}{
		{`<Circle diameter="1"/>`, 1000, 1000},
		{`<RectCenter width="2" height="1"/>`, 2000, 1000},
		{`<Oval width="2" height="1"/>`, 2000, 1000},
		{`<Oval width="1" height="2"/>`, 1000, 2000},
		{`<RectRound width="2" height="1" radius="0.2"/>`, 2000, 1000},
		{`<RectRound width="2" height="1" radius="0.2" upperLeft="true" upperRight="false" lowerLeft="false" lowerRight="false"/>`, 2000, 1000},
		{`<RectCham width="2" height="1" chamfer="0.2"/>`, 2000, 1000},
		{`<RectCorner lowerLeftX="-1" lowerLeftY="-0.5" upperRightX="1" upperRightY="0.5"/>`, 2000, 1000},
		{`<Ellipse width="2" height="1"/>`, 2000, 1000},
		{`<Diamond width="2" height="1"/>`, 2000, 1000},
		{`<Triangle base="2" height="1"/>`, 2000, 1000},
		{`<Octagon length="2"/>`, 1848, 1848},
		{`<Donut outerDiameter="2" innerDiameter="1" shape="ROUND"/>`, 2000, 2000},
		{`<Donut outerDiameter="2" innerDiameter="1" shape="SQUARE"/>`, 2000, 2000},
		{`<Butterfly diameter="2" shape="ROUND"/>`, 2000, 2000},
		{`<Butterfly side="2" shape="SQUARE"/>`, 2000, 2000},
		{`<Moire diameter="2"/>`, 2000, 2000},
		{`<StandardPrimitiveRef id="R"/>`, 2000, 1000},
		{`<UserSpecial><Circle diameter="1"/></UserSpecial>`, 1000, 1000},
		{`<UserSpecial><Xform scale="2"/><Circle diameter="1"/></UserSpecial>`, 2000, 2000},
	} {
		t.Run(c.primitive, func(t *testing.T) {
			t.Parallel()
			_, l := readFlash(t, c.primitive)
			if len(l.Features) != 1 {
				t.Fatalf("%d features of %s, want one", len(l.Features), c.primitive)
			}
			b := l.FeatureBounds(&l.Features[0])
			near := func(got, want int64) bool { return got > want-15 && got < want+15 }
			if w, h := b.Width()/um, b.Height()/um; !near(w, c.width) || !near(h, c.height) {
				t.Errorf("%d × %d µm, want %d × %d", w, h, c.width, c.height)
			}
		})
	}
}

// TestOddPrimitives: what is no shape is said, and sizes that no board has draw nothing
// of that size.
func TestOddPrimitives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		primitive, message string
		features           int
	}{
		{`<Star points="5"/>`, `"Star" is not understood`, 0},
		{`<StandardPrimitiveRef id="gone"/>`, "reference to a missing StandardPrimitive", 0},
		{`<UserPrimitiveRef id="gone"/>`, "reference to a missing UserPrimitive", 0},
		{`<Text textString="A" fontSize="1"/>`, `"Text" is not understood`, 0},
		{`<Circle diameter="-1"/>`, "", 1},
		{`<Circle diameter="1e300"/>`, "", 1},
		{`<Circle diameter="x"/>`, "", 1},
	} {
		t.Run(c.primitive, func(t *testing.T) {
			t.Parallel()
			b, l := readFlash(t, c.primitive)
			if len(l.Features) != c.features {
				t.Errorf("%d features, want %d", len(l.Features), c.features)
			}
			for i := range l.Features {
				if box := l.FeatureBounds(&l.Features[i]); !box.Empty() && box.Width() > 2*geom.MaxCoord {
					t.Errorf("covers %v, want no more than coordinates reach", box)
				}
			}
			message := ""
			for _, f := range b.Findings {
				message += f.Message
			}
			if !strings.Contains(message, c.message) || c.message == "" && message != "" {
				t.Errorf("said %q, want %q", message, c.message)
			}
		})
	}
}

// TestFills: hollow shapes are their rim, void ones erase.
func TestFills(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, primitive string
		flashes, lines  int
		clear           bool
	}{
		{"filled", `<RectCenter width="2" height="1"/>`, 1, 0, false},
		{"hollow", `<RectCenter width="2" height="1"><FillDesc fillProperty="HOLLOW"/><LineDesc lineWidth="0.1"/></RectCenter>`, 0, 4, false},
		{"void", `<RectCenter width="2" height="1"><FillDesc fillProperty="VOID"/></RectCenter>`, 1, 0, true},
		{"void by reference", `<RectCenter width="2" height="1"><FillDescRef id="VOID"/></RectCenter>`, 1, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, l := readFlash(t, c.primitive)
			flashes, lines := 0, 0
			for _, f := range l.Features {
				switch f.Kind {
				case pcb.FlashFeature:
					flashes++
				case pcb.LineFeature:
					lines++
				}
				if f.Clear != c.clear {
					t.Errorf("erases %v, want %v", f.Clear, c.clear)
				}
			}
			if flashes != c.flashes || lines != c.lines {
				t.Errorf("%d flashes, %d lines; want %d, %d", flashes, lines, c.flashes, c.lines)
			}
		})
	}
}

// TestTransforms: pads are turned, mirrored and moved as the format says.
func TestTransforms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, xform   string
		at            geom.Point
		width, height int64
	}{
		{"none", ``, geom.Pt(10*mm, 20*mm), 2000, 1000},
		{"a quarter turn", `<Xform rotation="90"/>`, geom.Pt(10*mm, 20*mm), 1000, 2000},
		{"a half turn", `<Xform rotation="180"/>`, geom.Pt(10*mm, 20*mm), 2000, 1000},
		{"moved", `<Xform xOffset="1" yOffset="-2"/>`, geom.Pt(11*mm, 18*mm), 2000, 1000},
		{"mirrored", `<Xform mirror="true"/>`, geom.Pt(10*mm, 20*mm), 2000, 1000},
		{"turned and mirrored", `<Xform rotation="270" mirror="true"/>`, geom.Pt(10*mm, 20*mm), 1000, 2000},
		{"a scale beyond reason", `<Xform scale="1e9"/>`, geom.Pt(10*mm, 20*mm), 2000, 1000},
		{"a scale of nothing", `<Xform scale="0"/>`, geom.Pt(10*mm, 20*mm), 2000, 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, l := readFlash(t, c.xform+`<StandardPrimitiveRef id="R"/>`)
			f := &l.Features[0]
			b := l.FeatureBounds(f)
			if f.A != c.at || (b.Width()+um/2)/um != c.width || (b.Height()+um/2)/um != c.height {
				t.Errorf("at %v, %d × %d; want %v, %d × %d", f.A, b.Width(), b.Height(), c.at, c.width, c.height)
			}
		})
	}
}

// TestLinesAndAreas: what is drawn on copper beside pads, and what it is for.
func TestLinesAndAreas(t *testing.T) {
	t.Parallel()
	const square = `<PolyBegin x="0" y="0"/><PolyStepSegment x="4" y="0"/><PolyStepSegment x="4" y="4"/><PolyStepSegment x="0" y="4"/><PolyStepSegment x="0" y="0"/>`
	for _, c := range []struct {
		name, set, feature string
		kinds              string // l, a, r by kind
		function           pcb.Function
		width              int64
	}{
		{"a line", `net="N1"`, `<Line startX="0" startY="0" endX="3" endY="0"><LineDesc lineWidth="0.2"/></Line>`, "l", pcb.FuncConductor, 200},
		{"a line of no net", ``, `<Line startX="0" startY="0" endX="3" endY="0"><LineDesc lineWidth="0.2"/></Line>`, "l", pcb.FuncNonConductor, 200},
		{"a width by reference, in inches", `net="N1"`, `<Line startX="0" startY="0" endX="3" endY="0"><LineDescRef id="L1"/></Line>`, "l", pcb.FuncConductor, 254},
		{"an arc", `net="N1"`, `<Arc startX="1" startY="0" endX="-1" endY="0" centerX="0" centerY="0" clockwise="false"><LineDesc lineWidth="0.2"/></Arc>`, "a", pcb.FuncConductor, 200},
		{"a polyline", `net="N1"`, `<Polyline><PolyBegin x="0" y="0"/><PolyStepSegment x="3" y="0"/><PolyStepCurve x="5" y="0" centerX="4" centerY="0" clockwise="true"/><LineDesc lineWidth="0.2"/></Polyline>`, "la", pcb.FuncConductor, 200},
		{"a pour", `net="N1"`, `<Contour><Polygon>` + square + `</Polygon></Contour>`, "r", pcb.FuncPour, 0},
		{"an area of no net", ``, `<Contour><Polygon>` + square + `</Polygon></Contour>`, "r", pcb.FuncNonConductor, 0},
		{"an outline", `net="N1"`, `<Outline><Polygon>` + square + `<LineDesc lineWidth="0.2"/></Polygon></Outline>`, "llll", pcb.FuncConductor, 200},
		{"a polygon of nothing", `net="N1"`, `<Contour><Polygon></Polygon></Contour>`, "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := readOne(t, `<LayerFeature layerRef="TOP"><Set `+c.set+`><Features>`+c.feature+`</Features></Set></LayerFeature>`)
			l, got := b.Copper()[0], ""
			for i := range l.Features {
				f := &l.Features[i]
				got += []string{"l", "a", "f", "r"}[f.Kind]
				if f.Function != c.function {
					t.Errorf("%+v is for %v, want %v", f, f.Function, c.function)
				}
			}
			if got != c.kinds {
				t.Fatalf("features %q, want %q", got, c.kinds)
			}
			if c.width > 0 && l.Width(&l.Features[0]) != c.width*um {
				t.Errorf("width %d, want %d", l.Width(&l.Features[0]), c.width*um)
			}
		})
	}
}

// TestUnits: lengths of the design are in the unit of its header.
func TestUnits(t *testing.T) {
	t.Parallel()
	for unit, want := range map[string]int64{"MILLIMETER": 3 * mm, "millimeter": 3 * mm, "MICRON": 3000, "INCH": 76_200_000, "": 3 * mm, "CUBIT": 3 * mm} {
		text := strings.Replace(header, `<CadHeader units="MILLIMETER">`, `<CadHeader units="`+unit+`">`, 1)
		boards := readText(t, text+`<LayerFeature layerRef="TOP"><Set net="A"><Features><Line startX="0" startY="0" endX="3" endY="0"><LineDescRef id="L1"/></Line></Features></Set></LayerFeature>`+footer)
		l := boards[0].Copper()[0]
		if got := l.Features[0].B.X; got != want {
			t.Errorf("3 of %q is %d nm, want %d", unit, got, want)
		}
		if w := l.Width(&l.Features[0]); w != 254_000 { // the dictionary has a unit of its own
			t.Errorf("in %q the width is %d nm, want 254000", unit, w)
		}
	}
}

// TestGroupsEnd: groups within groups are read a few deep, and groups that repeat each
// other end.
func TestGroupsEnd(t *testing.T) {
	t.Parallel()
	nested := `<Circle diameter="1"/>`
	for range 50 {
		nested = `<UserSpecial>` + nested + `</UserSpecial>`
	}
	if _, l := readFlash(t, nested); len(l.Features) > 1 {
		t.Errorf("%d features, want one at most", len(l.Features))
	}
	var dictionary strings.Builder
	for i := range 40 {
		fmt.Fprintf(&dictionary, `<EntryUser id="G%d"><UserSpecial><UserPrimitiveRef id="G%d"/><UserPrimitiveRef id="G%d"/></UserSpecial></EntryUser>`, i+1, i, i)
	}
	text := strings.Replace(header, `<EntryUser id="U">`, `<EntryUser id="G0"><UserSpecial><Circle diameter="1"/></UserSpecial></EntryUser>`+dictionary.String()+`<EntryUser id="U">`, 1)
	ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 20_000})
	defer end()
	boards, _ := Read(ctx, []File{{"b.xml", []byte(text + `<LayerFeature layerRef="TOP"><Set><Pad><UserPrimitiveRef id="G40"/></Pad></Set></LayerFeature>` + footer)}})
	if pcb.Excess(ctx) == nil {
		t.Errorf("two to the power of forty circles fit: %d boards, want an excess", len(boards))
	}
}

// TestCutCorners: worked corners take their part of the area.
func TestCutCorners(t *testing.T) {
	t.Parallel()
	area := func(l *pcb.Layer) float64 {
		a := 0.0
		for _, p := range l.Apertures[l.Features[0].Shape].Primitives {
			a += math.Abs(p.Path().Area()) / 1e12
		}
		return a
	}
	for primitive, want := range map[string]float64{ // mm²
		`<RectCham width="2" height="1" chamfer="0.2"/>`: 2 - 4*0.02,
		`<RectCham width="2" height="1" chamfer="0.2" upperLeft="true" upperRight="false" lowerLeft="false" lowerRight="false"/>`: 2 - 0.02,
		`<RectCham width="2" height="1" chamfer="0.2" upperLeft="true" upperRight="true" lowerLeft="false" lowerRight="false"/>`:  2 - 0.04,
		`<RectRound width="2" height="1" radius="0.2" upperLeft="true" upperRight="false" lowerLeft="false" lowerRight="false"/>`: 2 - 0.04*(1-math.Pi/4),
	} {
		_, l := readFlash(t, primitive)
		if got := area(l); math.Abs(got-want) > 0.01 {
			t.Errorf("%s has %.4f mm², want %.4f", primitive, got, want)
		}
	}
}
