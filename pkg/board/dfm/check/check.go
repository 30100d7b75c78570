// Package check runs the design checks over a board: the table of rules, each on a
// goroutine of its own, and what they found as one report.
package check

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/pcb"
)

// Run measures a board and judges it by the limits in o. The board is only read,
// so that several runs may share it. Its findings of level [pcb.Problem] are
// among the report's.
//
// When ctx ends first the error is its cause, and the report holds what the rules
// had found that were done by then and names the rest as unchecked. So it does when
// the board costs more than its budget, which is no error but a finding of its own,
// [dfm.TooComplex]. A rule that breaks down is unchecked too, with the reason in
// [dfm.Report.Faults].
func Run(ctx context.Context, b *pcb.Board, o dfm.Options) (*dfm.Report, error) {
	ctx, end := pcb.WithBudget(ctx, o.Budget)
	defer end()
	in := measure.New(ctx, b, o)
	requested := rulesFor(o)
	results := make([]rule.Result, len(requested))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	var done atomic.Int64
	for i := range requested {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			results[i] = requested[i].Try(ctx, in)
			if n := done.Add(1); o.Progress != nil {
				o.Progress(int(n), len(requested))
			}
		})
	}
	all.Wait()
	r := join(in, results)
	r.Limits = o.Limits
	if e := pcb.Excess(ctx); e != nil {
		r.Findings = slices.Insert(r.Findings, 0, fileFinding(dfm.TooComplex, dfm.MustFix, e.Finding()))
		return r, nil
	}
	if err := context.Cause(ctx); err != nil {
		return r, fmt.Errorf("checking board %q: %w", b.Name, err)
	}
	return r, nil
}

// Inspect is Run as it comes before each price: by these limits, with what prices depend
// on, which is put with the board's facts.
func Inspect(ctx context.Context, b *pcb.Board, l dfm.Limits) (*dfm.Report, error) {
	o := dfm.Options{Limits: l}.WithSmallest(len(b.Copper()))
	o.Only = nil
	r, err := Run(ctx, b, o)
	r.Offer(&b.Facts)
	return r, err
}

// rulesFor are those that judge what was asked for.
func rulesFor(o dfm.Options) []rule.Rule {
	if o.Only == nil {
		return rules
	}
	var out []rule.Rule
	for _, r := range rules {
		if slices.ContainsFunc(r.Judges, o.Asks) {
			out = append(out, r)
		}
	}
	return out
}
