package phrase

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"

	"boardorder/pkg/language"
)

// A page that is written once and read in any language has its texts between two marks, which
// nobody sees where they are left in.
const (
	markBegin = "\u2063"
	markEnd   = "\u2064"
)

var unmark = strings.NewReplacer(markBegin, "", markEnd, "")

// Mark sets a text apart that [TranslatePage] translates. Marks that it has itself go.
func Mark(text string) string {
	if text == "" {
		return ""
	}
	return markBegin + unmark.Replace(text) + markEnd
}

// The texts of a page's script, as a list, which becomes an object of those that are known.
var (
	textsBegin = []byte(`<script type="application/json" id="texts">`)
	scriptEnd  = []byte(`</script>`)
	english    = []byte(`<html lang="en">`)
)

// TranslatePage writes a page of marked texts in a language. What its scripts work with stays as it
// is, but for their texts. A page without marks stays as it is.
func TranslatePage(p *language.Printer, page []byte) []byte {
	body, scripts := page, []byte(nil)
	if n := bytes.Index(page, textsBegin); n >= 0 {
		body, scripts = page[:n], page[n:]
	}
	if !bytes.Contains(body, []byte(markBegin)) {
		return page
	}
	var out bytes.Buffer
	out.Grow(len(page) + len(page)/8)
	out.Write(p.Tighten(translateMarked(p, bytes.Replace(body, english, []byte(`<html lang="`+p.Code+`">`), 1))))
	if list, rest, found := bytes.Cut(bytes.TrimPrefix(scripts, textsBegin), scriptEnd); found {
		out.Write(textsBegin)
		out.Write(translateTexts(p, list))
		out.Write(scriptEnd)
		scripts = rest
	}
	out.Write(scripts)
	return out.Bytes()
}

// translateMarked translates what is between marks, and takes these away.
func translateMarked(p *language.Printer, body []byte) []byte {
	var out bytes.Buffer
	known := map[string]string{}
	for {
		before, rest, found := bytes.Cut(body, []byte(markBegin))
		out.WriteString(unmark.Replace(string(before)))
		if !found {
			return out.Bytes()
		}
		text, after, found := bytes.Cut(rest, []byte(markEnd))
		if !found {
			out.WriteString(unmark.Replace(string(rest)))
			return out.Bytes()
		}
		own, seen := known[string(text)]
		if !seen {
			own = string(text)
			if words, ok := Finding(p, html.UnescapeString(own)); ok {
				own = html.EscapeString(words)
			}
			known[string(text)] = own
		}
		out.WriteString(unmark.Replace(own))
		body = after
	}
}

// translateTexts gives the texts of a script by the English ones.
func translateTexts(p *language.Printer, list []byte) []byte {
	var texts []string
	known := map[string]string{}
	if json.Unmarshal(list, &texts) == nil {
		for _, text := range texts {
			if own, ok := Finding(p, text); ok {
				known[text] = own
			}
		}
	}
	object, err := json.Marshal(known)
	if err != nil {
		return []byte("{}")
	}
	return object
}
