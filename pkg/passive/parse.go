package passive

import (
	"regexp"
	"strconv"
	"strings"
)

// A Line is what a bill of materials says about a part.
type Line struct {
	Ref         string // one designator, or its letters
	Value       string
	Footprint   string
	Description string
}

// Parse reads the specification of a passive part; false where the line names
// none: another kind of part, or no value.
func Parse(l Line) (Spec, bool) {
	s, _, ok := parse(l)
	return s, ok
}

// parse is [Parse], and gives what of the value and of the description was not
// understood.
func parse(l Line) (s Spec, unread Unread, ok bool) {
	l = Line{clip(l.Ref), latin(clip(l.Value)), clip(l.Footprint), latin(clip(l.Description))}
	k, sure := kindOf(l)
	if k == "" {
		return Spec{}, Unread{}, false
	}
	s = Spec{Kind: k, Size: Size(l.Footprint)}
	s.Value, ok = findValue(words(removeError(l.Value)), k)
	if !ok && sure {
		s.Value, ok = findValue(words(removeError(l.Description)), k)
	}
	if !ok || notPlainLand.MatchString(l.Footprint) || special(l, k) != "" {
		return Spec{}, Unread{}, false
	}
	value := s.ratings(l.Value)
	description := s.ratings(l.Description)
	unread = Unread{s.unread(value), s.unread(description)}
	if !sure && len(unread.Value) > 0 { // the unit of one word does not tell what the others are of
		return Spec{}, Unread{}, false
	}
	return s, unread, true
}

var (
	cyrillic      = regexp.MustCompile(`[0-9] ?(?:мк|[мнпкМ])?(?:Ф|ф|Гн|Ом|ом|В|Вт|А)?(?:[^\pL0-9]|$)`)
	cyrillicUnits = strings.NewReplacer("мк", "u", "м", "m", "н", "n", "п", "p", "к", "k", "М", "M", "Ф", "F", "ф", "F", "Гн", "H", "Ом", "ohm", "ом", "ohm", "Вт", "W", "В", "V", "А", "A")
)

// latin writes units in Latin letters: "0,1 мкФ 16 В" as "0,1 uF 16 V".
func latin(text string) string { return cyrillic.ReplaceAllStringFunc(text, cyrillicUnits.Replace) }

// clip bounds what is looked at: nobody describes a resistor in more.
func clip(text string) string { return text[:min(len(text), 500)] }

// notPlain marks parts that are not told by a value alone.
var notPlain = regexp.MustCompile(`(?i)electrolyt|elektrolyt|électrolyt|elettrolit|\belkos?\b|\btant|tantal|niobium|polymer(?:[^a-z -]|$| al| cap| sol)|potentiomet|\bpoti?s?\b|trimmer|\btrim\b|trimpot|\bvar(iable|istor)|\bmov\b|thermistor|\bntc\b|\bptc\b|\bldr\b|fuse|fusible|network|netzwerk|array|isolated|bussed|` +
	`[0-9]p[0-9]r\b|\b[248][x×][0-9]+(?:[kmrnpuµ]|ohm)|\b[0-9]+[kmrnpuµ][f]? ?[x×] ?[248]\b|supercap|\bedlc\b|shunt|current sens|common[ -]?mode|feed[ -]?through|crystal|rnet|polari[sz]ed(?:[^a-z]|$)|safety|film cap|电解|電解|钽|鉭|超级电容|电位器|热敏|压敏|排阻|электролит|тантал`)

// notPlainLand marks their land patterns.
var notPlainLand = regexp.MustCompile(`(?i)electrolyt|\btant|tantal|polymer|potentiometer|trimmer|varistor|thermistor|fuse|network|array|supercap|shunt|crystal|rnet|polari[sz]ed`)

// unpolarized is what libraries call ceramic capacitors.
var unpolarized = regexp.MustCompile(`(?i)\b(?:un|non)[ -]?polari[sz]ed\b`)

