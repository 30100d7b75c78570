package cost_test

import (
	"math/rand/v2"
	"testing"

	"boardorder/services/part-sourcing/internal/cost"
	"boardorder/services/part-sourcing/internal/part"
)

func offer(source, sku string, stock, minimum, multiple int64, breaks ...int64) part.Offer {
	o := part.Offer{Source: source, SKU: sku, Stock: stock, Minimum: minimum, Multiple: multiple, Authorized: true}
	for i := 0; i < len(breaks); i += 2 {
		o.Breaks = append(o.Breaks, part.Break{Quantity: breaks[i], Price: part.Price(breaks[i+1])})
	}
	return o
}

func TestBest(t *testing.T) {
	t.Parallel()
	cut := offer("a", "cut", 5000, 1, 1, 1, 100_000, 10, 80_000, 100, 50_000)
	reel := offer("a", "reel", 9000, 3000, 3000, 3000, 10_000)
	loaded := offer("fab", "loaded", 5000, 1, 1, 1, 200_000)
	fed := offer("fab", "fed", 5000, 1, 1, 1, 100_000)
	fed.Handling = 300
	dear := cut
	dear.SKU, dear.Source, dear.Fee = "reeled", "b", 700
	gray := cut
	gray.SKU, gray.Authorized = "gray", false
	for _, tt := range []struct {
		name            string
		offers          []part.Offer
		need            int64
		sku             string
		quantity, cents int64
		why             map[string]string
	}{
		{"one piece", []part.Offer{cut, reel}, 1, "cut", 1, 10, map[string]string{"reel": cost.WhyExpensive}},
		{"more costs less", []part.Offer{cut}, 70, "cut", 100, 500, nil},
		{"a whole reel costs less", []part.Offer{cut, reel}, 900, "reel", 3000, 3000, map[string]string{"cut": cost.WhyExpensive}},
		{"two reels", []part.Offer{reel}, 3001, "reel", 6000, 6000, nil},
		{"not so many reels", []part.Offer{reel}, 9001, "", 0, 0, map[string]string{"reel": cost.WhyStock}},
		{"the fee counts", []part.Offer{dear, cut}, 100, "cut", 100, 500, map[string]string{"reeled": cost.WhyExpensive}},
		{"a feeder counts", []part.Offer{fed, loaded}, 10, "loaded", 10, 200, map[string]string{"fed": cost.WhyExpensive}},
		{"and is paid for by many", []part.Offer{fed, loaded}, 100, "fed", 100, 1000, map[string]string{"loaded": cost.WhyExpensive}},
		{"not authorized", []part.Offer{gray}, 1, "", 0, 0, map[string]string{"gray": cost.WhyUnauthorized}},
		{"no price", []part.Offer{offer("a", "x", 10, 1, 1)}, 1, "", 0, 0, map[string]string{"x": cost.WhyNoPrice}},
		{"equal ones", []part.Offer{offer("fab", "1", 10, 1, 1, 1, 10_000), offer("a", "2", 10, 1, 1, 1, 10_000)}, 5, "1", 5, 5, map[string]string{"2": cost.WhyExpensive}},
		{"nothing offered", nil, 5, "", 0, 0, nil},
	} {
		c, ok := cost.Choose(tt.offers, tt.need)
		if ok != (tt.sku != "") || c.Offer.SKU != tt.sku || c.Quantity != tt.quantity || c.Cents != tt.cents || ok && c.Spare != tt.quantity-tt.need {
			t.Errorf("%s: chose %+v, %v; want %d of %q for %d cents", tt.name, c, ok, tt.quantity, tt.sku, tt.cents)
		}
		if len(c.Rejected) != len(tt.why) {
			t.Errorf("%s: rejected %+v, want %d", tt.name, c.Rejected, len(tt.why))
		}
		for _, l := range c.Rejected {
			if tt.why[l.SKU] != l.Why {
				t.Errorf("%s: %s was rejected as %q, want %q", tt.name, l.SKU, l.Why, tt.why[l.SKU])
			}
		}
	}
}

// random makes an offer whose figures are small enough to try every quantity.
func random(r *rand.Rand) part.Offer {
	o := part.Offer{Source: []string{"fab", "a", "b"}[r.IntN(3)], Stock: int64(r.IntN(400)), Minimum: int64(1 + r.IntN(40)), Multiple: int64(1 + r.IntN(30)), Authorized: r.IntN(8) > 0, Fee: int64(r.IntN(2) * 50)}
	at := int64(0)
	for range r.IntN(5) {
		at += int64(1 + r.IntN(60))
		o.Breaks = append(o.Breaks, part.Break{Quantity: at, Price: part.Price(1 + r.IntN(300_000))})
	}
	return o
}

// bruteForceCost tries all quantities of an offer and gives what the least costs.
func bruteForceCost(o part.Offer, need int64) (least int64, ok bool) {
	for n := max(need, 1); o.Authorized && n <= o.Stock; n++ {
		if n < o.Minimum || n%o.Multiple != 0 {
			continue
		}
		unit := part.Price(0)
		for _, b := range o.Breaks {
			if n >= b.Quantity {
				unit = b.Price
			}
		}
		if unit == 0 {
			continue
		}
		if cents, _ := unit.Times(n); !ok || cents+o.Fee < least {
			least, ok = cents+o.Fee, true
		}
	}
	return least, ok
}

// TestBestIsBest: no quantity of any offer costs less than the choice, and the
// choice is one that can be ordered.
func TestBestIsBest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		offers, need := []part.Offer{}, int64(1+r.IntN(150))
		for range r.IntN(5) {
			offers = append(offers, random(r))
		}
		least, any := int64(0), false
		for _, o := range offers {
			if cents, ok := bruteForceCost(o, need); ok && (!any || cents < least) {
				least, any = cents, true
			}
		}
		c, ok := cost.Choose(offers, need)
		if ok != any || ok && c.Cents != least {
			t.Fatalf("%+v for %d: %+v, %v; want the least, %d, %v", offers, need, c, ok, least, any)
		}
		if !ok {
			continue
		}
		if o := c.Offer; c.Quantity < need || c.Quantity < o.Minimum || c.Quantity%o.Multiple != 0 || c.Quantity > o.Stock || !o.Authorized || len(c.Rejected) != len(offers)-1 {
			t.Fatalf("%+v for %d: %+v, want enough of one authorized offer, as it is sold, all others rejected", offers, need, c)
		}
	}
}

// TestMoreCostsNoLess: the cost never falls when more is needed, nor rises when
// another offer is added.
func TestMoreCostsNoLess(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 5_000 {
		offers := []part.Offer{random(r), random(r), random(r)}
		last := int64(0)
		for need := int64(1); need < 120; need += int64(1 + r.IntN(9)) {
			c, ok := cost.Choose(offers, need)
			if !ok {
				break
			}
			if c.Cents < last {
				t.Fatalf("%+v: %d cents for %d pieces, want no less than the %d for fewer", offers, c.Cents, need, last)
			}
			last = c.Cents
			if fewer, ok := cost.Choose(offers[:2], need); ok && fewer.Cents < c.Cents {
				t.Fatalf("%+v: a third offer made it %d cents, want no more than the %d of two", offers, c.Cents, fewer.Cents)
			}
		}
	}
}
