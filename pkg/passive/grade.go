package passive

import "regexp"

// grades are series by the form of their numbers, from the makers' chapters on part
// numbering. A number that none of them fits is of a grade that is not known.
var grades = []struct {
	form  *regexp.Regexp
	grade Qualities
}{
	{regexp.MustCompile(`^GCJ`), Automotive | SoftTermination},
	{regexp.MustCompile(`^G(CM|CG|RT)`), Automotive},
	{regexp.MustCompile(`^GRJ`), SoftTermination},
	{regexp.MustCompile(`^G(JM|QM)`), HighQ},
	{regexp.MustCompile(`^GRM`), 0},
	{regexp.MustCompile(`^CGA.*E$`), Automotive | SoftTermination},
	{regexp.MustCompile(`^CGA`), Automotive},
	{regexp.MustCompile(`^C\d{4}(X7R|X5R|C0G|X7S|X6S|X7T|X8R|Y5V|CH).*E$`), SoftTermination},
	{regexp.MustCompile(`^C\d{4}(X7R|X5R|C0G|X7S|X6S|X7T|Y5V|CH).*[A-D]$`), 0},
	{regexp.MustCompile(`^C\d{4}C\d{2}[0-9R].*AUTO$`), Automotive},
	{regexp.MustCompile(`^C\d{4}C\d{2}[0-9R][A-Z][0-9ABCD][A-Z]AC(TU|7800)?$`), 0},
	{regexp.MustCompile(`^AC\d{4}`), Automotive},
	{regexp.MustCompile(`^(CC|RC)\d{4}`), 0},
	{regexp.MustCompile(`^CL\d{2}.{7}N[NQ]N[A-Z#]$`), 0},
	{regexp.MustCompile(`^CL\d{2}.{7}.P.[A-Z#]$`), Automotive},
	{regexp.MustCompile(`^\d{4}[46ZY3D512V7][ACDFGWZ]\d{3}[A-Z]AT`), 0},
	{regexp.MustCompile(`^[PAJLEGTUHQS]MK\d{3}`), 0},
	{regexp.MustCompile(`^\d{4}(CG|N|B|X|S|F)[0-9R]{3}[A-Z][0-9R]{3}[NC]T`), 0},
	{regexp.MustCompile(`^\d{4}W[AGM8420][FJ]`), 0},
	{regexp.MustCompile(`^(ERJ|CRCW)`), Automotive},
}

// GradeOf tells the grade of a part by its number, that is for what its series is made;
// known is false for a series that is not known here.
func GradeOf(mpn string) (g Qualities, known bool) {
	mpn = plainMPN(mpn)
	for _, s := range grades {
		if s.form.MatchString(mpn) {
			return s.grade, true
		}
	}
	return 0, false
}

// CompareGrades holds the series of two parts against each other by their numbers: a
// part of general purpose may be replaced by any, every other by what is all that it
// is, and one of a series that is not known by none.
func CompareGrades(named, replacement string) Comparison {
	n, known := GradeOf(named)
	r, reported := GradeOf(replacement)
	return Comparison{"grade", n.grade(known), r.grade(reported), !known || n != 0 && (!reported || !r.Contain(n))}
}

func (q Qualities) grade(known bool) string {
	switch {
	case !known:
		return Unknown
	case q == 0:
		return "general purpose"
	}
	return q.String()
}
