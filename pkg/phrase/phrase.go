// Package phrase writes in other languages what the service has written down in
// English: boards in one line, lines of prices, times of delivery. Such texts are put
// together from parts, and are translated part by part. What is not known, such as a
// name or the words of a fabricator, stays as it is.
package phrase

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/language"
)

// Translate is a recorded text in a language. One of which nothing is known stays as it is.
func Translate(p *language.Printer, text string) string {
	if p.Code == language.English || text == "" {
		return text
	}
	if own, known := TranslateWhole(p, text); known {
		return own
	}
	if own, known := Finding(p, text); known {
		return own
	}
	if own, known := translate(p, text); known {
		return own
	}
	return text
}

// translate tells also whether anything of the text is known.
func translate(p *language.Printer, text string) (own string, known bool) {
	if figure, ok := translateFigure(p, text); ok {
		return figure, true
	}
	if own, known := TranslateWhole(p, text); known {
		return own, true
	}
	for _, mark := range []string{", ", "; ", ": "} {
		if head, rest, found := strings.Cut(text, mark); found {
			before, knownBefore := translate(p, head)
			after, knownAfter := translate(p, rest)
			return p.Text(joints[mark], before, after), knownBefore || knownAfter
		}
	}
	if code := countryCodes()[strings.TrimPrefix(text, "the ")]; code != "" {
		return p.Country(code), true
	}
	return text, false
}

// TranslateWhole is a recorded sentence in a language, if it is known as a whole: one of which
// some parts alone are known is better left in one language.
func TranslateWhole(p *language.Printer, text string) (own string, known bool) {
	if own, known := p.Lookup(text); known {
		return own, true
	}
	for _, f := range forms() {
		if m := f.pattern.FindStringSubmatch(text); m != nil {
			return f.translate(p, m[1:], func(p *language.Printer, text string) (string, bool) { return Translate(p, text), true })
		}
	}
	return text, false
}

// joints are what stands between the parts of a text.
var joints = map[string]string{", ": language.Key("%s, %s"), "; ": language.Key("%s; %s"), ": ": language.Key("%s: %s"), ". ": language.Key("%s %s")}

var (
	dollars = regexp.MustCompile(`^\$([\d,]+)\.(\d\d)$`)
	percent = regexp.MustCompile(`^([\d.]+) ?%$`)
)

// translateFigure writes amounts, rates and days.
func translateFigure(p *language.Printer, text string) (string, bool) {
	if m := dollars.FindStringSubmatch(text); m != nil {
		cents, err := strconv.ParseInt(strings.ReplaceAll(m[1], ",", "")+m[2], 10, 64)
		return p.Amount(cents, ""), err == nil
	}
	if m := percent.FindStringSubmatch(text); m != nil {
		rate, err := strconv.ParseFloat(m[1], 64)
		return p.Text("%s %%", p.Number(rate)), err == nil
	}
	day, err := time.Parse(time.DateOnly, text)
	return p.Day(day), err == nil
}

// A form is a text with gaps.
type form struct {
	key     string
	pattern *regexp.Regexp
	verbs   []string
	words   string // that every text of the form has, where that is looked at first
}

var (
	verb   = regexp.MustCompile(`%[sdv]`)
	plural = regexp.MustCompile(`s( |,|$)`)
	gaps   = map[string]string{"%s": "(.+?)", "%d": `([\d,]+)`, "%v": `(-?\d+(?:\.\d+)?)`}
)

// forms are those of keys: what a %d takes is a count, a %v a measure, a %s words.
var forms = sync.OnceValue(func() []form {
	var out []form
	for _, key := range slices.Concat(sentences, keys) {
		verbs := verb.FindAllString(key, -1)
		if verbs == nil {
			continue
		}
		pattern := regexp.QuoteMeta(key)
		if verbs[0] == "%d" { // of one
			pattern = plural.ReplaceAllString(pattern, "s?$1")
		}
		pattern = verb.ReplaceAllStringFunc(pattern, func(v string) string { return gaps[v] })
		out = append(out, form{key: key, pattern: regexp.MustCompile("^" + pattern + "$"), verbs: verbs})
	}
	return out
})

// translate fills in a form what was found in its gaps; gap translates words of those and tells whether
// it may.
func (f form) translate(p *language.Printer, found []string, gap func(*language.Printer, string) (string, bool)) (own string, known bool) {
	args := make([]any, len(found))
	for i, text := range found {
		switch f.verbs[i] {
		case "%d":
			if n, err := strconv.Atoi(strings.ReplaceAll(text, ",", "")); err == nil {
				args[i] = n
				continue
			}
		case "%v":
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				args[i] = p.Number(v)
				continue
			}
		}
		words, ok := gap(p, text)
		if !ok {
			return "", false
		}
		args[i] = words
	}
	return p.Text(f.key, args...), true
}

// countryCodes are the codes of countries by their English names.
var countryCodes = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if code := string([]rune{a, b}); address.IsCountry(code) {
				out[address.CountryName(code)] = code
			}
		}
	}
	return out
})
