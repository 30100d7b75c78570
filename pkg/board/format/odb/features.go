package odb

import (
	"bytes"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/strokefont"
	"boardorder/pkg/board/pcb"
)

// A symbolUse is one line of a file's table of symbols.
type symbolUse struct {
	shape artwork.Shape
	empty bool
	ok    bool
	name  string
	round int64 // diameter of a round symbol
}

// A featureKind is the letter that a record begins with.
type featureKind byte

// A feature is one record of a features file.
type feature struct {
	kind    featureKind // L, P, A, T, S
	a, b, c geom.Point
	symbol  *symbolUse
	clear   bool
	cw      bool
	turn    geom.Transform // of pads and texts
	areas   []geom.Polygon
	text    string
	w, h    int64
	pen     int64
	attrs   []byte
	line    int
}

// A featureFile is what is known while a features file is read.
type featureFile struct {
	j       *job
	name    string
	unit    float64
	symbols map[int]*symbolUse
	attrs   map[int]string // attribute names by number
	texts   map[int]string
	depth   int // of symbols within symbols
	take    func(*feature)
}

// read goes through the records of a features file, calling take for each that
// counts as a feature.
func (f *featureFile) read(data []byte) {
	f.symbols, f.attrs, f.texts = map[int]*symbolUse{}, map[int]string{}, map[int]string{}
	var area *feature
	line, lines := 0, f.j.meter.Tally(pcb.Named)
	for raw := range bytes.Lines(data) {
		if line++; !lines.Add(1) {
			return
		}
		raw = bytes.TrimRight(raw, "\r\n ")
		for len(raw) > 0 && (raw[0] == ' ' || raw[0] == '\t') {
			raw = raw[1:]
		}
		if len(raw) == 0 || raw[0] == '#' {
			continue
		}
		if area != nil {
			if f.areaLine(area, raw) {
				area = nil
			}
			continue
		}
		area = f.record(raw, line)
	}
	if area != nil {
		f.j.finding(pcb.Problem, "file_damaged", f.name, area.line, "a surface is not closed: the file is cut off; what stands before was read")
		f.take(area)
	}
}

// record reads a line outside of surfaces; it gives the surface that it begins.
func (f *featureFile) record(raw []byte, line int) *feature {
	switch raw[0] {
	case '$':
		f.symbol(raw[1:], line)
	case '@', '&':
		w := fields{raw[1:]}
		i := w.int()
		text := strings.TrimSpace(string(w.rest))
		if raw[0] == '@' {
			f.attrs[i] = text
		} else {
			f.texts[i] = text
		}
	case 'L', 'P', 'A', 'T', 'S', 'B':
		if len(raw) > 1 && raw[1] != ' ' && raw[1] != '\t' {
			f.readOther(raw)
			return nil
		}
		return f.feature(raw, line)
	default:
		f.readOther(raw)
	}
	return nil
}

// readOther reads what is neither a table nor a feature: the unit, counts, IDs.
func (f *featureFile) readOther(raw []byte) {
	if v, ok := bytes.CutPrefix(raw, []byte("UNITS=")); ok {
		f.unit = unitOf(string(bytes.TrimSpace(v)), f.unit)
	} else if v, ok := bytes.CutPrefix(raw, []byte("U ")); ok {
		f.unit = unitOf(string(bytes.TrimSpace(v)), f.unit)
	}
}

func (f *featureFile) symbol(raw []byte, line int) {
	w := fields{raw}
	i := w.int()
	name := string(w.next())
	unit := f.unit / 1000 // mils or micrometres
	switch string(w.next()) {
	case "I":
		unit = nmPerInch / 1000
	case "M":
		unit = nmPerMM / 1000
	}
	s := &symbolUse{name: name}
	s.shape, s.empty, s.ok = standardSymbol(name, unit)
	if !s.ok {
		s.shape, s.empty, s.ok = f.j.loadSymbol(name, f.depth+1)
	}
	if !s.ok {
		s.shape, s.empty, s.ok = rotateSymbol(name, unit)
	}
	if !s.ok {
		f.j.passOver("symbol "+name, f.name, line)
	}
	if a := s.shape; s.ok && !s.empty && a.Build != nil && f.j.meter.Spend(pcb.Named, 1) {
		if ap := a.Build(); ap.Kind == pcb.CircleShape {
			s.round = ap.X
		}
	}
	f.symbols[i] = s
}

