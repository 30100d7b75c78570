package gerberout

import (
	"math"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// apertures is the table of a file's apertures. Those of the same look and
// function share a code, wherever they come from.
type apertures struct {
	out    []byte // the definitions
	codes  map[string]int
	macros map[string]string // name by body
	known  map[use]int
	pens   map[pen]int
}

// A use is an aperture of a layer as it is put down.
type use struct {
	layer            *pcb.Layer
	shape, transform int32
	function         pcb.Function
}

type pen struct {
	width    int64
	function pcb.Function
}

// Codes of a use that has none.
const (
	firstCode = 10
	tooLarge  = -1 // for a macro
)

func newApertures() *apertures {
	return &apertures{codes: map[string]int{}, macros: map[string]string{}, known: map[use]int{}, pens: map[pen]int{}}
}

// flash gives the code for a flash, 0 when it draws nothing; fits is false when
// no aperture can be it.
func (a *apertures) flash(l *pcb.Layer, f *pcb.Feature, tell bool) (code int, fits bool) {
	u := use{l, f.Shape, f.Transform, f.Function}
	code, ok := a.known[u]
	if !ok {
		code = a.shape(&l.Apertures[f.Shape], l.Transforms[f.Transform], f.Function, tell)
		a.known[u] = code
	}
	return max(code, 0), code != tooLarge
}

// pen gives the code of a round aperture to draw with.
func (a *apertures) pen(width int64, f pcb.Function, tell bool) int {
	k := pen{width, f}
	code, ok := a.pens[k]
	if !ok {
		code = a.define("C,"+millimetres(width), f, tell)
		a.pens[k] = code
	}
	return code
}

func (a *apertures) shape(s *pcb.Aperture, t geom.Transform, f pcb.Function, tell bool) int {
	t.Offset = geom.Point{}
	if d := standard(s, t); d != "" {
		return a.define(d, f, tell)
	}
	body, fits := macroBody(s, t)
	switch {
	case !fits:
		return tooLarge
	case len(body) == 0:
		return 0
	}
	name, ok := a.macros[string(body)]
	if !ok {
		name = "M" + strconv.Itoa(len(a.macros)+1)
		a.macros[string(body)] = name
		a.out = append(append(append(a.out, "%AM"...), name...), "*\n"...)
		a.out = append(append(a.out, body...), "%\n"...)
	}
	return a.define(name, f, tell)
}

// define gives the code of a definition, written when new. tell says whether
// its function is told.
func (a *apertures) define(definition string, f pcb.Function, tell bool) int {
	name := functions[f]
	if !tell && f != pcb.FuncProfile {
		name = ""
	}
	key := definition + " " + name
	if code, ok := a.codes[key]; ok {
		return code
	}
	code := firstCode + len(a.codes)
	a.codes[key] = code
	if name != "" {
		a.out = append(append(append(a.out, "%TA.AperFunction,"...), name...), "*%\n"...)
	}
	a.out = strconv.AppendInt(append(a.out, "%ADD"...), int64(code), 10)
	a.out = append(append(a.out, definition...), "*%\n"...)
	if name != "" {
		a.out = append(a.out, "%TD*%\n"...)
	}
	return code
}

// standard is the definition of a shape that the format has of its own; "" of
// others.
func standard(a *pcb.Aperture, t geom.Transform) string {
	x, y := t.Length(a.X), t.Length(a.Y)
	if x <= 0 || y <= 0 || a.HoleX > 0 && a.HoleY > 0 {
		return ""
	}
	hole := ""
	if a.HoleX > 0 {
		hole = "X" + millimetres(t.Length(a.HoleX))
	}
	kind := plainKind(a)
	if kind == pcb.ObroundShape && x == y {
		kind = pcb.CircleShape
	}
	if kind == pcb.RectShape || kind == pcb.ObroundShape {
		switch math.Mod(t.Rotation, 180) {
		case 0:
		case 90, -90:
			x, y = y, x
		default:
			return ""
		}
	}
	switch {
	case kind == pcb.CircleShape:
		return "C," + millimetres(x) + hole
	case kind == pcb.RectShape:
		return "R," + millimetres(x) + "X" + millimetres(y) + hole
	case kind == pcb.ObroundShape:
		return "O," + millimetres(x) + "X" + millimetres(y) + hole
	case kind == pcb.PolygonShape && a.Vertices >= 3 && a.Vertices <= 12:
		return "P," + millimetres(x) + "X" + strconv.Itoa(a.Vertices) + "X" + degrees(polygonTurn(a, t)) + hole
	}
	return ""
}

// plainKind is the kind of a shape; a rounded rectangle whose radius is none or
// all is a rectangle or an obround.
func plainKind(a *pcb.Aperture) pcb.ShapeKind {
	switch {
	case a.Kind != pcb.RoundRectShape:
		return a.Kind
	case len(a.Primitives) > 0 && a.Primitives[0].Kind == pcb.StrokePrimitive:
		return pcb.ObroundShape
	case len(a.Primitives) > 0 && a.Primitives[0].Kind == pcb.CirclePrimitive:
		return pcb.ObroundShape
	case a.Corner == 0:
		return pcb.RectShape
	}
	return a.Kind
}

func polygonTurn(a *pcb.Aperture, t geom.Transform) float64 {
	turn := a.Rotation
	if t.Mirror {
		turn = 180 - turn
	}
	return math.Mod(turn+t.Rotation, 360)
}

// millimetres writes a length to the nanometre.
func millimetres(nm int64) string { return string(appendMM(nil, nm)) }

func appendMM(out []byte, nm int64) []byte { return appendDecimal(out, nm, 6) }

// appendDecimal writes v units of 10 to the power of -places, without trailing
// zeros beyond the first decimal.
func appendDecimal(out []byte, v int64, places int) []byte {
	if v < 0 {
		out, v = append(out, '-'), -v
	}
	one := int64(math.Pow10(places))
	out = append(strconv.AppendInt(out, v/one, 10), '.')
	for rest := v % one; ; {
		one /= 10
		out = append(out, byte('0'+rest/one))
		if rest %= one; rest == 0 {
			return out
		}
	}
}

func degrees(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
