package excellon

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A Tool is one drill or router bit.
type Tool struct {
	Number   int
	Diameter int64 // nanometres; 0 when nowhere stated
	Plating  pcb.Plating
	Function string // the XNC aperture function, such as "ViaDrill", if stated
	Stated   int    // number of holes the header promises; 0 when not stated
	Line     int    // where the tool was defined
}

// A Hit is one drilled hole.
type Hit struct {
	At   geom.Point
	Tool int // index into File.Tools
	Line int
}

// A Slot is a straight slot: the tool moved from one end to the other.
type Slot struct {
	From, To geom.Point
	Tool     int // index into File.Tools
	Line     int
	Routed   bool // cut by a routed move, not by G85
}

// A Path is a routed cut of more than one straight move.
type Path struct {
	geom.Path
	Tool int // index into File.Tools
	Line int
}

// A Span is the copper layers, counted from 1 at the top, that a drill joins.
type Span struct{ From, To int }

// A File is what a drill program makes.
type File struct {
	Format   Format
	Plating  pcb.Plating // of the file as a whole
	Span     Span        // zero when not stated
	Bottom   bool        // the span ends at the bottom layer, whatever its number
	Function string      // the X2 file function, if stated
	Software string      // the program that wrote it, if stated
	Tools    []Tool
	Hits     []Hit
	Slots    []Slot
	Paths    []Path
	Findings []pcb.Finding // without file names
	Ended    bool          // the program has its end code
}

// Holes is the number of holes and slots.
func (f *File) Holes() int { return len(f.Hits) + len(f.Slots) }
