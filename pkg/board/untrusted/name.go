package untrusted

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Mention is what something is called, as a sentence of ours says it: in quotes
// unless it is usual and has letters, since a number alone reads like a count.
func Mention(name string) string {
	if IsUsual(name) && lettered.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// IsUsual tells what can be no instruction, whoever chose it: designators such as
// R12, or what is made of a few words of the closed list below, as most nets,
// layers and files of real designs are. Nothing else is: not one word more.
func IsUsual(text string) bool {
	if !usualShape.matches(text) {
		return isDesignators(text)
	}
	c := countWords(text)
	if c.unknown > 0 {
		return isDesignators(text)
	}
	return c.words <= usualWords && c.letters <= maxLetters
}

// isDesignators tells designators of parts: R12, or "R1, R2, C10".
func isDesignators(text string) bool {
	return text != "" && capital(text[0]) && designators.MatchString(text) // nearly all others begin otherwise
}

// IsShort tells a name from a text: a word or two that are not in the closed list, in the
// characters of nets, files, layers, parts and attributes, and no longer than such names
// are. Where it has blanks it has one such word, since two of them are a phrase: "pay now"
// is none, pay_now is a name. Joined words are counted one by one, PayNow too.
func IsShort(text string) bool {
	if !plainShape.matches(text) && !shortShape.MatchString(text) {
		return false
	}
	if isPartNumber(text) {
		return true
	}
	c, most := countWords(text), shortWords
	if strings.Contains(text, " ") {
		most = 1
	}
	return c.unknown <= most && c.longest <= longestWord && c.letters-c.numbered <= maxLetters
}

// isPartNumber tells what makers number parts by: capitals and figures without blanks, a
// quarter figures and three at least, such as SN74LVC1G08DBVR. Its groups of letters are no
// words, but two may be of three letters and more, as in a name: PAY4ALL2NOW is no number.
func isPartNumber(text string) bool {
	if !numberShape.matches(text) || text[0] > '9' && !capital(text[0]) || text[0] < '0' {
		return false
	}
	figures, long := 0, 0
	for i := 0; i < len(text); i++ {
		if figure(text[i]) {
			figures++
		}
	}
	groups := letterGroups.FindAllString(text, -1)
	for _, g := range groups {
		if len(g) > longestGroup {
			return false
		}
		if len(g) > 2 {
			long++
		}
	}
	return figures >= 3 && 4*figures >= len(text) && long <= shortWords && len(groups) <= maxGroups
}

const (
	longestGroup = 6 // letters that stand together in a part number
	maxGroups    = 6
)

// IsWord reports whether a text is made of letters and blanks alone, so that where it stands
// without quotes nothing tells it from a word of ours.
func IsWord(text string) bool {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if c != ' ' || before == ' ' {
				return false
			}
		}
		before = c
	}
	return before != ' '
}

// IsPhrase reports whether a text is two words of letters, as sentences of ours are full
// of, such as "the files".
func IsPhrase(text string) bool { return IsWord(text) && strings.Count(text, " ") == 1 }

const (
	usualWords  = 5
	shortWords  = 2
	maxLetters  = 2 // that stand alone: more would spell something
	longestWord = 16
)

var (
	usualShape   = newShape(1, 40, alphanumeric+`_+~./(){}|#-`)
	plainShape   = newShape(1, 40, alphanumeric+`_+~./(){}|#$&*%,=:@'^\ -`)                                                                    // as nearly all names have shortShape
	shortShape   = regexp.MustCompile(`^(?:[A-Za-zÀ-ÖØ-öø-ſ0-9_+~./(){}|#$&*%,=:@'^\\ -]|<[0-9]{1,4}>|\[[0-9]{1,4}(?::[0-9]{1,4})?\]){1,40}$`) // with places in a bus
	numberShape  = newShape(5, 32, `ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/.,+#-`)
	letterGroups = regexp.MustCompile(`[A-Z]+`)
	lettered     = regexp.MustCompile(`[A-Za-z]`)
	designators  = regexp.MustCompile(`^[A-Z]{1,3}[0-9]{1,6}[A-Z]?(-[A-Z]{0,2}[0-9]{1,4})?(, ?[A-Z]{1,3}[0-9]{1,6}[A-Z]?){0,20}$`)
)

// A shape is what a text is made of: so many of some ASCII characters. It is an expression
// of one class, which would take fifty times as long.
type shape struct {
	least, most int
	is          [256]bool
}

const alphanumeric = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789`

func newShape(least, most int, characters string) *shape {
	s := &shape{least: least, most: most}
	for i := range len(characters) {
		s.is[characters[i]] = true
	}
	return s
}

func (s *shape) matches(text string) bool {
	if len(text) < s.least || len(text) > s.most {
		return false
	}
	for i := range len(text) {
		if !s.is[text[i]] {
			return false
		}
	}
	return true
}

// counts are of the words of a name.
type counts struct {
	words    int
	unknown  int // different ones of two letters and more that are not in the closed list
	longest  int // letters of the longest unknown one
	letters  int // words of one letter
	numbered int // of which beside a figure, as in C4
	seen     [shortWords]string
}

func countWords(text string) counts {
	var c counts
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && letter(text[end]) {
			end++
		}
		if end == i {
			i++
			continue
		}
		numbered := i > 0 && figure(text[i-1]) || end < len(text) && figure(text[end])
		c.add(text[i:end], numbered)
		i = end
	}
	return c
}

// add counts the words of a run of letters: one of the list, or what begins with capitals.
// A few capitals at the end belong to the word before them, as in LimeSDR.
func (c *counts) add(run string, numbered bool) {
	if len(run) == 1 || isKnown(run) {
		c.word(run, numbered)
		return
	}
	begin := 0
	for i := 1; i < len(run); i++ {
		if capital(run[i]) && !capital(run[i-1]) {
			c.word(run[begin:i], numbered)
			begin = i
		}
	}
	if last := strings.ToLower(run[begin:]); begin > 0 && len(last) <= 4 && capital(run[len(run)-1]) && !known[last] {
		return
	}
	c.word(run[begin:], numbered)
}

func (c *counts) word(w string, numbered bool) {
	c.words++
	switch {
	case len(w) == 1:
		c.letters++
		if numbered {
			c.numbered++
		}
	case !isKnown(w):
		c.longest = max(c.longest, len(w))
		if slices.ContainsFunc(c.seen[:], func(s string) bool { return strings.EqualFold(s, w) }) {
			return
		}
		if c.unknown < len(c.seen) {
			c.seen[c.unknown] = w
		}
		c.unknown++
	}
}

// letter takes the bytes of letters with marks for letters: nothing else that is not ASCII
// has the shape of a name.
func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80 }

func capital(b byte) bool { return b >= 'A' && b <= 'Z' }

func figure(b byte) bool { return b >= '0' && b <= '9' }
