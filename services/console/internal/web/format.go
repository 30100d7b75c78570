package web

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	prices "boardorder/pkg/money"
	"boardorder/services/console/internal/plain"
)

//go:embed assets
var assets embed.FS

type pages map[string]*template.Template

var pageNames = []string{
	"signin", "factor", "sessions", "problem", "overview", "quotes", "quote", "layers", "reviews", "review", "approvals", "orders", "order", "centrals", "central", "customers", "customer", "uploads",
	"events", "found", "life", "streams", "replayed", "history", "event", "deadletters", "deadletter", "accounts", "audit", "account", "newkey", "changekey", "revoke",
}

func parsePages() (pages, error) {
	all := pages{}
	for _, name := range pageNames {
		t, err := template.New(name).Funcs(funcs).ParseFS(assets, "assets/layout.html", "assets/parts.html", "assets/assembly.html", "assets/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		all[name] = t
	}
	return all, nil
}

var funcs = template.FuncMap{
	"line":      func(s any) string { return plain.Line(text(s), 200) },
	"short":     func(s any) string { return plain.Line(text(s), 60) },
	"prose":     func(s any) string { return plain.Block(text(s), 5000) },
	"id":        id,
	"whose":     contract.AccountOf,
	"istest":    contract.IsTest,
	"money":     money,
	"size":      size,
	"when":      formatTime,
	"stamp":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"words":     words,
	"tone":      tone,
	"upper":     func(s any) string { return strings.ToUpper(fmt.Sprint(s)) },
	"join":      func(s []string) string { return plain.Line(strings.Join(s, ", "), 300) },
	"sentences": func(s []string) string { return plain.Line(strings.Join(s, " "), 300) },
	"number":    quotes.PeopleRef,
	"entry":     func(here, name, to, text string) entry { return entry{to, text, here == name} },
	"inc":       func(i int) int { return i + 1 },
	"high":      func(n int64) int64 { return n / 10 * 8 },
	"stream":    func(name string) string { return words(strings.ToLower(strings.TrimPrefix(name, "EVENTS_"))) },
	"took":      took,
	"doing":     doing,
	"named":     factName,
	"value":     factValue,
	"sure":      func(f float64) string { return strconv.Itoa(int(f*100+0.5)) + " %" },
}

// entry is one entry of the menu.
type entry struct {
	To, Text string
	Here     bool
}

// text writes a value; a *string may be nil.
func text(v any) string {
	if p, ok := v.(*string); ok {
		if p == nil {
			return ""
		}
		return *p
	}
	return fmt.Sprint(v)
}

// id shortens what nobody reads in full: the end of an id distinguishes it from others
// of its kind, the beginning of a hash is as good.
func id(s string) string {
	s = plain.Line(s, 100)
	prefix, rest, prefixed := strings.Cut(s, "_")
	switch {
	case len(s) <= 18 || strings.ContainsAny(s, " …"):
		return s
	case prefixed && len(rest) > 8:
		return prefix + "_…" + rest[len(rest)-6:]
	}
	return s[:10] + "…"
}

// money writes cents, int64 or a pointer to it: $1,234.50, or EUR 1,234.50.
func money(amount any, currency string) string {
	cents, ok := amount.(int64)
	if p, pointer := amount.(*int64); pointer && p != nil {
		cents, ok = *p, true
	}
	if !ok {
		return "–"
	}
	return strings.Replace(prices.Amount(cents, strings.ToUpper(plain.Line(currency, 3))), "-", "−", 1)
}

// size writes bytes: 1.5 MB. It takes any integer.
func size(n any) string {
	f, err := strconv.ParseFloat(fmt.Sprint(n), 64)
	if err != nil {
		return ""
	}
	unit := 0
	for ; f >= 1000 && unit < len(units)-1; unit++ {
		f /= 1000
	}
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0") + " " + units[unit]
}

var units = []string{"B", "kB", "MB", "GB", "TB"}

// formatTime writes a time, in UTC; a *time.Time may be nil.
func formatTime(t any) string {
	switch t := t.(type) {
	case time.Time:
		if t.IsZero() {
			return "–"
		}
		return t.UTC().Format("2006-01-02 15:04:05")
	case *time.Time:
		if t != nil {
			return formatTime(*t)
		}
	}
	return "–"
}

// words reads a name of ours aloud: review_priced is "review priced".
func words(s any) string {
	return strings.NewReplacer("_", " ", "-", " ").Replace(plain.Line(fmt.Sprint(s), 60))
}

// tone is the colour of a status.
func tone(status any) string {
	switch fmt.Sprint(status) {
	case "held", "expired", "itar_declared", "must_fix", "revoked", "cancelled", "lost", "failed", "refused":
		return "bad"
	case "sourcing_requested", "awaiting_payment", "placing", "open", "warning", "test", "checking", "begun", "pending":
		return "busy"
	case "ordered", "paid", "in_production", "shipped", "placed", "sourcing_quoted", "live", "pass", "done", "won":
		return "good"
	}
	return "calm"
}

// maxBody bounds how much of a body is shown.
const maxBody = 200_000

// pretty writes JSON for people; what is no JSON is shown as it is.
func pretty(body []byte) string {
	var out bytes.Buffer
	if json.Indent(&out, body, "", "  ") != nil {
		return plain.Block(string(body), maxBody)
	}
	return plain.Block(out.String(), maxBody)
}

var assetTypes = map[string]string{
	"console.css": "text/css; charset=utf-8", "console.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
}

func asset(w http.ResponseWriter, r *http.Request) {
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
