package casecode

import (
	"regexp"
	"strconv"

	"boardorder/pkg/board/geom"
)

var (
	statedPitch = regexp.MustCompile(`(?i)(?:(?:^|[_ (-])P([0-9](?:\.[0-9]{1,3})?)mm|([0-9](?:\.[0-9]{1,3})?) ?mm pitch)`)
	ipcPitch    = regexp.MustCompile(`(?i)^(?:SOP|SOIC|TSSOP|SSOP|QFP|TSQFP|SOT)([0-9]{2,3})P`)
	soic        = regexp.MustCompile(`(?i)(?:^|[^A-Z])SOIC`)
	statedBody  = regexp.MustCompile(`(?i)([0-9]{1,2}(?:\.[0-9]{1,3})?) ?(?:mm)? ?x ?([0-9]{1,2}(?:\.[0-9]{1,3})?) ?mm`)
)

// Pitch is the distance of neighbouring pins that the name of a case states, in
// nanometres; 0 where it states none.
func Pitch(name string) int64 {
	name = name[:min(len(name), 200)]
	if m := statedPitch.FindStringSubmatch(name); m != nil {
		v, _ := strconv.ParseFloat(m[1]+m[2], 64)
		return geom.MM(v)
	}
	if m := ipcPitch.FindStringSubmatch(name); m != nil {
		v, _ := strconv.ParseFloat(m[1], 64)
		return geom.MM(v / 100)
	}
	if soic.MatchString(name) {
		return geom.MM(1.27)
	}
	return 0
}

// Body is the length and width in millimetres that the name of a case states,
// the larger first; zero where it states none.
func Body(name string) [2]float64 {
	m := statedBody.FindStringSubmatch(name[:min(len(name), 200)])
	if m == nil {
		return [2]float64{}
	}
	a, _ := strconv.ParseFloat(m[1], 64)
	b, _ := strconv.ParseFloat(m[2], 64)
	return [2]float64{max(a, b), min(a, b)}
}

// lengths of chips by their imperial code, in tenths of a millimetre.
var lengths = map[string]int64{"01005": 4, "0201": 6, "0402": 10, "0603": 16, "0805": 20, "1206": 32, "1210": 32, "1812": 45, "2010": 50, "2512": 63}

// Length is how long a chip is, in nanometres; 0 for a case that is none.
func (c Case) Length() int64 { return lengths[c.Size] * geom.Millimetre / 10 }
