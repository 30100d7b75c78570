package edge_test

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"boardorder/services/edge/internal/mcp/mcptest"
)

var packages = flag.String("packages", "", "the folder that deploy/compat/agents was installed in, to run the conformance suite of the protocol of agents")

// TestConformance runs what the suite has for any endpoint against the one that ships. What
// it wants fixtures for the package of the endpoint runs with them.
func TestConformance(t *testing.T) {
	if *packages == "" {
		t.Skip("needs the suite: make test-agents")
	}
	t.Parallel()
	w := start(t)
	at := w.proxy(t)
	for _, tt := range []struct{ revision, scenario, lacks string }{
		{"2026-07-28", "server-stateless", "diagnostics"},
		{"2026-07-28", "tools-list", ""},
		{"2026-07-28", "caching", "prompts"},
		{"2026-07-28", "dns-rebinding-protection", ""},
		{"2026-07-28", "sep-2164-resource-not-found", ""},
		{"2026-07-28", "http-header-validation", ""},
		{"2025-11-25", "server-initialize", ""},
		{"2025-11-25", "ping", ""},
		{"2025-11-25", "tools-list", ""},
		{"2025-11-25", "dns-rebinding-protection", ""},
		{"2025-11-25", "server-session-lifecycle", ""},
	} {
		t.Run(tt.revision+"/"+tt.scenario, func(t *testing.T) {
			args := []string{"--scenario", tt.scenario, "--spec-version", tt.revision}
			if tt.lacks != "" {
				args = append(args, "--expected-failures", "testdata/conformance/"+tt.lacks+".yaml")
			}
			mcptest.RunSuite(t, *packages, at, args...)
		})
	}
}

// proxy gives an address of the endpoint that sends the key by itself: the suite sends none.
func (w *world) proxy(t *testing.T) string {
	to, err := url.Parse(w.url)
	if err != nil {
		t.Fatal(err)
	}
	var at string
	s := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // which the suite forges, and Origin too
		if r.In.Header.Get("Origin") == at {
			r.Out.Header.Set("Origin", w.url)
		}
		r.Out.Header.Set("Authorization", "Bearer "+w.key.Text)
	}, Transport: http.DefaultTransport})
	t.Cleanup(s.Close)
	at = s.URL
	return at + "/mcp"
}
