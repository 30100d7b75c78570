package classify

import (
	"fmt"
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// Contradicts tells in words what a source states of r, which lies above another copper
// layer, and of that one, where it puts r below. What states it may be an attribute, a job
// file, a comment, a report, a note or the names; of each kind the numbers of the two are
// compared, and of what they are called the sides. Altium numbers the extensions of inner
// layers in the order they were added in, so extensions speak only where no tool states the
// order; what [Laminates] gives no side is called.
func (r *Result) Contradicts(below *Result, laminates map[pcb.Side]bool) (words string, ok bool) {
	for _, x := range r.Evidence {
		for _, y := range below.Evidence {
			nx, ny := x.number(), y.number()
			if x.Weight != y.Weight || (x.Order > 0) != (y.Order > 0) || nx == 0 || ny == 0 || nx <= ny {
				continue
			}
			if x.isByExtension() && r.toolOrder() && below.toolOrder() {
				continue
			}
			return fmt.Sprintf("are layers %d and %d by %s", nx, ny, x.Why), true
		}
	}
	return r.describeBelow(below, laminates)
}

// describeBelow tells in words what two copper files are called, where by that r lies below the
// other: bottom and top, or In2 and In1.
func (r *Result) describeBelow(other *Result, laminates map[pcb.Side]bool) (words string, ok bool) {
	for _, x := range r.Evidence {
		for _, y := range other.Evidence {
			if !x.isByExtension() && (laminates[x.Side] || laminates[y.Side]) {
				continue
			}
			if x.callsSide() && y.callsSide() && x.isByExtension() == y.isByExtension() && x.Side > y.Side {
				return fmt.Sprintf("are the %s and the %s by %s and %s", placeWords(x.Side), placeWords(y.Side), x.Why, y.Why), true
			}
		}
	}
	if m, n := r.innerNumber(), other.innerNumber(); n > 0 && m > n {
		return fmt.Sprintf("are inner layers %d and %d by their names", m, n), true
	}
	return "", false
}

// Laminates are the sides that names give to several copper files, where the tool states
// each one's place and one of them is that side of the board: then each laminate of the
// stack has a front and a back, and the names of the others do not mean the board's.
func Laminates(copper []*Result) map[pcb.Side]bool {
	named := map[pcb.Side]int{}
	outer := map[pcb.Side]bool{}
	for _, r := range copper {
		if !r.toolOrder() {
			return nil
		}
		for _, w := range r.Evidence {
			if w.callsSide() && !w.isByExtension() {
				named[w.Side]++
				outer[w.Side] = outer[w.Side] || r.Side == w.Side
				break
			}
		}
	}
	out := map[pcb.Side]bool{}
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		out[side] = named[side] > 1 && outer[side]
	}
	return out
}

// callsSide tells whether evidence is a name or an extension that says plainly which side
// of the board a copper file is; sides are in order from the top.
func (w Evidence) callsSide() bool {
	return w.Role == pcb.RoleCopper && w.Side != pcb.NoSide && w.Order == 0 &&
		(w.isByExtension() || strings.HasPrefix(w.Why, "name ") && w.Weight > weightHint)
}

func placeWords(s pcb.Side) string {
	if s == pcb.Inner {
		return "inner layer"
	}
	return s.String()
}

// innerName is an inner layer's number among the inner ones as names give it. What is called
// after a plane, or as Altium calls layers, has numbers of its own.
var innerName = pattern.Lazy(`(?:^| )(?:in|inner|inner layer|int|inr) 0*(\d{1,2})(?: |$)`)

// innerNumber is the number among the inner layers that the file is called by; 0 for none.
func (r *Result) innerNumber() int {
	m := innerName().FindStringSubmatch(strings.Join(r.words, " "))
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// number is the place among the copper layers, or among the inner ones, that evidence states.
func (w Evidence) number() int {
	const planes = 100 // ranks of planes: after the signals, for want of a statement
	switch {
	case w.Role != pcb.RoleCopper:
		return 0
	case w.Order > 0:
		return w.Order
	case w.isByExtension() && w.Rank < planes:
		return int(w.Rank)
	}
	return 0
}

func (w Evidence) isByExtension() bool { return strings.HasPrefix(w.Why, "extension ") }

// toolOrder tells whether the tool that made a file states which copper layer it is.
func (r *Result) toolOrder() bool {
	for _, w := range r.Evidence {
		if w.Role == pcb.RoleCopper && w.Order > 0 && w.Weight >= weightReport {
			return true
		}
	}
	return false
}
