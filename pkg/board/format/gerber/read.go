package gerber

import (
	"bytes"
	"context"
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Read reads a Gerber file. It never fails: what is wrong is in the findings. When
// ctx ends, or the budget in it does, the rest is left out.
func Read(ctx context.Context, name string, data []byte, o Options) *File {
	r := newReader(pcb.MeterOf(pcb.FileContext(ctx, name)), name, data, o)
	r.run()
	r.finish()
	return r.file
}

// reader holds the state of the plot, as the format's graphics state.
type reader struct {
	data   []byte
	pos    int
	line   int
	name   string
	opt    Options
	file   *File
	layer  *pcb.Layer
	found  map[string]int // finding code and detail to index
	doubts map[int][]int  // by finding: the codes of its apertures

	// Coordinates.
	scale   scale
	pending bool // coordinates were met before any format
	legacy  legacy

	// Graphics state.
	cur       geom.Point
	far       bool // the command names a coordinate beyond any board
	curFar    bool // so did the one that led to cur
	op        int  // last D01..D03
	interp    geom.Turn
	quadrant  quadrant
	aperture  int32 // index into layer.Apertures; -1 none
	codes     map[int]int32
	macros    map[string]*macro
	clear     bool
	transform int32
	placing   geom.Transform

	// Attributes.
	dict attributes

	// Regions.
	inRegion bool
	contour  geom.Path
	arena    []geom.Point

	// Blocks and repetition.
	out    []pcb.Feature
	outer  []frame
	blocks map[int]*block
	repeat *repeat

	meter    pcb.Meter
	drawn    pcb.Tally
	corners  pcb.Tally
	commands pcb.Tally
	missing  map[int]int // undefined D-codes and how often they were used
	done     bool
}

func newReader(m pcb.Meter, name string, data []byte, o Options) *reader {
	layer := pcb.NewLayer(name, name)
	r := &reader{
		data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), line: 1, name: name, opt: o,
		layer: layer, file: &File{Layer: layer},
		found: map[string]int{}, codes: map[int]int32{}, macros: map[string]*macro{},
		blocks: map[int]*block{}, missing: map[int]int{}, aperture: -1,
		meter: m, drawn: m.Tally(pcb.Drawn), corners: m.Tally(pcb.Corners), commands: m.Tally(pcb.Lookups),
	}
	r.dict.init(layer, m)
	r.assumeFormat()
	// About every second command draws; growing by and by would copy all of it often.
	r.out = make([]pcb.Feature, 0, min(bytes.Count(r.data, []byte{'*'})/2, 1<<18))
	return r
}

// run reads commands until the end of the data or of the program.
func (r *reader) run() {
	for r.pos < len(r.data) && !r.done && r.commands.Add(1) {
		switch c := r.data[r.pos]; {
		case c == '\n':
			r.line++
			r.pos++
		case c == '\r':
			r.carriageReturn()
		case c <= ' ' || c == '*':
			r.pos++
		case c == '%':
			r.readExtended()
		case !r.startsExtended() || !r.bareExtended():
			r.word()
		}
	}
}

// carriageReturn counts a line for a CR that no LF follows, as old Macs wrote.
func (r *reader) carriageReturn() {
	r.pos++
	if r.pos >= len(r.data) || r.data[r.pos] != '\n' {
		r.line++
	}
}

func isWordLetter(c byte) bool {
	switch c {
	case 'X', 'Y', 'I', 'J', 'D', 'G', 'M', 'N':
		return true
	}
	return false
}

// countLines counts the lines that end within s.
func countLines(s []byte) int {
	n := bytes.Count(s, []byte{'\n'})
	if n == 0 {
		n = bytes.Count(s, []byte{'\r'})
	}
	return n
}

// find reports something; a repetition of code and detail only counts.
func (r *reader) find(level pcb.Level, code, detail string, line int, format string, args ...any) *pcb.Finding {
	key := code + "\x00" + detail
	if i, ok := r.found[key]; ok {
		f := &r.file.Findings[i]
		f.Count = max(f.Count, 1) + 1
		return f
	}
	if len(r.file.Findings) >= 500 {
		return &pcb.Finding{}
	}
	r.found[key] = len(r.file.Findings)
	r.file.Findings = append(r.file.Findings, pcb.Finding{
		Code: code, Level: level, File: r.name, Line: line, Layer: r.name, Message: fmt.Sprintf(format, args...),
	})
	return &r.file.Findings[len(r.file.Findings)-1]
}
