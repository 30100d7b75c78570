package shop

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
	"boardorder/services/edge/internal/web"
)

// A voice writes the words of a page in its language.
type voice struct {
	*language.Printer
	plain *strings.Replacer // of sentences for programs, with the labels of the page
}

// said is a sentence of another service: in the page's language, or in English where it has
// none.
type said struct {
	Text    string
	English bool // beside a page in another language
}

// fieldName is one of a request to the API, which nobody can fill in on a page.
var fieldName = regexp.MustCompile(`\b[a-z]+_[a-z_]+\b`)

func newVoice(p *language.Printer) voice { return voice{p, plainFor(p)} }

// voice is that of the page that a call asks for.
func (s *Shop) voice(c *web.Call) voice { return s.voices[c.Language().Code] }

func (p voice) isEnglish() bool { return p.Code == language.English }

// say puts a sentence that another service wrote, in English and for programs, into the words
// of the page.
func (p voice) say(english string) said {
	plain := p.plain.Replace(english)
	if p.isEnglish() || plain == "" {
		return said{Text: plain}
	}
	for _, text := range []string{english, plain} {
		if own, known := phrase.TranslateWhole(p.Printer, text); known && !fieldName.MatchString(own) {
			return said{Text: own}
		}
		if own, known := phrase.Finding(p.Printer, text); known && !fieldName.MatchString(own) {
			return said{Text: own}
		}
	}
	return said{Text: plain, English: true}
}

// phrase is a label, a time of delivery or the like, as recorded.
func (p voice) phrase(english string) said {
	own := phrase.Translate(p.Printer, english)
	if own == "" {
		return said{}
	}
	first, size := utf8.DecodeRuneInString(own)
	return said{Text: string(unicode.ToUpper(first)) + own[size:]}
}

// name is what the page calls a value of the catalogue.
func (p voice) name(english string) string {
	if !catalogNames[english] {
		return english
	}
	return p.Text(english)
}

// scriptWords are what the pages' script says. What stands in braces is filled in there.
func (p voice) scriptWords() string {
	const file, size, all, mb = "{file}", "{size}", "{all}", "{mb}"
	text, _ := json.Marshal(map[string]string{ // of plain texts
		"unreadable": p.Text("That could not be read. Please choose the files instead."),
		"one":        p.Text("%[1]s, %[2]s.", file, size),
		"several":    p.Text("%[1]s files, %[2]s.", file, size),
		"fileLarge":  p.Text("%s is larger than %s MB; please leave it out or make it smaller.", file, mb),
		"allLarge":   p.Text("That is more than %s MB.", mb),
		"none":       p.Text("Please choose the files of your board first."),
		"ready":      p.Text("Getting ready…"),
		"stopped":    p.Text("Stopped. Nothing was kept."),
		"unsent":     p.Text("The files could not be sent. Please check the connection and try again."),
		"sending":    p.Text("Sending: %s of %s", size, all),
		"sent":       p.Text("Sent. Unpacking your files…"),
		"untaken":    p.Text("The files could not be taken. Please try again in a moment."),
		"unpriced":   p.Text("The new price could not be fetched. Please press “Update price”."),
		"kB":         p.Text("%s kB", size), "MB": p.Text("%s MB", size),
	})
	return string(text)
}
