package gerber

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// block is an aperture block: features in its own coordinates, already flat.
type block struct {
	features []pcb.Feature
	corners  int // of its regions
}

// frame is what was being drawn when a block began.
type frame struct {
	code   int
	out    []pcb.Feature
	repeat *repeat
	line   int
}

// repeat is a step-and-repeat that is open.
type repeat struct {
	nx, ny int
	dx, dy int64
	start  int
	line   int
}

// maxNesting bounds how deep blocks are defined within blocks.
const maxNesting = 32

// blockCommand opens (D12) or closes (empty) an aperture block.
func (r *reader) blockCommand(body string, line int) {
	body = strings.TrimSpace(body)
	if body == "" {
		r.closeBlock(line)
		return
	}
	code, _, ok := splitCode(body)
	if !ok || len(r.outer) >= maxNesting {
		r.find(pcb.Problem, "bad_block", "", line, "aperture block %q cannot be opened", clip([]byte(body)))
		return
	}
	r.closeContour()
	r.outer = append(r.outer, frame{code, r.out, r.repeat, line})
	r.out, r.repeat = nil, nil
}

func (r *reader) closeBlock(line int) {
	n := len(r.outer)
	if n == 0 {
		r.find(pcb.Warning, "bad_block", "close", line, "an aperture block is closed that was never opened")
		return
	}
	r.closeRepeat()
	f := r.outer[n-1]
	b := &block{r.out, r.cornersOf(r.out)}
	r.outer, r.out, r.repeat = r.outer[:n-1], f.out, f.repeat
	a := pcb.Aperture{Kind: pcb.BlockShape, Code: f.code, Line: int32(f.line), Box: geom.EmptyBox()}
	r.define(f.code, a)
	r.blocks[f.code] = b
}

// flashBlock copies a block's features to p, placed as the state says.
func (r *reader) flashBlock(b *block, p geom.Point) {
	if b == nil || !r.copies(1, len(b.features), b.corners) {
		return
	}
	t := r.placing
	t.Offset = p
	for i := range b.features {
		if r.meter.HasEnded() {
			return
		}
		r.out = append(r.out, r.copyFeature(b.features[i], t, r.clear, int32(r.line)))
	}
}

// copyFeature places a feature again; toggle swaps dark and clear.
func (r *reader) copyFeature(f pcb.Feature, t geom.Transform, toggle bool, line int32) pcb.Feature {
	f.A, f.B = t.Apply(f.A), t.Apply(f.B)
	f.Clear = f.Clear != toggle
	f.Line = line
	l := r.layer
	switch f.Kind {
	case pcb.ArcFeature:
		a := l.Arcs[f.Arc]
		f.Arc = int32(len(l.Arcs))
		l.Arcs = append(l.Arcs, pcb.ArcGeometry{Centre: t.Apply(a.Centre), Clockwise: a.Clockwise != t.Mirror})
	case pcb.RegionFeature:
		moved := t.Polygon(l.Regions[f.Shape])
		f.Shape = int32(len(l.Regions))
		l.Regions = append(l.Regions, moved)
	}
	turn := t
	turn.Offset = geom.Point{}
	if !turn.Identity() {
		f.Transform = r.intern(l.Transforms[f.Transform].Chain(turn))
	}
	r.spendTurned(&f)
	return f
}

// repeatCommand opens a step-and-repeat (X3Y2I5.0J4.0) or closes it.
func (r *reader) repeatCommand(body string, line int) {
	r.closeContour()
	r.closeRepeat()
	v := map[byte]float64{'X': 1, 'Y': 1, 'I': 0, 'J': 0}
	for i := range len(body) {
		if _, ok := v[body[i]]; ok {
			v[body[i]] = leadingFloat(body[i+1:], v[body[i]])
		}
	}
	nx, ny := count(v['X']), count(v['Y'])
	if nx == 1 && ny == 1 {
		return
	}
	r.repeat = &repeat{nx, ny, r.length(v['I']), r.length(v['J']), len(r.out), line}
}

func count(v float64) int { return int(max(1, min(v, 1e6))) }

// closeRepeat copies what was drawn since the step-and-repeat began.
func (r *reader) closeRepeat() {
	s := r.repeat
	if s == nil {
		return
	}
	r.repeat = nil
	if s.start > len(r.out) {
		return
	}
	n := len(r.out) - s.start
	if n == 0 || !r.copies(s.nx*s.ny, n, r.cornersOf(r.out[s.start:])) {
		return
	}
	for x := range s.nx { // columns first: the format lays copies down along Y, then along X
		for y := range s.ny {
			if x == 0 && y == 0 {
				continue
			}
			if r.meter.HasEnded() {
				return
			}
			t := geom.Move(geom.Pt(int64(x)*s.dx, int64(y)*s.dy))
			for i := range n {
				f := r.out[s.start+i]
				r.out = append(r.out, r.copyFeature(f, t, false, f.Line))
			}
		}
	}
}

// cornersOf counts the corners of the regions among features.
func (r *reader) cornersOf(fs []pcb.Feature) int {
	n := 0
	for i := range fs {
		if fs[i].Kind == pcb.RegionFeature {
			n += len(r.layer.Regions[fs[i].Shape].Outer.Points)
		}
	}
	return n
}
