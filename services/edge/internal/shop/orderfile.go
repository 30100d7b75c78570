package shop

import (
	"encoding/json"
	"net/url"
	"slices"

	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/orderfile"
	"boardorder/services/edge/internal/web"
)

// choicesFor are the choices of a page's address or, before anything was chosen, what the order
// file among the board's files states of them: the form shows it, and a visitor may choose otherwise.
// What the form has no field for the quote takes from the file. One that cannot be read states
// nothing here: the quote's refusal says why.
func choicesFor(c *web.Call, up uploads.Brief) choices {
	f := choicesOf(c)
	if up.OrderFile == nil || c.Fiber.Query("quantity") != "" {
		return f
	}
	stated, err := orderfile.Read(*up.OrderFile)
	if err != nil {
		return f
	}
	for name, v := range stated {
		switch v := v.(type) {
		case json.Number:
			if slices.Contains(numbers, name) {
				url.Values(f).Set(name, v.String())
			}
		case string:
			if slices.Contains(words, name) {
				url.Values(f).Set(name, v)
			}
		case bool:
			if v && slices.Contains(flags, name) {
				url.Values(f).Set(name, "yes")
			}
		}
	}
	return f
}
