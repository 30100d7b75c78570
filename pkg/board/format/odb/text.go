package odb

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
)

// Nanometres of the units that files are in.
const (
	nmPerMM   = 1e6
	nmPerInch = 25.4e6
)

// A record is an array of a structured file: LAYER { NAME=top … }; what stands
// outside of arrays is one without a kind.
type record struct {
	kind  string
	value map[string]string // by upper-case key
	line  int
}

// parseRecords reads a file of arrays and assignments.
func parseRecords(data []byte) []record {
	out := []record{{value: map[string]string{}}}
	in := 0 // record that assignments go to
	const most = 100_000
	line := 0
	for raw := range bytes.Lines(data) {
		line++
		text := strings.TrimSpace(string(raw))
		switch {
		case text == "" || text[0] == '#':
		case strings.HasSuffix(text, "{"):
			if len(out) > most {
				return out
			}
			out = append(out, record{kind: strings.ToUpper(strings.TrimSpace(text[:len(text)-1])), value: map[string]string{}, line: line})
			in = len(out) - 1
		case text == "}":
			in = 0
		default:
			if key, value, ok := strings.Cut(text, "="); ok {
				key = strings.ToUpper(strings.TrimSpace(key))
				if _, twice := out[in].value[key]; !twice {
					out[in].value[key] = strings.Trim(strings.TrimSpace(value), `"`)
				}
			}
		}
	}
	return out
}

// unitOf gives the nanometres of the unit a file names; otherwise where it names
// none.
func unitOf(name string, otherwise float64) float64 {
	switch strings.ToUpper(name) {
	case "MM":
		return nmPerMM
	case "INCH":
		return nmPerInch
	}
	return otherwise
}

// A fields walks the words of a line.
type fields struct{ rest []byte }

func (f *fields) next() []byte {
	b := f.rest
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	j := i
	for j < len(b) && b[j] != ' ' && b[j] != '\t' {
		j++
	}
	f.rest = b[j:]
	return b[i:j]
}

// number reads the next word as a number; 0 where it is none.
func (f *fields) number() float64 { return number(f.next()) }

func (f *fields) int() int {
	v := f.number()
	if math.Abs(v) > math.MaxInt32 {
		return -1
	}
	return int(v)
}

// point reads two numbers as a point.
func (f *fields) point(unit float64) geom.Point {
	x := f.number()
	return geom.Pt(nm(x*unit), nm(f.number()*unit))
}

// nm rounds to nanometres within the coordinates that the model takes.
func nm(v float64) int64 {
	if math.IsNaN(v) {
		return 0
	}
	limit := float64(geom.MaxCoord)
	return int64(math.Round(math.Max(-limit, math.Min(limit, v))))
}

var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// number reads a decimal fast; what it does not know it leaves to strconv.
func number(b []byte) float64 {
	i, negative := 0, false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	var m uint64
	digits, scale, point := 0, 0, false
	for ; i < len(b); i++ {
		c := b[i]
		switch {
		case c >= '0' && c <= '9' && digits < 15:
			m = m*10 + uint64(c-'0')
			if m > 0 {
				digits++
			}
			if point {
				scale++
			}
		case c == '.' && !point:
			point = true
		default:
			v, err := strconv.ParseFloat(string(b), 64)
			if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
				return 0
			}
			return v
		}
	}
	if scale >= len(pow10) {
		v, _ := strconv.ParseFloat(string(b), 64)
		return v
	}
	v := float64(m) / pow10[scale]
	if negative {
		v = -v
	}
	return v
}
