package quotes_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/services/console/internal/page/pagetest"
	"boardorder/services/console/internal/states"
)

// TestOlderQuotes: a list, narrowed or not, goes on to the first quote, each shown once.
func TestOlderQuotes(t *testing.T) {
	t.Parallel()
	d := open(t)
	const n = 2*states.PerPage + 5
	for i := range n {
		q := quote(fmt.Sprintf("q%02d", i))
		q.Reply.Fabricator = "Fab & Söhne"
		d.put(q)
	}
	for _, query := range []string{"", "?from=2026-11-01", "?fabricator=fab+%26+s%C3%B6hne&from=2026-11-01"} {
		shown, to := 0, "/quotes"+query
		for reads := 0; to != ""; reads++ {
			body := d.Get(sales, d.list, to).Body.String()
			shown += strings.Count(body, `<th scope="row"><a class="number"`)
			if to = pagetest.Older(body); reads > 3 {
				t.Fatalf("%q: the list of %d quotes goes on after %d rows: %s", query, n, shown, to)
			}
		}
		if shown != n {
			t.Errorf("%q: %d quotes are shown, want each of %d once", query, shown, n)
		}
	}
}
