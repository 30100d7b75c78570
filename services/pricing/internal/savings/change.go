// Package savings knows what could make a board cheaper without making it another board:
// which changes are worth a question to the fabricator, and what each means. What changes a
// circuit is none of them: copper, thickness, layers, vias, parts.
//
// It knows no price; nor does it promise that a change can be built, which the quote of the
// changed request tells.
package savings

import (
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/services/pricing/internal/options"
)

// A Board is what is known of boards that are quoted.
type Board struct {
	Request quotes.Request
	Details quotes.BoardDetails // as they are priced
	From    map[string]string   // where each of them comes from
	Facts   options.FileFacts
	// Inspected: all copper of the files was looked at, so that what is not among the facts
	// is wider than whatever is measured.
	Inspected bool
	// FineParts: a part on them has balls, or pins too close for a surface that is not flat.
	FineParts bool
}

// A Change is another request, or another design, with what it means.
type Change struct {
	Kind    savings.Kind
	Request quotes.Request
	Facts   map[string]any // of a changed design: in place of what the files state
	Body    map[string]any // what to send; nil for a change of the design
	Changes []savings.Changed
	Means   string
}

// Changes are those worth a price, the likeliest first, at most so many.
func Changes(c *catalog.Catalog, b Board, most int) []Change {
	all := slices.Concat(
		buildTime(b), finish(c, b), goldThickness(c, b), solderMask(c, b), material(b), quantity(c, b), extras(c, b), boardSize(b), drillSize(b),
	)
	return all[:min(len(all), most)]
}

// isStatedByFile reports whether a file says an option.
func (b Board) isStatedByFile(option string) bool {
	return strings.HasPrefix(b.From[option], "file:")
}

// isChosen reports whether an option of the board is another than the usual one.
func (b Board) isChosen(c *catalog.Catalog, key string) bool {
	o, ok := c.Option(key)
	return ok && o.IsChosen(b.Details.FabOptions[key])
}

// dropOptions gives the fab_options of a request less some, and what to send for that.
func dropOptions(r quotes.Request, keys ...string) map[string]any {
	out := maps.Clone(r.FabOptions)
	maps.DeleteFunc(out, func(key string, _ any) bool { return slices.Contains(keys, key) })
	if out == nil {
		out = map[string]any{}
	}
	return out
}

// change is a change of one property of the request.
func change(kind savings.Kind, field string, from, to any, means string) Change {
	return Change{Kind: kind, Body: map[string]any{field: to}, Changes: []savings.Changed{{Field: field, From: from, To: to}}, Means: means}
}
