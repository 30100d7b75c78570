package passive

import (
	"regexp"
	"strings"
)

// A Grade is what the series of a part promises beside its values; "" for a part of
// general purpose.
type Grade string

// The grades that part numbers tell.
const (
	GeneralPurpose  Grade = ""
	Automotive      Grade = "automotive (AEC-Q200)"
	SoftTermination Grade = "soft termination"
	AutomotiveSoft  Grade = "automotive (AEC-Q200), soft termination"
	HighQ           Grade = "high Q, for radio frequencies"
)

// grades are series by the form of their numbers, from the makers' chapters on part
// numbering. A number that none of them fits is of a grade that is not known.
var grades = []struct {
	form  *regexp.Regexp
	grade Grade
}{
	{regexp.MustCompile(`^GCJ`), AutomotiveSoft},
	{regexp.MustCompile(`^G(CM|CG|RT)`), Automotive},
	{regexp.MustCompile(`^GRJ`), SoftTermination},
	{regexp.MustCompile(`^G(JM|QM)`), HighQ},
	{regexp.MustCompile(`^GRM`), GeneralPurpose},
	{regexp.MustCompile(`^CGA.*E$`), AutomotiveSoft},
	{regexp.MustCompile(`^CGA`), Automotive},
	{regexp.MustCompile(`^C\d{4}(X7R|X5R|C0G|X7S|X6S|X7T|X8R|Y5V|CH).*E$`), SoftTermination},
	{regexp.MustCompile(`^C\d{4}(X7R|X5R|C0G|X7S|X6S|X7T|Y5V|CH).*[A-D]$`), GeneralPurpose},
	{regexp.MustCompile(`^C\d{4}C\d{2}[0-9R].*AUTO$`), Automotive},
	{regexp.MustCompile(`^C\d{4}C\d{2}[0-9R][A-Z][0-9ABCD][A-Z]AC(TU|7800)?$`), GeneralPurpose},
	{regexp.MustCompile(`^AC\d{4}`), Automotive},
	{regexp.MustCompile(`^(CC|RC)\d{4}`), GeneralPurpose},
	{regexp.MustCompile(`^CL\d{2}.{7}N[NQ]N[A-Z#]$`), GeneralPurpose},
	{regexp.MustCompile(`^CL\d{2}.{7}.P.[A-Z#]$`), Automotive},
	{regexp.MustCompile(`^\d{4}[46ZY3D512V7][ACDFGWZ]\d{3}[A-Z]AT`), GeneralPurpose},
	{regexp.MustCompile(`^[PAJLEGTUHQS]MK\d{3}`), GeneralPurpose},
	{regexp.MustCompile(`^\d{4}(CG|N|B|X|S|F)[0-9R]{3}[A-Z][0-9R]{3}[NC]T`), GeneralPurpose},
	{regexp.MustCompile(`^\d{4}W[AGM8420][FJ]`), GeneralPurpose},
	{regexp.MustCompile(`^(ERJ|CRCW)`), Automotive},
}

// GradeOf tells the grade of a part by its number; known is false for a series that is
// not known here.
func GradeOf(mpn string) (g Grade, known bool) {
	mpn = strings.ToUpper(strings.TrimSpace(mpn))
	for _, s := range grades {
		if s.form.MatchString(mpn) {
			return s.grade, true
		}
	}
	return "", false
}

// CompareGrades holds the series of two parts against each other by their numbers: a
// part of general purpose may be replaced by any, every other by its like alone, and
// one of a series that is not known by none.
func CompareGrades(named, replacement string) Comparison {
	n, known := GradeOf(named)
	r, told := GradeOf(replacement)
	return Comparison{"grade", n.text(known), r.text(told), !known || n != GeneralPurpose && (!told || r != n)}
}

func (g Grade) text(known bool) string {
	switch {
	case !known:
		return Unknown
	case g == GeneralPurpose:
		return "general purpose"
	}
	return string(g)
}
