package catalog

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maskRGB is how masks look, as KiCad draws its own colours of these names.
var maskRGB = []struct {
	id      string
	r, g, b float64
}{
	{"Green", 20, 51, 36}, {"Green", 0, 104, 55}, {"Red", 181, 19, 21}, {"Blue", 2, 59, 162}, {"Purple", 70, 10, 110},
	{"Black", 11, 11, 11}, {"White", 245, 245, 245}, {"Yellow", 194, 195, 0},
}

var hexColour = regexp.MustCompile(`^#([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})?$`)

// shades are words that make a colour another one.
var shades = []string{"matte", "matt", "semi", "dark", "light", "satin"}

// readMask finds the one colour that longer words name, such as "LPI green", or the
// nearest one of a colour by numbers.
func (c *Catalog) readMask(written string) (Meaning, bool) {
	if m := hexColour.FindStringSubmatch(strings.TrimSpace(written)); m != nil {
		return nearestMask(m)
	}
	var colours []string
	for _, w := range wordForm.FindAllString(strings.ToLower(written), -1) {
		if slices.Contains(shades, w) {
			return Meaning{}, false
		}
		m, ok := c.vocabulary.aliases["solder_mask"][w]
		if ok && m.Unable != "" {
			return Meaning{}, false
		}
		if ok && m.Value != "" && !slices.Contains(colours, m.Value) {
			colours = append(colours, m.Value)
		}
	}
	if folded := fold(written); len(colours) > 1 && strings.Contains(folded, "top") && strings.Contains(folded, "bottom") {
		return Meaning{Unable: "a mask of another colour on either side"}, true
	}
	if len(colours) != 1 {
		return Meaning{}, false
	}
	return Meaning{Value: colours[0]}, true
}

func nearestMask(hex []string) (Meaning, bool) {
	const farthest = 100 // of 441 from black to white
	channel := func(i int) float64 {
		n, _ := strconv.ParseUint(hex[i], 16, 8)
		return float64(n)
	}
	r, g, b := channel(1), channel(2), channel(3)
	best, least := "", math.Inf(1)
	for _, m := range maskRGB {
		if d := math.Sqrt((r-m.r)*(r-m.r) + (g-m.g)*(g-m.g) + (b-m.b)*(b-m.b)); d < least {
			best, least = m.id, d
		}
	}
	if least > farthest {
		return Meaning{}, false
	}
	return Meaning{Value: best, Nearest: true, Note: fmt.Sprintf("the colour #%s%s%s is nearest to %s", hex[1], hex[2], hex[3], best)}, true
}
