package render

import (
	"image/color"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestWithoutMaskFile: a board of 10 by 10 mm with a pad, a via and a track, and no
// solder mask layer is drawn with mask, open at the pad only.
func TestWithoutMaskFile(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	b := pcb.NewBoard("b")
	b.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: geom.Rect(geom.BoxOf(geom.Pt(0, 0), geom.Pt(10*mm, 10*mm)))}}}
	l := pcb.NewLayer("top", "top.gbr")
	l.Role, l.Side = pcb.RoleCopper, pcb.Top
	l.Apertures = []pcb.Aperture{pcb.Circle(2 * mm)}
	pad, via, header, track := geom.Pt(2*mm, 2*mm), geom.Pt(8*mm, 2*mm), geom.Pt(8*mm, 8*mm), geom.Pt(2*mm, 8*mm)
	for _, p := range []geom.Point{pad, via, header} {
		l.Features = append(l.Features, pcb.Feature{Kind: pcb.FlashFeature, A: p, B: p})
	}
	l.Features = append(l.Features, pcb.Feature{Kind: pcb.LineFeature, A: track, B: track.Add(geom.Pt(mm, 0))})
	b.Adopt(l)
	b.Holes = []pcb.Hole{{A: via.Add(geom.Pt(5_000, -8_000)), B: via, Diameter: 300_000}, {A: header, B: header, Diameter: mm}}
	img, err := Side(t.Context(), b, pcb.Top, Options{Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	at := func(p geom.Point) color.NRGBA { // beside holes
		return img.NRGBAAt(int(p.X*100/(10*mm))+7, 99-int(p.Y*100/(10*mm)))
	}
	c := colours(b, Options{})
	for name, x := range map[string]struct {
		at   geom.Point
		want color.NRGBA
	}{"pad": {pad, c.Finish}, "via": {via, c.OverCopper}, "header": {header, c.Finish}, "track": {track, c.OverCopper}} {
		if got := at(x.at); got != x.want {
			t.Errorf("%s is %v, want %v", name, got, x.want)
		}
	}
}
