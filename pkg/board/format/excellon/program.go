package excellon

import "boardorder/pkg/board/pcb"

// An opcode is what one operation of a program does.
type opcode uint8

const (
	opDrill        opcode = iota // a hole, or a routed move while routing
	opSlot                       // G85: from the first pair to the second
	opRepeat                     // R: the last hole again, n times
	opTool                       // select tool n (an index)
	opMove                       // G00: rout mode, tool up
	opLine                       // G01
	opArcCW                      // G02
	opArcCCW                     // G03
	opDrillMode                  // G05, G81
	opDown                       // M14, M15
	opUp                         // M16, M17
	opAbsolute                   // G90
	opIncremental                // G91, ICI,ON
	opZero                       // G93: a new origin
	opPatternStart               // M25
	opPatternEnd                 // M01
	opPatternAgain               // M02 with an offset
	opCircle                     // G84, G32, G33: a circle cut about the point
	opNextTool                   // M00 where tools are changed by hand
)

// Which coordinates an operation gives.
const (
	hasX uint8 = 1 << iota
	hasY
	hasExtra // extra holds a second pair, an arc's centre or a radius
	mirrorX
	mirrorY
	swapXY
)

// An op is one operation with its numbers still undecided.
type op struct {
	x, y  number
	extra int32 // index into program.extra, when hasExtra
	n     int32 // tool index or repeat count
	line  int32
	code  opcode
	has   uint8
}

// An extraPair is the second pair of numbers of a slot or arc.
type extraPair struct {
	a, b       number
	hasA, hasB bool
	radius     bool // a is a radius
}

// A rawTool is a tool whose size still lacks its unit.
type rawTool struct {
	Tool
	size     float64
	unit     Unit // when the definition names it
	hasSize  bool
	hasPoint bool
	selected bool
	remarked bool // the size is that of a free comment
}

// A program is a drill file after scanning.
type program struct {
	ops    []op
	extra  []extraPair
	tools  []rawTool
	byNum  map[int]int
	coords tally

	// What the file states about itself.
	stated      Format
	plating     pcb.Plating
	mixed       bool
	span        Span
	bottom      bool
	function    string
	software    string
	selects     int // tool selections in the body
	plunges     int
	stops       int // M00
	ended       bool
	stopped     bool // by M00, and nothing was drilled since: some programs end so
	backDrill   bool // all of it drills holes a second time
	remarks     map[int]remark
	pattern     bool // between M25 and M01
	incremental bool
}

// tally is the evidence that the digits of all coordinates give.
type tally struct {
	count, pointed int
	withLeading    int // numbers that begin with a needless zero
	withTrailing   int // numbers that end in zero, other than zero itself
	minLen, maxLen int8
	lengths        [maxDigits + 1]int
}

func (t *tally) add(n number) {
	t.count++
	if n.decimals >= 0 {
		t.pointed++
		return
	}
	if n.mantissa == 0 && n.digits <= 1 {
		return // a bare zero tells nothing
	}
	if n.leading {
		t.withLeading++
	}
	if n.mantissa != 0 && n.mantissa%10 == 0 {
		t.withTrailing++
	}
	if t.minLen == 0 || n.digits < t.minLen {
		t.minLen = n.digits
	}
	t.maxLen = max(t.maxLen, n.digits)
	t.lengths[n.digits]++
}

// constant is the digit count that every number has, or 0.
func (t *tally) constant() int {
	if t.minLen == t.maxLen {
		return int(t.maxLen)
	}
	return 0
}
