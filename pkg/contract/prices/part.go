package prices

// A Part is what a line of a price pays for.
type Part string

// The parts of a price.
const (
	Boards     Part = "boards"
	Assembly   Part = "assembly"
	Components Part = "parts" // components
	Shipping   Part = "shipping"
	Duty       Part = "duty" // with customs clearance
	Tax        Part = "tax"
	Other      Part = "other"
)

// ListParts lists them in the order of a page.
func ListParts() []Part {
	return []Part{Boards, Assembly, Components, Shipping, Duty, Tax, Other}
}

// Words name a part of a price within a sentence.
func (p Part) Words() string {
	switch p {
	case Boards, Assembly, Components:
		return "the " + string(p)
	case Duty:
		return "import duty"
	}
	return string(p)
}

// PartsLabel is the line of components.
const PartsLabel = "Parts"

// A PricedLine is a line of a price with what it pays for.
type PricedLine struct {
	Line
	For Part `json:"for"`
}

// LeftOut is a part that a price does not hold, in the words that the
// customer reads.
type LeftOut struct {
	Part  Part   `json:"part"`
	Words string `json:"words"`
}
