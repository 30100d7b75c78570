// Package legal has the texts that a shop must show: who sells, on which terms,
// what becomes of personal data, how to go back on a purchase. The operator writes
// them; until then samples stand in their place, which say that they are samples.
package legal

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/yuin/goldmark"
)

//go:embed samples
var samples embed.FS

// maxBytes bounds a text.
const maxBytes = 512 << 10

// A Text is one page.
type Text struct {
	Name   string // "terms": the last part of its address
	Title  string // "Terms of sale"
	Body   template.HTML
	Sample bool // the operator has not written it
}

// Texts are all of them, in the order of the footer.
type Texts []Text

var titles = []struct{ name, title string }{
	{"terms", "Terms of sale"}, {"withdrawal", "Right of withdrawal"}, {"privacy", "Privacy"}, {"imprint", "Imprint"}, {"contact", "Contact"},
}

// Load reads <name>.md for each text from a folder: Markdown, in UTF-8. One that
// is not there, or all where dir is "", is the sample.
func Load(dir string) (Texts, error) {
	var out Texts
	for _, t := range titles {
		data, sample, err := read(dir, t.name+".md")
		if err != nil {
			return nil, fmt.Errorf("legal text %s: %w", t.name, err)
		}
		var body bytes.Buffer
		if err := goldmark.Convert(data, &body); err != nil { // leaves raw HTML and dangerous links out
			return nil, fmt.Errorf("legal text %s: %w", t.name, err)
		}
		out = append(out, Text{Name: t.name, Title: t.title, Body: template.HTML(body.String()), Sample: sample})
	}
	return out, nil
}

func read(dir, name string) (data []byte, sample bool, err error) {
	if dir != "" {
		data, err = os.ReadFile(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, false, err
		case len(data) > maxBytes, !utf8.Valid(data), len(bytes.TrimSpace(data)) == 0:
			return nil, false, fmt.Errorf("%s holds no text in UTF-8 of at most %d bytes", name, maxBytes)
		default:
			return data, false, nil
		}
	}
	data, err = samples.ReadFile("samples/" + name)
	return data, true, err
}

// Samples names those that the operator has not written.
func (t Texts) Samples() []string {
	var names []string
	for _, text := range t {
		if text.Sample {
			names = append(names, text.Name)
		}
	}
	return names
}

// Path is where a text is, below the public address.
func (t Text) Path() string { return "/legal/" + t.Name }
