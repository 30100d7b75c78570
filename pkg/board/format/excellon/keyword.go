package excellon

import (
	"strings"
)

// keyword handles header lines that start with a word rather than with a code,
// such as METRIC,LZ,000.000. It tells whether line was one.
func (s *scanner) keyword(line []byte) bool {
	if len(line) < 2 || !letter(line[0]) || !(letter(line[1]) || line[1] == ',') {
		return false
	}
	parts := strings.FieldsFunc(strings.ToUpper(string(line)), func(r rune) bool {
		return r == ',' || r == ' ' || r == '\t' || r == '*' || r == ';'
	})
	if len(parts) == 0 {
		return true
	}
	switch parts[0] {
	case "INCH":
		s.unitLine(Inch, parts[1:])
	case "METRIC":
		s.unitLine(Millimetre, parts[1:])
	case "ICI":
		if len(parts) > 1 && parts[1] == "ON" {
			s.incremental = true
			s.mark(opIncremental, 0)
		}
	case "LZ", "TZ":
		s.unitOption(parts[0])
	}
	return true // every other word sets up the machine, not the board
}

func letter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

func (s *scanner) unitLine(u Unit, options []string) {
	s.unitCode(u)
	for _, o := range options {
		s.unitOption(o)
	}
}

// unitOption is LZ, TZ or a mask of places such as 000.000.
func (s *scanner) unitOption(o string) {
	switch o {
	case "LZ":
		s.stated.Zeros = LeadingKept
	case "TZ":
		s.stated.Zeros = TrailingKept
	default:
		before, after, point := strings.Cut(o, ".")
		if point && strings.Trim(before+after, "0") == "" && len(before)+len(after) > 0 {
			s.statePlaces(len(before), len(after))
		}
	}
}

func (s *scanner) statePlaces(integer, decimal int) {
	if integer > 6 || decimal > 7 || integer+decimal == 0 {
		return
	}
	s.stated.Integer, s.stated.Decimal = integer, decimal
}
