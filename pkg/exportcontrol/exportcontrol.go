// Package exportcontrol notices texts that say of a design that its export is
// controlled. It decides nothing: the customer is asked, and people look.
package exportcontrol

import (
	"bytes"
	"regexp"
)

// Check is the name of the finding.
const Check = "export_control"

// Advice says what follows for whoever orders such a design.
const Advice = "a controlled design cannot be ordered here; declare it with itar: true, and its files are deleted. If it is not controlled, our team looks at the order before it is built"

// marks are looked for first, since whole layers of artwork are looked through.
var marks = [][]byte{
	[]byte("ITAR"), []byte("USML"), []byte("22 CFR"), []byte("22CFR"), []byte("nternational Traffic in Arms"), []byte("NTERNATIONAL TRAFFIC IN ARMS"),
}

// says is what a notice says: "ITAR controlled", "22 CFR 120-130", "USML category XI(c)".
var says = regexp.MustCompile(`\b(?:ITAR|USML)\b|\b22 ?CFR ?(?:§ ?)?12\d\b|(?i:International Traffic in Arms)`)

// denied is a word before, or after, that turns a notice round: "not ITAR controlled",
// "ITAR-free", "ITAR: no".
var (
	deniedBefore = regexp.MustCompile(`(?i)\b(?:no|not|non|never|isn't|without|free of|nicht|kein|keine)\b[^.;:?\n]{0,40}$`)
	deniedAfter  = regexp.MustCompile(`(?i)^(?:[- ]free\b|[^.;\n]{0,24}(?:[:=,]\s*(?:no|not|none|n/a|false)\b|\b(?:does not|doesn't|is not|isn't|not) (?:apply|applicable|controlled|restricted)))`)
)

// Mentions reports whether a text says that it is under the export control of the
// United States for arms (ITAR).
func Mentions(text []byte) bool {
	for _, mark := range marks {
		for at := 0; ; {
			i := bytes.Index(text[at:], mark)
			if i < 0 {
				break
			}
			at += i
			if notice(text, at) {
				return true
			}
			at += len(mark)
		}
	}
	return false
}

// notice looks at the line around a mark.
func notice(text []byte, at int) bool {
	const around = 120
	from, to := max(0, at-around), min(len(text), at+around)
	if i := bytes.LastIndexByte(text[from:at], '\n'); i >= 0 {
		from += i + 1
	}
	if i := bytes.IndexByte(text[at:to], '\n'); i >= 0 {
		to = at + i
	}
	line := text[from:to]
	for _, m := range says.FindAllIndex(line, -1) {
		if m[0] > at-from || m[1] <= at-from {
			continue // another one's, which is looked at for itself
		}
		return !deniedBefore.Match(line[:m[0]]) && !deniedAfter.Match(line[m[1]:])
	}
	return false
}
