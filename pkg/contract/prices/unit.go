package prices

import "regexp"

// Lines of a price that grow with every board. All others are charged once: preparing the
// production, stencils, loading the machines, a faster build.
const (
	BoardsLabel       = "Boards"
	TopLabel          = "Placement and soldering, top side"
	BottomLabel       = "Placement and soldering, bottom side"
	HandSolderedLabel = "Hand soldering of through-hole parts"
)

// IsForEach reports whether a line of an instant price is for each of the boards; others are
// for all of them at once.
func (l Line) IsForEach() bool {
	switch l.Label {
	case BoardsLabel, PartsLabel, TopLabel, BottomLabel, HandSolderedLabel:
		return true
	}
	return false
}

// once finds in a line's name that people charge it once.
var once = regexp.MustCompile(`(?i)\b(set-?\s?up|tooling|engineering|stencils?|feeders?|loading|minimum charge|one-time|once|nre|programming|films?)\b`)

// IsForEach reports whether a line of a team's price is for each of the boards: one of what is
// built, unless its name says that it is charged once.
func (l PricedLine) IsForEach() bool {
	return (l.For == Boards || l.For == Assembly || l.For == Components) && !once.MatchString(l.Label)
}
