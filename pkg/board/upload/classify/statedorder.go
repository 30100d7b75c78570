package classify

import (
	"strings"

	"boardorder/pkg/board"
)

// Contradicts tells whether a source states that r, which lies above another copper layer,
// lies below it, and gives the two statements. What states it may be an attribute, a job
// file, a comment, a report, a note or the names; of each kind the numbers of the two are
// compared. Altium numbers the extensions of inner layers in the order they were added in,
// so extensions speak only where no tool states the order.
func (r *Result) Contradicts(below *Result) (above, under Witness, ok bool) {
	for _, x := range r.Witnesses {
		for _, y := range below.Witnesses {
			nx, ny := x.number(), y.number()
			if x.Weight != y.Weight || (x.Order > 0) != (y.Order > 0) || nx == 0 || ny == 0 || nx <= ny {
				continue
			}
			if x.byExtension() && r.toolOrder() && below.toolOrder() {
				continue
			}
			x.Order, y.Order = nx, ny
			return x, y, true
		}
	}
	return Witness{}, Witness{}, false
}

// number is the place among the copper layers, or among the inner ones, that a witness states.
func (w Witness) number() int {
	const planes = 100 // ranks of planes: after the signals, for want of a statement
	switch {
	case w.Role != board.RoleCopper:
		return 0
	case w.Order > 0:
		return w.Order
	case w.byExtension() && w.Rank < planes:
		return int(w.Rank)
	}
	return 0
}

func (w Witness) byExtension() bool { return strings.HasPrefix(w.Why, "extension ") }

// toolOrder tells whether the tool that made a file states which copper layer it is.
func (r *Result) toolOrder() bool {
	for _, w := range r.Witnesses {
		if w.Role == board.RoleCopper && w.Order > 0 && w.Weight >= weightReport {
			return true
		}
	}
	return false
}
