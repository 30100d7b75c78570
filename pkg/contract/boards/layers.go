package boards

import (
	"boardorder/pkg/contract"
)

// Commands of the design-check service that are about checks.
var (
	DrawLayers = contract.CommandName{Service: "design-check", Verb: "draw-layers"} // pictures of every layer of what was read
)

// DrawLayersData names what was read.
type DrawLayersData struct {
	Digest string `json:"digest"`
}
