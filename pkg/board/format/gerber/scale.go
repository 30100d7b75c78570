package gerber

import (
	"math/bits"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// scale turns the digits of a coordinate into nanometres: value·num/den.
type scale struct {
	num, den int64
	digits   int // integer and decimal digits together
	trailing bool
	unit     int64 // nanometres in a whole unit
}

var powersOfTen = [...]int64{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
	10_000_000_000, 100_000_000_000, 1_000_000_000_000}

func newScale(f Format, metric bool) scale {
	s := scale{num: geom.Inch, digits: f.Integer + f.Decimal, trailing: f.TrailingOmitted}
	if metric {
		s.num = geom.Millimetre
	}
	s.unit = s.num
	s.den = powersOfTen[min(max(f.Decimal, 0), 9)]
	for s.num%10 == 0 && s.den%10 == 0 {
		s.num, s.den = s.num/10, s.den/10
	}
	return s
}

// step is how far apart two neighbouring coordinates are; at least a nanometre.
func (s *scale) step() int64 { return max(1, s.num/max(1, s.den)) }

// nanometres converts a number without a point of n written digits.
func (s *scale) nanometres(v int64, n int) (int64, bool) {
	den := s.den
	if s.trailing {
		for ; n < s.digits; n++ {
			if v > geom.MaxCoord*1000 || v < -geom.MaxCoord*1000 {
				break
			}
			v *= 10
		}
		if n > s.digits {
			den *= powersOfTen[min(n-s.digits, 9)]
		}
	}
	return mulDiv(v, s.num, den)
}

// mulDiv is v·num/den rounded and kept within the coordinate range; false when
// it had to be clipped.
func mulDiv(v, num, den int64) (int64, bool) {
	neg := v < 0
	if neg {
		v = -v
	}
	hi, lo := bits.Mul64(uint64(v), uint64(num))
	if den > 1 {
		var carry uint64
		lo, carry = bits.Add64(lo, uint64(den/2), 0)
		hi += carry
		if hi >= uint64(den) {
			hi, lo = 0, uint64(geom.MaxCoord)+1
		} else {
			lo, _ = bits.Div64(hi, lo, uint64(den))
			hi = 0
		}
	}
	ok := hi == 0 && lo <= uint64(geom.MaxCoord)
	if !ok {
		lo = uint64(geom.MaxCoord)
	}
	if neg {
		return -int64(lo), ok
	}
	return int64(lo), ok
}

// assumeFormat sets what holds until the file says otherwise.
func (r *reader) assumeFormat() {
	f := &r.file.Format
	*f = Format{Integer: 2, Decimal: 4}
	if o := r.opt.Format; o != nil {
		*f = *o
	} else if !hasDigits(r.data, 6) {
		f.Decimal = 3 // the oldest plotters' 2.3
	}
	r.file.Metric = r.opt.Metric != nil && *r.opt.Metric
	r.setScale()
}

func (r *reader) setScale() {
	r.scale = newScale(r.file.Format, r.file.Metric)
}

// hasDigits tells whether a coordinate among the first has n digits or more.
func hasDigits(data []byte, n int) bool {
	run, in := 0, false
	for _, c := range data[:min(len(data), 64<<10)] {
		switch {
		case c == 'X' || c == 'Y':
			in, run = true, 0
		case in && c >= '0' && c <= '9':
			if run++; run >= n {
				return true
			}
		case in && (c == '+' || c == '-'):
		default:
			in = false
		}
	}
	return false
}

// needFormat reports, once, coordinates that come before their format or unit.
func (r *reader) needFormat() {
	r.pending = true
	f := r.file.Format
	if !r.file.FormatStated && r.opt.Format == nil {
		r.find(pcb.Warning, "format_assumed", "", r.line,
			"the file does not state its coordinate format; read as %d.%d digits", f.Integer, f.Decimal)
	}
	if !r.file.UnitStated && r.opt.Metric == nil {
		r.find(pcb.Warning, "unit_assumed", "", r.line, "the file does not state its unit; read as inches")
	}
}
