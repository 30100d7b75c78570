package quotes

import "maps"

// FormatOrderFile is the number that order files of this form state as "board_order".
const FormatOrderFile = 1

// OrderSource is what of a request an order file among the files states, since the request
// itself said nothing of it.
type OrderSource struct {
	Name   string   `json:"name"`   // of the file
	States []string `json:"states"` // properties of the request, in alphabetical order
}

// NameSources gives the provenance of options with the order file named where it states what
// the request would have: an option of a nil source is the request's own.
func (s *OrderSource) NameSources(from map[string]string) map[string]string {
	if s == nil || from == nil {
		return from
	}
	from = maps.Clone(from)
	for _, name := range s.States {
		if from[name] == "request" {
			from[name] = "file:" + s.Name
		}
	}
	return from
}

// NotOfOrderFiles are properties of a request that no order file states: what belongs to one
// request, and where to and to whom boards go.
var NotOfOrderFiles = []string{"upload_id", "ship_to", "wait_s"}
