package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestRoutes: each row is a pattern of its own with something that handles it, and an
// entry of the menu leads to its own row.
func TestRoutes(t *testing.T) {
	t.Parallel()
	mux, entries := http.NewServeMux(), map[string]bool{}
	s := new(sections)
	for _, r := range append(s.visitorRoutes(), s.operatorRoutes()...) {
		if r.Handle == nil {
			t.Errorf("%s: nothing handles it", r.Pattern)
		}
		mux.Handle(r.Pattern, http.NotFoundHandler()) // panics about two rows that cannot be told apart
		if r.Menu.Name == "" {
			continue
		}
		if path := strings.TrimSuffix(strings.TrimPrefix(r.Pattern, "GET "), "{$}"); r.Menu.To != path || r.Menu.Text == "" || entries[r.Menu.Name] {
			t.Errorf("%s: entry %+v; want one that leads to %s, with a text and a name of its own", r.Pattern, r.Menu, path)
		}
		entries[r.Menu.Name] = true
	}
	if len(entries) == 0 {
		t.Error("the menu is empty")
	}
	for _, r := range s.visitorRoutes() {
		if r.Needs != "" || r.BeforeFactor {
			t.Errorf("%s is for whoever comes: it needs %q", r.Pattern, r.Needs)
		}
	}
}
