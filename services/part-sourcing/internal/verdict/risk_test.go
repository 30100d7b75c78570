package verdict_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

// TestRisks: what suppliers said of a part's future, inside and outside of each limit, each
// with whose word it is and when it was said.
func TestRisks(t *testing.T) {
	t.Parallel()
	said := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	from := func(source string, change func(*part.Offer)) part.Offer {
		o := offer("LM358DR", "TI", "SOIC-8", 50_000)
		o.Source, o.Supplier, o.At, o.LeadDays = source, strings.ToUpper(source), said, 14
		if change != nil {
			change(&o)
		}
		return o
	}
	stock := func(n int64) func(*part.Offer) { return func(o *part.Offer) { o.Stock = n } }
	ends := func(l part.Lifecycle) func(*part.Offer) { return func(o *part.Offer) { o.Lifecycle = l } }
	lead := func(days int) func(*part.Offer) { return func(o *part.Offer) { o.LeadDays = days } }
	both := []string{"fab", "distributor_a"}
	chip := bom.Line{Value: "LM358DR", MPN: "LM358DR", Manufacturer: "TI"}
	for _, tt := range []struct {
		name  string
		line  verdict.Line
		facts verdict.Facts
		want  string
	}{
		{"none", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", nil), from("distributor_a", nil)}, Searched: both}, ""},
		{"one of two sells it", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", nil)}, Searched: both}, "one_source fab: nobody else of the fabricator and distributor A sells enough of it for this build"},
		{"one of two sells enough", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", nil), from("distributor_a", stock(99))}, Searched: both}, "one_source fab: nobody else of the fabricator and distributor A sells enough of it for this build"},
		{"two sell just enough", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", nil), from("distributor_a", stock(100))}, Searched: both}, ""},
		{"one alone was asked", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", nil)}, Searched: both[:1]}, ""},
		{"one could not be asked", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", nil)}, Searched: both, Failed: map[string]outside.Kind{"distributor_b": outside.Unavailable}}, ""},
		{"two packagings of one supplier", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", stock(200)), from("fab", stock(150))}, Searched: both[:1]}, "low_stock fab: 200 in stock at all who were asked, and this build takes 100"},
		{"three times the need", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", stock(200)), from("distributor_a", stock(100))}, Searched: both}, ""},
		{"nearly three times", line(chip, 100), verdict.Facts{Offers: []part.Offer{from("fab", stock(199)), from("distributor_a", stock(100))}, Searched: both}, "low_stock fab: 299 in stock at all who were asked, and this build takes 100"},
		{"a build's time", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", lead(28))}}, ""},
		{"longer", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", lead(29)), from("distributor_a", lead(90))}, Searched: both}, "lead_time fab: the factory takes 29 days to deliver more"},
		{"one has it sooner", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", lead(90)), from("distributor_a", lead(7))}, Searched: both}, ""},
		{"no time is stated", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", lead(-1))}}, ""},
		{"advised against", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", nil), from("distributor_a", ends(part.NRND))}, Searched: both}, "not_for_new_designs distributor_a: not recommended for new designs"},
		{"the gravest counts", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", ends(part.NRND)), from("distributor_a", ends(part.EOL))}, Searched: both}, "end_of_life distributor_a: at the end of its life"},
		{"last orders", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", ends(part.LastTimeBuy))}}, "end_of_life fab: the last orders are being taken"},
		{"no longer made, and gone", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", func(o *part.Offer) { o.Stock, o.Lifecycle = 0, part.Obsolete })}}, "end_of_life fab: no longer made"},
		{"a lifecycle that nobody states", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", ends(part.Unstated))}}, ""},
		{"another maker's ends", line(chip, 1), verdict.Facts{Offers: []part.Offer{from("fab", nil), from("distributor_a", func(o *part.Offer) { o.Manufacturer, o.Lifecycle = "UTC", part.Obsolete })}, Searched: both[:1]}, ""},
		{"any part of a specification", line(bom.Line{Value: "10k", Footprint: "0603"}, 100), verdict.Facts{Offers: []part.Offer{offer("RC0603FR-0710KL", "YAGEO", "0603", 100)}, Searched: both}, ""},
		{"sent by the customer", consign(line(chip, 1)), verdict.Facts{Offers: []part.Offer{from("fab", ends(part.Obsolete))}}, ""},
		{"unknown", line(chip, 1), verdict.Facts{Searched: both}, ""},
	} {
		var got []string
		for _, r := range verdict.Risks(tt.line, tt.facts, verdict.Judge(tt.line, tt.facts)) {
			got = append(got, fmt.Sprintf("%s %s: %s", r.Kind, r.Source, r.Says))
			if !r.At.Equal(said) {
				t.Errorf("%s: %s was said at %v, want %v", tt.name, r.Kind, r.At, said)
			}
		}
		if strings.Join(got, "; ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, strings.Join(got, "; "), tt.want)
		}
	}
}

// TestRisksOfAReplacement: a part that takes another's place has the risks of what is known
// of it, not those of the part that cannot be bought.
func TestRisksOfAReplacement(t *testing.T) {
	t.Parallel()
	gone := offer("GRM188R71E104KA01D", "Murata", "0603", 0)
	gone.Lifecycle = part.Obsolete
	other := offer("CL10B104KB8NNNC", "Samsung", "0603", 150)
	l := line(bom.Line{Value: "100n", MPN: gone.MPN, Manufacturer: "Murata", Footprint: "0603"}, 100)
	f := verdict.Facts{Offers: []part.Offer{gone}, Searched: []string{"fab"}}
	p := verdict.Judge(l, f)
	p.Similar = verdict.Replacement(l, f, []part.Offer{other})
	p, ok := verdict.Replace(l, p)
	if !ok {
		t.Fatalf("%s is not replaced by %+v: %s", gone.MPN, p.Similar, p.Why)
	}
	risks := verdict.Risks(l, f, p)
	if len(risks) != 2 || risks[0].Kind != verdict.LongLead || risks[1].Kind != verdict.LowStock {
		t.Errorf("%s in place of %s has the risks %+v, want those of 42 days and of 150 in stock", p.MPN, gone.MPN, risks)
	}
}
