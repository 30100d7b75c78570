package report

import (
	"strconv"
	"strings"
)

// NC is what Allegro's nc_param.txt says about the drill files beside it.
type NC struct {
	Integer, Decimal int // digit places; 0, 0 when not stated
	Metric           bool
	Units            bool // the unit is stated
	DropsLeading     bool
	DropsTrailing    bool
}

// NCParam reads an Allegro NC parameter file, or a log that lists one.
func NCParam(data []byte) NC {
	var n NC
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		switch f[0] {
		case "INTEGER-PLACES":
			n.Integer = places(f[1])
		case "DECIMAL-PLACES":
			n.Decimal = places(f[1])
		case "FORMAT":
			if i, d, ok := strings.Cut(f[1], "."); ok {
				n.Integer, n.Decimal = places(i), places(d)
			}
		case "OUTPUT-UNITS":
			n.Metric, n.Units = strings.HasPrefix(f[1], "METRIC"), true
		case "SUPPRESS-LEAD-ZEROES":
			n.DropsLeading = f[1] == "YES"
		case "SUPPRESS-TRAIL-ZEROES":
			n.DropsTrailing = f[1] == "YES"
		}
	}
	return n
}

func places(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 7 {
		return 0
	}
	return n
}
