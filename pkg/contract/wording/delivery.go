package wording

import "strings"

// leaving begins what is said of boards of which nobody knows how long the parcel takes.
const leaving = "ready to ship "

// ReadyToShip says when boards leave, where the price holds no way to the door: the working
// days of building alone, and that they are alone.
func ReadyToShip(days int) string {
	return leaving + Count(days, "working day") + " from payment, without the time in transit"
}

// CutReadyToShip is what ReadyToShip says of the time, and whether a text is of it: what
// else is said of a delivery is to the door.
func CutReadyToShip(text string) (rest string, ok bool) { return strings.CutPrefix(text, leaving) }
