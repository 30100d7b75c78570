// Package page gives the simulator's web pages one frame and one look.
package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"time"
)

//go:embed layout.html style.css
var files embed.FS

// A Set renders the page templates of one stand-in inside the common frame.
type Set struct{ t map[string]*template.Template }

// A View is what a page shows: its title, and whatever its template reads.
type View struct {
	Title string
	Home  string // address of the simulator's index, "/" unless configured
	Bare  bool   // without the simulator's own header: a page that customers see
	Style template.CSS
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
	v.Style = template.CSS(css)
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

// Money writes cents of a currency for reading, such as "$1,234.50".
func Money(cents int64, currency string) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	whole := fmt.Sprint(cents / 100)
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	symbol := map[string]string{"usd": "$", "eur": "€", "gbp": "£"}[currency]
	if symbol == "" {
		symbol = fmt.Sprintf("%s ", currency)
	}
	return fmt.Sprintf("%s%s%s.%02d", sign, symbol, whole, cents%100)
}
