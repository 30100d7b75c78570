// Package refdes reads reference designators as bills of materials list them:
// "R1-R4, R7", "C1 C2", "R[1..4]".
package refdes

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Max is how many designators one list is read for.
const Max = 5000

var (
	single = regexp.MustCompile(`^[A-Za-z_][A-Za-z_$+.-]{0,15}[0-9]{0,6}(?:[A-Za-z]{1,2})?(?:[_.][0-9A-Za-z]{1,6}|-[0-9]{1,3})?$|^[0-9]{1,2}[A-Za-z]{1,6}[0-9]{1,5}$|^[A-Za-z]{1,3}\?$|^[A-Z]{1,4}[+-]$`)
	named  = regexp.MustCompile(`[0-9?]$|[0-9][A-Za-z]$|[0-9][_.-][0-9A-Za-z]+$`)
	// sentence is a word of a sentence beside designators: small letters and no number.
	sentence = regexp.MustCompile(`^[A-Z]?[a-z]{2,}$`)
	span     = regexp.MustCompile(`^([A-Za-z_]{1,12}\$?)([0-9]{1,6})(?:-|~|\.\.\.?|:)((?:[A-Za-z_]{1,12}\$?)?)([0-9]{1,6})$`)
	bracket  = regexp.MustCompile(`([A-Za-z_]{1,12})\[([0-9]{1,6})\.\.([0-9]{1,6})\]`)
	plus     = regexp.MustCompile(`([0-9])\+([A-Za-z])`)
	spaced   = regexp.MustCompile(`([A-Za-z]{1,12}[0-9]{1,6})\s*(-|~|\.\.\.?|\bto\b|\bthru\b|\bthrough\b|\bbis\b|至|到)\s*([A-Za-z]{0,12}[0-9]{1,6})`)
)

// marks writes those signs that people and tools put between designators as the
// common ones.
var marks = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "－", "-", "～", "~", "〜", "~", "…", "...", "‥", "..", "：", ":", "|", ",", " + ", ", ")

var (
	cyrillic = regexp.MustCompile(`[АВЕКМНОРСТУХ]+[0-9]`)
	alike    = strings.NewReplacer("А", "A", "В", "B", "Е", "E", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P", "С", "C", "Т", "T", "У", "Y", "Х", "X")
)

// latin writes designators in Latin letters that were typed in Cyrillic ones that look
// the same.
func latin(list string) string { return cyrillic.ReplaceAllStringFunc(list, alike.Replace) }

// Parse reads a list of designators, ranges filled in, each once, in the order
// of the list. odd are the words that are none.
func Parse(list string) (refs, odd []string) {
	list = plus.ReplaceAllString(marks.Replace(latin(list)), "$1,$2")
	list = bracket.ReplaceAllString(list, "$1$2..$1$3")
	list = spaced.ReplaceAllString(list, "$1-$3")
	words := strings.FieldsFunc(list, separates)
	prose := slices.ContainsFunc(words, Is) && len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !sentence.MatchString(w) })) > 1
	seen := map[string]bool{}
	add := func(ref string) {
		if !seen[ref] && len(refs) < Max {
			seen[ref] = true
			refs = append(refs, ref)
		}
	}
	for _, word := range words {
		if bare := footnote.ReplaceAllString(word, ""); Is(bare) {
			word = bare
		}
		if m := span.FindStringSubmatch(word); m != nil && (m[3] == "" || m[3] == m[1]) && fill(m, add) {
			continue
		}
		if single.MatchString(word) && !(prose && sentence.MatchString(word)) {
			add(word)
		} else if len(odd) < 100 {
			odd = append(odd, word)
		}
	}
	return refs, odd
}

// footnote is what people put behind a designator to say more of it elsewhere: R1*, R2(!).
var footnote = regexp.MustCompile(`(?:[*†‡'´]+|\([^()]{0,8}\)|\[[^\[\]]{0,8}\])$`)

var (
	bare     = regexp.MustCompile(`^([0-9]{1,4})(?:-([0-9]{1,4}))?$`)
	lettered = regexp.MustCompile(`^([A-Za-z_]{1,12}\$?)[0-9]{1,6}(?:-[0-9]{1,6})?$`)
)

