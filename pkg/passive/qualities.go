package passive

import (
	"regexp"
	"strings"
)

// Qualities are what a part is beside its values, as a set.
type Qualities uint16

// The qualities that numbers and lists tell.
const (
	Automotive Qualities = 1 << iota
	SoftTermination
	HighQ
	LowESR
	AntiSurge
	AntiSulfur
	ThinFilm
	ThickFilm
	MetalFilm
	CarbonFilm
	Wirewound
)

const (
	films     = ThinFilm | ThickFilm | MetalFilm | CarbonFilm | Wirewound
	gradeBits = Automotive | SoftTermination | HighQ
)

var qualityNames = []struct {
	is    Qualities
	name  string
	words *regexp.Regexp
}{
	{Automotive, "automotive (AEC-Q200)", regexp.MustCompile(`(?i)\baec(?:[- ]?q ?-?200)?(?:[- ](?:qualified|certified|compliant))?(?:[^a-z0-9-]|$)|\bautomotive(?:[- ]grade)?\b|\bauto[- ]grade\b|车规级?|車規級?|車載用?|\bkfz\b`)},
	{SoftTermination, "soft termination", regexp.MustCompile(`(?i)\b(?:soft|flex(?:ible)?|polymer|resin)[- ]?(?:term(?:inations?|inated|inals?)?|electrodes?)\b|\bflexi?-?term\b|\bft-?cap\b|\banti[- ]?(?:flex[- ]?)?crack(?:ing)?\b|\bopen[- ]?mode\b|软端子?`)},
	{HighQ, "high Q, for radio frequencies", regexp.MustCompile(`(?i)\b(?:ultra[- ]?)?(?:hi|high)[- ]?q\b|\bq ?[>=≥:]{1,2} ?[0-9]{2,5}\b|\brf\b(?:[- ]?(?:grade|capacitor|applications?))?|\bmicrowave\b`)},
	{LowESR, "low ESR", regexp.MustCompile(`(?i)\b(?:ultra[- ]?)?low[- ]?(?:esr|esl|inductance)\b`)},
	{AntiSurge, "anti-surge", regexp.MustCompile(`(?i)\b(?:anti[- ]?)?surge(?:[- ]?(?:proof|resistant|withstand(?:ing)?))?\b|\b(?:high[- ])?pulse(?:[- ]?(?:proof|resistant|withstand(?:ing)?|load|power))?\b|\bimpulsfest\b|抗浪涌`)},
	{AntiSulfur, "anti-sulfur", regexp.MustCompile(`(?i)\b(?:anti[- ]?)?sul(?:f|ph)ur(?:[- ]?(?:proof|resistant))?\b|抗硫化?`)},
	{ThinFilm, "thin film", regexp.MustCompile(`(?i)\bthin[- ]?films?\b|薄膜|\bdünn(?:schicht|film)\b|\bcouche mince\b|\bpel[ií]cula (?:delgada|fina)\b`)},
	{ThickFilm, "thick film", regexp.MustCompile(`(?i)\bthick[- ]?films?\b|厚膜|\bdick(?:schicht|film)\b|\bcouche épaisse\b|\bpel[ií]cula gruesa\b`)},
	{MetalFilm, "metal film", regexp.MustCompile(`(?i)\bmetal(?:[- ]?(?:films?|oxide|foil|strip|plate))\b|\bmetallschicht\b|金属膜`)},
	{CarbonFilm, "carbon film", regexp.MustCompile(`(?i)\bcarbon(?:[- ]?(?:films?|composition))?\b|\bkohleschicht\b|碳膜`)},
	{Wirewound, "wire wound", regexp.MustCompile(`(?i)\bwire[- ]?wound\b|\bdraht(?:gewickelt|widerstand)?\b|绕线`)},
}

// Contain reports whether a set has all of another.
func (q Qualities) Contain(other Qualities) bool { return q&other == other }

// String names the qualities of a set, "" for none.
func (q Qualities) String() string {
	var out []string
	for _, n := range qualityNames {
		if q&n.is != 0 {
			out = append(out, n.name)
		}
	}
	return strings.Join(out, ", ")
}
