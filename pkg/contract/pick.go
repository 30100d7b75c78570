package contract

// PickPart has the pricing service put a part that the team chose into a review:
// for a line that names none by number, where the customer left the choice to the
// team. Suppliers are asked about it first.
var PickPart = CommandName{"pricing", "pick-part"}

// QuotePartPicked is the event of the quote aggregate about it.
const QuotePartPicked EventName = "part_picked"

// PickPartData is the part that the team chose for a line.
type PickPartData struct {
	Quote        string `json:"quote"` // ref
	Operator     string `json:"operator"`
	Reference    string `json:"reference"` // of the line, as the quote's parts have it
	MPN          string `json:"mpn"`
	Manufacturer string `json:"manufacturer,omitempty"`
}
