package address

import (
	"regexp"
	"strings"
	"unicode"
)

// postBox finds a post office box in the languages of the countries served. A
// word of it alone ("Box Hill Road") is none.
var postBox = regexp.MustCompile(`(?i)(^|[^\pL])(` + strings.Join([]string{
	`p\.?\s*o\.?\s*-?\s*box`, `g\.?\s*p\.?\s*o\.?\s*box`, `post\s*office\s*box`, `post\s*box\s*\d`, `(private|locked)\s+bag`,
	`postfach`, `postlagernd`, `bo[iî]te\s+postale`, `b\.?\s*p\.?\s+\d`, `apartado(\s+(postal|de\s+correos))?\s*\d`, `casilla(\s+postal)?\s*\d`,
	`caixa\s+postal`, `casella\s+postale`, `postbus\s*\d`, `postboks\s*\d`, `postlokero`, `skrytka\s+pocztowa`, `poste\s+restante`, `packstation`,
	`po[sš]tovn[ií]\s+p[rř]ihr[aá]dka`, `po[sš]tanski\s+pretinac`, `thyrida`,
}, "|") + `)`)

// IsPostBox tells whether a line of an address is a box or a place of the post,
// where no courier delivers.
func IsPostBox(line string) bool { return postBox.MatchString(line) }

// deliveredByBox are countries without delivery to the door by the post: there a
// box is what people write, and couriers call.
var deliveredByBox = map[string]bool{"AE": true, "QA": true, "KW": true, "SA": true, "BH": true, "OM": true}

// IsTooShort tells whether a street is too little to find a door by: it has three
// letters or digits at the least, or two where one writes without an alphabet.
func IsTooShort(line string) bool {
	n, ideographs := 0, 0
	for _, r := range line {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
			ideographs++
		case unicode.IsLetter(r), unicode.IsDigit(r):
			n++
		}
	}
	return n+2*ideographs < 3
}
