package sourcing

import (
	"slices"

	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

// An article is something that a supplier sells.
type article struct{ source, supplier, sku string }

func articleOf(o part.Offer) article { return article{o.Source, o.Supplier, o.SKU} }

// sellOnce judges lines anew whose parts other lines, which name them otherwise,
// take from the same stock. Lines that can take any part of a specification come
// last.
func (c *check) sellOnce() {
	taken := map[article]int64{}
	groups := c.groups()
	slices.SortStableFunc(groups, func(a, b []int) int { return c.flexible(a[0]) - c.flexible(b[0]) })
	for _, group := range groups {
		for _, i := range group {
			if left, changed := remaining(c.facts[i].Offers, taken); changed {
				f := c.facts[i]
				f.Offers = left
				c.parts[i] = verdict.Judge(c.lines[i], f)
			}
		}
		if p := &c.parts[group[0]]; p.Bought > 0 {
			taken[articleOf(p.Choice.Offer)] += p.Choice.Quantity
		}
	}
}

func (c *check) flexible(i int) int {
	if c.request.Lines[i].ID.Certainty == identity.Passive {
		return 1
	}
	return 0
}

// groups are the lines that buy together, in the order of the list.
func (c *check) groups() [][]int {
	var out [][]int
	at := map[string]int{}
	for i := range c.request.Lines {
		l := &c.request.Lines[i]
		key, ok := partOf(l, l.Pool)
		k, known := at[key]
		switch {
		case !ok:
		case l.Pool > l.Need && known:
			out[k] = append(out[k], i)
		default:
			at[key] = len(out)
			out = append(out, []int{i})
		}
	}
	return out
}

// remaining are offers less what is taken of their stock; changed reports whether
// anything is.
func remaining(offers []part.Offer, taken map[article]int64) (left []part.Offer, changed bool) {
	for i, o := range offers {
		n := taken[articleOf(o)]
		if n == 0 {
			continue
		}
		if left == nil {
			left = slices.Clone(offers)
		}
		left[i].Stock = max(o.Stock-n, 0)
	}
	return left, left != nil
}
