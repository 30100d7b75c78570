package contract

// A PartQuestion is a line of a bill of materials that the customer has to say
// something about.
type PartQuestion struct {
	Reference   string `json:"reference"` // those concerned, separated by commas
	Part        string `json:"part,omitempty"`
	Description string `json:"description,omitempty"`
	Footprint   string `json:"footprint,omitempty"`
	Quantity    int    `json:"quantity_per_board,omitempty"`
	Why         string `json:"why"`
}
