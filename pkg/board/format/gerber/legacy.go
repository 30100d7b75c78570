package gerber

import (
	"math"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// legacy is the effect of the deprecated commands on coordinates: scale (SF),
// mirror (MI), offset (OF) and axis select (AS), in that order. Apertures stay
// as they are, by the old rules. Rotation of the image (IR) comes at the end.
type legacy struct {
	raw      geom.Point // last coordinates as the file wrote them
	active   bool
	sx, sy   float64
	mx, my   bool
	off      geom.Point
	swap     bool
	rotation float64
}

func (l *legacy) vector(p geom.Point) geom.Point {
	if l.sx > 0 && l.sy > 0 {
		p = geom.Pt(int64(math.Round(float64(p.X)*l.sx)), int64(math.Round(float64(p.Y)*l.sy)))
	}
	if l.mx {
		p.X = -p.X
	}
	if l.my {
		p.Y = -p.Y
	}
	if l.swap {
		p.X, p.Y = p.Y, p.X
	}
	return p
}

func (l *legacy) apply(p geom.Point) geom.Point {
	off := l.off
	if l.swap {
		off.X, off.Y = off.Y, off.X
	}
	return l.vector(p).Add(off)
}

// flips tells whether the transformation turns clockwise into counter-clockwise.
func (l *legacy) flips() bool { return (l.mx != l.my) != l.swap }

// pair reads the A and B numbers of a deprecated command such as SFA1.0B1.0.
func pair(body string, a, b float64) (float64, float64) {
	if i := strings.IndexByte(body, 'A'); i >= 0 {
		a = leadingFloat(body[i+1:], a)
	}
	if i := strings.IndexByte(body, 'B'); i >= 0 {
		b = leadingFloat(body[i+1:], b)
	}
	return a, b
}

func (r *reader) applyDeprecated(cmd, body string, line int) {
	l := &r.legacy
	plain := true
	switch cmd {
	case "AS":
		l.swap = strings.HasPrefix(body, "AYBX")
		plain = !l.swap
	case "MI":
		a, b := pair(body, 0, 0)
		r.file.Mirrored = (a == 1) != (b == 1)
		if r.opt.AsDrawn {
			break
		}
		l.mx, l.my = a == 1, b == 1
		plain = !l.mx && !l.my
	case "OF":
		a, b := pair(body, 0, 0)
		l.off = geom.Pt(r.length(a), r.length(b))
		plain = l.off == geom.Point{}
	case "SF":
		r.scaleFactor(body, line)
		plain = l.sx == 0 || l.sx == 1 && l.sy == 1 // 0: refused
	case "IR":
		l.rotation = math.Mod(leadingFloat(body, 0), 360)
		plain = l.rotation == 0
	}
	l.active = l.swap || l.mx || l.my || l.off != geom.Point{} || l.sx > 0 && (l.sx != 1 || l.sy != 1)
	if !plain {
		r.find(pcb.Note, "deprecated_transform", cmd, line, "the deprecated command %q changes the image; followed", clip([]byte(cmd+body)))
	}
}

func (r *reader) scaleFactor(body string, line int) {
	sx, sy := pair(body, 1, 1)
	if !(sx > 1e-4 && sx < 1e4 && sy > 1e-4 && sy < 1e4) {
		r.find(pcb.Warning, "bad_command", "SF", line, "scale factor %q makes no sense; ignored", clip([]byte(body)))
		return
	}
	r.legacy.sx, r.legacy.sy = sx, sy
	if sx != sy {
		r.find(pcb.Warning, "uneven_scale", "", line, "the axes are scaled differently; arcs are drawn as circles")
	}
}

// rotateImage carries out IR on everything drawn.
func (r *reader) rotateImage() {
	t := geom.Transform{Rotation: r.legacy.rotation}
	if t.Identity() {
		return
	}
	l := r.layer
	for i := range r.out {
		f := &r.out[i]
		f.A, f.B = t.Apply(f.A), t.Apply(f.B)
	}
	for i := range l.Arcs {
		l.Arcs[i].Centre = t.Apply(l.Arcs[i].Centre)
	}
	for i := range l.Regions {
		l.Regions[i] = t.Polygon(l.Regions[i])
	}
	// The first transform stays the identity, as everybody who draws relies on.
	turned := []geom.Transform{{}}
	for _, old := range l.Transforms {
		turned = append(turned, old.Chain(t))
	}
	l.Transforms = turned
	for i := range r.out {
		if r.out[i].Kind != pcb.RegionFeature {
			r.out[i].Transform++
		}
	}
}
