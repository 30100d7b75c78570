package dfm

import (
	"fmt"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// A clearanceBook knows how far copper of each net must keep away from others.
type clearanceBook struct {
	least int64           // of the board
	net   []int64         // by net: of its class
	pad   map[int32]int64 // by pin: of its own
	most  int64
}

// clearances is the book of the design's own; an empty one when it states none or
// nobody asks for it.
func (in *input) clearances() *clearanceBook {
	rules := in.board.Rules
	customRules(&rules)
	if !in.opt.asks(DesignRule) || !stated(&rules) {
		return &clearanceBook{}
	}
	return newClearanceBook(in.board, &rules)
}

func newClearanceBook(b *board.Board, r *board.Rules) *clearanceBook {
	book := &clearanceBook{least: r.Clearance, net: make([]int64, len(b.Nets)), pad: r.PadClearance}
	usual := int64(0)
	var classes []board.NetClass
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
	book.most = book.least
	for _, v := range book.pad {
		book.most = max(book.most, v)
	}
	for i := range b.Nets {
		if book.net[i] = usual; i > 0 {
			book.net[i] = classClearance(classes, b.Nets[i].Name, usual)
		}
		book.most = max(book.most, book.net[i])
	}
	return book
}

// classClearance is that of the first class that names the net.
func classClearance(classes []board.NetClass, net string, usual int64) int64 {
	for _, c := range classes {
		for _, p := range c.Nets {
			if matches(p, net) {
				return c.Clearance
			}
		}
	}
	return usual
}

// matches tells whether a pattern with * and ? names a net.
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

// between is the clearance that two nets must keep.
func (b *clearanceBook) between(x, y int32) int64 {
	return max(b.least, b.net[x], b.net[y])
}

// need is the clearance that items of two nets must keep, what their pads say before
// what their nets do, and how close is too close; 0 when nothing is said.
func (b *clearanceBook) need(p, q *copper.Item, x, y int32) (need, enough int64) {
	if b.most <= 0 || x <= 0 || y <= 0 {
		return 0, 0
	}
	need = b.between(x, y)
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
	if p.Function == board.FuncPour || q.Function == board.FuncPour {
		return max(6*geom.Micrometre, need/25)
	}
	return tolerance
}

// tooClose says which gaps break the design's own clearances.
func tooClose(each []*spacer, book *clearanceBook) result {
	var all gapList
	for _, s := range each {
		all.join(&s.broke)
	}
	if all.count == 0 {
		return result{}
	}
	return broken(fmt.Sprintf("clearance (%s)", book.words()), all.limit, &all.places)
}

// A gapList gathers gaps that are too small, and by which rule the smallest is.
type gapList struct {
	places
	least, limit int64
}

func (g *gapList) take(p Place, need int64) {
	if g.count == 0 || p.Value < g.least || p.Value == g.least && need > g.limit {
		g.least, g.limit = p.Value, need
	}
	g.add(p, worstFirst)
}

func (g *gapList) join(o *gapList) {
	if o.count == 0 {
		return
	}
	if g.count == 0 || o.least < g.least || o.least == g.least && o.limit > g.limit {
		g.least, g.limit = o.least, o.limit
	}
	g.count += o.count
	g.list = append(g.list, o.list...)
}

// words writes the clearances that hold: "0.2 mm", "0.15 mm to 0.3 mm".
func (b *clearanceBook) words() string {
	low := b.most
	for i := range b.net {
		low = min(low, b.between(int32(i), int32(i)))
	}
	for _, v := range b.pad {
		low = min(low, max(v, b.least))
	}
	if low == b.most {
		return mm(low)
	}
	return mm(low) + " to " + mm(b.most)
}

// thinTracks finds tracks narrower than the design allows.
func thinTracks(in *input, c *copper.Copper, least int64) result {
	if least <= 0 {
		return result{}
	}
	var at places
	for _, l := range c.Layers {
		for i := range l.Items {
			f := l.DrawnAs(i)
			if f == nil || f.Kind != board.LineFeature && f.Kind != board.ArcFeature || f.Net == 0 || f.Function == board.FuncPour {
				continue
			}
			if w := l.Layer.Width(f); w > 0 && w < least-tolerance {
				at.add(aim(l.Layer.Name, l.Layer.Edge(f).Mid(), w, in.object(l, i), in.netName(f.Net)), worstFirst)
			}
		}
	}
	return broken(fmt.Sprintf("width of tracks (%s)", mm(least)), least, &at)
}

// smallVias finds vias whose pads are smaller than the design allows.
func smallVias(in *input, c *copper.Copper, r *board.Rules) result {
	if r.ViaDiameter <= 0 {
		return result{}
	}
	micro := map[geom.Point]bool{}
	for i := range in.board.Holes {
		if h := &in.board.Holes[i]; h.From != h.To && (h.To-h.From == 1 || h.From-h.To == 1) && len(c.Layers) > 2 {
			micro[h.A] = true
		}
	}
	var at places
	seen := map[geom.Point]bool{}
	for _, l := range c.Layers {
		for i := range l.Items {
			f := l.DrawnAs(i)
			if f == nil || f.Kind != board.FlashFeature || f.Function != board.FuncViaPad || seen[f.A] {
				continue
			}
			least := r.ViaDiameter
			if micro[f.A] && r.MicroViaDiameter > 0 {
				least = min(least, r.MicroViaDiameter)
			}
			if w := l.Layer.Width(f); w < least-tolerance {
				seen[f.A] = true
				at.add(aim(l.Layer.Name, f.A, w, in.object(l, i), in.netName(f.Net)), worstFirst)
			}
		}
	}
	return broken(fmt.Sprintf("size of vias (%s)", mm(r.ViaDiameter)), r.ViaDiameter, &at)
}

// smallHoles finds holes smaller than the design allows.
func smallHoles(in *input, r *board.Rules) result {
	if r.ViaDrill <= 0 {
		return result{}
	}
	var at places
	for i := range in.board.Holes {
		h := &in.board.Holes[i]
		least := r.ViaDrill
		if span := h.To - h.From; (span == 1 || span == -1) && r.MicroViaDrill > 0 {
			least = min(least, r.MicroViaDrill)
		}
		if h.Kind == board.DrillHole && h.Diameter > 0 && h.Diameter < least-tolerance {
			at.add(aim("", h.A, h.Diameter, holeWords(h), in.netName(h.Net)), worstFirst)
		}
	}
	return broken(fmt.Sprintf("size of holes (%s)", mm(r.ViaDrill)), r.ViaDrill, &at)
}
