package email

import (
	"html"
	htmltemplate "html/template"
	"regexp"
	"strings"
	text "text/template"
	"time"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/language"
	"boardorder/pkg/money"
	"boardorder/pkg/phrase"

	"golang.org/x/text/width"
)

// textFuncs are what templates write with in a language. {{t "English" arguments…}} is a
// text of the catalog, {{th …}} one with markup, which only HTML shows; {{recorded …}}
// is what the service has written down in English.
func textFuncs(p *language.Printer) text.FuncMap {
	return text.FuncMap{
		"t": p.Text,
		"th": func(key string, args ...any) string {
			return html.UnescapeString(tag.ReplaceAllString(string(p.HTML(key, args...)), ""))
		},
		"follow":   func(s string) string { return follow(p, s) },
		"recorded": func(s string) string { return plain(phrase.Translate(p, s), 300) },
		"plain":    func(s string) string { return plain(s, 300) },
		"url":      func(s string) string { return untrusted.Line(s, 2000) },
		"quoted":   quote,
		"paras":    paragraphs,
		"money":    func(cents int64, currency string) string { return amount(p, cents, currency) },
		"returned": func(cents int64, currency string, charged *prices.Charged) string {
			return refundAmount(p, cents, currency, charged)
		},
		"decimal": p.Decimal,
		"charge":  func(c prices.Charged) string { return p.Money(c.Minor, c.Digits, c.Currency) },
		"day":     func(t time.Time) string { return p.Day(t.UTC()) },
		"moment":  p.Moment,
		"boards":  p.Boards,
		"join":    p.List,
		"pad":     pad,
		"link":    func(url, label string) Link { return Link{url, label} },
		"lang":    func() string { return p.Code },
	}
}

// htmlFuncs are those of pages, which have the shop's name at their head.
func htmlFuncs(p *language.Printer, shop string) htmltemplate.FuncMap {
	funcs := htmltemplate.FuncMap(textFuncs(p))
	funcs["shop"] = func() string { return shop }
	funcs["th"] = p.HTML
	funcs["mailto"] = func(to string) htmltemplate.HTML {
		to = html.EscapeString(to)
		return htmltemplate.HTML(`<a href="mailto:` + to + `" style="color:#0b6b4f">` + to + `</a>`) // #nosec G203 -- escaped
	}
	return funcs
}

// refundAmount is what goes back to a card: in the currency that it was charged in.
func refundAmount(p *language.Printer, cents int64, currency string, charged *prices.Charged) string {
	if charged != nil {
		return p.Money(charged.Minor, charged.Digits, charged.Currency)
	}
	return amount(p, cents, currency)
}

var tag = regexp.MustCompile("<[^>]*>")

// follow is a sentence behind the greeting and its comma, where English goes on in
// small letters.
func follow(p *language.Printer, s string) string {
	if p.Code != language.English {
		return s
	}
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(first)) + s[n:]
}

// amount writes money, in English as the API does.
func amount(p *language.Printer, cents int64, currency string) string {
	if p.Code == language.English {
		return money.Amount(cents, currency)
	}
	return p.Amount(cents, currency)
}

// Longest free text that an e-mail repeats, in bytes.
const maxNotes = 5000

// plain makes foreign words fit for a sentence of ours.
func plain(s string, n int) string { return untrusted.Isolate(untrusted.Line(s, n)) }

// truncate bounds what an e-mail weighs, whatever it is written in.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimSpace(untrusted.CutBytes(s, n)) + "…"
}

// paragraphs splits foreign words into lines.
func paragraphs(s string) []string {
	lines := strings.Split(untrusted.Block(truncate(s, maxNotes), maxNotes), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// quote marks every line of foreign words, so that none passes for ours.
func quote(s string) string {
	lines := paragraphs(s)
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
	}
	return strings.Join(lines, "\n")
}

// pad lines up a label and an amount in a column of 58 characters, of which those of
// East Asia take two.
func pad(label, amount string) string {
	label = plain(label, 120)
	gap := 58 - columns(label) - columns(amount)
	return label + " " + strings.Repeat(".", max(2, gap-2)) + " " + amount
}

func columns(s string) int {
	n := 0
	for _, r := range s {
		switch kind := width.LookupRune(r).Kind(); {
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
