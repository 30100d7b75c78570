package quotes

import (
	"strings"
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

func TestMasked(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"Grace Hopper": "G… H…", "grace@example.com": "g…@e…", "": "", "Ärzte": "Ä…"} {
		if got := Mask(in); got != want {
			t.Errorf("Mask(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Mask("Grace Hopper"); strings.Contains(got, "race") {
		t.Errorf("a name stands in %q", got)
	}
}

// TestRecipient: what was said at checkout counts before what came with the request.
func TestRecipient(t *testing.T) {
	t.Parallel()
	request, checkout := shipments.ShipTo{Name: "request"}, shipments.ShipTo{Name: "checkout"}
	for _, tt := range []struct {
		quote quotes.Quote
		want  string
	}{
		{quotes.Quote{}, ""}, {quotes.Quote{Request: quotes.Request{ShipTo: &request}}, "request"},
		{quotes.Quote{Request: quotes.Request{ShipTo: &request}, Delivery: &shipments.Delivery{ShipTo: checkout}}, "checkout"},
	} {
		if got := Recipient(tt.quote).Name; got != tt.want {
			t.Errorf("Recipient(%+v) = %q, want %q", tt.quote, got, tt.want)
		}
	}
}

func TestProject(t *testing.T) {
	t.Parallel()
	name := "Blinker"
	for want, q := range map[string]quotes.Quote{"": {}, name: {Request: quotes.Request{ProjectName: &name}}} {
		if got := Project(q); got != want {
			t.Errorf("Project(%+v) = %q, want %q", q, got, want)
		}
	}
}
