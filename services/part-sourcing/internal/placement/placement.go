// Package placement reads pick-and-place files: where each part sits, on which
// side and how it is turned. It changes no coordinate: what a file means by its
// origin, by the bottom side and by zero degrees is for whoever assembles.
package placement

import (
	"fmt"

	"boardorder/pkg/board/geom"
)

// A Side is a side of the board.
type Side string

// The sides.
const (
	Top     Side = "top"
	Bottom  Side = "bottom"
	Unknown Side = ""
)

// A List is one placement file.
type List struct {
	File   string
	Unit   Unit
	Stated bool // the file says its unit; else it was deduced from the numbers
	Parts  []Part
	Notes  []Note
}

// A Part is one part's place.
type Part struct {
	Row       int
	Ref       string
	Value     string
	Footprint string
	At        geom.Point // nanometres, y up
	Rotation  float64    // degrees, as the file has it, 0 to below 360
	Side      Side
	LeftOff   bool // the file says that it is not fitted
	Beside    bool // off the board, as whoever knows the board found
}

// A Unit is a unit of length; its value is its nanometres.
type Unit int64

// The units of placement files.
const (
	Millimetre Unit = 1_000_000
	Mil        Unit = 25_400
	Inch       Unit = 25_400_000
	Micrometre Unit = 1_000
)

func (u Unit) String() string {
	switch u {
	case Millimetre:
		return "millimetres"
	case Mil:
		return "mils"
	case Inch:
		return "inches"
	case Micrometre:
		return "micrometres"
	}
	return fmt.Sprintf("%d nm", int64(u))
}

// Codes of notes.
const (
	NotPlaced     = "no_position"         // a row without coordinates
	SideUnclear   = "side_unclear"        // a cell for the side that names none
	TurnUnclear   = "rotation_unclear"    // a cell for the rotation that is no number
	TurnEmpty     = "rotation_empty"      // an empty cell for the rotation, where others are filled
	PlacedTwice   = "placed_twice"        // one designator at several places
	UnitGuessed   = "unit_deduced"        // the file does not say its unit
	PlacementsCut = "placements_cut"      // there is more than is read
	SideMissing   = "side_not_stated"     // no column and no name says the side: taken for the top
	TurnMissing   = "rotation_not_stated" // no column says how parts are turned: taken for 0
	FarAway       = "position_far_away"   // a coordinate beyond two metres
	FitUnclear    = "fit_unclear"         // a cell about fitting that says neither yes nor no
	Unreadable    = "position_not_read"   // a coordinate that is no number
)

// A Note says what is odd about a file.
type Note struct {
	Code string
	Row  int
	Refs []string
	Text string
}

// note adds to the note of that kind, or makes it.
func (l *List) note(n Note) {
	for i := range l.Notes {
		if l.Notes[i].Code == n.Code {
			l.Notes[i].Refs = append(l.Notes[i].Refs, n.Refs...)
			return
		}
	}
	l.Notes = append(l.Notes, n)
}
