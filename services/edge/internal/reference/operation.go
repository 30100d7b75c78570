package reference

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// An operation is one endpoint.
type operation struct {
	ID, Method, Path, Summary string
	Text                      template.HTML
	Open                      bool // needs no key
	Parameters                []field
	Media                     string // type of the body, or ""
	Body                      []field
	Bodies                    []sample // one of which is in the curl command
	Curl                      string
	Replies, Errors           []reply
}

// A reply is one of an operation's replies.
type reply struct {
	Status, Name string // such as 201, Created
	Text         template.HTML
	Headers      []string
	Types        []typeName
	Samples      []sample
	Codes        []code
}

// A sample is an example; a code one of the errors.
type (
	sample struct{ Name, JSON string }
	code   struct{ Code, Message string }
)

// Form reports whether the body is a form with files.
func (op operation) Form() bool { return strings.HasPrefix(op.Media, "multipart/") }

func (d *document) operation(at place, path, method string, o object, server string) operation {
	op := operation{
		ID: text(o["operationId"]), Method: strings.ToUpper(method), Path: path, Summary: text(o["summary"]), Text: words(o["description"]),
	}
	op.Open = o["security"] != nil && len(list(o["security"])) == 0
	for i, p := range list(o["parameters"]) {
		if p, ok := p.(object); ok {
			op.Parameters = append(op.Parameters, d.parameter(at.join("parameters", fmt.Sprint(i)), p))
		}
	}
	to, body := d.get(at, o, "requestBody")
	if content, ok := body["content"].(object); ok {
		for media, m := range content { // one type each
			m, _ := m.(object)
			where := to.join("content", media)
			op.Media = media
			schema, _ := m["schema"].(object)
			op.Body = d.fields(where.join("schema"), schema)
			op.Bodies = d.samples(where, m)
		}
	}
	to, replies := at.join("responses"), object{}
	if r, ok := o["responses"].(object); ok {
		replies = r
	}
	for _, status := range d.names(to, replies) {
		r := d.reply(to, replies, status)
		if status[0] == '2' || status[0] == '3' {
			op.Replies = append(op.Replies, r)
		} else {
			op.Errors = append(op.Errors, r)
		}
	}
	slices.SortStableFunc(op.Errors, func(a, b reply) int { return strings.Compare(a.Status, b.Status) })
	op.Curl = curl(op, server)
	return op
}

func (d *document) parameter(at place, p object) field {
	at, p = d.follow(at, p)
	_, schema := d.get(at, p, "schema")
	f := d.field(at.join("schema"), schema)
	f.Name, f.Location, f.Needed = text(p["name"]), text(p["in"]), p["required"] == true
	if f.Text == "" || p["description"] != nil {
		f.Text = words(p["description"])
	}
	return f
}

func (d *document) reply(at place, replies object, status string) reply {
	to, r := d.get(at, replies, status)
	out := reply{Status: status, Name: statusName(status), Text: words(r["description"])}
	if headers, ok := r["headers"].(object); ok {
		out.Headers = d.names(to.join("headers"), headers)
	}
	content, _ := r["content"].(object)
	for media, m := range content {
		m, ok := m.(object)
		if !ok {
			continue
		}
		where := to.join("content", media)
		schema, _ := m["schema"].(object)
		out.Types = append(out.Types, d.types(where, schema)...)
		if media != "application/json" {
			out.Types = []typeName{{Words: media}}
		}
		out.Samples = append(out.Samples, d.samples(where, m)...)
		out.Codes = append(out.Codes, d.codes(where, m)...)
	}
	return out
}

// samples are the examples of a body, as JSON in the order of writing.
func (d *document) samples(at place, media object) []sample {
	examples, _ := media["examples"].(object)
	var out []sample
	for _, name := range d.names(at.join("examples"), examples) {
		to, e := d.get(at.join("examples"), examples, name)
		if v, ok := e["value"]; ok {
			var text strings.Builder
			d.sample(&text, to.join("value"), v, "")
			out = append(out, sample{name, text.String()})
		}
	}
	return out
}

// codes are the errors among the examples.
func (d *document) codes(at place, media object) []code {
	examples, _ := media["examples"].(object)
	var out []code
	for _, name := range d.names(at.join("examples"), examples) {
		_, e := d.get(at.join("examples"), examples, name)
		v, _ := e["value"].(object)
		if c, ok := v["error"].(string); ok {
			out = append(out, code{c, text(v["message"])})
		}
	}
	return out
}

var inPath = regexp.MustCompile(`\{(\w+)\}`)

// curl is a command that calls an endpoint; what the reader has to fill in are
// variables of the shell.
func curl(op operation, server string) string {
	address := server + inPath.ReplaceAllStringFunc(op.Path, func(name string) string { return "$" + strings.ToUpper(strings.Trim(name, "{}")) })
	parts := []string{`curl -s "` + address + `"`}
	if op.Method != http.MethodGet && op.Method != http.MethodPost || op.Method == http.MethodPost && op.Media == "" {
		parts[0] = `curl -s -X ` + op.Method + ` "` + address + `"`
	}
	if !op.Open {
		parts = append(parts, `-H "X-API-Key: $API_KEY"`)
	}
	switch {
	case op.Form():
		for _, f := range op.Body {
			if v := formValue(f); v != "" {
				parts = append(parts, "-F "+f.Name+"="+v)
			}
		}
	case len(op.Bodies) > 0:
		parts = append(parts, `-H "Content-Type: application/json"`, "-d '"+strings.ReplaceAll(op.Bodies[0].JSON, "'", `'\''`)+"'")
	}
	return strings.Join(parts, " \\\n  ")
}

// formValue is what to send in a field of a form: a file, or a value that is needed.
func formValue(f field) string {
	switch {
	case f.File():
		if f.Name == "files" || f.Name == "gerbers" {
			return "@board.zip"
		}
		return "@" + f.Name + ".csv"
	case f.Needed && len(f.Types) == 1 && f.Types[0].Words == "integer":
		return "10"
	case f.Needed:
		return `"$` + strings.ToUpper(f.Name) + `"`
	}
	return ""
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// markdown reads what descriptions are written in: CommonMark, and tables.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// words is a description, which is Markdown, as HTML.
func words(v any) template.HTML {
	var out bytes.Buffer
	if markdown.Convert([]byte(text(v)), &out) != nil {
		return ""
	}
	page := strings.ReplaceAll(out.String(), "<pre>", `<pre tabindex="0">`) // which keys scroll
	return template.HTML(page)                                              // ours, and goldmark leaves raw HTML out
}

func statusName(status string) string {
	n := 0
	for _, c := range status {
		n = n*10 + int(c-'0')
	}
	return http.StatusText(n)
}
