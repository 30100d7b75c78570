package excellon

import (
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
)

// A Unit is the length that coordinates count in.
type Unit uint8

// The units. UnknownUnit appears only before the format is settled.
const (
	UnknownUnit Unit = iota
	Inch
	Millimetre
)

// String is the unit as findings name it.
func (u Unit) String() string {
	switch u {
	case Inch:
		return "inch"
	case Millimetre:
		return "mm"
	default:
		return "unknown unit"
	}
}

// nanometres in one unit.
func (u Unit) nanometres() float64 {
	if u == Inch {
		return float64(geom.Inch)
	}
	return float64(geom.Millimetre)
}

// Zeros says which zeros a coordinate without a point still has.
type Zeros uint8

// The zero rules. With LeadingKept digits count from the left (trailing zeros
// were dropped, "LZ"); with TrailingKept from the right ("TZ").
const (
	UnknownZeros Zeros = iota
	LeadingKept
	TrailingKept
)

// String is the rule as findings name it.
func (z Zeros) String() string {
	switch z {
	case LeadingKept:
		return "leading zeros kept"
	case TrailingKept:
		return "trailing zeros kept"
	default:
		return "unknown zeros"
	}
}

// A Source says how a part of the format came to be known.
type Source uint8

// The sources, weakest first.
const (
	Assumed  Source = iota // a default, nothing speaks for it
	Deduced                // the evidence fits this and nothing else
	Reported               // another file of the set says so
	Stated                 // the file itself says so
)

// String is the source as findings name it.
func (s Source) String() string {
	return [...]string{"assumed", "deduced", "reported", "stated"}[s]
}

// A Format turns digits into lengths.
type Format struct {
	Unit             Unit
	Integer, Decimal int // places before and after the implied point
	Zeros            Zeros
	UnitSource       Source
	PlacesSource     Source
	ZerosSource      Source
	Points           bool // every coordinate has its own decimal point
}

// String is the format in short, such as "inch 2.4, trailing zeros kept".
func (f Format) String() string {
	if f.Points {
		return fmt.Sprintf("%s with decimal points", f.Unit)
	}
	return fmt.Sprintf("%s %d.%d, %s", f.Unit, f.Integer, f.Decimal, f.Zeros)
}

// length is n in nanometres; ok is false when it lies beyond any board.
func (f Format) length(n number) (nm int64, ok bool) {
	v := f.nanometres(n)
	if math.Abs(v) > float64(geom.MaxCoord) {
		return 0, false
	}
	return int64(math.Round(v)), true
}

// nanometres is a length that may be too great for a board.
func (f Format) nanometres(n number) float64 {
	return float64(n.mantissa) * f.Unit.nanometres() * math.Pow10(f.exponent(n))
}

// exponent is the power of ten that makes units of n's mantissa.
func (f Format) exponent(n number) int {
	switch {
	case n.decimals >= 0:
		return -int(n.decimals)
	case f.Zeros == LeadingKept:
		return f.Integer - int(n.digits)
	default:
		return -f.Decimal
	}
}
