// Package language writes what people read in their own language: the texts of
// pages, letters and documents from one catalog, and numbers, amounts and days
// as the language writes them. The English text is the key of its translations,
// so that a text without one is still readable.
package language

import (
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-playground/locales"
	"github.com/go-playground/locales/de"
	"github.com/go-playground/locales/en_GB"
	"github.com/go-playground/locales/es"
	"github.com/go-playground/locales/fr"
	"github.com/go-playground/locales/it"
	"github.com/go-playground/locales/ja"
	"github.com/go-playground/locales/zh_Hans"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// English is the code of the language that everything is written in first.
const English = "en"

// A Printer writes in one language. It is safe for concurrent use.
type Printer struct {
	Code string // as in lang="…": "de", "zh-Hans"
	Name string // as its speakers call it: "Deutsch"

	tag    language.Tag
	texts  *message.Printer
	locale locales.Translator

	signFirst bool // a currency's sign stands before its figure
}

// printers are the languages offered, English first, each in its own words.
var printers = []*Printer{
	newPrinter(English, "English", en_GB.New()),
	newPrinter("de", "Deutsch", de.New()),
	newPrinter("fr", "Français", fr.New()),
	newPrinter("es", "Español", es.New()),
	newPrinter("it", "Italiano", it.New()),
	newPrinter("ja", "日本語", ja.New()),
	newPrinter("zh-Hans", "简体中文", zh_Hans.New()),
}

var matcher = func() language.Matcher {
	var tags []language.Tag
	for _, p := range printers {
		tags = append(tags, p.tag)
	}
	return language.NewMatcher(tags)
}()

func newPrinter(code, name string, locale locales.Translator) *Printer {
	tag := language.MustParse(code)
	return &Printer{Code: code, Name: name, tag: tag, texts: message.NewPrinter(tag, message.Catalog(texts)), locale: locale, signFirst: code == English || code == "ja" || code == "zh-Hans"}
}

// List lists the languages there are, English first.
func List() []*Printer { return slices.Clone(printers) }

// Find is the language of a code, and English for a code that is not offered.
func Find(code string) *Printer {
	for _, p := range printers {
		if p.Code == code {
			return p
		}
	}
	return printers[0]
}

// Choose is the first language that is offered: each wish is a code or the value
// of an Accept-Language header, the weightiest first. It is English where none is.
func Choose(wishes ...string) *Printer {
	for _, wish := range wishes {
		tags, _, err := language.ParseAcceptLanguage(wish)
		if err != nil || len(tags) == 0 {
			continue
		}
		if _, i, sure := matcher.Match(tags...); sure >= language.High {
			return printers[i]
		}
	}
	return printers[0]
}

// Key marks an English text that is translated where it is shown, not where it
// stands, for the test that lists what has no translation.
func Key(text string) string { return text }

// Text writes a text of the catalog, whose English is key, with its arguments as
// of [fmt.Sprintf]; whole numbers come with the separators of the language.
func (p *Printer) Text(key string, args ...any) string { return p.texts.Sprintf(key, args...) }

// Lookup is the translation of a text that takes no arguments, if the catalog has one.
func (p *Printer) Lookup(text string) (string, bool) {
	if !plainTexts()[text] {
		return "", false
	}
	return p.texts.Sprintf(text), true
}

// HTML writes a text of the catalog that holds markup. Arguments are escaped,
// unless they are [template.HTML] or numbers.
func (p *Printer) HTML(key string, args ...any) template.HTML {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			safe[i] = template.HTMLEscapeString(arg)
		default:
			safe[i] = arg
		}
	}
	return template.HTML(p.texts.Sprintf(key, safe...)) // #nosec G203 -- our own text, and escaped arguments
}

// Day writes a day: "4 December 2026", "2026年12月4日".
func (p *Printer) Day(t time.Time) string { return p.locale.FmtDateLong(t) }

// japan is one hour all year round, in which its readers read the time.
var japan = time.FixedZone("JST", 9*60*60)

// Moment writes a time to the minute, in UTC, or as its text says.
func (p *Printer) Moment(t time.Time) string {
	t = t.UTC()
	if p.Code == "ja" {
		t = t.In(japan)
	}
	return p.Text("%[1]s, %[2]s UTC", p.Day(t), t.Format("15:04"))
}

// Number writes a number without needless digits.
func (p *Printer) Number(v float64) string {
	return p.locale.FmtNumber(v, decimals(v))
}

// Millimetres writes a length to the hundredth of a millimetre.
func (p *Printer) Millimetres(mm float64) string { return p.Number(math.Round(mm*100)/100) + " mm" }

// Size writes two lengths, as [Printer.Millimetres] does.
func (p *Printer) Size(width, height float64) string {
	return p.Number(math.Round(width*100)/100) + " × " + p.Millimetres(height)
}

// List puts what is listed one behind the other: "R1, R2", "R1、R2".
func (p *Printer) List(items []string) string {
	if p.Code == "ja" || p.Code == "zh-Hans" {
		return strings.Join(items, "、")
	}
	return strings.Join(items, ", ")
}

// Boards counts boards: "1 board", "1,200 boards".
func (p *Printer) Boards(n int) string { return p.Text("%d boards", n) }

// WorkingDays counts working days.
func (p *Printer) WorkingDays(n int) string { return p.Text("%d working days", n) }

// Hours counts hours.
func (p *Printer) Hours(n int) string { return p.Text("%d hours", n) }
