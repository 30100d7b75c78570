package phrase

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/language"
)

// Finding is what a finding or a report says, in a language: it is one sentence or several, of
// which each is translated as a whole. It is known only if all are, for sentences of two languages
// are read worse than those of one that is not the reader's; else it stays as it is.
func Finding(p *language.Printer, text string) (own string, known bool) {
	if p.Code == language.English || text == "" {
		return text, false
	}
	return findingSentences(p, text)
}

// findings are all texts of findings and reports.
var findings = slices.Concat(checkTexts, reportTexts, readerTexts)

// sentenceEnd is where a sentence ends and the next begins.
var sentenceEnd = regexp.MustCompile(`\. (?:"|\p{Lu})`)

func findingSentences(p *language.Printer, text string) (own string, known bool) {
	if own, known := findingSentence(p, text); known {
		return own, true
	}
	for _, at := range sentenceEnd.FindAllStringIndex(text, -1) {
		head, ok := findingSentence(p, text[:at[0]+1])
		if !ok {
			continue
		}
		if rest, ok := findingSentences(p, text[at[0]+2:]); ok {
			return p.Text(joints[". "], head, rest), true
		}
	}
	if head, rest, found := strings.Cut(text, ": "); found { // of a file, or of what was checked
		subject, known := findingSentence(p, head)
		if !known && (strings.HasPrefix(head, `"`) || !strings.ContainsAny(head, " ,")) {
			subject, known = head, true
		}
		if own, ok := findingSentences(p, rest); ok && known {
			return p.Text(joints[": "], subject, own), true
		}
	}
	if own, known := findingList(p, strings.TrimSuffix(text, ".")); known && strings.HasSuffix(text, ".") {
		return p.Text(fullStop, own), true
	} else if known {
		return own, true
	}
	return text, false
}

// findingList is a list of parts that are all known.
func findingList(p *language.Printer, text string) (own string, known bool) {
	head, rest, found := strings.Cut(text, ", ")
	own, known = wholeFinding(p, head)
	if !found || !known {
		return own, found && known
	}
	after, known := wholeFinding(p, rest)
	if !known {
		after, known = findingList(p, rest)
	}
	return p.Text(joints[", "], own, after), known
}

// findingSentence is a sentence, which may be recorded with or without a capital and a stop.
func findingSentence(p *language.Printer, text string) (own string, known bool) {
	if own, known := wholeFinding(p, text); known {
		if first, _ := utf8.DecodeRuneInString(text); unicode.IsUpper(first) {
			own = upperFirst(own)
		}
		return own, true
	}
	body := strings.TrimSuffix(text, ".")
	for _, as := range []string{body, lowerFirst(body)} {
		if own, known := wholeFinding(p, as); known {
			if body != text {
				own = p.Text(fullStop, own)
			}
			if as != body {
				own = upperFirst(own)
			}
			return own, true
		}
	}
	return text, false
}

// fullStop is a sentence with its end.
var fullStop = language.Key("%s.")

func wholeFinding(p *language.Printer, text string) (own string, known bool) {
	if own, known := p.Lookup(text); known {
		return own, true
	}
	for _, f := range findingForms() {
		if !f.mayBe(text) {
			continue
		}
		if m := f.pattern.FindStringSubmatch(text); m != nil {
			if own, known := f.translate(p, m[1:], findingGap); known {
				return own, true
			}
		}
	}
	return text, false
}

var (
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	prose  = regexp.MustCompile(`\b[a-z]{2,} [a-z]+ [a-z]{2,}\b`)
)

// findingGap is a part of a sentence: words that are known, lists of them, figures, or names, which
// stay. Other words of ours are a sentence that is not known.
func findingGap(p *language.Printer, text string) (own string, known bool) {
	if strings.Count(text, "(") != strings.Count(text, ")") {
		return text, false
	}
	if own, known := gapList(p, text, "; "); known {
		return own, true
	}
	if own, known := findingSentences(p, text); known {
		return own, true
	}
	if own, known := wholeFinding(p, text+"."); known { // a sentence in parentheses
		return strings.TrimRight(own, ".。"), true
	}
	if own, known := gapList(p, text, ", "); known {
		return own, true
	}
	if own, known = translate(p, text); !known {
		own = text
	}
	return own, !prose.MatchString(quoted.ReplaceAllString(text, ""))
}

// gapList is a list in a gap.
func gapList(p *language.Printer, text, mark string) (own string, known bool) {
	head, rest, found := strings.Cut(text, mark)
	if !found {
		return text, false
	}
	before, known := findingGap(p, head)
	after, also := findingGap(p, rest)
	return p.Text(joints[mark], before, after), known && also
}

func lowerFirst(s string) string { return changeFirst(s, unicode.ToLower) }
func upperFirst(s string) string { return changeFirst(s, unicode.ToUpper) }

func changeFirst(s string, to func(rune) rune) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(to(r)) + s[n:]
}

// choice are words of which a form has one: "(is|are)".
var choice = regexp.MustCompile(`\\\(([^()]*?\\\|[^()]*?)\\\)`)

// findingForms are those of findings, those with the most words first: of two that fit, it says
// more.
var findingForms = sync.OnceValue(func() []form {
	var out []form
	for _, key := range findings {
		verbs := verb.FindAllString(key, -1)
		if verbs == nil && !strings.Contains(key, "|") {
			continue
		}
		pattern := choice.ReplaceAllStringFunc(regexp.QuoteMeta(key), func(c string) string {
			return "(?:" + strings.ReplaceAll(c[2:len(c)-2], `\|`, "|") + ")"
		})
		pattern = verb.ReplaceAllStringFunc(pattern, func(v string) string { return gaps[v] })
		out = append(out, form{key: key, pattern: regexp.MustCompile("^" + pattern + "$"), verbs: verbs, words: longestWords(key)})
	}
	slices.SortStableFunc(out, func(a, b form) int {
		return len(verb.ReplaceAllString(b.key, "")) - len(verb.ReplaceAllString(a.key, ""))
	})
	return out
})

// split is what parts the words of a form that always stand.
var split = regexp.MustCompile(`%[sdv]|\([^()]*\|[^()]*\)`)

func longestWords(key string) string {
	longest := ""
	for _, words := range split.Split(key, -1) {
		if len(words) > len(longest) {
			longest = words
		}
	}
	return longest
}

// mayBe tells quickly whether a text can be of the form.
func (f form) mayBe(text string) bool { return strings.Contains(text, f.words) }

// Findings lists what is known of findings and reports: texts, and forms with gaps (%s, %d, %v) and
// choices ("(is|are)").
func Findings() []string { return slices.Clone(findings) }
