package checkout

import (
	"html/template"
	"strings"
	"time"

	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
)

// say writes what is recorded in English in the reader's language, and marks it as English
// where it is not known.
func say(p *language.Printer, text string) template.HTML {
	own := phrase.Translate(p, text)
	escaped := template.HTML(template.HTMLEscapeString(own)) // #nosec G203 -- escaped
	if p.Code == language.English || own != text || !strings.Contains(text, " ") {
		return escaped
	}
	return `<span lang="en">` + escaped + `</span>`
}

// failureNotice tells of a failure that is recorded in English.
func failureNotice(p *language.Printer, text string) Notice {
	n := Notice{Kind: "bad", Text: phrase.Translate(p, text), Focus: true}
	if p.Code != language.English && n.Text == text {
		n.Lang = language.English
	}
	return n
}

// timeElement is a moment for people and programs.
func timeElement(p *language.Printer, t time.Time) template.HTML {
	return template.HTML(`<time datetime="` + datetime(t) + `">` + template.HTMLEscapeString(p.Moment(t)) + `</time>`) // #nosec G203 -- digits, and escaped words
}

// join writes the parts of a line, and its end.
func join(p *language.Printer, parts ...string) string {
	line := parts[0]
	for _, part := range parts[1:] {
		if part != "" {
			line = p.Text("%s, %s", line, part)
		}
	}
	return p.Text("%s.", line)
}
