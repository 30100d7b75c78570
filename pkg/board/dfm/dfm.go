// Package dfm is the language of design checks: their names, a fabricator's limits,
// findings and the report. [boardorder/pkg/board/dfm/check] measures copper, holes,
// mask, silkscreen and outline on the exact geometry of the model, compares nets with the
// netlist, and judges what it finds by a fabricator's limits.
//
// # Architecture
//
//	pcb.Board ──► shape              exact placed shapes: distance, containment, index
//	                copper             copper of each layer: polarity resolved, islands, nodes through holes
//	                   │
//	                internal/measure   the prepared input that all rules share
//	                internal/rule      what a rule is, and how a length is held against its limit
//	                   │
//	                rules/…            one file for each check, in the folder of its kind
//	                   │
//	                check              the table of rules; Run ──► Report
//	                limits             the published limits of all fabricators
//
// Every rule looks at the whole board once, on its own goroutine, and says each
// fault once with how often it occurs. What another finding contradicts (two files for
// one layer, nets at odds with copper, an outline that nobody knows) is a warning: check
// weighs what each fault rests on. Lengths are nanometres. Everything is
// pure: a board and limits in, a report out.
package dfm

import (
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Level is how bad a finding is.
type Level uint8

// Levels, from mild to bad.
const (
	Note Level = iota
	Warning
	MustFix
)

func (l Level) String() string { return [...]string{"note", "warning", "must_fix"}[min(l, MustFix)] }

// Place is where on the board a fault is.
type Place struct {
	Layer    string     // name of the layer; "" when about no single one
	At, To   geom.Point // ends of what was measured; the same for a point
	Value    int64      // measured; nanometres or thousandths; 0 for faults that are no length
	Objects  [2]string  // what is there: "pad U1-3", "track of GND", "via"
	Nets     [2]string
	Distance bool  // At to To is the measured length
	Rounding int64 // by how much the steps of the file's coordinates may have changed Value

	Pieces [2]Piece // of a short: the copper of each net that meets there
}

// Piece is one piece of copper, as package copper extracts it from a board.
type Piece struct {
	Layer, Item int32 // index of the copper layer, from 1; 0 is no piece
}

// Finding is one kind of fault, said once.
type Finding struct {
	Check  Name
	Level  Level
	What   string  // in words, with numbers, for the customer
	Limit  int64   // that Value was held against; 0 when none
	Value  int64   // of the worst place
	Count  int     // places in all
	Places []Place // worst first, at most [MaxPlaces]
	// Answers are what the customer can say to settle it.
	Answers []answers.Answer
}

// MaxPlaces is how many places a finding keeps.
const MaxPlaces = 10_000

// Measure is the smallest (largest for a maximum) value of a length check on the
// board, whether it breaks a limit or not.
type Measure struct {
	Check Name
	Inner bool   // of inner copper layers
	Mild  bool   // the fabricator builds the board all the same: it draws areas back from the edge, cuts the silkscreen off
	Doubt string // why the value may not be the board's, in words; no verdict rests on such a value
	Place Place  // with its value
}

// Limit is a fabricator's: below Min it cannot be built, below Recommended it
// may cost yield. For aspect_ratio, drill_maximum and board sizes above. 0 is no limit.
type Limit struct{ Min, Recommended int64 }

// Limits are those of one fabricator for one build of a board.
type Limits struct {
	Outer, Inner map[Name]Limit // Inner: where inner layers differ; else Outer holds
}

// LimitOf gives the limit of a check.
func (l Limits) LimitOf(n Name, inner bool) Limit {
	if v, ok := l.Inner[n]; ok && inner {
		return v
	}
	return l.Outer[n]
}

// Options of a check.
type Options struct {
	Limits    Limits
	Thickness int64          // of the board; 0 takes the files' own, else 1.6 mm
	CopperOz  float64        // outer; 0 takes 1
	Reach     map[Name]int64 // how far to look beyond the limit for [Report.Measures]; default twice the limit
	Budget    pcb.Limits     // where the context has none yet
	Only      []Name         // run no other rules than those that judge one of these; nil runs all

	// Progress, when set, is told how many of the rules have ended. It is called
	// from several goroutines at once.
	Progress func(done, of int)
}

// Report is what was found.
type Report struct {
	Findings  []Finding // worst first
	Measures  []Measure
	Assumed   []string // in words
	Unchecked []string // what could not be judged, in words
	Faults    []error  // rules that broke down: for the program's operator, never for customers

	Limits Limits // that it was judged by

	BeyondRigid bool // a flexible board goes beyond limits, which are those of rigid ones
}

// BeyondRigidWords is what is said of a finding of a flexible board that is softened for that.
const BeyondRigidWords = "That is the limit of rigid boards, and this one is flexible: our team holds it against those of whoever makes it."

// Asks reports whether a check was asked for.
func (o Options) Asks(n Name) bool { return o.Only == nil || slices.Contains(o.Only, n) }