// Continue reads a list in which numbers stand for designators with the letters of the
// one before: "R1, 2, 5-7". ok is false where it has anything else.
func Continue(list string) (refs []string, ok bool) {
	letters, full := "", []string(nil)
	for _, word := range strings.FieldsFunc(marks.Replace(list), separates) {
		if m := lettered.FindStringSubmatch(word); m != nil {
			letters = m[1]
		} else if m := bare.FindStringSubmatch(word); m == nil || letters == "" {
			return nil, false
		} else {
			word = letters + word
		}
		full = append(full, word)
	}
	refs, odd := Parse(strings.Join(full, ","))
	return refs, len(refs) > 0 && len(odd) == 0 && len(Plain(refs)) == len(refs)
}

// Is reports whether a word is surely a designator: letters, then a number.
func Is(word string) bool { return single.MatchString(word) && named.MatchString(word) }

// letters are those that designators usually begin with, by IEEE 315 and the habits of
// design tools.
var letters = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("ANT AT BAT BT BZ C CN CON CONN CR D DL DS DZ E F FB FD FID FL FT G H HS IC J JMP JP K KK L LD LED LS M MH MK MOD MP NTC P PL PS Q R RA RL RN RP RT RV " +
		"S SB SJ SK SP SW T TB TH TP TR TVS U V VD VR VT W X XTAL Y Z ZD") {
		m[w] = true
	}
	return m
}()

// usualDigits is how many digits the number of a designator has at most; part numbers
// such as C25804 have more.
const usualDigits = 4

// Usual reports whether a word is a designator with the usual letters, and no part
// number that looks like one.
func Usual(word string) bool {
	l := Letters(word)
	return Is(word) && letters[strings.ToUpper(l)] && len(word)-len(l) <= usualDigits
}

// unusual is a word that may be a designator, though of no usual form: what is printed
// beside the part, or a sign that a tool puts for a part without a number.
var unusual = regexp.MustCompile(`^(?:[*+-]{0,2}[A-Z0-9][A-Z0-9_$%*.+-]{0,23}|[*?]{1,3})$`)

// May reports whether a word that is no designator by its form may still be one: 3V3_ANT,
// +X, HRS%10, *1. Whether it is the placements tell, or the number of pieces.
func May(word string) bool { return unusual.MatchString(word) }

func separates(r rune) bool { return strings.ContainsRune(",;/ \t\n\r&、，；。·\u00a0\u3000", r) }

// fill adds the designators of a range; false where it is none: it runs
// backwards, or is longer than anybody means.
func fill(m []string, add func(string)) bool {
	const most = 2000
	from, _ := strconv.Atoi(m[2])
	to, _ := strconv.Atoi(m[4])
	if to < from || to-from >= most {
		return false
	}
	width := 0
	if strings.HasPrefix(m[2], "0") {
		width = len(m[2])
	}
	for n := from; n <= to; n++ {
		number := strconv.Itoa(n)
		add(m[1] + strings.Repeat("0", max(0, width-len(number))) + number)
	}
	return true
}

// Fold is by what designators are compared that may differ in small and capital letters.
func Fold(ref string) string { return strings.ToUpper(ref) }

// Letters is what a designator begins with: "R" of R12.
func Letters(ref string) string {
	i := strings.IndexAny(ref, "0123456789?")
	if i < 0 {
		return ref
	}
	return ref[:i]
}

// Compare orders designators as people do: R2 before R10.
func Compare(a, b string) int {
	la, lb := Letters(a), Letters(b)
	if la != lb {
		return cmp.Compare(la, lb)
	}
	na, ra := leading(a[len(la):])
	nb, rb := leading(b[len(lb):])
	return cmp.Or(cmp.Compare(na, nb), cmp.Compare(ra, rb), cmp.Compare(a, b))
}

// leading splits off the number that text begins with.
func leading(text string) (int, string) {
	i := 0
	for i < len(text) && i < 9 && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	n, _ := strconv.Atoi(text[:i])
	return n, text[i:]
}

// maxNamed is how many designators a sentence names.
const maxNamed = 20

var plain = regexp.MustCompile(`^[A-Za-z_]{1,12}\$?[0-9]{1,6}[A-Za-z]?$`)

// Plain are those designators that are plain words, which no sentence can be
// mistaken for.
func Plain(refs []string) []string {
	var out []string
	for _, ref := range refs {
		if plain.MatchString(ref) {
			out = append(out, ref)
		}
	}
	return out
}

// Name names designators in a sentence; those that are no plain words, and those
// beyond the first twenty, are counted only.
func Name(refs []string) string {
	out := Plain(refs)
	out = out[:min(len(out), maxNamed)]
	if more := len(refs) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return strings.Join(out, ", ")
}
