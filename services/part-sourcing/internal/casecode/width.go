package casecode

import (
	"math"
	"regexp"
	"strconv"
)

// Widths of the bodies of small outline packages, in tenths of a millimetre.
const (
	narrow = 39 // JEDEC MS-012
	eiaj   = 53
	wide   = 75 // JEDEC MS-013
)

var (
	statedWidth = regexp.MustCompile(`(?i)([0-9]{1,2}\.[0-9]{1,3}) ?mm[ )]*(?:wide|width)`)
	milWidth    = regexp.MustCompile(`(?i)(?:^|[^0-9])(150|173|200|208|209|300) ?mil`)
	bodySizes   = regexp.MustCompile(`(?i)(?:^|[^0-9.])([0-9]{1,2}(?:\.[0-9]{1,3})?) ?(?:mm)? ?x ?([0-9]{1,2}(?:\.[0-9]{1,3})?)(?: ?mm|[^0-9.x]|$)`)
	ipcSpan     = regexp.MustCompile(`(?i)(?:SOP|SOIC)127P([0-9]{3,4})X`)
	wideWord    = regexp.MustCompile(`(?i)SO(?:IC|P)?-?[0-9]{0,2}W(?:[^A-Z]|$)|SO(?:IC|P)?[-_ ]W(?:[^A-Z0-9]|$)|(?:^|[^A-Z])WIDE(?:[^A-Z]|$)`)
	narrowWord  = regexp.MustCompile(`(?i)SO(?:IC|P)?-?[0-9]{0,2}N(?:[^A-Z]|$)|(?:^|[^A-Z])NARROW(?:[^A-Z]|$)`)
)

var milWidths = map[string]int{"150": narrow, "173": 44, "200": eiaj, "208": eiaj, "209": eiaj, "300": wide}

// widthOf is how wide the body of a small outline package is whose pins are 1.27 mm apart,
// as its name tells: SOIC-8_3.9x4.9mm, 8-SOIC (0.209", 5.30mm Width), SOP127P1030X265-16N.
func widthOf(name string, pins int) int {
	if m := statedWidth.FindStringSubmatch(name); m != nil {
		return tenths(m[1])
	}
	if m := milWidth.FindStringSubmatch(name); m != nil {
		return milWidths[m[1]]
	}
	if m := bodySizes.FindStringSubmatch(name); m != nil {
		return bodyAcross(tenths(m[1]), tenths(m[2]), pins)
	}
	if m := ipcSpan.FindStringSubmatch(name); m != nil {
		v, _ := strconv.ParseFloat(m[1], 64)
		return bodyOfSpan(v / 10)
	}
	switch {
	case narrowWord.MatchString(name):
		return narrow
	case wideWord.MatchString(name) && pins == 8:
		return eiaj // as libraries call it beside the narrow one
	case wideWord.MatchString(name):
		return wide
	}
	return 0
}

func tenths(mm string) int {
	v, _ := strconv.ParseFloat(mm, 64)
	return int(math.Round(10 * v))
}

// bodyAcross is of a body's two sizes the one across its rows of pins: the other is about as
// long as they are.
func bodyAcross(a, b, pins int) int {
	along := 12.7 * float64(pins) / 2
	switch across := a; {
	case pins == 0:
		return 0
	case math.Abs(float64(a)-along) < math.Abs(float64(b)-along):
		return b
	default:
		return across
	}
}

// bodyOfSpan is the width of a body whose leads span so many tenths of a millimetre.
func bodyOfSpan(span float64) int {
	switch {
	case span < 63:
		return narrow
	case span < 72:
		return 44
	case span < 90:
		return eiaj
	}
	return wide
}

// bodyOfRows is the width of a body that fits two rows of pads whose middles lie that many
// tenths of a millimetre apart.
func bodyOfRows(rows float64) int { return bodyOfSpan(rows + 9) }

// widthTolerance is less than two widths of one family differ by.
const widthTolerance = 8

// IsWide reports whether a small outline package is surely wider than JEDEC's narrow one,
// which is meant where a name tells no width.
func (c Case) IsWide() bool { return c.Width > narrow+widthTolerance }

// FillWidth gives a small outline case that tells no width with that of the rows of pads which
// it goes on: in a box of so many nanometres, of the middles of its pads.
func (c Case) FillWidth(width, height int64) Case {
	if c.Family != "SO" || c.Width > 0 || c.Pins < 6 || c.Pins%2 != 0 {
		return c
	}
	along, w, h := 1.27e6*float64(c.Pins/2-1), float64(width), float64(height)
	switch near := func(v float64) bool { return math.Abs(v-along) < 0.2e6 }; {
	case near(w) && h > w/4:
		c.Width = bodyOfRows(h / 1e5)
	case near(h) && w > h/4:
		c.Width = bodyOfRows(w / 1e5)
	}
	return c
}
