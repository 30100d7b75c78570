package gerber

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestSingleQuadrantArcs: arcs of a quarter turn and less, whose centre is given without signs,
// through every quadrant and both ways round.
func TestSingleQuadrantArcs(t *testing.T) {
	t.Parallel()
	const r = 10_000_000 // nm, which are the file's unit
	for start := 0; start < 360; start += 30 {
		for _, turn := range []int{30, 60, 90} {
			for _, clockwise := range []bool{false, true} {
				end := start + turn
				g := "G03"
				if clockwise {
					end, g = start-turn, "G02"
				}
				if (start%90+90)%90+turn > 90 && !clockwise || clockwise && (start%90 > 0 && turn > start%90 || start%90 == 0 && turn > 90) {
					continue // beyond its quadrant
				}
				at := func(deg int) geom.Point { return geom.Point{}.Polar(r, float64(deg)*math.Pi/180) }
				a, b := at(start), at(end)
				off := geom.Pt(max(a.X, -a.X), max(a.Y, -a.Y))
				src := fmt.Sprintf("%sD10*G74*X%dY%dD02*%s*X%dY%dI%dJ%dD01*M02*", mm, a.X, a.Y, g, b.X, b.Y, off.X, off.Y)
				f := Read(t.Context(), "x.gbr", []byte(src), Options{})
				e := f.Layer.Edge(&f.Layer.Features[0])
				if want := geom.ArcEdge(a, b, geom.Point{}, clockwise); e.Turn != want.Turn || e.Centre.Dist(want.Centre) > 2 || math.Abs(e.Sweep()-want.Sweep()) > 1e-6 {
					t.Errorf("from %d to %d degrees, clockwise %v: %+v, want %+v", start, end, clockwise, e, want)
				}
			}
		}
	}
}

// TestDeprecatedTransforms: the order of the old commands: scale, mirror, exchange of the axes, and
// last the offset, which is exchanged with them.
func TestDeprecatedTransforms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, src, want string }{
		{"a scale", "%SFA2B3*%", "2,6"},
		{"a scale of one axis", "%SFA2*%", "2,2"},
		{"a mirror of X", "%MIA1B0*%", "-1,2"},
		{"a mirror of Y", "%MIA0B1*%", "1,-2"},
		{"of both", "%MIA1B1*%", "-1,-2"},
		{"a mirror that is taken back", "%MIA1B0*%%MIA0B0*%", "1,2"},
		{"an offset", "%OFA10B20*%", "11,22"},
		{"an offset of one axis", "%OFB20*%", "1,22"},
		{"axes exchanged", "%ASAYBX*%", "2,1"},
		{"axes exchanged and an offset", "%ASAYBX*%%OFA10B20*%", "22,11"},
		{"a scale and a mirror", "%SFA2B2*%%MIA1B0*%", "-2,4"},
		{"a quarter turn", "%IR90*%", "-2,1"},
		{"a quarter back", "%IR270*%", "2,-1"},
		{"all round", "%IR360*%", "1,2"},
		{"an offset and a turn", "%OFA10B0*%%IR90*%", "-2,11"},
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+c.src+"D10*X1000000Y2000000D03*M02*"), Options{})
		if got := pt(f.Layer.Features[0].A); got != c.want {
			t.Errorf("%s: %s puts 1,2 at %s, want %s", c.name, c.src, got, c.want)
		}
	}
	for mirror, want := range map[string]bool{"A1B0": true, "A0B1": true, "A1B1": false, "A0B0": false} {
		f := Read(t.Context(), "x.gbr", []byte(mm+"%MI"+mirror+"*%D10*X1000000Y2000000D03*M02*"), Options{AsDrawn: true})
		if got := pt(f.Layer.Features[0].A); f.Mirrored != want || got != "1,2" {
			t.Errorf("MI%s, as drawn: turned over %v, at %s; want %v, and at 1,2", mirror, f.Mirrored, got, want)
		}
	}
}

