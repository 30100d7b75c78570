// Package toolrule reads the rules that a design states for itself: its clearances by
// net and pad, and the custom rules of its project.
package toolrule

import (
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// StatesRules reports whether a design states rules that can be measured.
func StatesRules(r *pcb.Rules) bool {
	for _, c := range r.Classes {
		if c.Clearance > 0 {
			return true
		}
	}
	return max(r.Clearance, r.TrackWidth, r.ViaDiameter, r.ViaDrill, r.HoleClearance, r.HoleToHole, r.AnnularRing, r.EdgeClearance) > 0
}

// A Book knows how far copper of each net must keep away from others.
type Book struct {
	least int64           // of the board
	net   []int64         // by net: of its class
	pad   map[int32]int64 // by pin: of its own
	Most  int64
}

// Clearances is the book of the design's own; an empty one when it states none or
// nobody asks for it.
func Clearances(in *measure.Input) *Book {
	rules := in.Board.Rules
	Custom(&rules)
	if !in.Options.Asks(dfm.DesignRule) || !StatesRules(&rules) {
		return &Book{}
	}
	return newBook(in.Board, &rules)
}

func newBook(b *pcb.Board, r *pcb.Rules) *Book {
	book := &Book{least: r.Clearance, net: make([]int64, len(b.Nets)), pad: r.PadClearance}
	usual := int64(0)
	var classes []pcb.NetClass
	for _, c := range r.Classes {
		if strings.EqualFold(c.Name, "Default") {
			usual = c.Clearance
		} else if c.Clearance > 0 {
			classes = append(classes, c)
		}
	}
	if book.least == usual { // old versions state that of the usual class here
		book.least = 0
	}
	book.Most = book.least
	for _, v := range book.pad {
		book.Most = max(book.Most, v)
	}
	for i := range b.Nets {
		if book.net[i] = usual; i > 0 {
			book.net[i] = classClearance(classes, b.Nets[i].Name, usual)
		}
		book.Most = max(book.Most, book.net[i])
	}
	return book
}

// classClearance is that of the first class that names the net.
func classClearance(classes []pcb.NetClass, net string, usual int64) int64 {
	for _, c := range classes {
		for _, p := range c.Nets {
			if matches(p, net) {
				return c.Clearance
			}
		}
	}
	return usual
}

// matches reports whether a pattern with * and ? names a net.
func matches(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return pattern == name
	}
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n] && pattern[p] != '*'):
			p, n = p+1, n+1
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// netClearance is the clearance that two nets must keep.
func (b *Book) netClearance(x, y int32) int64 {
	return max(b.least, b.net[x], b.net[y])
}

// Need is the clearance that items of two nets must keep, what their pads say before
// what their nets do, and how close is too close; 0 when nothing is said.
func (b *Book) Need(p, q *copper.Item, x, y int32) (need, enough int64) {
	if b.Most <= 0 || x <= 0 || y <= 0 {
		return 0, 0
	}
	need = b.netClearance(x, y)
	if len(b.pad) > 0 {
		if own := max(b.pad[p.Pin], b.pad[q.Pin]); own > 0 {
			need = max(own, b.least)
		}
	}
	return need, need - slack(p, q, need)
}

// slack is how far the gap of two items may miss its rule: fills of zones are drawn
// with chords.
func slack(p, q *copper.Item, need int64) int64 {
	if p.Function == pcb.FuncPour || q.Function == pcb.FuncPour {
		return max(6*geom.Micrometre, need/25)
	}
	return dfm.Tolerance
}

// Words writes the clearances that hold: "0.2 mm", "0.15 mm to 0.3 mm".
func (b *Book) Words() string {
	low := b.Most
	for i := range b.net {
		low = min(low, b.netClearance(int32(i), int32(i)))
	}
	for _, v := range b.pad {
		low = min(low, max(v, b.least))
	}
	if low == b.Most {
		return words.MM(low)
	}
	return words.MM(low) + " to " + words.MM(b.Most)
}
