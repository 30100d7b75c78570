package watched_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/watched"
)

var at = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// quote buys a resistor and a timer, 20 of each, for 100 and 400 cents of a total of 10000.
func quote() quotes.Quote {
	return quotes.Quote{Assembly: &quotes.QuotedAssembly{Boards: 20, PartCents: 500}, Reply: quotes.Reply{Parts: []assemblies.Part{
		{Fitting: assemblies.LeftOff, Found: partchecks.Found{Reference: "R9"}},
		{Fitting: assemblies.Fitted, CostCents: 100, Found: partchecks.Found{Reference: "R1", MPN: "RC0603FR-0710KL", Bought: 20}, Picked: true},
		{Fitting: assemblies.Fitted, CostCents: 400, Found: partchecks.Found{Reference: "U1", MPN: "NE555", Bought: 20}},
	}}}
}

func answer(reference string, stock int64, usd string) partchecks.Found {
	f := partchecks.Found{Reference: reference, Verdict: "ok", Bought: 20, CostUSD: usd, Supply: &partchecks.Supply{Stock: stock, Needed: 20, Source: "fab", At: at}}
	if stock < 20 {
		f.Verdict, f.Bought, f.CostUSD = "problem", 0, ""
	}
	return f
}

func total(parts int64) (int64, error) { return 9500 + parts, nil }

// tellAll has everything told that follows from a report, as text.
func tellAll(t *testing.T, q *quotes.Quote, r partchecks.Report, price watched.Pricer) string {
	t.Helper()
	var out []string
	for range 50 {
		event, next, err := watched.Next(*q, r, at, price)
		if err != nil {
			t.Fatal(err)
		}
		if event == "" {
			return strings.Join(out, "; ")
		}
		q.Watched = next
		text := string(event)
		for _, l := range next.FindTold() {
			text += fmt.Sprintf(" %s %d/%d %t", l.Reference, l.Stock, l.Needed, l.Short)
		}
		if event == quotes.EventPriceMoved {
			text += fmt.Sprintf(" %d was %d", next.Price.TotalCents, next.Price.WasCents)
		}
		out = append(out, text)
	}
	t.Fatalf("it never ends: %q", out)
	return ""
}

// TestNext: what is told, inside and outside of each limit, by what suppliers say one after the
// other.
func TestNext(t *testing.T) {
	t.Parallel()
	report := func(parts ...partchecks.Found) partchecks.Report { return partchecks.Report{Parts: parts} }
	ok := answer("R1", 900, "1.00")
	checking := partchecks.Found{Reference: "U1", Verdict: "checking"}
	replaced := answer("U1", 0, "")
	replaced.Replaces, replaced.Bought = "NE555", 20
	disputed := partchecks.Found{Reference: "U1", Verdict: "problem", Supply: &partchecks.Supply{Stock: 5000, Needed: 20}}
	for name, tt := range map[string]struct {
		reports []partchecks.Report
		want    string
	}{
		"as before":                 {[]partchecks.Report{report(ok, answer("U1", 60, "4.00"))}, ""},
		"a piece less than 3x":      {[]partchecks.Report{report(ok, answer("U1", 59, "4.00"))}, "stock_low U1 59/20 false"},
		"just enough":               {[]partchecks.Report{report(ok, answer("U1", 20, "4.00"))}, "stock_low U1 20/20 false"},
		"a piece too few":           {[]partchecks.Report{report(ok, answer("U1", 19, ""))}, "stock_low U1 19/20 true"},
		"nobody has it any more":    {[]partchecks.Report{report(ok, partchecks.Found{Reference: "U1", Verdict: "problem"})}, "stock_low U1 0/20 true"},
		"another could stand in":    {[]partchecks.Report{report(ok, replaced)}, "stock_low U1 0/20 true"},
		"nothing to do with stock":  {[]partchecks.Report{report(ok, disputed)}, ""},
		"of a value many are made":  {[]partchecks.Report{report(answer("R1", 59, "1.00"), answer("U1", 60, "4.00"))}, ""},
		"... and none is left":      {[]partchecks.Report{report(answer("R1", 0, ""), answer("U1", 60, "4.00"))}, "stock_low R1 0/20 true"},
		"again and again":           {[]partchecks.Report{report(ok, answer("U1", 50, "4.00")), report(ok, answer("U1", 40, "4.00")), report(ok, checking), report(ok, answer("U1", 30, "4.00"))}, "stock_low U1 50/20 false"},
		"worse":                     {[]partchecks.Report{report(ok, answer("U1", 50, "4.00")), report(ok, answer("U1", 9, "")), report(ok, answer("U1", 30, "4.00")), report(ok, answer("U1", 8, ""))}, "stock_low U1 50/20 false; stock_low U1 9/20 true"},
		"recovered, and low again":  {[]partchecks.Report{report(ok, answer("U1", 9, "")), report(ok, answer("U1", 60, "4.00")), report(ok, answer("U1", 9, ""))}, "stock_low U1 9/20 true; watched; stock_low U1 9/20 true"},
		"a cent below 2 %":          {[]partchecks.Report{report(ok, answer("U1", 60, "5.99"))}, ""},
		"2 % dearer":                {[]partchecks.Report{report(ok, answer("U1", 60, "6.00"))}, "price_moved 10200 was 10000"},
		"2 % cheaper":               {[]partchecks.Report{report(ok, answer("U1", 60, "2.00"))}, "price_moved 9800 was 10000"},
		"step by step":              {[]partchecks.Report{report(ok, answer("U1", 60, "5.50")), report(ok, answer("U1", 60, "6.50")), report(ok, answer("U1", 60, "7.50")), report(ok, answer("U1", 60, "4.00"))}, "price_moved 10250 was 10000; price_moved 10000 was 10250"},
		"both at once":              {[]partchecks.Report{report(answer("R1", 3, ""), answer("U1", 30, "9.00"))}, "stock_low R1 3/20 true U1 30/20 false; price_moved 10500 was 10000"},
		"no answer":                 {[]partchecks.Report{report(checking, checking), report(), {Parts: make([]partchecks.Found, 3000)}}, ""},
		"a price that nobody means": {[]partchecks.Report{report(ok, answer("U1", 60, "-90000000000.00"))}, ""},
	} {
		q := quote()
		var got []string
		for _, r := range tt.reports {
			if said := tellAll(t, &q, r, total); said != "" {
				got = append(got, said)
			}
		}
		if text := strings.Join(got, "; "); text != tt.want {
			t.Errorf("%s: told %q, want %q", name, text, tt.want)
		}
	}
}

