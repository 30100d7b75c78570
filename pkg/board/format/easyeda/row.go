package easyeda

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"boardorder/pkg/board/geom"
)

// mil are the coordinates of EasyEDA Pro, and poured those of what pours were filled with.
var (
	mil    = frame{unit: 0.0254}
	poured = frame{unit: 0.254}
)

// A row is one line of a document of EasyEDA Pro: a list whose first is the kind of
// element. A number that is none where one should be spoils it.
type row struct {
	list []any
	size int // of what it is written as
	bad  bool
}

func (r *row) value(i int) any {
	if i < len(r.list) {
		return r.list[i]
	}
	return nil
}

func (r *row) kind() string { return r.text(0) }

// text reads a word; a number counts as it is written.
func (r *row) text(i int) string { return textOf(r.value(i)) }

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// numberOf is a number, also one that is written as text.
func numberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, mil.sound(v)
	case string:
		n, err := strconv.ParseFloat(v, 64)
		return n, err == nil && mil.sound(n)
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func (r *row) number(i int) float64 {
	v, ok := numberOf(r.value(i))
	r.bad = r.bad || !ok
	return v
}

// numberOr is a number that may be left out.
func (r *row) numberOr(i int, def float64) float64 {
	if v := r.value(i); v == nil || v == "" {
		return def
	}
	return r.number(i)
}

func (r *row) int(i int) int { return int(math.Round(r.number(i))) }

func (r *row) length(i int) int64 { return mil.length(r.number(i)) }

func (r *row) point(i int) geom.Point { return mil.point(r.number(i), r.number(i+1)) }

// contours reads the borders of an area: one path, or a list of them.
func (r *row) contours(i int, f frame) []geom.Path {
	list, ok := r.value(i).([]any)
	if !ok || len(list) == 0 {
		r.bad = true
		return nil
	}
	if _, nested := list[0].([]any); !nested {
		list = []any{list}
	}
	var out []geom.Path
	for _, c := range list {
		p, err := readContour(f, c)
		if err != nil {
			r.bad = true
			return nil
		}
		out = append(out, p)
	}
	return out
}

// readContour reads one path: corners with lines, arcs and curves between, a rectangle or
// a circle.
func readContour(f frame, v any) (geom.Path, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return geom.Path{}, errPath
	}
	c := contour{list: list, pathReader: pathReader{frame: f}}
	switch list[0] {
	case "R":
		return c.rectangle()
	case "CIRCLE":
		n, err := c.take(1, 3)
		if err != nil || n[2] <= 0 {
			return geom.Path{}, errPath
		}
		return geom.Circle(f.point(n[0], n[1]), f.length(n[2])), nil
	}
	return c.run()
}

// A contour goes through a path of EasyEDA Pro.
type contour struct {
	pathReader
	list []any
}

// take reads n numbers from i on.
func (c *contour) take(i, n int) ([]float64, error) {
	if i+n > len(c.list) {
		return nil, errPath
	}
	out := make([]float64, n)
	for k := range out {
		v, ok := numberOf(c.list[i+k])
		if !ok {
			return nil, errPath
		}
		out[k] = v
	}
	return out, nil
}

func (c *contour) run() (geom.Path, error) {
	n, err := c.take(0, 2)
	if err != nil {
		return geom.Path{}, err
	}
	c.x, c.y = n[0], n[1]
	c.paths = []geom.Path{{Points: []geom.Point{c.point(c.x, c.y)}}}
	mode, i := "", 2
	for i < len(c.list) {
		if s, ok := c.list[i].(string); ok && (s == "L" || s == "ARC" || s == "CARC" || s == "C") {
			mode = s
			i++
		}
		count := map[string]int{"L": 2, "ARC": 3, "CARC": 3, "C": 6}[mode]
		n, err := c.take(i, count)
		if err != nil || count == 0 {
			return geom.Path{}, errPath
		}
		switch mode {
		case "L":
			c.line(n[0], n[1])
		case "C":
			c.bend(n[0], n[1], n[2], n[3], n[4], n[5])
		default:
			c.swing(n[0], n[1], n[2])
		}
		i += count
	}
	return c.paths[0], nil
}

