package excellon

import (
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A runner carries out the operations of a program.
type runner struct {
	s        *scanner
	f        Format
	out      *File
	at       geom.Point
	origin   geom.Point
	tool     int // -1 before any selection
	routing  bool
	down     bool
	relative bool
	path     *Path
	lastHit  bool // what R repeats
	start    int  // first operation of the pattern
	stop     int  // one past its last operation
	offset   geom.Point
	depth    int
	line     int32 // of the operation at hand
	far      int   // coordinates beyond any board
	firstFar far
	left     int // holes until the next tool, where only their numbers tell; else 0

	holes, corners pcb.Tally
	steps          pcb.Tally // operations carried out, repeated ones counted each time
}

// run turns a program into holes and cuts.
func (s *scanner) run(f Format) *File {
	r := &runner{s: s, f: f, tool: -1, start: -1,
		holes: s.meter.Tally(pcb.Drilled), corners: s.meter.Tally(pcb.Corners), steps: s.meter.Tally(pcb.Lookups)}
	r.out = &File{
		Format: f, Plating: s.plating, Span: s.span, Bottom: s.bottom,
		Function: s.function, Software: s.software, Ended: s.ended || s.stopped,
	}
	r.out.Tools = s.resolveTools(f)
	r.pickTool()
	r.runRange(0, len(s.ops))
	r.endPath()
	r.holes.Settle()
	r.corners.Settle()
	if r.far > 0 {
		s.findings.add(int(r.firstFar.line), true, "drill_far", fmt.Sprintf("coordinates that lie metres away are left out (%d); the first is %.4g m", r.far, r.firstFar.at/1e9))
	}
	return r.out
}

// pickTool picks the tool of programs that select none: those that stop for a
// change of tool by hand, that have but one, or that state how many holes each tool
// drills and hold as many.
func (r *runner) pickTool() {
	if r.s.selects > 0 || len(r.out.Tools) == 0 {
		return
	}
	if r.s.stops > 0 || len(r.out.Tools) == 1 {
		r.tool = 0
		return
	}
	if r.matchesCounts() {
		r.tool, r.left = 0, r.out.Tools[0].Stated
	}
}

// matchesCounts reports whether the tools state how many holes they drill, and the program holds
// as many in all and nothing but holes.
func (r *runner) matchesCounts() bool {
	stated, holes := 0, 0
	for i := range r.out.Tools {
		if r.out.Tools[i].Stated <= 0 {
			return false
		}
		stated += r.out.Tools[i].Stated
	}
	for i := range r.s.ops {
		switch o := &r.s.ops[i]; o.code {
		case opDrill:
			holes++
		case opRepeat:
			holes += int(o.n)
		case opAbsolute, opIncremental, opDrillMode, opZero:
		default:
			return false
		}
	}
	return stated == holes
}

// countDrilled counts the holes of the tool in hand where tools follow each other by their
// numbers of holes.
func (r *runner) countDrilled(n int) {
	if r.left == 0 {
		return
	}
	if r.left -= n; r.left <= 0 && r.tool+1 < len(r.out.Tools) {
		r.tool++
		r.left = r.out.Tools[r.tool].Stated
	}
}

// runRange carries out some of the operations.
func (r *runner) runRange(from, to int) {
	for i := from; i < to && r.steps.Add(1); i++ {
		r.step(&r.s.ops[i], i)
	}
}

func (r *runner) step(o *op, i int) {
	r.line = o.line
	switch o.code {
	case opTool:
		r.endPath()
		r.tool, r.lastHit = int(o.n), false
	case opNextTool:
		r.endPath()
		if r.s.selects == 0 && r.tool >= 0 && r.tool+1 < len(r.out.Tools) {
			r.tool++
		}
	case opAbsolute:
		r.relative = false
	case opIncremental:
		r.relative = true
	case opZero:
		r.zero(o)
	case opDrillMode:
		r.endPath()
		r.routing, r.down = false, false
	case opDown:
		r.down = true
	case opUp:
		r.endPath()
		r.down = false
	case opPatternStart:
		r.start, r.stop, r.offset = i+1, 0, geom.Point{}
	case opPatternEnd:
		if r.start >= 0 && r.stop == 0 {
			r.stop = i
		}
	case opPatternAgain:
		r.repeatPattern(o)
	case opRepeat:
		r.repeat(o)
	case opSlot:
		r.slot(o)
	case opCircle:
		r.circle(o)
	case opMove:
		r.endPath()
		r.routing = true
		if o.has != 0 {
			r.at = r.target(o)
		}
	case opLine, opArcCW, opArcCCW:
		r.moveRouter(o)
	case opDrill:
		r.drill(o)
	}
}

// target is where an operation ends.
func (r *runner) target(o *op) geom.Point {
	p := r.at
	if o.has&hasX != 0 {
		p.X = r.coordinate(o.x, r.at.X, r.origin.X+r.offset.X)
	}
	if o.has&hasY != 0 {
		p.Y = r.coordinate(o.y, r.at.Y, r.origin.Y+r.offset.Y)
	}
	return p
}

func (r *runner) coordinate(n number, at, origin int64) int64 {
	v, ok := r.f.length(n)
	if !ok {
		r.leaveOut(r.f.nanometres(n))
		return at
	}
	if r.relative {
		v, ok = geom.Clamp(at + v)
	} else {
		v, ok = geom.Clamp(origin + v)
	}
	if !ok {
		r.leaveOut(float64(v))
	}
	return v
}

func (r *runner) length(n number) int64 {
	v, ok := r.f.length(n)
	if !ok {
		r.leaveOut(r.f.nanometres(n))
	}
	return v
}

// far is a coordinate beyond any board.
type far struct {
	line int32
	at   float64 // nm
}

// leaveOut counts a coordinate beyond any board and keeps the first.
func (r *runner) leaveOut(at float64) {
	if r.far == 0 {
		r.firstFar = far{r.line, at}
	}
	r.far++
}

// zero is G93: the coordinates that follow count from X..Y..
func (r *runner) zero(o *op) {
	if o.has&hasX != 0 {
		r.origin.X = r.length(o.x)
	}
	if o.has&hasY != 0 {
		r.origin.Y = r.length(o.y)
	}
}

func (r *runner) drill(o *op) {
	r.at = r.target(o)
	r.hit(o.line)
	r.lastHit = true
	r.countDrilled(1)
}

// toolFor is the tool in hand; holes before any selection get one without size.
func (r *runner) toolFor(line int32) int {
	if r.tool < 0 {
		r.tool = len(r.out.Tools)
		r.out.Tools = append(r.out.Tools, Tool{Line: int(line)})
		r.s.findings.add(int(line), true, "drill_no_tool", "holes are drilled before any tool is selected")
	}
	return r.tool
}

func (r *runner) hit(line int32) {
	if !r.holes.Add(1) {
		return
	}
	r.out.Hits = append(r.out.Hits, Hit{At: r.at, Tool: r.toolFor(line), Line: int(line)})
}

// repeat drills the last hole n more times, a step apart.
func (r *runner) repeat(o *op) {
	if !r.lastHit {
		r.s.findings.add(int(o.line), true, "drill_repeat", "R repeats a hole, but none was drilled before it")
		return
	}
	var d geom.Point
	if o.has&hasX != 0 {
		d.X = r.length(o.x)
	}
	if o.has&hasY != 0 {
		d.Y = r.length(o.y)
	}
	n := int(o.n)
	if n <= 0 || !r.s.meter.Spend(pcb.Drilled, n) {
		return
	}
	for range n {
		r.at = r.at.Add(d)
		r.out.Hits = append(r.out.Hits, Hit{At: r.at, Tool: r.toolFor(o.line), Line: int(o.line)})
		r.countDrilled(1)
	}
}

// repeatPattern repeats the pattern between M25 and M01, moved on by X..Y..
func (r *runner) repeatPattern(o *op) {
	if r.start < 0 {
		r.s.findings.add(int(o.line), true, "drill_pattern", "a pattern is repeated that was never begun")
		return
	}
	if r.depth > 0 {
		return
	}
	if r.stop == 0 {
		r.stop = r.index(o)
	}
	if o.has&(mirrorX|mirrorY|swapXY) != 0 {
		r.s.findings.add(int(o.line), true, "drill_pattern", "a mirrored or turned pattern is not read: its holes are missing")
		return
	}
	if r.start >= r.stop {
		return
	}
	before := r.offset
	for range max(1, int(o.n)) {
		if o.has&hasX != 0 {
			r.offset.X += r.length(o.x)
		}
		if o.has&hasY != 0 {
			r.offset.Y += r.length(o.y)
		}
		r.depth++
		r.runRange(r.start, r.stop)
		r.depth--
		if !r.steps.Add(1) || r.offset == before {
			return
		}
	}
}

// index finds the operation itself, which ends an unclosed pattern.
func (r *runner) index(o *op) int {
	for i := r.start; i < len(r.s.ops); i++ {
		if &r.s.ops[i] == o {
			return i
		}
	}
	return r.start
}

func (r *runner) slot(o *op) {
	from := r.target(o)
	r.at = from
	e := r.s.extra[o.extra]
	to := from
	if e.hasA {
		to.X = r.coordinate(e.a, from.X, r.origin.X+r.offset.X)
	}
	if e.hasB {
		to.Y = r.coordinate(e.b, from.Y, r.origin.Y+r.offset.Y)
	}
	r.at = to
	r.lastHit = false
	if !r.holes.Add(1) {
		return
	}
	r.out.Slots = append(r.out.Slots, Slot{From: from, To: to, Tool: r.toolFor(o.line), Line: int(o.line)})
}

// circle cuts a circle of the given size about the point.
func (r *runner) circle(o *op) {
	r.endPath()
	r.at = r.target(o)
	e := r.s.extra[o.extra]
	radius := r.length(e.a)
	if !e.radius {
		radius /= 2
	}
	tool := r.toolFor(o.line)
	if !e.radius { // G84 gives the hole, not the tool's way
		radius -= r.out.Tools[tool].Diameter / 2
	}
	if radius <= 0 {
		r.hit(o.line)
		return
	}
	if !r.holes.Add(1) {
		return
	}
	p := geom.Pt(r.at.X+radius, r.at.Y)
	r.out.Paths = append(r.out.Paths, Path{
		Path: geom.Path{Points: []geom.Point{p, p}, Bends: []geom.Bend{{At: 0, Centre: r.at}}, Closed: true},
		Tool: tool, Line: int(o.line),
	})
}

// moveRouter moves the router; it cuts when the tool is down, or when the program
// never says up or down.
func (r *runner) moveRouter(o *op) {
	r.routing = true
	from := r.at
	to := r.target(o)
	r.at = to
	if !r.down && r.s.plunges > 0 {
		r.endPath()
		return
	}
	if o.has&(hasX|hasY) == 0 {
		return
	}
	if !r.corners.Add(1) {
		return
	}
	if r.path == nil {
		r.path = &Path{Path: geom.Path{Points: []geom.Point{from}}, Tool: r.toolFor(o.line), Line: int(o.line)}
	}
	p := r.path
	if o.code != opLine && o.has&hasExtra != 0 {
		cw := o.code == opArcCW
		p.Bends = append(p.Bends, geom.Bend{At: int32(len(p.Points) - 1), Clockwise: cw, Centre: r.centre(o, from, to, cw)})
	}
	p.Points = append(p.Points, to)
}

// centre of an arc, from its radius or from its offsets.
func (r *runner) centre(o *op, from, to geom.Point, clockwise bool) geom.Point {
	e := r.s.extra[o.extra]
	if !e.radius {
		return from.Add(geom.Pt(r.offsetOf(e.a, e.hasA), r.offsetOf(e.b, e.hasB)))
	}
	radius := float64(r.length(e.a))
	chord := from.Dist(to)
	mid := from.Mid(to)
	if chord == 0 || 2*radius <= chord {
		return mid
	}
	h := math.Sqrt(radius*radius - chord*chord/4)
	if clockwise {
		h = -h
	}
	d := to.Sub(from)
	return geom.Pt(mid.X-int64(math.Round(float64(d.Y)/chord*h)), mid.Y+int64(math.Round(float64(d.X)/chord*h)))
}

func (r *runner) offsetOf(n number, ok bool) int64 {
	if !ok {
		return 0
	}
	return r.length(n)
}

// endPath stores the cut in hand: as a slot when it is one straight line.
func (r *runner) endPath() {
	p := r.path
	r.path = nil
	if p == nil || len(p.Points) < 2 {
		return
	}
	r.lastHit = false
	if a, b, ok := straight(p.Path); ok {
		r.out.Slots = append(r.out.Slots, Slot{From: a, To: b, Tool: p.Tool, Line: p.Line, Routed: true})
		return
	}
	if p.Points[0] == p.Points[len(p.Points)-1] {
		p.Closed = true
	}
	r.out.Paths = append(r.out.Paths, *p)
}

// straight gives the ends of a path that never leaves one line: the tool may go
// to and fro in a slot.
func straight(p geom.Path) (a, b geom.Point, ok bool) {
	if len(p.Bends) > 0 {
		return a, b, false
	}
	a, b = p.Points[0], p.Points[0]
	for _, q := range p.Points {
		switch {
		case a.Dist(q) > a.Dist(b):
			b = q
		case b.Dist(q) > a.Dist(b):
			a = q
		}
	}
	d := b.Sub(a)
	for _, q := range p.Points {
		if math.Abs(d.Cross(q.Sub(a))) > d.Len()*float64(geom.Micrometre) {
			return a, b, false
		}
	}
	return a, b, true
}