// TestRisksOfTheQuoteAreKnown: what the reply warned of is told of only once it is worse.
func TestRisksOfTheQuoteAreKnown(t *testing.T) {
	t.Parallel()
	q := quote()
	q.Reply.Parts[2].Risks = []partchecks.Risk{{Kind: "end_of_life"}, {Kind: "low_stock", At: at}}
	for _, step := range []struct {
		stock int64
		want  string
	}{{30, ""}, {10, "stock_low U1 10/20 true"}, {10, ""}, {60, "watched"}, {30, "stock_low U1 30/20 false"}} {
		if got := tellAll(t, &q, partchecks.Report{Parts: []partchecks.Found{answer("R1", 900, "1.00"), answer("U1", step.stock, "4.00")}}, total); got != step.want {
			t.Errorf("with %d in stock: %q, want %q", step.stock, got, step.want)
		}
	}
}

// TestManyLinesAreToldInEventsOfAFew: none is left out, and none is told twice.
func TestManyLinesAreToldInEventsOfAFew(t *testing.T) {
	t.Parallel()
	const lines = 3*quotes.MaxTold + 1
	q := quotes.Quote{Assembly: &quotes.QuotedAssembly{Boards: 20}}
	var r partchecks.Report
	for i := range lines {
		ref := strings.Repeat("<b>R", 40) + fmt.Sprint(i)
		q.Reply.Parts = append(q.Reply.Parts, assemblies.Part{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: ref, MPN: strings.Repeat("x", 500), Bought: 1}})
		r.Parts = append(r.Parts, answer(ref, 1, ""))
	}
	seen, events := map[int]int{}, 0
	for {
		event, next, err := watched.Next(q, r, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if event == "" {
			break
		}
		if event != quotes.EventStockLow || len(next.Told) > quotes.MaxTold {
			t.Fatalf("%s tells of %d lines, want %s of %d at most", event, len(next.Told), quotes.EventStockLow, quotes.MaxTold)
		}
		for _, l := range next.FindTold() {
			if seen[l.Line]++; len(l.Reference) > 51 || len(l.MPN) > 51 {
				t.Fatalf("line %d has %d and %d bytes of text, want 51 at most", l.Line, len(l.Reference), len(l.MPN))
			}
		}
		events, q.Watched = events+1, next
	}
	if len(seen) != lines || events != 4 || len(q.Watched.Low) != lines {
		t.Errorf("%d lines in %d events, %d kept; want each of %d once, in 4", len(seen), events, len(q.Watched.Low), lines)
	}
	for line, n := range seen {
		if n != 1 {
			t.Errorf("line %d was told of %d times, want once", line, n)
		}
	}
}

// TestPriceThatCannotBeMade: an error is the caller's, and people's prices do not move.
func TestPriceThatCannotBeMade(t *testing.T) {
	t.Parallel()
	r := partchecks.Report{Parts: []partchecks.Found{answer("R1", 900, "1.00"), answer("U1", 60, "40.00")}}
	broken := errors.New("no rate")
	if event, _, err := watched.Next(quote(), r, at, func(int64) (int64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("%q, %v; want the error", event, err)
	}
	if event, next, err := watched.Next(quote(), r, at, nil); event != contract.EventName("") || next != nil || err != nil {
		t.Errorf("a price of the team's: %q %+v %v, want nothing", event, next, err)
	}
}