// notCeramic marks capacitors of other dielectrics, and those for the mains.
var notCeramic = regexp.MustCompile(`(?i)\bfilm\b|folie|poly(?:ester|propylen|carbonat|styrol|styren|phenylen)|\b(?:mk[tpsc]|fkp|mylar|pps|mica|glimmer|paper)\b|薄膜|涤纶|聚丙烯|云母|[0-9] ?V ?(?:ac|~)|\bac ?[0-9]{2,3} ?V|\b[xy][1-4]\b|安规|entst[oö]r`)

var kindWords = []struct {
	kind Kind
	word *regexp.Regexp
}{
	{Ferrite, regexp.MustCompile(`(?i)ferrite|\bbead\b|^FB[0-9?]*$`)},
	{Resistor, regexp.MustCompile(`(?i)\bres(istor)?s?\b|\bR_[0-9]{4}|^RES[CM_]|widerstand|résistance|resistencia|电阻|抵抗`)},
	{Capacitor, regexp.MustCompile(`(?i)\bcap(acitor)?s?\b|\bC_[0-9]{4}|^CAP[C_0-9]|\bmlcc\b|kondensator|condensateur|condensador|电容|コンデンサ`)},
	{Inductor, regexp.MustCompile(`(?i)\bind(uctor)?s?\b|\bL_[0-9]{4}|^IND[C_]|spule|inducteur|bobina|电感|インダクタ`)},
}

var refKinds = map[string]Kind{"R": Resistor, "RR": Resistor, "C": Capacitor, "RC": "", "L": Inductor, "FB": Ferrite, "FER": Ferrite, "BEAD": Ferrite}

// Special gives the word of a line's value or description that says that its part is not
// told by a value alone: "electrolytic", "X2"; "" where none does.
func Special(l Line) string {
	l = Line{clip(l.Ref), clip(l.Value), clip(l.Footprint), clip(l.Description)}
	k, _ := kindOf(l)
	return special(l, k)
}

func special(l Line, k Kind) string {
	for _, text := range []string{l.Value, l.Description} {
		word := ""
		if k == Capacitor {
			word = notCeramic.FindString(packing.ReplaceAllString(text, " "))
		}
		if word == "" {
			word = notPlain.FindString(unpolarized.ReplaceAllString(text, ""))
		}
		if word != "" {
			return strings.TrimSpace(word)
		}
	}
	return ""
}

// KindOf tells the kind of part that a line is for; "" where nothing does.
func KindOf(l Line) Kind {
	k, _ := kindOf(Line{clip(l.Ref), clip(l.Value), clip(l.Footprint), clip(l.Description)})
	return k
}

// kindOf tells the kind of part from its designator and, where that says
// nothing, from its footprint and description. A ferrite has an inductor's
// designator at times.
func kindOf(l Line) (k Kind, sure bool) {
	letters := strings.ToUpper(strings.TrimRight(strings.TrimSpace(l.Ref), "0123456789_?"))
	k = refKinds[letters]
	for _, text := range []string{l.Footprint, l.Description, l.Value} {
		for _, w := range kindWords {
			if w.word.MatchString(nameAfterColon(text)) && (k == "" || w.kind == Ferrite && k == Inductor) {
				return w.kind, true
			}
		}
	}
	if k == "" && letters == "" {
		return kindByUnit(l.Value), false
	}
	return k, k != ""
}

// kindByUnit tells the kind of part from the unit of a value: farads, henries and
// ohms, of which a lone k or R stands for the last. M alone may be the hertz of a
// crystal, and nF is no ohm. A lone u, n or p is a capacitor's where a voltage or a
// dielectric stands beside it.
func kindByUnit(value string) Kind {
	list := words(strings.ReplaceAll(value, "/", " "))
	rated := findVoltage(list) > 0 || dielWords.MatchString(value)
	for _, w := range list {
		q, ok := parseQuantity(w)
		switch {
		case !ok || imperialSizes[w]:
		case q.unit == farad && q.power < 0:
			return Capacitor
		case rated && q.unit == noUnit && q.power < 0 && q.power != powers["m"]:
			return Capacitor
		case q.unit == henry && q.power < 0:
			return Inductor
		case q.unit == ohm || q.unit == noUnit && q.power == powers["k"]:
			return Resistor
		}
	}
	return ""
}

func nameAfterColon(text string) string {
	if _, name, ok := strings.Cut(text, ":"); ok && !strings.Contains(name, " ") {
		return name
	}
	return text
}

