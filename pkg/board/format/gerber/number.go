package gerber

import (
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
)

// leadingFloat reads the number that s starts with; fallback when there is none.
func leadingFloat(s string, fallback float64) float64 {
	s = strings.TrimLeft(s, " \t\r\n")
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.' || n == 0 && (s[n] == '-' || s[n] == '+')) {
		n++
	}
	if n < len(s) && n > 0 && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		for m < len(s) && (s[m] >= '0' && s[m] <= '9' || m == n+1 && (s[m] == '-' || s[m] == '+')) {
			m++
		}
		if v, err := strconv.ParseFloat(s[:m], 64); err == nil && !math.IsInf(v, 0) {
			return v
		}
	}
	v, err := strconv.ParseFloat(s[:n], 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return fallback
	}
	return v
}

// parameters splits numbers separated by X; what is no number becomes 0 and
// makes ok false.
func parameters(s string) (out []float64, ok bool) {
	ok = true
	if strings.TrimSpace(s) == "" {
		return nil, true
	}
	for part := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == 'X' || c == 'x' || c == ',' }) {
		v := leadingFloat(part, math.NaN())
		if math.IsNaN(v) {
			v, ok = 0, false
		}
		if out = append(out, v); len(out) >= 1000 {
			break
		}
	}
	return out, ok
}

// length turns a number in the file's unit into nanometres.
func (r *reader) length(v float64) int64 {
	const limit = 4e9
	nm := v * float64(r.scale.unit)
	return int64(math.Round(max(-limit, min(limit, nm))))
}

// isFar reports whether a number in the file's unit is longer than coordinates reach.
func (r *reader) isFar(v float64) bool {
	return math.Abs(v)*float64(r.scale.unit) > float64(geom.MaxCoord)
}
