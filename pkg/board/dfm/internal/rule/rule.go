// Package rule is what a rule of the design checks is made of: the rule itself, its
// result, and the check of a measured length against its limit.
package rule

import (
	"context"
	"fmt"
	"runtime/debug"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/pcb"
)

// IsMiscount reports whether a finding says that there are other copper layers than
// there should be, so that what is joined to what cannot be known.
func IsMiscount(f dfm.Finding) bool {
	return f.Level == dfm.MustFix && (f.Check == dfm.LayerMissing || f.Check == dfm.LayerExtra)
}

// Unknown says that a check could not be made, and why.
func Unknown(n dfm.Name, err error) Result {
	return Result{Unchecked: []string{fmt.Sprintf("%s: %v", n.Words(), err)}}
}

// PlaceFinding makes a finding of places that are not measured, sorted by where they
// are; none gives no finding.
func PlaceFinding(n dfm.Name, level dfm.Level, what func(count int) string, at *Places) Result {
	if at.Count == 0 {
		return Result{}
	}
	return Result{Findings: []dfm.Finding{{Check: n, Level: level, What: what(at.Count), Count: at.Count, Places: at.Sort(ComparePlaces)}}}
}

// LayerFinding makes a finding about whole layers.
func LayerFinding(n dfm.Name, level dfm.Level, count int, layers []string, format string, args ...any) Result {
	f := dfm.Finding{Check: n, Level: level, What: fmt.Sprintf(format, args...), Count: count}
	for _, l := range layers {
		f.Places = append(f.Places, dfm.Place{Layer: l})
	}
	return Result{Findings: []dfm.Finding{f}}
}

// A Rule judges one thing, or several that fall out of the same measuring. It is
// a pure function of the input, and looks at ctx now and then.
type Rule struct {
	Judges []dfm.Name
	Run    func(context.Context, *measure.Input) Result
}

// A Result is what one rule has to say. Its findings and measures need no order.
type Result struct {
	Findings  []dfm.Finding
	Measures  []dfm.Measure
	Assumed   []string // in words
	Unchecked []string // what could not be judged, in words
	Fault     error
}

// Add joins another result to r.
func (r *Result) Add(o Result) {
	r.Findings = append(r.Findings, o.Findings...)
	r.Measures = append(r.Measures, o.Measures...)
	r.Assumed = append(r.Assumed, o.Assumed...)
	r.Unchecked = append(r.Unchecked, o.Unchecked...)
}

// Try runs the rule. What it could not do becomes words.
func (r *Rule) Try(ctx context.Context, in *measure.Input) (res Result) {
	if ctx.Err() != nil {
		return Result{Unchecked: r.untold(stopReason(ctx))}
	}
	defer func() {
		if p := recover(); p != nil {
			res = Result{
				Unchecked: r.untold("the check failed"),
				Fault:     fmt.Errorf("rule %s: %v\n%s", r.Judges[0], p, debug.Stack()),
			}
		}
	}()
	res = r.Run(ctx, in)
	if ctx.Err() != nil { // what was measured may not be all that there is
		return Result{Unchecked: r.untold(stopReason(ctx))}
	}
	return res
}

// stopReason is why a rule was not carried out to the end.
func stopReason(ctx context.Context) string {
	if pcb.Excess(ctx) != nil {
		return "the board is too complex"
	}
	return "the time was up"
}

func (r *Rule) untold(why string) []string {
	var out []string
	for _, n := range r.Judges {
		out = append(out, n.Words()+": "+why)
	}
	return out
}
