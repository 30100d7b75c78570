// Package bom reads bills of materials: which parts go to which designators,
// in the words of whatever tool or person wrote them. It looks nothing up.
package bom

// A List is one bill of materials.
type List struct {
	File  string
	Sheet string // of a spreadsheet
	Lines []Line
	// Positions tells that the table says where parts are placed, too: a
	// placement file, which stands in for a list only where there is none.
	Positions bool
	Notes     []Note // what could not be read, and what contradicts itself
}

// A Line is one part and where it goes.
type Line struct {
	Row          int      // in the file; 0 where it came from a design
	Refs         []string // as listed, ranges filled in; none where the list gives quantities only
	Quantity     int      // per board, as stated; else the number of Refs
	Value        string
	Footprint    string
	MPN          string
	Manufacturer string
	Alternates   []Part // other parts that the list allows
	FabCode      string // in the fabricator's parts library: "C25804"
	DistributorA string
	DistributorB string
	Description  string
	DNP          bool // the list marks it as not to be fitted
	// Disputed is what the lines of a list name that contradict each other about
	// these designators. The line itself names no part then.
	Disputed []string
	Fields   map[string]string
}

// A Part is a manufacturer's number.
type Part struct{ MPN, Manufacturer string }

// Exact reports whether the line names one part that can be bought.
func (l *Line) Exact() bool {
	return l.MPN != "" || l.FabCode != "" || l.DistributorA != "" || l.DistributorB != ""
}

// Codes of notes.
const (
	QuantityDiffers = "quantity_differs"  // the stated quantity is not the number of designators
	OddReference    = "odd_reference"     // a word in the list of designators is none
	NoReferences    = "no_references"     // a line without designators
	ListCut         = "list_cut"          // there is more than is read
	NoHeading       = "no_heading"        // no line names the columns
	FitUnclear      = "fit_unclear"       // a cell about fitting says neither yes nor no
	QuantityUnread  = "quantity_not_read" // a cell for the quantity is no number
	NumberSpoiled   = "number_spoiled"    // a part number that a spreadsheet made a number, a date or an error of
	RowHidden       = "row_hidden"        // a line that the spreadsheet does not show; it counts
)

// A Note says what is odd about a list. Text quotes the file and is not for
// sentences of ours.
type Note struct {
	Code string
	Row  int
	Refs []string
	Text string
}
