package report

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// maxApertures bounds a list: no plotter's wheel holds more.
const maxApertures = 10_000

var dcode = regexp.MustCompile(`^D(\d{2,4})$`)

// Apertures reads an aperture list that was kept apart from RS-274-D files, as
// Protel, Allegro, CAM350, EAGLE and plain tables write them. Lines that name no
// aperture are passed over; an empty map means the file is no such list.
//
// Sizes are mils unless the file or the size itself says millimetres or inches,
// as all of those tools write them.
func Apertures(data []byte) map[int]pcb.Aperture {
	out := map[int]pcb.Aperture{}
	unit := float64(geom.Mil)
	pairs := bytes.Contains(data[:min(len(data), 200)], []byte("GAPFile")) // every size twice: mils, mm
	for line := range strings.Lines(string(data)) {
		upper := strings.ToUpper(line)
		switch {
		case strings.Contains(upper, "UNIT") && (strings.Contains(upper, "MM") || strings.Contains(upper, "MILLIM")):
			unit = float64(geom.Millimetre)
			continue
		case strings.Contains(upper, "UNIT") && strings.Contains(upper, "INCH") && !strings.Contains(upper, "INPUT-UNITS"):
			unit = float64(geom.Inch)
			continue
		}
		code, a, ok := wheelLine(upper)
		if !ok {
			code, a, ok = apertureLine(strings.Fields(upper), unit, pairs)
		}
		if ok && len(out) < maxApertures {
			if _, known := out[code]; !known {
				a.Code = code
				out[code] = a
			}
		}
	}
	return out
}

// apertureLine reads one line: a code, a shape and one or two sizes, in any
// order that is met.
func apertureLine(f []string, unit float64, pairs bool) (code int, a pcb.Aperture, ok bool) {
	shape := ""
	var sizes []float64
	for _, s := range f {
		if m := dcode.FindStringSubmatch(s); m != nil {
			if code == 0 {
				code, _ = strconv.Atoi(m[1])
			}
			continue
		}
		if v, err := strconv.ParseFloat(s, 64); err == nil {
			sizes = append(sizes, v)
		} else if w := shapeWord(s); w != "" && shape == "" {
			shape = w
		}
	}
	if code == 0 && len(sizes) > 1 && numeric(f[0]) && numeric(f[1]) && sizes[0] >= 10 && sizes[0] <= 9999 && sizes[0] == float64(int(sizes[0])) {
		code, sizes = int(sizes[0]), sizes[1:]
	}
	if code < 10 || shape == "" || len(sizes) == 0 || sizes[0] < 0 || sizes[0] > 1e5 {
		return 0, a, false
	}
	x, y := sizes[0], 0.0
	if second := 1; pairs && len(sizes) > 2 {
		y = sizes[2]
	} else if !pairs && len(sizes) > second {
		y = sizes[second]
	}
	if y <= 0 || y > 1e5 {
		y = x
	}
	return code, apertureOf(shape, geom.MM(x*unit/1e6), geom.MM(y*unit/1e6)), true
}

func numeric(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func shapeWord(s string) string {
	switch {
	case strings.HasPrefix(s, "ROUND"), strings.HasPrefix(s, "CIRC"), s == "LINE", s == "DRAW":
		return "round"
	case strings.HasPrefix(s, "SQU"):
		return "square"
	case strings.HasPrefix(s, "RECT"):
		return "rect"
	case strings.HasPrefix(s, "OBL"), strings.HasPrefix(s, "OBR"), strings.HasPrefix(s, "OVAL"):
		return "oblong"
	case strings.HasPrefix(s, "OCT"):
		return "octagon"
	}
	return ""
}

func apertureOf(shape string, x, y int64) pcb.Aperture {
	switch shape {
	case "square":
		return pcb.Rect(x, x)
	case "rect":
		return pcb.Rect(x, y)
	case "oblong":
		return pcb.Obround(x, y)
	case "octagon":
		return pcb.RegularPolygon(x, 8, 22.5)
	}
	if x != y {
		return pcb.Obround(x, y)
	}
	return pcb.Circle(x)
}
