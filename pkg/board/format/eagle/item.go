package eagle

import (
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/markup"
)

// An item is one drawn thing of the board, of a package or of a signal.
type item struct {
	kind, name, shape, text, align, pour string

	line, layer         int
	from, to            int // layers of a via
	a, b                geom.Point
	width, drill, size  int64
	dx, dy              int64 // of an smd
	isolate             int64
	rank                int
	curve, round, ratio float64
	rot                 rotation
	noStop, noCream     bool
	alwaysStop          bool
	first               bool // pin 1
	points              []vertex
	flat                bool   // an arc whose ends are cut off square
	fill                []item // of a pour: its copper as the file stores it
	holes               [][]vertex
}

// A vertex is a corner of a polygon and how the edge after it bends, in degrees.
type vertex struct {
	at    geom.Point
	curve float64
}

// A rotation is what rot attributes say: R90, MR180, SR45.
type rotation struct {
	degrees      float64
	mirror, spin bool
}

func rotationOf(s string) rotation {
	var r rotation
	i := strings.IndexByte(s, 'R')
	if i < 0 {
		return r
	}
	r.mirror, r.spin = strings.Contains(s[:i], "M"), strings.Contains(s[:i], "S")
	v, err := strconv.ParseFloat(s[i+1:], 64)
	if err == nil && math.Abs(v) <= 3600 {
		r.degrees = v
	}
	return r
}

// transformAt is the transform of something placed at p: EAGLE turns first, then mirrors.
func (r rotation) transformAt(p geom.Point) geom.Transform {
	if r.mirror {
		return geom.Transform{Offset: p, Mirror: true, Rotation: -r.degrees}
	}
	return geom.Transform{Offset: p, Rotation: r.degrees}
}

// items reads everything drawn inside the element at hand.
func (r *reader) items() []item {
	var out []item
	for e := range r.in.Children() {
		if it, ok := r.item(e); ok {
			out = append(out, it)
		}
	}
	return out
}

func (r *reader) item(e markup.Element) (item, bool) {
	kind := e.Name()
	it := item{kind: kind, line: e.Line(), layer: e.Int("layer"), width: length(e, "width"), rot: rotationOf(e.Attr("rot"))}
	switch kind {
	case "wire", "rectangle":
		it.a, it.b, it.curve = point(e, "x1", "y1"), point(e, "x2", "y2"), e.Float("curve")
		it.flat = e.Attr("cap") == "flat"
	case "circle":
		it.a, it.size = point(e, "x", "y"), length(e, "radius")
	case "hole", "pad", "smd", "via":
		it.readDrill(e)
	case "text":
		it.lettering(e)
		it.text = r.in.Text()
	case "polygon":
		it.pour, it.isolate, it.rank = e.Attr("pour"), length(e, "isolate"), e.Int("rank")
		it.points = r.vertices()
	case "polygonpour":
		it.kind, it.pour, it.isolate, it.rank = "polygon", e.Attr("pour"), length(e, "isolate"), e.Int("rank")
		r.readFill(&it)
	default:
		return it, false
	}
	return it, true
}

// vertices reads the corners inside the element at hand.
func (r *reader) vertices() []vertex {
	var out []vertex
	for v := range r.in.Children() {
		if v.Name() == "vertex" {
			out = append(out, vertex{point(v, "x", "y"), v.Float("curve")})
		}
	}
	return out
}

// readFill reads a pour as EAGLE 9.7 and Fusion store it: what was drawn, then the copper
// that came of it, as areas or, where it is hatched, as wires.
func (r *reader) readFill(it *item) {
	for e := range r.in.Children() {
		switch e.Name() {
		case "polygonoutlineobjects":
			it.points = r.vertices()
		case "polygonfilldetails":
			for e := range r.in.Children() {
				switch e.Name() {
				case "polygonshape":
					it.fill = append(it.fill, r.piece(it, e))
				case "wire": // of a hatched one; no pour lies in a pour
					if f, ok := r.item(e); ok {
						it.fill = append(it.fill, f)
					}
				}
			}
		}
	}
}

// piece reads one piece of a pour's copper. Its borders are those of the copper: the
// pour's line, half of which lies beyond the border that was drawn, adds nothing.
func (r *reader) piece(pour *item, e markup.Element) item {
	it := item{kind: "piece", line: e.Line(), layer: pour.layer}
	for e := range r.in.Children() {
		switch e.Name() {
		case "polygonoutlinesegments":
			it.points = r.vertices()
		case "polygonholelist":
			for e := range r.in.Children() {
				if e.Name() == "polygonholesegments" {
					it.holes = append(it.holes, r.vertices())
				}
			}
		}
	}
	return it
}

func (it *item) readDrill(e markup.Element) {
	it.a, it.drill, it.size = point(e, "x", "y"), length(e, "drill"), length(e, "diameter")
	it.dx, it.dy, it.round = length(e, "dx"), length(e, "dy"), e.Float("roundness")
	it.name, it.shape = e.Attr("name"), e.Attr("shape")
	it.noStop, it.noCream = e.Attr("stop") == "no", e.Attr("cream") == "no"
	it.alwaysStop, it.first = e.Bool("alwaysstop"), e.Bool("first")
	from, to, _ := strings.Cut(e.Attr("extent"), "-")
	it.from, _ = strconv.Atoi(from)
	it.to, _ = strconv.Atoi(to)
}

// lettering reads how a text is set; its ratio of pen to size is 8 % unless said.
func (it *item) lettering(e markup.Element) {
	it.a, it.size, it.align, it.ratio = point(e, "x", "y"), length(e, "size"), e.Attr("align"), 8
	it.layer, it.rot = e.Int("layer"), rotationOf(e.Attr("rot"))
	if e.Has("ratio") {
		it.ratio = min(max(e.Float("ratio"), 0), 50)
	}
}

func point(e markup.Element, x, y string) geom.Point { return geom.Pt(length(e, x), length(e, y)) }

// edge bends the line from a to b by an angle, counter-clockwise where positive.
func edge(a, b geom.Point, curve float64) geom.Edge {
	if math.Abs(curve) < 0.01 || math.Abs(curve) >= 360 || a == b {
		return geom.Line(a, b)
	}
	return geom.ArcBetween(a, b, curve)
}

// path is the outline of a polygon.
func (it *item) path() geom.Path { return closePath(it.points) }

func closePath(corners []vertex) geom.Path {
	p := geom.Path{Closed: true}
	for i, v := range corners {
		if to := corners[(i+1)%len(corners)].at; to != v.at {
			p.Add(edge(v.at, to, v.curve))
		}
	}
	return p
}

// corners is how many points the item and all within it have.
func (it *item) corners() int {
	n := len(it.points)
	for i := range it.fill {
		n += 1 + it.fill[i].corners()
	}
	for _, h := range it.holes {
		n += len(h)
	}
	return n
}
