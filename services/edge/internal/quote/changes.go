package quote

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

// A Change is one thing that two quotes do not have alike. What only one of them has is null
// in the other.
type Change struct {
	Of      string `json:"of"`    // amount, line, option, delivery, part, quote
	Field   string `json:"field"` // of the reply; a line by its label, a part by its reference
	From    any    `json:"from"`
	To      any    `json:"to"`
	ByCents *int64 `json:"by_cents,omitempty"` // of amounts and lines
}

// findChanges gives what a quote has otherwise than an earlier one.
func findChanges(old, now quotes.Quote) []Change {
	out := []Change{}
	for _, group := range []struct {
		of   string
		list func(quotes.Quote) map[string]any
	}{{"quote", listTerms}, {"amount", listAmounts}, {"line", listLines}, {"option", listOptions}, {"delivery", listDelivery}, {"part", listParts}} {
		from, to := group.list(old), group.list(now)
		names := slices.Sorted(maps.Keys(from))
		for _, name := range slices.Sorted(maps.Keys(to)) {
			if _, both := from[name]; !both {
				names = append(names, name)
			}
		}
		for _, name := range names {
			if reflect.DeepEqual(from[name], to[name]) {
				continue
			}
			c := Change{Of: group.of, Field: name, From: from[name], To: to[name]}
			if group.of == "amount" || group.of == "line" {
				before, _ := c.From.(int64) // nothing is no cents
				after, _ := c.To.(int64)
				by := after - before
				c.ByCents = &by
			}
			out = append(out, c)
		}
	}
	return out
}

func listTerms(q quotes.Quote) map[string]any {
	out := map[string]any{"mode": q.Mode, "quantity": q.Reply.Quantity}
	put := func(name, v string) {
		if v != "" {
			out[name] = v
		}
	}
	put("fabricator", q.Reply.Fabricator)
	put("board", q.Board)
	put("digest", q.Digest)
	return out
}

func listAmounts(q quotes.Quote) map[string]any {
	out := map[string]any{}
	for name, cents := range map[string]*int64{"total_cents": q.Reply.TotalCents, "per_board_cents": q.Reply.PerBoardCents, "tax_cents": q.Reply.TaxCents} {
		if cents != nil {
			out[name] = *cents
		}
	}
	return out
}

// listLines are the lines by their labels; those of one label count together.
func listLines(q quotes.Quote) map[string]any {
	out := map[string]any{}
	for _, l := range q.Reply.Lines {
		cents, _ := out[l.Label].(int64)
		out[l.Label] = cents + l.Cents
	}
	return out
}

func listOptions(q quotes.Quote) map[string]any {
	out := map[string]any{}
	details, err := json.Marshal(q.Reply.BoardDetails)
	if err != nil || json.Unmarshal(details, &out) != nil {
		return nil
	}
	options, _ := out["fab_options"].(map[string]any)
	for name, v := range options {
		out["fab_options."+name] = v
	}
	delete(out, "fab_options")
	return out
}

func listDelivery(q quotes.Quote) map[string]any {
	out := map[string]any{}
	for name, words := range map[string]*string{"lead_time": q.Reply.LeadTime, "delivery": q.Reply.Delivery} {
		if words != nil {
			out[name] = *words
		}
	}
	out["faster_build"] = prices.HasFasterBuild(q.Reply.Lines)
	for _, w := range q.Reply.ShippingOptions {
		if w.Chosen {
			out["shipping"] = w.Name()
		}
	}
	if c := q.Reply.InYourCurrency; c != nil {
		out["rate_"+c.Currency] = c.Rate
	}
	return out
}

// listParts are the parts by their references, each in a line of words.
func listParts(q quotes.Quote) map[string]any {
	out := map[string]any{}
	for _, p := range q.Reply.Parts {
		out[p.Reference] = fmt.Sprintf("%s, %s, %s", p.Fitting, cmp.Or(p.MPN, p.Part), cmp.Or(p.Supplier, p.Source, "no supplier"))
	}
	return out
}
