package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/format"
)

var (
	//go:embed *.html
	files embed.FS
	//go:embed assets
	assets embed.FS
)

// shared is what every page can use: the frame, and parts of pages.
var shared = template.Must(template.New("shared").Funcs(funcs).ParseFS(files, "layout.html", "parts.html", "assembly.html", "lines.html", "providers.html"))

// templates are the pages of this package.
var templates = Parse(files, "problem.html")

// Templates are the pages of one package, by the names of their files without ".html".
type Templates map[string]*template.Template

// Parse reads pages, each of which defines "content" and can use what all share.
// Like template.Must it panics about a page that cannot be read, at the start of
// the process.
func Parse(from fs.FS, names ...string) Templates {
	all := Templates{}
	for _, file := range names {
		t := template.Must(template.Must(shared.Clone()).ParseFS(from, file))
		all[strings.TrimSuffix(path.Base(file), ".html")] = t
	}
	return all
}

// ParseAll reads every page in a folder.
func ParseAll(from embed.FS) Templates {
	names, err := fs.Glob(from, "*.html")
	if err != nil || len(names) == 0 {
		panic(fmt.Sprintf("no pages: %v", err))
	}
	return Parse(from, names...)
}

var funcs = template.FuncMap{
	"line":      func(s any) string { return untrusted.Line(format.Text(s), 200) },
	"short":     func(s any) string { return untrusted.Line(format.Text(s), 60) },
	"prose":     func(s any) string { return untrusted.Block(format.Text(s), 5000) },
	"id":        format.ID,
	"whose":     contract.AccountOf,
	"istest":    contract.IsTest,
	"money":     format.Money,
	"size":      format.Size,
	"when":      format.Time,
	"stamp":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"words":     format.Words,
	"tone":      format.Tone,
	"upper":     func(s any) string { return strings.ToUpper(fmt.Sprint(s)) },
	"join":      func(s []string) string { return untrusted.Line(strings.Join(s, ", "), 300) },
	"sentences": func(s []string) string { return untrusted.Line(joinSentences(s), 300) },
	"number":    quotes.CustomerRef,
	"language":  format.Language,
	"newest":    newest,
	"inc":       func(i int) int { return i + 1 },
	"high":      func(n int64) int64 { return n / 10 * 8 },
	"stream":    format.Stream,
	"took":      format.Duration,
	"slug":      func(s any) string { return strings.ReplaceAll(fmt.Sprint(s), " ", "-") },
	"doing":     cases.Describe,
	"refund":    format.Refund,
	"named":     design.FactName,
	"value":     design.FactValue,
	"sure":      func(f float64) string { return strconv.Itoa(int(f*100+0.5)) + " %" },
}

// newest are the questions of a conversation, the last first.
func newest(all []quotes.ReviewQuestion) []quotes.ReviewQuestion {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

// joinSentences puts sentences one behind the other, each with an end.
func joinSentences(all []string) string {
	ended := make([]string, 0, len(all))
	for _, s := range all {
		if s = strings.TrimSpace(s); s != "" && !strings.ContainsAny(s[len(s)-1:], ".!?") {
			s += "."
		}
		if s != "" {
			ended = append(ended, s)
		}
	}
	return strings.Join(ended, " ")
}

var assetTypes = map[string]string{
	"console.css": "text/css; charset=utf-8", "console.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
}

// Robots asks crawlers to stay away: nothing here is for them.
func Robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "User-agent: *\nDisallow: /\n")
}

// Asset serves the style sheet, the script and the picture that all pages use.
func Asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := assets.ReadFile("assets/" + name)
	if assetTypes[name] == "" || err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", assetTypes[name])
	w.Header().Set("Cache-Control", "private, max-age=300")
	_, _ = w.Write(data)
}