// feature reads a line, pad, arc, text or the head of a surface, which it gives
// back to be gone on with.
func (f *featureFile) feature(raw []byte, line int) *feature {
	x := &feature{kind: featureKind(raw[0]), line: line}
	head := raw[1:]
	if x.kind != 'T' || !bytes.Contains(head, []byte("'")) {
		if i := bytes.IndexByte(head, ';'); i >= 0 {
			x.attrs, head = head[i+1:], head[:i]
		}
	}
	w := fields{head}
	switch x.kind {
	case 'L':
		x.a, x.b = w.point(f.unit), w.point(f.unit)
		f.readSymbol(x, &w)
	case 'A':
		x.a, x.b, x.c = w.point(f.unit), w.point(f.unit), w.point(f.unit)
		f.readSymbol(x, &w)
		w.next() // dcode
		x.cw = string(w.next()) == "Y"
	case 'P':
		f.pad(x, &w)
	case 'T':
		f.textRecord(x, &w)
	case 'S':
		x.clear = string(w.next()) == "N"
		return x
	case 'B':
		f.j.passOver("barcode", f.name, line)
	}
	f.take(x)
	return nil
}

func (f *featureFile) readSymbol(x *feature, w *fields) {
	x.symbol = f.symbols[w.int()]
	x.clear = string(w.next()) == "N"
}

func (f *featureFile) pad(x *feature, w *fields) {
	x.a = w.point(f.unit)
	n := w.int()
	if n == -1 { // a symbol with its own scale
		n = w.int()
		if s := w.number(); s > 0 && s < 1000 {
			x.turn.Scale = s
		}
	}
	x.symbol = f.symbols[n]
	x.clear = string(w.next()) == "N"
	w.next() // dcode
	f.orient(x, w)
}

// orient reads how a pad or text is turned: 0 to 3 in quarter turns clockwise, 4
// to 7 the same mirrored, 8 and 9 followed by an angle.
func (f *featureFile) orient(x *feature, w *fields) {
	switch o := w.int(); {
	case o >= 0 && o <= 7:
		x.turn.Rotation = -90 * float64(o%4)
		x.turn.Mirror = o >= 4
	case o == 8 || o == 9:
		x.turn.Rotation = -w.number()
		x.turn.Mirror = o == 9
	}
	if !(x.turn.Rotation > -1e6 && x.turn.Rotation < 1e6) {
		x.turn.Rotation = 0
	}
}

// textRecord reads T x y font pol orient xsize ysize width 'text' version.
func (f *featureFile) textRecord(x *feature, w *fields) {
	x.a = w.point(f.unit)
	w.next() // font
	x.clear = string(w.next()) == "N"
	f.orient(x, w)
	x.w, x.h = nm(w.number()*f.unit), nm(w.number()*f.unit)
	const mils12 = 12 * 25_400
	x.pen = nm(w.number() * mils12)
	if i := bytes.IndexByte(w.rest, '\''); i >= 0 {
		text := w.rest[i+1:]
		if k := bytes.LastIndexByte(text, '\''); k >= 0 {
			text = text[:k]
		}
		x.text = string(text)
	}
}

