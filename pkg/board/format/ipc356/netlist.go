package ipc356

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Kind is what a record tests.
type Kind uint8

// The kinds of test points.
const (
	Through Kind = iota // 317: a pad with a plated hole
	Surface             // 327: a pad on one side
	Tooling             // 367: a hole without copper
	Other               // 307, 337 and others: via-like or odd features
)

// A Point is one place to test.
type Point struct {
	Kind     Kind
	Net      string // "" for none
	Ref      string // component; "" when none, also for vias
	Pin      string
	Via      bool
	Mid      bool // not the end of a net
	At       geom.Point
	Diameter int64 // of the hole; 0 for none
	Plating  pcb.Plating
	Access   int // layer it can be reached from: 0 both sides, 1 the top, N the bottom
	Width    int64
	Height   int64 // 0 when round
	Rotation int   // degrees counter-clockwise
	Line     int
}

// A Netlist is what one file holds.
type Netlist struct {
	Title    string
	Revision string
	Version  string // such as IPC-D-356A
	Metric   bool
	Points   []Point
	Outline  []geom.Path // of the board, open when so drawn
	Nets     int         // different names, no net not counted
	Findings []pcb.Finding
	Ended    bool // the file has its end record
}
