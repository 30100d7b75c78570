package report

import (
	"regexp"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// wheelRow is a line of EAGLE's wheel, such as "D22 rectangle 0.0150inch x 0.0200inch".
// In the info of a plot a count of uses follows, which is no size.
var wheelRow = regexp.MustCompile(`^\s*D(\d{2,4})\s+([A-Z]+)\s+([0-9.]+)\s*(INCH|MILS?|MM|MIC)(?:\s*X\s*([0-9.]+)\s*(INCH|MILS?|MM|MIC))?(?:\s+\d+)?\s*$`)

var wheelUnits = map[string]float64{"INCH": float64(geom.Inch), "MIL": float64(geom.Mil), "MILS": float64(geom.Mil), "MM": float64(geom.Millimetre), "MIC": 1000}

// IsWheel reports whether a file is an aperture list as EAGLE's output devices keep it.
func IsWheel(data []byte) bool {
	const enough, most = 1, 4 // rows; and how many other lines a list may begin with
	rows, others := 0, 0
	for line := range strings.Lines(string(data[:min(len(data), 16<<10)])) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, ";") {
			continue
		}
		if _, _, ok := wheelLine(strings.ToUpper(line)); ok {
			rows++
		} else if others++; others > most {
			return false
		}
	}
	return rows >= enough && rows > others
}

// wheelLine reads a row of EAGLE's wheel, in capitals.
func wheelLine(line string) (code int, a pcb.Aperture, ok bool) {
	m := wheelRow.FindStringSubmatch(line)
	if m == nil {
		return 0, a, false
	}
	code, _ = strconv.Atoi(m[1])
	x, known := wheelSize(m[3], m[4])
	y := x
	if m[5] != "" {
		var fine bool
		y, fine = wheelSize(m[5], m[6])
		known = known && fine
	}
	if code < 10 || !known {
		return 0, a, false
	}
	switch shape := m[2]; {
	case shape == "ANNULUS" && y < x:
		a = pcb.Circle(x).PunchHole(y, 0)
	case shape == "THERMAL" && y < x:
		a = thermal(x, y)
	case shape == "ANNULUS", shape == "THERMAL":
		a = pcb.Circle(x)
	case shape == "OCTAGON":
		a = pcb.RegularPolygon(x*108239/100000, 8, 22.5) // its size is that from side to side
	case shapeWord(shape) != "":
		a = apertureOf(shapeWord(shape), x, y)
	default:
		return 0, a, false
	}
	return code, a, true
}

// thermal is a ring with four gaps across its corners. How wide these are is stated
// nowhere; drawn as wide as the ring they join what lies on both sides, as they are there to.
func thermal(outer, inner int64) pcb.Aperture {
	gap := func(x, y int64) pcb.Primitive {
		return pcb.Primitive{Kind: pcb.StrokePrimitive, Clear: true, A: geom.Pt(-x, -y), B: geom.Pt(x, y), Radius: (outer - inner) / 4}
	}
	return pcb.Custom("thermal", []pcb.Primitive{
		{Kind: pcb.CirclePrimitive, Radius: outer / 2}, {Kind: pcb.CirclePrimitive, Clear: true, Radius: inner / 2},
		gap(outer/2, outer/2), gap(outer/2, -outer/2),
	})
}

// wheelSize gives a size in nanometres; a pen of no width is one, too.
func wheelSize(number, unit string) (int64, bool) {
	v, err := strconv.ParseFloat(number, 64)
	nm := v * wheelUnits[unit]
	return int64(nm + 0.5), err == nil && nm >= 0 && nm <= 1e9
}
