package quotes

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

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

// OrderFile is the file to keep beside the design of a quote, so that whoever uploads it is
// asked nothing and is given the same boards: what was asked for, and each option as it was
// decided. It is a JSON object, its names in alphabetical order.
func OrderFile(request Request, board *BoardDetails) (json.RawMessage, error) {
	if board != nil {
		fill(&request.ThicknessMM, board.ThicknessMM)
		fill(&request.CopperOz, board.CopperOz)
		if board.InnerCopperOz != nil {
			fill(&request.InnerCopperOz, *board.InnerCopperOz)
		}
		fill(&request.SurfaceFinish, board.SurfaceFinish)
		fill(&request.SolderMask, board.SolderMask)
		fill(&request.Material, board.Material)
		fill(&request.ViaProcess, board.ViaProcess)
	}
	request.OrderFile = nil
	text, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("encode the order file: %w", err)
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("encode the order file: %w", err)
	}
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool { return slices.Contains(NotOfOrderFiles, name) })
	fields["board_order"] = json.RawMessage(fmt.Sprint(FormatOrderFile))
	return json.Marshal(fields)
}

// fill states an option as it was decided, unless nothing was.
func fill[T comparable](option **T, decided T) {
	if decided != *new(T) {
		*option = &decided
	}
}