// swing draws an arc of an angle, counter-clockwise where positive, to x, y.
func (c *contour) swing(angle, x, y float64) {
	p := c.pen()
	p.Add(arcOf(p.Points[len(p.Points)-1], c.point(x, y), angle))
	c.x, c.y = x, y
}

// arcOf is the arc from a to b that runs through an angle in degrees; straight where it
// would be as good as a line.
func arcOf(a, b geom.Point, angle float64) geom.Edge {
	const least, most = 0.01, 359.99
	if a == b || math.Abs(angle) < least || math.Abs(angle) > most {
		return geom.Line(a, b)
	}
	return geom.ArcBetween(a, b, angle)
}

// rectangle hangs from its upper left corner, round which it is turned.
func (c *contour) rectangle() (geom.Path, error) {
	n, err := c.take(1, 4)
	if err != nil {
		return geom.Path{}, err
	}
	turn, round := 0.0, 0.0
	for i, v := range c.list[min(5, len(c.list)):] {
		v, ok := numberOf(v)
		if !ok {
			return geom.Path{}, errPath
		}
		switch {
		case i == 0:
			turn = v
		case i < 3:
			round = v
		}
	}
	w, h := c.length(n[2]), c.length(n[3])
	p := geom.Rect(geom.Box{Min: geom.Pt(0, -h), Max: geom.Pt(w, 0)})
	if r := min(c.length(round), w/2, h/2); r > 0 {
		p = geom.Path{Closed: true}
		for _, e := range []geom.Edge{
			geom.Line(geom.Pt(r, -h), geom.Pt(w-r, -h)), geom.ArcEdge(geom.Pt(w-r, -h), geom.Pt(w, r-h), geom.Pt(w-r, r-h), false),
			geom.Line(geom.Pt(w, r-h), geom.Pt(w, -r)), geom.ArcEdge(geom.Pt(w, -r), geom.Pt(w-r, 0), geom.Pt(w-r, -r), false),
			geom.Line(geom.Pt(w-r, 0), geom.Pt(r, 0)), geom.ArcEdge(geom.Pt(r, 0), geom.Pt(0, -r), geom.Pt(r, -r), false),
			geom.Line(geom.Pt(0, -r), geom.Pt(0, r-h)), geom.ArcEdge(geom.Pt(0, r-h), geom.Pt(r, -h), geom.Pt(r, r-h), false),
		} {
			if e.A != e.B {
				p.Add(e)
			}
		}
	}
	return geom.Transform{Offset: c.point(n[0], n[1]), Rotation: turn}.Path(p), nil
}

// lines are one document of EasyEDA Pro: those of a file from one DOCTYPE to the next.
type lines struct {
	kind, id string // PCB, FOOTPRINT, POURED; of a document among others
	rows     []row
	meta     map[string]any // of a log's document: its title, and what a device says
}

// readLines splits a file into its documents; damaged is the number of the first line that
// is none, 0 where all are.
func readLines(data []byte) (docs []lines, damaged int) {
	n := 0
	for line := range bytes.Lines(trimMark(data)) {
		n++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		r := row{size: len(line)}
		if json.Unmarshal(line, &r.list) != nil {
			if damaged == 0 {
				damaged = n
			}
			continue
		}
		switch kind := r.kind(); {
		case kind == "DOCTYPE":
			docs = append(docs, lines{kind: r.text(1)})
			continue
		case len(docs) == 0 || len(r.list) == 0:
			continue
		case kind == "HEAD":
			if head, ok := r.value(1).(map[string]any); ok {
				docs[len(docs)-1].id = textOf(head["uuid"])
			}
		}
		d := &docs[len(docs)-1]
		d.rows = append(d.rows, r)
	}
	return docs, damaged
}
