// Package land tells what cases the pads round a place on a board can plainly not be the
// land pattern of, where no file says which pads are a part's.
package land

import (
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/casecode"
)

// A Land is what the layers show of pads round a place.
type Land struct {
	Nearest  int64 // how far from the place the nearest pad lies that does not lie on it; 0 for none
	Pair     int64 // how far apart two equal pads lie that have the place in their middle, and are of no row and no triangle of such; 0 for none
	Mirrored int   // pads that have an equal one straight across the place
	Rows     int   // those of them that stand in rows with others
	Around   []int // pads within one millimetre in x and y, within two, and so on
}

// MaxReach is how far from a place pads are counted, in whole millimetres.
const MaxReach = 14

// Exclude says why a part of case c can plainly not be soldered there; "" where it may, or
// the case does not tell.
func (l *Land) Exclude(c casecode.Case) string {
	pins := c.CountPins()
	c.Pins = pins
	reach := reachOf(c)
	switch {
	case c.Size != "" || c.IsTwoEnded():
		return l.excludeChip(c)
	case pins < 3 || !c.IsSurfaceMounted():
	case l.Pair > 0 && l.Mirrored <= max(2, (pins-1)/2):
		return fmt.Sprintf("its place lies between the two pads of a smaller part, and it has %d pins", pins)
	case c.BottomTerminated() && (l.Nearest == 0 || l.Nearest > edge): // whose pads may be drawn as areas
	case reach <= len(l.Around) && isTooFew(l.Around[reach-1], c):
		return fmt.Sprintf("the layers show %d pads round its place, and it has %d pins", l.Around[reach-1], pins)
	}
	return ""
}

const (
	// fewestInRows is how many pads in rows are surely those of a part with many pins.
	fewestInRows = 12
	// edge is how far from the middle of a part with two ends that is no chip its pads begin at most.
	edge = 3 * geom.Millimetre
)

// excludeChip is for parts with two ends: pads in rows lie round their place, and none where
// their ends are.
func (l *Land) excludeChip(c casecode.Case) string {
	end := edge
	if length := c.Length(); length > 0 {
		end = length
	}
	if l.Rows < fewestInRows || l.Nearest <= end {
		return ""
	}
	return fmt.Sprintf("%d pads in rows lie round its place, and it has two ends", l.Rows)
}

// IsPair reports whether pads that lie so far apart are those of a chip of that length.
func IsPair(distance float64, length int64) bool {
	return distance >= 0.5*float64(length) && distance <= 1.8*float64(length)
}

// isTooFew reports whether so many pads are surely not those of a case. Pins below a case
// may share pads, and of many a quarter may be drawn in forms that are not taken for pads.
func isTooFew(found int, c casecode.Case) bool {
	const few = 6
	switch pads := c.MinPads(); {
	case c.BottomTerminated():
		return 2*found < pads
	case pads > few:
		return 4*found < 3*pads
	default:
		return found < pads
	}
}

// reachOf is how far from its middle a case has pads at most, in whole millimetres.
func reachOf(c casecode.Case) int {
	const (
		transistor = 4  // of a SOT
		tab        = 10 // of a D2PAK
		wide       = 7  // of a wide SO, to the ends of its leads
	)
	switch c.Family {
	case "SOT-23", "SOT-363", "SOT-523", "SOT-89", "SOT-223":
		return transistor
	case "TO-252", "TO-263":
		return tab
	case "QFP", "QFN":
		return 4 + c.Pins/10 // four rows of 0.8 mm
	}
	return max(wide, 1+(c.Pins*127+399)/400) // two of 1.27 mm
}
