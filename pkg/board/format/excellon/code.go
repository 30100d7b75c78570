package excellon

import "fmt"

// gcode handles one G word.
func (s *scanner) gcode(w word) {
	if !w.has {
		return
	}
	switch g := w.num.integer(); g {
	case 0:
		s.mark(opMove, 0)
		s.routing, s.motion = true, opMove
	case 1:
		s.motion = s.motionOf(opLine)
	case 2:
		s.motion = s.motionOf(opArcCW)
	case 3:
		s.motion = s.motionOf(opArcCCW)
	case 5, 81:
		s.mark(opDrillMode, 0)
		s.routing, s.motion = false, opDrill
	case 90:
		s.mark(opAbsolute, 0)
	case 91:
		s.incremental = true
		s.mark(opIncremental, 0)
	case 93, 92:
		s.motionOnce(opZero)
	case 20, 70:
		s.unitCode(Inch)
	case 21, 71:
		s.unitCode(Millimetre)
	case 41, 42:
		s.findings.add(s.line, true, "drill_compensation", fmt.Sprintf("G%d asks the machine to cut beside the path by the cutter's radius: that is not read, so what is shown is half a cutter off; export the path of the cutter's centre (G40)", g))
	case 4, 7, 8, 17, 34, 35, 36, 37, 38, 39, 40, 45, 46, 47, 48, 49, 80, 98, 99:
		// Dwell, the end of compensation and the like do not change where the tool goes.
	case 82, 83, 86, 87:
		s.findings.add(s.line, true, "drill_cycle", fmt.Sprintf("canned cycle G%02d is not read: its holes are missing", g))
	default:
		s.findings.add(s.line, false, "drill_code", fmt.Sprintf("G%02d is unknown and left out", g))
	}
}

// motionOf is the motion of G01 to G03: in a program that never entered rout mode
// G01 is the ordinary drill motion.
func (s *scanner) motionOf(code opcode) opcode {
	if !s.routing && code == opLine {
		return opDrill
	}
	s.routing = true
	return code
}

// motionOnce makes the coordinates that follow on this line belong to code.
func (s *scanner) motionOnce(code opcode) {
	s.mark(code, 0)
	last := &s.ops[len(s.ops)-1]
	for i := range s.words {
		w := &s.words[i]
		if !w.has {
			continue
		}
		switch w.letter {
		case 'X':
			last.x, last.has, w.has = w.num, last.has|hasX, false
		case 'Y':
			last.y, last.has, w.has = w.num, last.has|hasY, false
		}
	}
}

// mcode handles one M word; it returns how many of the words after it it used.
func (s *scanner) mcode(w word, after []word, o *op, pending *bool, flush func()) int {
	if !w.has {
		return 0
	}
	m := w.num.integer()
	if m == 2 && patternOffset(after) {
		flush()
		o.code, *pending = opPatternAgain, true
		return 0
	}
	switch m { // these modify the pattern that is being repeated
	case 70:
		o.has |= swapXY
		return 0
	case 80:
		o.has |= mirrorX
		return 0
	case 90:
		o.has |= mirrorY
		return 0
	}
	flush()
	s.machine(m)
	o.code = s.motion
	return 0
}

func patternOffset(ws []word) bool {
	for _, w := range ws {
		if w.has && (w.letter == 'X' || w.letter == 'Y') {
			return true
		}
	}
	return false
}

// machine handles the M codes that stand alone.
func (s *scanner) machine(m int) {
	switch m {
	case 0:
		s.stops++
		s.stopped = true
		s.mark(opNextTool, 0)
	case 1:
		s.pattern = false
		s.mark(opPatternEnd, 0)
	case 2, 30:
		s.end(m)
	case 8:
		s.pattern = false
		s.mark(opPatternEnd, 0)
	case 14, 15:
		s.plunges++
		s.mark(opDown, 0)
	case 16, 17:
		s.mark(opUp, 0)
	case 25:
		s.pattern = true
		s.mark(opPatternStart, 0)
	case 48:
		s.header = true
	case 95:
		s.endHeader()
	case 71:
		s.unitCode(Millimetre)
	case 72:
		s.unitCode(Inch)
	case 6, 9, 18, 47, 50, 60, 99, 3, 4, 5, 10, 11:
		// Messages, vacuum, spindle: nothing to draw.
	case 97, 98:
		s.findings.add(s.line, true, "drill_text", "drilled text is not read: its holes are missing")
	default:
		s.findings.add(s.line, false, "drill_code", fmt.Sprintf("M%02d is unknown and left out", m))
	}
}

// end is M30, or a plain M02 outside of any pattern.
func (s *scanner) end(m int) {
	if m == 2 && s.pattern {
		return
	}
	s.ended = true
}

// unitCode is M71, M72 and their G relatives.
func (s *scanner) unitCode(u Unit) {
	if s.stated.Unit != UnknownUnit && s.stated.Unit != u {
		s.findings.add(s.line, true, "drill_unit_conflict",
			fmt.Sprintf("the file states %s here and %s before; %s is used", u, s.stated.Unit, s.stated.Unit))
		return
	}
	s.stated.Unit = u
}