var (
	looseUnit = regexp.MustCompile(`(?i)([0-9]) +((?:[pnuµμmk]?)(?:F|H|ohms?|Ω|Ω|R|V|W|A)|[kM]?Hz)\b`)
	looseKilo = regexp.MustCompile(`([0-9]) +([kKM](?:[Oo]hms?|OHMS?|Ω|Ω)?)(?:\s|,|$)`)
)

// words splits text into what may be values and ratings.
func words(text string) []string {
	text = looseUnit.ReplaceAllString(text, "$1$2")
	text = looseKilo.ReplaceAllString(text, "$1$2 ")
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\r_;()[]|@=<>±~\u00a0", r) }) {
		for _, part := range splitCommas(w) {
			out = append(out, splitHyphens(part)...)
		}
	}
	return out
}

// hyphened is what stands between the hyphens of a value with its ratings: a rating, or
// a word such as CAP.
var hyphened = regexp.MustCompile(`(?i)^(?:[0-9]+(?:[.,][0-9]+)?[%％]|[0-9./]+m?W|[a-z]{2,4}|0?[0-9]{4})$`)

// splitHyphens splits "100nF-50V-10%-X7R", and no word that has anything else in it.
func splitHyphens(w string) []string {
	parts, rated := strings.Split(w, "-"), false
	for i, p := range parts {
		_, isVolts := voltage(p)
		q, isQuantity := parseQuantity(p)
		isQuantity = isQuantity && q.prefix
		rated = rated || isVolts || isQuantity
		last := p == "" && i > 0 && i == len(parts)-1 // of which a rating was taken out
		if !isVolts && !isQuantity && !last && !hyphened.MatchString(p) && !dielWords.MatchString(p) {
			return []string{w}
		}
	}
	if !rated {
		return []string{w}
	}
	return parts
}

// splitCommas splits at commas and slashes that are no part of a number: "4,7k"
// stays, "100nF,16V" and "16V/X7R" do not.
func splitCommas(w string) []string {
	var out []string
	start := 0
	for i := range len(w) {
		comma := w[i] == ',' && !(i > 0 && i+1 < len(w) && digit(w[i-1]) && digit(w[i+1]) && !digitsBefore(w[start:i], 4))
		slash := w[i] == '/' && !(i > 0 && i+1 < len(w) && digit(w[i-1]) && digit(w[i+1]))
		if comma || slash {
			out = append(out, w[start:i])
			start = i + 1
		}
	}
	return append(out, w[start:])
}

// digitsBefore reports whether text is at least n digits and nothing else: a
// size, not a value.
func digitsBefore(text string, n int) bool {
	if len(text) < n {
		return false
	}
	for i := range len(text) {
		if !digit(text[i]) {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// findValue takes the first word that is a value; one with a unit or prefix wins
// over a bare number, which counts for resistors only and where it comes first.
func findValue(ws []string, k Kind) (int64, bool) {
	for _, w := range ws {
		if q, ok := parseQuantity(w); ok && q.prefix {
			if v, ok := valueOf(w, k); ok && (v > 0 || k == Resistor) {
				return v, true
			}
		}
	}
	if k == Resistor && len(ws) > 0 && !imperialSizes[ws[0]] {
		return valueOf(ws[0], k)
	}
	return 0, false
}

func plainDielectric(word string) string {
	switch w := strings.ToUpper(word); w {
	case "COG", "NP0", "NPO", "CH":
		return "C0G"
	default:
		return w
	}
}

// milli gives thousandths of a decimal number.
func milli(text string) int64 {
	whole, part, _ := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	n, _ := strconv.ParseInt(whole+(part + "000")[:3], 10, 64)
	return n
}

// power gives milliwatts, of a fraction rounded down.
func power(fraction, number string, isMilli bool) int64 {
	v := milli(number)
	switch {
	case fraction != "":
		n, _ := strconv.ParseInt(fraction, 10, 64)
		v = 1000 / max(n, 1)
	case isMilli:
		v /= 1000
	}
	if v == 62 { // 1/16 W, which makers call 63 mW, too
		return sizePower["0402"]
	}
	return v
}
