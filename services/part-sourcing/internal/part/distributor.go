package part

// The schemes of distributors' numbers, by whose they are. A distributor's public name is
// a scheme, too: of whatever its own numbers are.
const (
	DigiKey Scheme = "digikey"
	Mouser  Scheme = "mouser"
)

// A Numbering is a distributor's way of numbering parts, and what lists of parts call it.
type Numbering struct {
	Scheme   Scheme
	Headings string // of columns of its numbers: plain letters, separated by spaces
	Short    string // all that a list may call it by, in plain letters
}

// Numberings are those of the distributors whose numbers lists have columns of.
var Numberings = []Numbering{
	{DigiKey, "digikey digikeypartnumber digikeypart digikeypn digikeyno digikeypartno dk dkpn digikeynumber dkpartnumber", "dk"},
	{Mouser, "mouser mouserpartnumber mouserpart mouserpn mouserno mouserpartno mousernumber mousersku", ""},
}

// IsDistributor reports whether numbers of the scheme are a distributor's own.
func (s Scheme) IsDistributor() bool { return s != MPN && s != FabCode }
