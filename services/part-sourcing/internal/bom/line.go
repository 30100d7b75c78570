// Package bom reads bills of materials: which parts go to which designators,
// in the words of whatever tool or person wrote them. It looks nothing up.
package bom

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/refdes"
)

// A List is one bill of materials.
type List struct {
	File  string
	Sheet string // of a spreadsheet
	// Sheets are all sheets of the spreadsheet that are lists.
	Sheets []string
	Lines  []Line
	// Positions tells that the table says where parts are placed, too: a
	// placement file, which stands in for a list only where there is none.
	Positions bool
	Notes     []Note // what could not be read, and what contradicts itself
}

// A Line is one part and where it goes.
type Line struct {
	Row          int      // in the file; 0 where it came from a design
	Refs         []string // as listed, ranges filled in; none where the list gives quantities only
	Odd          []string `json:",omitempty"` // words among them that are designators only where the placements have them
	Quantity     int      // per board, as stated; else the number of Refs
	Value        string
	Footprint    string
	MPN          string
	Manufacturer string
	Alternates   []Part     // other parts that the list allows
	Joined       []string   `json:",omitempty"` // the numbers of a cell that names several parts, in its order
	FabCode      string     // in the fabricator's parts library: "C25804"
	Codes        part.Codes `json:",omitempty"` // distributors' numbers
	Description  string
	DNP          bool // the list marks it as not to be fitted
	Optional     bool `json:",omitempty"` // and calls it optional: DNP is set, too
	Open         bool `json:",omitempty"` // the list names the part as one of its kind: "or similar", "-style"
	Short        bool // the list states fewer pieces than it names places
	// Disputed is what the lines of a list name that contradict each other about
	// these designators. The line itself names no part then.
	Disputed []string
	Fields   map[string]string
}

// A Part is a manufacturer's number.
type Part struct{ MPN, Manufacturer string }

// Exact reports whether the line names one part that can be bought.
func (l *Line) Exact() bool {
	return l.MPN != "" || l.FabCode != "" || len(l.Codes) > 0
}

// Name is what the line calls its part: by the best of its numbers, else by its value.
func (l *Line) Name() string {
	code := ""
	if len(l.Codes) > 0 {
		code = l.Codes[0].Number
	}
	return cmp.Or(l.MPN, l.FabCode, code, l.Value, strings.Join(l.Disputed, " / "))
}

// NameOrDescription is the name, or of a line that has none its description.
func (l *Line) NameOrDescription() string { return cmp.Or(l.Name(), l.Description) }

// Names reports whether a number is one of those that name the line's part.
func (l *Line) Names(number string) bool {
	return mpn.Same(l.MPN, number) || mpn.Same(l.FabCode, number) || slices.ContainsFunc(l.Codes, func(c part.Code) bool { return mpn.Same(c.Number, number) })
}

// Group takes lines together that name the same part: some tools write a line for every
// designator. Lines without designators stay.
func (l *List) Group() List {
	out := *l
	out.Lines = nil
	at := map[string]int{}
	for _, line := range l.Lines {
		key := line.key()
		i, known := at[key]
		if !known || len(line.Refs) == 0 {
			at[key] = len(out.Lines)
			out.Lines = append(out.Lines, line)
			continue
		}
		group := &out.Lines[i]
		group.Refs, group.Odd = slices.Concat(group.Refs, line.Refs), slices.Concat(group.Odd, line.Odd)
		group.Quantity += line.Quantity
	}
	return out
}

// key is equal for lines that say the same of their parts.
func (l *Line) key() string {
	same := *l
	same.Row, same.Refs, same.Odd, same.Quantity, same.Fields = 0, nil, nil, 0, nil
	return fmt.Sprintf("%t %s %q", len(l.Refs) > 0, refdes.Letters(strings.Join(l.Refs, ",")), fmt.Sprint(same))
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
	MarksUnused     = "marks_unused"      // columns of marks, as for variants, of which nobody knows what they say
	NumbersUnused   = "numbers_unused"    // a column that looks like part numbers has a heading that is not known
	SheetsUnread    = "sheets_unread"     // other sheets of the workbook are lists, of other designators or other parts
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