// TestPlacements: mirroring, turning and scaling of apertures, one kept while another is set.
func TestPlacements(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]geom.Transform{
		"":                       {},
		"%LMN*%%LR0*%%LS1*%":     {},
		"%LMX*%":                 {Mirror: true},
		"%LMY*%":                 {Mirror: true, Rotation: 180},
		"%LMXY*%":                {Rotation: 180},
		"%LR45*%":                {Rotation: 45},
		"%LR-45.5*%":             {Rotation: -45.5},
		"%LS2*%":                 {Scale: 2},
		"%LMX*%%LR30*%%LS.5*%":   {Mirror: true, Rotation: 30, Scale: 0.5},
		"%LR30*%%LMY*%":          {Mirror: true, Rotation: 210},
		"%LR30*%%LMX*%%LMN*%":    {Rotation: 30},
		"%LS2*%%LS0*%":           {Scale: 2},
		"%LMX*%%LMZ*%":           {},
		"%LRx*%":                 {},
		"%LM X *%":               {Mirror: true},
		"%LR45*%%LR45*%%LS1.0*%": {Rotation: 45},
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+"D11*"+in+"X0Y0D03*M02*"), Options{})
		if diff := cmp.Diff(want, f.Layer.Transforms[f.Layer.Features[0].Transform]); diff != "" {
			t.Errorf("%q places an aperture by (-want +got):\n%s", in, diff)
		}
	}
}

// TestCoordinateDigits: numbers as files write them, with signs, blanks and too many digits.
func TestCoordinateDigits(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"X1000000Y0": "1,0", "X+1000000Y-1000000": "1,-1", "X--1000000Y0": "1,0", "X-+1000000Y0": "-1,0", "X 1000000 Y 0": "1,0", "X0001000000Y000": "1,0", "XY1000000": "0,1", "X-Y0": "0,0",
		"X.5Y0": "0.5,0", "X-.25Y1.": "-0.25,1", "X1.0000005Y0": "1.000001,0", "X1.23456789012Y0": "1.234568,0", "Y1000000": "0,1", "X00000000000000000001Y0": "none", // more digits than can be kept
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+"D10*"+in+"D03*M02*"), Options{})
		got := "none"
		if len(f.Layer.Features) > 0 {
			got = pt(f.Layer.Features[0].A)
		}
		if got != want {
			t.Errorf("%s flashes at %s, want %s (findings %+v)", in, got, want, f.Findings)
		}
	}
}

// TestEnds: how files end, and what is told of it.
func TestEnds(t *testing.T) {
	t.Parallel()
	const body = mm + "D10*X0Y0D03*"
	for in, want := range map[string]string{
		body + "M02*": "", body + "M00*": "", body + "M2*": "", body + "M02*\r\n\x1a": "", body + "M02*%": "", body + "M02*M00*": "", body + "M02*\nM02": "", body + "M02*M30*": "data_after_end warning",
		body + "M02*G04 x*": "data_after_end warning", body: "no_end problem", "%MOMM*%%ADD10C,1*%D10*X0Y0D03*": "no_end warning", body + "M01*": "no_end problem", mm + "M02*": "empty_layer note",
		mm + "D10*X0Y0D02*M02*": "empty_layer note", mm + "D10*%LPC*%X0Y0D03*M02*": "",
	} {
		f := Read(t.Context(), "x.gbr", []byte(in), Options{})
		got := ""
		for _, x := range f.Findings {
			if x.Code != "format_assumed" {
				got = x.Code + " " + x.Level.String()
			}
		}
		if got != want {
			t.Errorf("%q: findings %+v, want %q", in, f.Findings, want)
		}
	}
}

