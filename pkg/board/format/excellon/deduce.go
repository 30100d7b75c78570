package excellon

import (
	"fmt"
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// settle decides the number format: what the file states, then what the set
// reports, then what fits the evidence.
func (s *scanner) settle() Format {
	f := s.stated
	f.Points = s.coords.count > 0 && s.coords.pointed == s.coords.count
	s.settleUnit(&f)
	s.settleZeros(&f)
	s.settlePlaces(&f)
	if s.coords.count > 0 {
		f = s.verify(f)
	}
	return f
}

func (s *scanner) settleUnit(f *Format) {
	switch o := s.opt.Format; {
	case f.Unit != UnknownUnit:
		f.UnitSource = Stated
	case o.Unit != UnknownUnit:
		f.Unit, f.UnitSource = o.Unit, Reported
	default:
		f.Unit, f.UnitSource = s.unitFromTools()
	}
}

// unitFromTools looks at the tool sizes: no drill is a tenth of a millimetre
// wide by the dozen, and none is half an inch.
func (s *scanner) unitFromTools() (Unit, Source) {
	smallest, largest := math.Inf(1), 0.0
	for _, t := range s.tools {
		switch {
		case t.unit != UnknownUnit:
			return t.unit, Deduced // the comments of the tool table name one
		case t.hasSize && t.size > 0:
			smallest, largest = min(smallest, t.size), max(largest, t.size)
		}
	}
	switch {
	case largest == 0:
		return Inch, Assumed
	case largest >= 0.5: // half an inch is no drill
		return Millimetre, Deduced
	case smallest < 0.1, largest < 0.2: // 0.1 mm is the finest there is
		return Inch, Deduced
	case smallest >= 0.1:
		return Millimetre, Assumed
	}
	return Inch, Assumed
}

func (s *scanner) settleZeros(f *Format) {
	t := &s.coords
	switch o := s.opt.Format; {
	case f.Zeros != UnknownZeros:
		f.ZerosSource = Stated
	case t.withLeading > 0 && t.minLen != t.maxLen:
		f.Zeros, f.ZerosSource = LeadingKept, Deduced // needless zeros in front: those at the end were dropped
	case o.Zeros != UnknownZeros:
		f.Zeros, f.ZerosSource = o.Zeros, Reported
	case t.withTrailing > 0:
		f.Zeros, f.ZerosSource = TrailingKept, Deduced
	default:
		f.Zeros, f.ZerosSource = TrailingKept, Assumed
	}
}

func (s *scanner) settlePlaces(f *Format) {
	o := s.opt.Format
	switch {
	case f.Integer+f.Decimal > 0:
		f.PlacesSource = Stated
	case o.Integer+o.Decimal > 0:
		f.Integer, f.Decimal, f.PlacesSource = o.Integer, o.Decimal, Reported
	default:
		f.Integer, f.Decimal = 2, 4
		if f.Unit == Millimetre {
			f.Integer, f.Decimal = 3, 3
		}
		f.PlacesSource = Assumed
		// Fully written numbers show how many places there are.
		if n := s.coords.constant(); n > f.Integer+f.Decimal && s.coords.withLeading > 0 {
			f.Integer, f.Decimal = splitPlaces(n, f.Unit)
			f.PlacesSource = Deduced
		}
	}
}

// splitPlaces is the usual format with n digits in all.
func splitPlaces(n int, u Unit) (integer, decimal int) {
	switch {
	case u == Inch && n <= 7:
		return 2, n - 2
	case n <= 6:
		return 3, n - 3
	case u == Inch:
		return 3, n - 3
	case n == 7:
		return 4, 3
	default:
		return 3, n - 3
	}
}

// verify weighs the settled format against the board. It is kept unless it
// cannot be right and another one is.
func (s *scanner) verify(f Format) Format {
	if s.incremental || f.Points && f.UnitSource == Stated || !s.opt.hasExtents() && len(s.opt.Pads) == 0 {
		s.confess(f)
		return f
	}
	e := s.evidence()
	if e.onPads(f) {
		s.promote(&f)
		s.confess(f)
		return f
	}
	plausible := e.fits(f) >= goodFit || f.trusted() && e.inside(f) >= 0.5
	if plausible && !e.padsTell() && f.trusted() {
		s.promote(&f)
		s.confess(f)
		return f
	}
	best := s.bestFit(e, f, plausible)
	if best == f {
		if plausible {
			s.promote(&f)
		} else if !e.sameScale(f) {
			s.misplaced(e, f)
		}
		s.confess(f)
		return f
	}
	s.overrule(f, &best, e.onPads(best))
	return best
}

// misplaced tells of holes off the board under the reading that is kept. A few that
// all lie on it may well lie close together; many in one spot are doubtful.
func (s *scanner) misplaced(e *evidence, f Format) {
	switch {
	case e.inside(f) < 1:
		s.findings.add(0, true, "drill_off_board",
			fmt.Sprintf("read as %s the holes do not lie on the board, and no other reading fits better", f))
	case len(e.places) >= enough:
		s.findings.list = append(s.findings.list, board.Finding{Level: board.Warning, Code: "drill_in_one_spot",
			Message: fmt.Sprintf("read as %s all holes lie in one spot of the board, and no other reading fits better", f)})
	}
}

// trusted tells whether every part of the format was read somewhere.
func (f Format) trusted() bool {
	return f.UnitSource >= Reported && (f.Points || f.PlacesSource >= Reported && f.ZerosSource >= Reported)
}

// bestFit is the format that puts the holes on pads, else, unless f is plausible
// itself, the one that puts them on the board; f when no other is clearly better.
func (s *scanner) bestFit(e *evidence, f Format, plausible bool) Format {
	best, score := f, e.fits(f)
	settled := f.trusted() && score >= goodFit // some of many holes lie on pads by chance
	for _, c := range s.candidates(f) {
		if c.Unit != f.Unit && !s.drillable(c.Unit) {
			continue // the holes lie elsewhere, at the tool's origin; the unit is right
		}
		v := e.fits(c)
		if e.onPads(c) && (!settled || v >= goodFit || e.allOnPads(c)) {
			return c
		}
		if v > score+0.05 {
			best, score = c, v
		}
	}
	if plausible || score < goodFit {
		return f
	}
	return best
}

// finest and coarsest are sizes beyond which nobody drills.
const (
	finest   = 40 * geom.Micrometre
	coarsest = 30 * geom.Millimetre
)

// drillable reports whether the tools could be drills if their sizes were in u.
func (s *scanner) drillable(u Unit) bool {
	for _, t := range s.tools {
		d := t.size * u.nanometres()
		if t.hasSize && t.unit == UnknownUnit && d > 0 && (d < float64(finest) || d > float64(coarsest)) {
			return false
		}
	}
	return true
}

// promote marks assumed parts as deduced once the board confirms them.
func (s *scanner) promote(f *Format) {
	f.UnitSource = max(f.UnitSource, Deduced)
	f.PlacesSource = max(f.PlacesSource, Deduced)
	f.ZerosSource = max(f.ZerosSource, Deduced)
}

// overrule tells what was changed and why. Where pads lie under the holes the file only
// states its format wrong: that is settled.
func (s *scanner) overrule(was Format, now *Format, settled bool) {
	contradicts := now.Unit != was.Unit && was.UnitSource >= Reported ||
		now.Zeros != was.Zeros && was.ZerosSource >= Reported ||
		(now.Integer != was.Integer || now.Decimal != was.Decimal) && was.PlacesSource >= Reported
	now.UnitSource, now.PlacesSource, now.ZerosSource = Deduced, Deduced, Deduced
	if contradicts {
		level, fit := board.Problem, "which fits it"
		if settled {
			level, fit = board.Warning, "which puts them on its pads"
		}
		s.findings.list = append(s.findings.list, board.Finding{Level: level, Code: "drill_format_wrong",
			Message: fmt.Sprintf("the file says %s, which puts the holes off the board; read as %s, %s", was, now, fit)})
		return
	}
	s.findings.add(0, false, "drill_format_deduced",
		fmt.Sprintf("the number format is not stated in full; read as %s, which fits the board", now))
}

// confess tells which parts of the format nobody stated.
func (s *scanner) confess(f Format) {
	if s.coords.count == 0 {
		return
	}
	n := s.coords.constant()
	zerosMatter := !f.Points && n != f.Integer+f.Decimal
	placesMatter := !f.Points
	unstated := f.UnitSource <= Deduced || placesMatter && f.PlacesSource <= Deduced || zerosMatter && f.ZerosSource <= Deduced
	if !unstated {
		return
	}
	guess := f.UnitSource == Assumed || placesMatter && f.PlacesSource == Assumed || zerosMatter && f.ZerosSource == Assumed
	how := "deduced from the file and the board"
	if guess {
		how = "in part assumed, as nothing confirms it"
	}
	s.findings.add(0, false, "drill_format_deduced", fmt.Sprintf("the number format is not stated in full; read as %s (%s)", f, how))
}

// candidates are the formats that CAD systems write, likely ones first, held
// to what was stated about the unit where decimal points leave no other choice.
func (s *scanner) candidates(f Format) []Format {
	inch := [][2]int{{2, 4}, {2, 5}, {2, 3}, {3, 5}, {2, 6}, {3, 4}, {1, 5}, {3, 6}, {3, 3}}
	metric := [][2]int{{3, 3}, {4, 4}, {3, 2}, {3, 4}, {4, 2}, {3, 5}, {4, 3}, {4, 5}, {4, 6}, {5, 3}, {2, 4}, {2, 5}}
	units := []Unit{f.Unit, other(f.Unit)}
	zeros := []Zeros{f.Zeros, LeadingKept + TrailingKept - f.Zeros}
	var out []Format
	for _, u := range units {
		places := inch
		if u == Millimetre {
			places = metric
		}
		for _, z := range zeros {
			for _, p := range places {
				c := f
				c.Unit, c.Zeros, c.Integer, c.Decimal = u, z, p[0], p[1]
				out = append(out, c)
			}
		}
	}
	return out
}

func other(u Unit) Unit {
	if u == Inch {
		return Millimetre
	}
	return Inch
}

// evidence is a sample of the coordinates with what they must fit.
type evidence struct {
	pairs   [][2]number
	places  []placement // holes, and slots where there are few holes
	extents geom.Box
	pads    map[geom.Point]struct{}
}

// A placement is where something is drilled: the middle between two pairs, which
// are the same for a hole.
type placement struct{ from, to [2]number }

const (
	goodFit    = 0.7
	sampleSize = 4000
	padCell    = 50 * geom.Micrometre
	enough     = 6 // holes whose match with pads is no chance, though not all match
)

func (s *scanner) evidence() *evidence {
	e := &evidence{extents: s.opt.Extents, pads: make(map[geom.Point]struct{}, len(s.opt.Pads))}
	for _, p := range s.opt.Pads {
		e.pads[cell(p)] = struct{}{}
	}
	step := max(1, len(s.ops)/sampleSize)
	var x, y number
	x.decimals, y.decimals = -1, -1
	var slots []placement
	for i := range s.ops {
		o := &s.ops[i]
		if o.code == opRepeat || o.code == opPatternAgain || o.code == opZero || o.has&(hasX|hasY) == 0 {
			continue
		}
		before := [2]number{x, y}
		if o.has&hasX != 0 {
			x = o.x
		}
		if o.has&hasY != 0 {
			y = o.y
		}
		if i%step != 0 {
			continue
		}
		at := [2]number{x, y}
		e.pairs = append(e.pairs, at)
		switch o.code {
		case opDrill:
			e.places = append(e.places, placement{at, at})
		case opLine:
			slots = append(slots, placement{before, at})
		case opSlot:
			slots = append(slots, placement{at, s.extra[o.extra].end(at)})
		}
	}
	if len(e.places) < enough {
		e.places = append(e.places, slots...)
	}
	return e
}

func cell(p geom.Point) geom.Point {
	return geom.Pt(floorDiv(p.X, padCell), floorDiv(p.Y, padCell))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// padsTell reports whether there are pads and holes enough for a match to be
// expected.
func (e *evidence) padsTell() bool { return len(e.pads) > 0 && len(e.places) >= enough }

// onPads reports whether holes lie on pads, and not all on the same few: most of
// many, or every one of a few. It is no chance either way.
func (e *evidence) onPads(f Format) bool {
	if len(e.pads) == 0 || len(e.places) < 2 {
		return false
	}
	n, distinct := e.matches(f)
	if len(e.places) < enough {
		return n == len(e.places) && distinct == n
	}
	return n*10 >= len(e.places)*6 && distinct*2 >= n
}

// allOnPads reports whether every hole lies on a pad, each on another.
func (e *evidence) allOnPads(f Format) bool {
	n, distinct := e.matches(f)
	return n == len(e.places) && distinct == n
}

// matches counts the holes that lie on pads, and the places where they do.
func (e *evidence) matches(f Format) (holes, places int) {
	distinct := map[geom.Point]struct{}{}
	for _, p := range e.places {
		if at, ok := p.middle(f); ok && e.onPad(at) {
			holes++
			distinct[cell(at)] = struct{}{}
		}
	}
	return holes, len(distinct)
}

// middle is where a placement lies when read in a format.
func (p placement) middle(f Format) (geom.Point, bool) {
	var out [2]geom.Point
	for i, q := range [2][2]number{p.from, p.to} {
		x, ok1 := f.length(q[0])
		y, ok2 := f.length(q[1])
		if !ok1 || !ok2 {
			return geom.Point{}, false
		}
		out[i] = geom.Pt(x, y)
	}
	return out[0].Mid(out[1]), true
}

// end is the second pair of a slot that begins at from.
func (e extraPair) end(from [2]number) [2]number {
	if e.hasA {
		from[0] = e.a
	}
	if e.hasB {
		from[1] = e.b
	}
	return from
}

// fits scores a format between 0 and 1: how many holes lie on the board, and
// whether they spread over it.
func (e *evidence) fits(f Format) float64 {
	share, box := e.placed(f)
	if share == 0 || e.extents.Width() <= 0 || e.extents.Height() <= 0 {
		return 0
	}
	return share * e.spread(box)
}

// inside is the share of the holes that lie on the board.
func (e *evidence) inside(f Format) float64 {
	share, _ := e.placed(f)
	return share
}

// placed gives the share of the holes on the board and the box of all holes.
func (e *evidence) placed(f Format) (share float64, box geom.Box) {
	box = geom.EmptyBox()
	inside := 0
	limit := e.extents.Grow(max(e.extents.Width(), e.extents.Height()) / 20)
	for _, p := range e.pairs {
		x, ok1 := f.length(p[0])
		y, ok2 := f.length(p[1])
		if !ok1 || !ok2 {
			continue
		}
		at := geom.Pt(x, y)
		box = box.Add(at)
		if limit.Contains(at) {
			inside++
		}
	}
	return float64(inside) / float64(max(1, len(e.pairs))), box
}

// spread is 1 when the holes take up a fair part of the board, less when they
// huddle in one spot, as they do when read a power of ten too small.
func (e *evidence) spread(box geom.Box) float64 {
	if len(e.pairs) < 3 {
		return 0.8
	}
	w := float64(box.Width()) / float64(e.extents.Width())
	h := float64(box.Height()) / float64(e.extents.Height())
	return min(1, 0.2+max(w, h)*2)
}

func (e *evidence) onPad(p geom.Point) bool {
	c := cell(p)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			if _, ok := e.pads[geom.Pt(c.X+dx, c.Y+dy)]; ok {
				return true
			}
		}
	}
	return false
}

// sameScale tells whether the holes span about as much as the board, wherever
// their origin is: some drill files have an origin of their own.
func (e *evidence) sameScale(f Format) bool {
	box := geom.EmptyBox()
	for _, p := range e.pairs {
		x, ok1 := f.length(p[0])
		y, ok2 := f.length(p[1])
		if ok1 && ok2 {
			box = box.Add(geom.Pt(x, y))
		}
	}
	if box.Empty() || e.extents.Width() == 0 || e.extents.Height() == 0 {
		return false
	}
	w := float64(box.Width()) / float64(e.extents.Width())
	h := float64(box.Height()) / float64(e.extents.Height())
	return w < 1.3 && h < 1.3 && max(w, h) > 0.1
}
