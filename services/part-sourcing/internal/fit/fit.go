// Package fit holds parts against the footprints that they are meant for, and
// says what about them is a risk.
package fit

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/design"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

// Verdicts of a fit.
const (
	ok      = "ok"
	check   = "check"
	unknown = "unknown"
)

// Levels of what is said, in the words of design checks.
const (
	note    = "note"
	warning = "warning"
	mustFix = "must_fix"
)

// Examine holds the part that a line was answered with against its footprint f, which
// may be zero where the design does not say.
func Examine(l verdict.Line, p verdict.Part, f design.Fit) assemblies.Fit {
	o := p.Choice.Offer
	out := assemblies.Fit{
		Reference: p.Reference, MPN: cmp.Or(p.MPN, o.MPN), Package: o.Package, Footprint: l.Footprint, Pads: f.Pins, Lifecycle: p.Lifecycle, Datasheet: p.Datasheet, Verdict: ok, Level: note,
		What: []string{}, PitchMM: math.Round(float64(f.Pitch)/1000) / 1000,
	}
	e := &examination{Fit: &out}
	named := casecode.Parse(o.Package)
	if n, known := passive.Read(o.MPN); known && n.Spec.Size != "" {
		named = casecode.Parse(n.Spec.Size)
	}
	out.Pins = named.Pins
	lands := casecode.Parse(l.Footprint)
	e.count(f.Pins, named)
	e.outline(lands, named, l.Footprint, o.Package)
	e.pitch(f.Pitch, casecode.Pitch(o.Package))
	e.setLifecycle(part.Lifecycle(p.Lifecycle))
	e.supply(l, p)
	if e.compared == 0 && e.worst == "" {
		out.Verdict = unknown
		e.say(note, "Neither the part's package nor the footprint's name tells enough to compare them.")
	}
	return out
}

type examination struct {
	*assemblies.Fit
	compared int
	worst    string
}

var ranks = map[string]int{note: 1, warning: 2, mustFix: 3}

// say adds a sentence of a level; the worst level counts.
func (e *examination) say(level, format string, args ...any) {
	e.What = append(e.What, fmt.Sprintf(format, args...))
	if ranks[level] > ranks[e.worst] {
		e.worst, e.Level = level, level
	}
	if level != note {
		e.Verdict = check
	}
}

// count compares pads with pins. Exposed pads and tabs are counted by some and
// not by others.
func (e *examination) count(pads int, named casecode.Case) {
	pins := named.Pins
	if pads == 0 || pins == 0 {
		return
	}
	e.compared++
	switch {
	case pads < named.MinPads():
		e.say(mustFix, "The footprint has %d pads, the part %d pins.", pads, pins)
	case pads > pins+2:
		e.say(warning, "The footprint has %d pads, the part %d pins: compare the data sheet.", pads, pins)
	}
}

func (e *examination) outline(lands, named casecode.Case, footprint, pack string) {
	known := func(c casecode.Case) bool { return c.Size != "" || c.Family != "" }
	if !known(lands) || !known(named) {
		return
	}
	e.compared++
	if casecode.Differ(lands, named) {
		e.say(mustFix, "The part comes in another package than the footprint is for.")
		return
	}
	if a, b := casecode.Body(footprint), casecode.Body(pack); a != ([2]float64{}) && b != ([2]float64{}) {
		e.compared++
		if math.Abs(a[0]-b[0]) > bodyTolerance*b[0] || math.Abs(a[1]-b[1]) > bodyTolerance*b[1] {
			e.say(warning, "The footprint is for a body of %g × %g mm, the part's is %g × %g mm.", a[0], a[1], b[0], b[1])
		}
	}
}

// Tolerances: names round, and footprints are drawn with more or less room.
const (
	bodyTolerance  = 0.15
	pitchTolerance = 0.08
)

func (e *examination) pitch(measured, named int64) {
	if measured == 0 || named == 0 {
		return
	}
	e.compared++
	if math.Abs(float64(measured-named)) > pitchTolerance*float64(named) {
		e.say(warning, "The footprint's pads are %.3g mm apart, the part's pins %.3g mm.", float64(measured)/1e6, float64(named)/1e6)
	}
}

func (e *examination) setLifecycle(l part.Lifecycle) {
	switch l {
	case part.NRND:
		e.say(note, "The part is not recommended for new designs.")
	case part.LastTimeBuy:
		e.say(warning, "The last orders for the part are being taken.")
	case part.EOL:
		e.say(warning, "The part is at the end of its life.")
	case part.Obsolete:
		e.say(warning, "The part is no longer made.")
	}
}

// scarce is how many builds a stock should last for.
const scarce = 3

// supply says where a later build may find none left.
func (e *examination) supply(l verdict.Line, p verdict.Part) {
	switch {
	case p.Aside:
	case p.Bought == 0 && p.Verdict != verdict.Checking:
		e.say(warning, "The part cannot be bought for this build: %s.", strings.TrimSuffix(p.Why, "."))
	case p.Stock != nil && p.Bought > 0 && *p.Stock < scarce*l.Whole():
		e.say(note, "The supplier's stock lasts for fewer than %d such builds.", scarce)
	}
}