// TestBounds: what is kept of files that hold more than anybody reads.
func TestBounds(t *testing.T) {
	t.Parallel()
	var src strings.Builder
	src.WriteString(mm)
	for i := range 2000 {
		fmt.Fprintf(&src, "G04 comment %d*%%LNlayer%d*%%%%TF.a%d,1*%%%%AMm%d*9,1*%%%%ADD%dm%d*%%", i, i, i, i, 100+i, i)
	}
	f := Read(t.Context(), "x.gbr", []byte(src.String()+"M02*"), Options{})
	if len(f.Comments) != 64 || len(f.LayerNames) != 64 || len(f.Attributes) != 1000 || len(f.Findings) != 500 {
		t.Errorf("of 2000 each %d comments, %d names, %d attributes and %d findings are kept; want 64, 64, 1000 and 500", len(f.Comments), len(f.LayerNames), len(f.Attributes), len(f.Findings))
	}
	long := Read(t.Context(), "x.gbr", []byte("G04 "+strings.Repeat("ä", 400)+"*"+mm+"M02*"), Options{})
	if got := len(long.Comments[0]); got > 500 {
		t.Errorf("%d bytes of a comment of 800 are kept, want 500 at most", got)
	}
	if got := clip([]byte(strings.Repeat("x", 41))); got != strings.Repeat("x", 40)+"…" {
		t.Errorf("41 letters are quoted as %q, want 40 and that there are more", got)
	}
	names := make([]string, 9)
	if got := shorten(names); !strings.HasSuffix(got, " and 1 more") {
		t.Errorf("nine names are shortened to %q, want eight and 1 more", got)
	}
}

// TestMountOfComponents: how parts of a component layer are fitted, and where.
func TestMountOfComponents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		function, attributes string
		want                 pcb.Component
	}{
		{"Component,L1,Top", "%TO.C,R1*%%TO.CMnt,SMD*%%TO.CRot,90*%", pcb.Component{Ref: "R1", Mount: pcb.SurfaceMount, Rotation: 90, Side: pcb.Top}},
		{"Component,L4,Bot", "%TO.C,R1*%%TO.CMnt,TH*%", pcb.Component{Ref: "R1", Mount: pcb.ThroughHole, Side: pcb.Bottom}},
		{"Component,L4,Bot", "%TO.C,R1*%%TO.CMnt,Pressfit*%", pcb.Component{Ref: "R1", Mount: pcb.ThroughHole, Side: pcb.Bottom}},
		{"Component,L1,Top", "%TO.C,F1*%%TO.CMnt,Fiducial*%", pcb.Component{Ref: "F1", Mount: pcb.MountOther, Side: pcb.Top}},
		{"Component,L1,Top", "%TO.C,R1*%", pcb.Component{Ref: "R1", Side: pcb.Top}},
		{"Component", "%TO.C,R1*%%TO.CVal,10k*%%TO.CMPN,X*%%TO.CMfr,Y*%%TO.CFtp,0402*%", pcb.Component{Ref: "R1", Value: "10k", MPN: "X", Manufacturer: "Y", Footprint: "0402"}},
		{"Component,L1,Top", "%TO.C,R1*%%TO.CPkg,0402*%%TO.CSup,S*%", pcb.Component{Ref: "R1", Side: pcb.Top, Fields: map[string]string{"package": "0402", "supplier": "S"}}},
	} {
		src := "%TF.FileFunction," + c.function + "*%%FSLAX46Y46*%%MOMM*%%TA.AperFunction,ComponentMain*%%ADD10C,1*%%TD*%D10*" + c.attributes + "X1000000Y0D03*M02*"
		got := Components(Read(t.Context(), "x.gbr", []byte(src), Options{}))
		c.want.At, c.want.HasAt, c.want.Line = geom.Pt(1_000_000, 0), true, 1
		if diff := cmp.Diff([]pcb.Component{c.want}, got); diff != "" {
			t.Errorf("components of %s with %s (-want +got):\n%s", c.function, c.attributes, diff)
		}
	}
	for _, src := range []string{"%TF.FileFunction,Copper,L1,Top*%", "", "%TF.FileFunction,Component,L1,Top*%"} {
		if got := Components(Read(t.Context(), "x.gbr", []byte(src+mm+"D10*X0Y0D03*M02*"), Options{})); got != nil {
			t.Errorf("components of a file with %q are %+v, want none", src, got)
		}
	}
}
