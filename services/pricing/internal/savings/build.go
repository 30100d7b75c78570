package savings

import (
	"fmt"
	"slices"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/savings"
)

// buildTime is the standard build in place of a faster one.
func buildTime(b Board) []Change {
	if b.Request.BuildTimeHours == nil {
		return nil
	}
	out := change(savings.BuildTime, "build_time_hours", *b.Request.BuildTimeHours, nil, "The boards are built in the standard time instead of faster; nothing about them changes.")
	out.Request = b.Request
	out.Request.BuildTimeHours = nil
	return []Change{out}
}

// quantity is more boards for less: fabricators have prices for round numbers.
func quantity(c *catalog.Catalog, b Board) []Change {
	const most = 2
	n := b.Request.Quantity
	var out []Change
	for _, more := range c.Quantity.Usual {
		if more <= max(n, c.Quantity.Minimum) || 2*more > 3*n {
			continue
		}
		one := change(savings.Quantity, "quantity", n, more, fmt.Sprintf("You get %d boards in place of %d: the fabricator asks less for the round number.", more, n))
		one.Request = b.Request
		one.Request.Quantity = more
		if out = append(out, one); len(out) == most || b.Request.Assembly { // parts are looked up for each number
			break
		}
	}
	return out
}

// An extra is something of fab_options that costs and that no circuit needs.
type extra struct{ key, means string }

var extraOptions = []extra{
	{"order_mark", "The fabricator prints its order number on the board wherever it fits."},
	{"appearance", "The boards meet IPC class 2, which allows small marks on the surface; they work the same."},
	{"inspection_report", "No inspection report comes with the boards; they are tested the same."},
	{"confirm_production_file", "Production begins without waiting until the prepared files were looked at."},
	{"paper_between_boards", "The boards are packed without paper between them."},
	{"package_box", "The boards come in the fabricator’s own box."},
}

// extras leave out what the request asks for beyond the usual, one at a time.
func extras(c *catalog.Catalog, b Board) []Change {
	var out []Change
	for _, e := range extraOptions {
		o, known := c.Option(e.key)
		set, asked := b.Request.FabOptions[e.key]
		if !known || !asked || set == o.Default {
			continue
		}
		rest := dropOptions(b.Request, e.key)
		one := Change{
			Kind: savings.FabOption, Request: b.Request, Body: map[string]any{"fab_options": rest}, Means: e.means,
			Changes: []savings.Changed{{Field: "fab_options." + e.key, From: set, To: o.Default}},
		}
		one.Request.FabOptions = rest
		out = append(out, one)
	}
	return out
}

// isFilled reports whether vias are filled and capped, which is done for flat pads.
func isFilled(process string) bool {
	return slices.Contains([]string{"epoxy_filled_capped", "copper_paste_filled_capped"}, process)
}
