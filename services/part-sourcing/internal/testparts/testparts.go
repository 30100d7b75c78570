// Package testparts answers look-ups of test keys: a catalogue of made-up parts that is
// the same every time, so that tests use up no supplier's calls. Whatever looks like a
// part number is in stock at the fabricator; the numbers in [Words] give other answers.
package testparts

import (
	"context"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// Notice is the note on every answer of this catalogue.
const Notice = "A test key asked: stock and prices of parts are those of the built-in test catalogue, and no supplier was called."

// Part numbers that ask for an answer.
const (
	Stocked     = "TEST-STOCKED"     // in the fabricator's library
	Distributor = "TEST-DISTRIBUTOR" // at distributors only
	Slow        = "TEST-SLOW"        // at distributors only, which take [slowly]
	Unknown     = "TEST-UNKNOWN"     // nowhere
	Short       = "TEST-SHORT"       // in stock, but [few]
	NoStock     = "TEST-NO-STOCK"    // known, none in stock; Stocked stands beside it as similar_part
	Obsolete    = "TEST-OBSOLETE"    // in stock, no longer made
	SellsOut    = "TEST-SELLS-OUT"   // in stock, and none of it once a quote is looked at again
	Dearer      = "TEST-DEARER"      // in stock, and costs [dearer] times as much once a quote is looked at again
)

// Words lists the numbers that ask for an answer.
func Words() []string {
	return []string{Stocked, Distributor, Slow, Unknown, Short, NoStock, Obsolete, SellsOut, Dearer}
}

const (
	plenty = 100_000
	few    = 3
	slowly = 5 * time.Second
	batch  = 500
	dearer = 10

	passivePrice part.Price = 5_000   // half a cent
	otherPrice   part.Price = 500_000 // half a dollar
	// byCode keeps an offer that a supplier's own code found behind one that the
	// manufacturer's number found: a made-up part says nothing of which one a code means,
	// and has no number.
	byCode = 1_00
)

// A source stands for one supplier.
type source struct {
	name    string
	schemes []part.Scheme
	now     func() time.Time
	later   bool
}

// Supplies are stand-ins for the fabricator's library, for distributors, which take the
// numbers of a scheme each beside their public names', and for the parts search. Nothing of
// what they say is kept.
func Supplies(now func() time.Time, later bool, fab string, distributors map[string]part.Scheme, aggregator string) []lookup.Supply {
	out := []lookup.Supply{
		{Source: &source{fab, []part.Scheme{part.FabCode, part.MPN}, now, later}},
		{Source: &source{aggregator, []part.Scheme{part.MPN}, now, later}},
	}
	for name, scheme := range distributors {
		out = append(out, lookup.Supply{Source: &source{name, []part.Scheme{scheme, part.Scheme(name), part.MPN}, now, later}})
	}
	return out
}

// Name implements [lookup.Source].
func (s *source) Name() string { return s.name }

// Batch implements [lookup.Source].
func (s *source) Batch() int { return batch }

// Takes implements [lookup.Source].
func (s *source) Takes(scheme part.Scheme) bool { return slices.Contains(s.schemes, scheme) }

// library reports whether the source stands for the fabricator.
func (s *source) library() bool { return slices.Contains(s.schemes, part.FabCode) }

// Lookup implements [lookup.Source].
func (s *source) Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error) {
	out := make([]part.Answer, len(queries))
	wait := false
	for i, q := range queries {
		word := strings.ToUpper(strings.TrimSpace(q.Number))
		wait = wait || word == Slow && !s.library()
		out[i] = s.answer(q, word)
	}
	if !wait {
		return out, nil
	}
	t := time.NewTimer(slowly)
	defer t.Stop()
	select {
	case <-t.C:
		return out, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *source) answer(q part.Query, word string) (a part.Answer) {
	o := s.offer(q)
	switch {
	case word == Unknown, s.library() && (word == Distributor || word == Slow), !slices.Contains(Words(), word) && !mpn.Looks(q.Number):
		return a
	case word == Short:
		o.Stock = few
	case word == NoStock:
		o.Stock = 0
		a.Similar = []part.Similar{{MPN: Stocked, Relation: "Direct"}}
	case word == Obsolete:
		o.Lifecycle = part.Obsolete
	case word == SellsOut && s.later:
		o.Stock = 0
	case word == Dearer && s.later:
		o.Breaks[0].Price *= dearer
	}
	a.Offers = []part.Offer{o}
	return a
}

func (s *source) offer(q part.Query) part.Offer {
	o := part.Offer{
		Source: s.name, Supplier: "test catalogue", SKU: "TEST-" + mpn.Key(q.Number), MPN: q.Number, Manufacturer: q.Manufacturer, Description: "made up for a test",
		Stock: plenty, At: s.now(), Minimum: 1, Multiple: 1, LeadDays: 30, Lifecycle: part.Active, Authorized: true, Breaks: []part.Break{{Quantity: 1, Price: otherPrice}},
	}
	_, known := passive.Read(q.Number)
	if known {
		o.Breaks[0].Price = passivePrice
	}
	if s.library() {
		o.Library = "extended"
		if known {
			o.Library = "basic"
		}
	}
	if q.Scheme != part.MPN {
		o.MPN, o.Handling = "", byCode
	}
	return o
}
