package pcb

import (
	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
)

// Level is how bad a finding is.
type Level uint8

// Levels of findings, from mild to bad.
const (
	Note    Level = iota // odd, harmless
	Warning              // may not be what was meant
	Problem              // something is missing, broken or could not be read
)

func (l Level) String() string { return [...]string{"note", "warning", "problem"}[min(l, 2)] }

// Finding is one thing about the files that is odd, broken, limited or assumed.
type Finding struct {
	Code    string // stable, snake_case: "outline_gap"
	Level   Level
	File    string
	Line    int         // 0 when not about a line
	Layer   string      // name of the layer concerned
	At      *geom.Point // where on the board, when it has a place
	To      *geom.Point // the other end, of what has two
	Size    int64       // measured length in nanometres, when it has one
	Count   int         // how often, when more than once
	Message string      // in words, for the customer
	// Answers are what the customer can say to settle it.
	Answers []answers.Answer
}
