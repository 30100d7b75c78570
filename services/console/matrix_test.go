package console_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/web"
)

// everyone has one operator for each role, beside nobody.
var everyone = map[string]operator.Role{"ben": operator.Viewer, "pia": operator.Sales, "fin": operator.Finance, "con": operator.Compliance, "usa": operator.USPerson, "ann": operator.Admin}

// path fills a route's pattern in.
func path(pattern string) string {
	return strings.NewReplacer("{ref}", instantRef, "{side}", "top", "{n}", "0", "{check}", checkRef, "{aggregate}", "order", "{at}", "1", "{seq}", "1",
		"{id}", account, "{key}", "oldkey000000", "{name}", "nobody", "{member}", "none", "{endpoint}", "none", "{session}", "none", "{$}", "", "{format}", "csv", "{field}", "gerbers").Replace(pattern)
}

// TestAuthorisationMatrix walks every route as every role: what a route needs,
// and nothing else, decides who is let in.
func TestAuthorisationMatrix(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	stranger := w.visitor()
	stranger.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	tried := map[operator.Permission][2]int{} // let in, refused
	for name, role := range everyone {
		v := w.signInAs(name)
		v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		formToken := v.form("/", "/sign-out").Get("form_token")
		o := operator.Operator{Name: name, Roles: []operator.Role{role}}
		for _, r := range web.Routes() {
			method, pattern, _ := strings.Cut(r.Pattern, " ")
			if strings.HasSuffix(pattern, "/live") || pattern == "/sign-out" {
				continue // the first does not end; the second ends all that follows
			}
			to := path(pattern)
			var got answer
			if method == http.MethodGet {
				got = v.get(to)
			} else {
				got = v.post(to, url.Values{"form_token": {formToken}, "request": {"req_matrix"}})
			}
			refused := r.Needs != "" && got.status == http.StatusForbidden && strings.Contains(html.UnescapeString(got.body), "Your roles do not let you "+string(r.Needs))
			if may := r.Needs == "" || o.Can(r.Needs); may == refused {
				t.Errorf("%s as %s: %d, refused %v; want %v", r.Pattern, role, got.status, refused, !may)
			}
			n := tried[r.Needs]
			if refused {
				n[1]++
			} else {
				n[0]++
			}
			tried[r.Needs] = n
		}
	}
	for _, r := range web.Routes() {
		method, pattern, _ := strings.Cut(r.Pattern, " ")
		got := answer{status: 0}
		if method == http.MethodGet {
			got = stranger.get(path(pattern))
		} else {
			got = stranger.post(path(pattern), url.Values{})
		}
		if got.status != http.StatusSeeOther && got.status != http.StatusUnauthorized {
			t.Errorf("%s for a stranger: %d, want 303 or 401", r.Pattern, got.status)
		}
	}
	for _, p := range operator.Permissions() {
		n, used := tried[p]
		if p != operator.SeeControlled && !used {
			t.Errorf("no route needs the permission to %s", p)
		}
		if used && (n[0] == 0 || n[1] == 0) {
			t.Errorf("to %s: %d let in, %d refused; want both", p, n[0], n[1])
		}
	}
}
