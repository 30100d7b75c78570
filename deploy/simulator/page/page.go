// Package page gives the simulator's web pages one frame and one look.
package page

import (
	"bytes"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

//go:embed layout.html style.css mark.svg
var files embed.FS

// A Set renders the page templates of one stand-in inside the common frame.
type Set struct{ t map[string]*template.Template }

// A View is what a page shows: its title, and whatever its template reads.
type View struct {
	Title string
	Home  string // address of the simulator's index, "/" unless configured
	Bare  bool   // without the simulator's own header: a page that customers see
	Style template.CSS
	Mark  template.URL
	Data  any
}

// Parse reads every *.html file of fsys as one page. A page defines "body".
func Parse(fsys fs.FS, dir string) (*Set, error) {
	sub, err := fs.Sub(fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("parse pages: %w", err)
	}
	names, err := fs.Glob(sub, "*.html")
	if err != nil {
		return nil, fmt.Errorf("parse pages: %w", err)
	}
	set := &Set{t: map[string]*template.Template{}}
	for _, name := range names {
		t, err := template.New("layout.html").Funcs(funcs()).ParseFS(files, "layout.html")
		if err == nil {
			t, err = t.ParseFS(sub, name)
		}
		if err != nil {
			return nil, fmt.Errorf("parse page %s: %w", name, err)
		}
		set.t[name] = t
	}
	return set, nil
}

// Show writes the page called name, or a plain error when it cannot be made.
func (s *Set) Show(w http.ResponseWriter, status int, name string, v View) {
	css, err := files.ReadFile("style.css")
	if err != nil {
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	mark, err := files.ReadFile("mark.svg")
	if err != nil {
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	v.Style, v.Mark = template.CSS(css), template.URL("data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString(mark))
	if v.Home == "" {
		v.Home = "/"
	}
	var out bytes.Buffer
	t, ok := s.t[name]
	if !ok {
		http.Error(w, "no such page", http.StatusInternalServerError)
		return
	}
	if err := t.Execute(&out, v); err != nil {
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'")
	w.WriteHeader(status)
	w.Write(out.Bytes())
}

func funcs() template.FuncMap {
	return template.FuncMap{
		"money": Money,
		"times": func(a, b int64) int64 { return a * b },
		"unix":  func(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05") },
		"stamp": func(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05") },
	}
}

// undivided are the currencies that card processors count in whole units.
const undivided = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf"

// Money writes the minor units of a currency for reading, such as "$1,234.50" or "jpy 1,234".
func Money(cents int64, currency string) string {
	sign, part := "", ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	if !strings.Contains(undivided, currency) {
		cents, part = cents/100, fmt.Sprintf(".%02d", cents%100)
	}
	whole := fmt.Sprint(cents)
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	symbol := map[string]string{"usd": "$", "eur": "€", "gbp": "£"}[currency]
	if symbol == "" {
		symbol = fmt.Sprintf("%s ", currency)
	}
	return sign + symbol + whole + part
}
