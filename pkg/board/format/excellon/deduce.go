package excellon

import (
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
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
	if e.matchesPads(f) {
		f = e.improveZeros(f)
		s.promote(&f)
		s.confess(f)
		return f
	}
	plausible := e.fits(f) >= goodFit || f.isTrusted() && e.boardShare(f) >= 0.5
	if plausible && !e.padsTell() && f.isTrusted() {
		s.promote(&f)
		s.confess(f)
		return f
	}
	best := s.findBestFit(e, f, plausible)
	if best == f {
		if plausible {
			s.promote(&f)
		} else if !e.sameScale(f) {
			s.reportMisplaced(e, f)
		}
		s.confess(f)
		return f
	}
	s.overrule(f, &best, e.matchesPads(best))
	return best
}

// improveZeros keeps the other zeros where nobody said which are kept and more of the holes lie
// on pads so: numbers of full length are the same either way.
func (e *evidence) improveZeros(f Format) Format {
	if f.ZerosSource >= Reported || f.Points {
		return f
	}
	c := f
	c.Zeros = LeadingKept + TrailingKept - f.Zeros
	if n, _ := e.matches(f); n < len(e.places) {
		if v, _ := e.matches(c); v > n {
			c.ZerosSource = Deduced
			return c
		}
	}
	return f
}

// reportMisplaced tells of holes off the board under the reading that is kept. A few that
// all lie on it may well lie close together; many in one spot are doubtful.
func (s *scanner) reportMisplaced(e *evidence, f Format) {
	switch {
	case e.boardShare(f) < 1:
		s.findings.add(0, true, "drill_off_board",
			fmt.Sprintf("read as %s the holes do not lie on the board, and no other reading fits better", f))
	case len(e.places) >= enough:
		s.findings.list = append(s.findings.list, pcb.Finding{Level: pcb.Warning, Code: "drill_in_one_spot",
			Message: fmt.Sprintf("read as %s all holes lie in one spot of the board, and no other reading fits better", f)})
	}
}

// isTrusted tells whether every part of the format was read somewhere.
func (f Format) isTrusted() bool {
	return f.UnitSource >= Reported && (f.Points || f.PlacesSource >= Reported && f.ZerosSource >= Reported)
}

// findBestFit is the format that puts the holes on pads, else, unless f is plausible
// itself, the one that puts them on the board; f when no other is clearly better.
func (s *scanner) findBestFit(e *evidence, f Format, plausible bool) Format {
	best, score := f, e.fits(f)
	settled := f.isTrusted() && score >= goodFit // some of many holes lie on pads by chance
	for _, c := range s.candidates(f) {
		if c.Unit != f.Unit && !s.drillable(c.Unit) {
			continue // the holes lie elsewhere, at the tool's origin; the unit is right
		}
		v := e.fits(c)
		if e.matchesPads(c) && (!settled || v >= goodFit || e.matchesEach(c)) {
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
		level, fit := pcb.Problem, "which fits it"
		if settled {
			level, fit = pcb.Warning, "which puts them on its pads"
		}
		s.findings.list = append(s.findings.list, pcb.Finding{Level: level, Code: "drill_format_wrong",
			Message: fmt.Sprintf("%s says %s, which puts the holes off the board; read as %s, %s", s.opt.subject(), was, now, fit)})
		return
	}
	s.findings.add(0, false, "drill_format_deduced",
		fmt.Sprintf("%s does not state its number format in full; read as %s, which fits the board", s.opt.subject(), now))
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
	s.findings.add(0, false, "drill_format_deduced", fmt.Sprintf("%s does not state its number format in full; read as %s (%s)", s.opt.subject(), f, how))
}

// candidates are the formats that CAD systems write, likely ones first, held
// to what was stated about the unit where decimal points leave no other choice.
func (s *scanner) candidates(f Format) []Format {
	inch := [][2]int{{2, 4}, {2, 5}, {2, 3}, {3, 5}, {2, 6}, {3, 4}, {1, 5}, {3, 6}, {3, 3}}
	metric := [][2]int{{3, 3}, {4, 4}, {3, 2}, {3, 4}, {4, 2}, {3, 5}, {4, 3}, {4, 5}, {4, 6}, {5, 3}, {2, 4}, {2, 5}}
	units := []Unit{f.Unit, swapUnit(f.Unit)}
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

func swapUnit(u Unit) Unit {
	if u == Inch {
		return Millimetre
	}
	return Inch
}
