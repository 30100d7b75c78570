package gerber

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// describe puts what a file draws into words, one feature a line, lengths in mm.
func describe(f *File) string {
	var b strings.Builder
	l := f.Layer
	for i := range l.Features {
		x := &l.Features[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		if x.Clear {
			b.WriteString("clear ")
		}
		b.WriteString(x.Kind.String())
		switch x.Kind {
		case pcb.RegionFeature:
			b.WriteString(" " + path(l.Regions[x.Shape].Outer))
			continue
		case pcb.FlashFeature:
			fmt.Fprintf(&b, " D%d at %s", l.Apertures[x.Shape].Code, pt(x.A))
		default:
			fmt.Fprintf(&b, " D%d %s to %s", l.Apertures[x.Shape].Code, pt(x.A), pt(x.B))
		}
		if x.Kind == pcb.ArcFeature {
			a := l.Arcs[x.Arc]
			fmt.Fprintf(&b, " round %s %s", pt(a.Centre), map[bool]string{true: "cw", false: "ccw"}[a.Clockwise])
		}
		if t := l.Transforms[x.Transform]; !t.Identity() {
			fmt.Fprintf(&b, " turned %g", t.Rotation)
			if t.Mirror {
				b.WriteString(" mirrored")
			}
			if t.Scale != 0 {
				fmt.Fprintf(&b, " x%g", t.Scale)
			}
		}
	}
	return b.String()
}

func pt(p geom.Point) string {
	return fmt.Sprintf("%g,%g", geom.Millimetres(p.X), geom.Millimetres(p.Y))
}

func path(p geom.Path) string {
	var out []string
	for e := range p.Edges() {
		s := pt(e.A)
		if e.IsArc() {
			s += fmt.Sprintf(" (arc round %s)", pt(e.Centre))
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// shapes puts an aperture's primitives into words.
func shapes(a pcb.Aperture) string {
	var out []string
	for _, p := range a.Primitives {
		s := ""
		switch p.Kind {
		case pcb.CirclePrimitive:
			s = fmt.Sprintf("circle %s r%g", pt(p.A), geom.Millimetres(p.Radius))
		case pcb.StrokePrimitive:
			s = fmt.Sprintf("stroke %s to %s r%g", pt(p.A), pt(p.B), geom.Millimetres(p.Radius))
		default:
			s = "area " + path(p.Area)
		}
		if p.Clear {
			s = "clear " + s
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// codes lists the findings' codes in order.
func codes(f *File) string {
	var out []string
	for _, x := range f.Findings {
		out = append(out, x.Code)
	}
	return strings.Join(out, " ")
}