// areaLine reads a line of a surface; done at its end.
func (f *featureFile) areaLine(x *feature, raw []byte) (done bool) {
	w := fields{raw}
	var path *geom.Path
	if n := len(x.areas); n > 0 {
		if h := len(x.areas[n-1].Holes); h > 0 {
			path = &x.areas[n-1].Holes[h-1]
		} else {
			path = &x.areas[n-1].Outer
		}
	}
	switch string(w.next()) {
	case "OB":
		at := w.point(f.unit)
		p := geom.Path{Closed: true, Points: []geom.Point{at}}
		if n := len(x.areas); n > 0 && string(w.next()) == "H" {
			x.areas[n-1].Holes = append(x.areas[n-1].Holes, p)
		} else {
			x.areas = append(x.areas, geom.Polygon{Outer: p})
		}
	case "OS":
		if q := w.point(f.unit); path != nil && path.Points[len(path.Points)-1] != q {
			path.LineTo(q)
		}
	case "OC":
		q, c := w.point(f.unit), w.point(f.unit)
		if path != nil {
			path.ArcTo(q, c, string(w.next()) == "Y")
		}
	case "OE":
		if path != nil {
			closePath(path)
		}
	case "SE":
		regroup(x.areas, f.j.meter)
		f.take(x)
		return true
	}
	return false
}

// closePath drops a last point that repeats the first after a straight edge.
func closePath(p *geom.Path) {
	k := len(p.Points)
	bent := len(p.Bends) > 0 && int(p.Bends[len(p.Bends)-1].At) == k-2
	if k > 2 && p.Points[0] == p.Points[k-1] && !bent {
		p.Points = p.Points[:k-1]
	}
}

// attribute gives the number that the feature has for an attribute; ok is false
// where it has none.
func (f *featureFile) attribute(x *feature, name string) (value string, ok bool) {
	rest := x.attrs
	if i := bytes.IndexByte(rest, ';'); i >= 0 {
		rest = rest[:i]
	}
	for len(rest) > 0 {
		i := bytes.IndexAny(rest, ", ")
		one := rest
		if i >= 0 {
			one, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		key, v, hasValue := bytes.Cut(one, []byte("="))
		if len(key) == 0 || f.attrs[int(number(key))] != name {
			continue
		}
		if !hasValue {
			return "1", true
		}
		return string(v), true
	}
	return "", false
}

// labelLines gives the strokes of a text record.
func (x *feature) labelLines() ([]geom.Path, int64) {
	pen := max(x.pen, x.h/20)
	// The stated box holds letter and gap: the letter takes four fifths.
	style := strokefont.Style{
		Width: x.w, Height: x.h - pen, Pen: pen, H: strokefont.Start, V: strokefont.End, Mirror: x.turn.Mirror, Rotation: x.turn.Rotation,
	}
	return strokefont.Lines(x.text, x.a, style), pen
}

// primitives gives what the feature is inside of a symbol.
func (x *feature) primitives(m pcb.Meter) []pcb.Primitive {
	var out []pcb.Primitive
	switch x.kind {
	case 'P':
		if x.symbol == nil || !x.symbol.ok || x.symbol.empty {
			return nil
		}
		a := x.symbol.shape.Build()
		if !m.Spend(pcb.Primitives, len(a.Primitives)) {
			return nil
		}
		t := x.turn
		t.Offset = x.a
		for i := range a.Primitives {
			out = append(out, a.Primitives[i].Place(t))
		}
	case 'L', 'A':
		if x.symbol == nil || x.symbol.round == 0 {
			return nil
		}
		e := geom.Line(x.a, x.b)
		if x.kind == 'A' {
			e = geom.ArcEdge(x.a, x.b, x.c, x.cw)
		}
		from := x.a
		for _, to := range e.AppendFlat(nil, 1000) {
			out = append(out, pcb.Primitive{Kind: pcb.StrokePrimitive, A: from, B: to, Radius: x.symbol.round / 2})
			from = to
		}
	case 'S':
		for _, p := range x.areas {
			out = append(out, pcb.Primitive{Kind: pcb.AreaPrimitive, Area: p.Outer})
			for _, h := range p.Holes {
				out = append(out, pcb.Primitive{Kind: pcb.AreaPrimitive, Clear: true, Area: h})
			}
		}
	}
	if x.clear {
		for i := range out {
			out[i].Clear = true
		}
	}
	return out
}
