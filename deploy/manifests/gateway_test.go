package manifests

import (
	"strings"
	"testing"
	"time"

	core "k8s.io/api/core/v1"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
)

func routes(all []any) map[string]*gateway.HTTPRoute {
	out := map[string]*gateway.HTTPRoute{}
	for _, r := range objects[*gateway.HTTPRoute](all) {
		out[r.Name] = r
	}
	return out
}

// timeout of the rule that a path falls under; 0 is none.
func timeout(t *testing.T, r *gateway.HTTPRoute, path string) time.Duration {
	t.Helper()
	best, found := time.Duration(-1), ""
	for _, rule := range r.Spec.Rules {
		prefixes := []string{"/"}
		for i, m := range rule.Matches {
			prefixes = append(prefixes[:i], *m.Path.Value)
		}
		for _, prefix := range prefixes {
			if strings.HasPrefix(path, prefix) && len(prefix) > len(found) {
				d, err := time.ParseDuration(string(*rule.Timeouts.Request))
				if err != nil {
					t.Fatal(err)
				}
				best, found = d, prefix
			}
		}
	}
	return best
}

func TestRequestsHaveTheirTime(t *testing.T) {
	t.Parallel()
	r := routes(build(t, "base"))
	for _, c := range []struct {
		route, path string
		least       time.Duration // 0: for ever
	}{
		{"edge", "/v1/quotes", 170 * time.Second}, // wait_s goes up to 150
		{"edge", "/q/abc", 170 * time.Second},     // pages wait too
		{"edge", "/v1/uploads", 20 * time.Minute}, // what a body may take to arrive
		{"edge", "/v1/uploads/up_x", 20 * time.Minute},
		{"console", "/events", 0}, // pages that follow what happens
	} {
		if r[c.route] == nil {
			t.Fatalf("there is no route %s", c.route)
		}
		if got := timeout(t, r[c.route], c.path); got < c.least || c.least == 0 && got != 0 {
			t.Errorf("%s %s: %s, want %s at least", c.route, c.path, got, c.least)
		}
	}
}

// Routes lead from listeners that there are to services that there are, and a
// key is never taken in the clear.
func TestRoutesLeadToServices(t *testing.T) {
	t.Parallel()
	all := build(t, "overlays/production")
	services, listeners := map[string]int32{}, map[string]string{}
	for _, s := range objects[*core.Service](all) {
		services[s.Name] = s.Spec.Ports[0].Port
	}
	for _, g := range objects[*gateway.Gateway](all) {
		for _, l := range g.Spec.Listeners {
			if l.Protocol != gateway.HTTPSProtocolType || l.TLS == nil || len(l.TLS.CertificateRefs) == 0 {
				t.Errorf("gateway %s listens for %s without TLS", g.Name, l.Protocol)
			}
			listeners[g.Name] = string(*l.Hostname)
		}
	}
	found := routes(all)
	for _, name := range []string{"edge", "console"} {
		r := found[name]
		if r == nil || len(r.Spec.ParentRefs) != 1 || string(r.Spec.ParentRefs[0].Name) != name || string(r.Spec.Hostnames[0]) != listeners[name] {
			t.Fatalf("route %s: %+v, want one parent of that name and its listener's host, %s", name, r, listeners[name])
		}
		for _, rule := range r.Spec.Rules {
			for _, b := range rule.BackendRefs {
				if string(b.Name) != name || services[name] != *b.Port {
					t.Errorf("route %s leads to %s:%d, want %s:%d", name, b.Name, *b.Port, name, services[name])
				}
			}
		}
	}
}
