package dfm

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"boardorder/pkg/board"
)

// Run measures a board and judges it by the limits in o. The board is only read,
// so that several runs may share it. Its findings of level [board.Problem] are
// among the report's.
//
// When ctx ends first the error is its cause, and the report holds what the rules
// had found that were done by then and names the rest as unchecked. So it does when
// the board costs more than its budget, which is no error but a finding of its own,
// [TooComplex]. A rule that breaks down is unchecked too, with the reason in
// [Report.Faults].
func Run(ctx context.Context, b *board.Board, o Options) (*Report, error) {
	ctx, end := board.WithBudget(ctx, o.Budget)
	defer end()
	in := newInput(ctx, b, o)
	asked := o.rules()
	results := make([]result, len(asked))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	var done atomic.Int64
	for i := range asked {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			results[i] = asked[i].try(ctx, in)
			if n := done.Add(1); o.Progress != nil {
				o.Progress(int(n), len(asked))
			}
		})
	}
	all.Wait()
	r := join(in, results)
	if e := board.Excess(ctx); e != nil {
		r.Findings = slices.Insert(r.Findings, 0, fileFinding(TooComplex, MustFix, e.Finding()))
		return r, nil
	}
	if err := context.Cause(ctx); err != nil {
		return r, fmt.Errorf("checking board %q: %w", b.Name, err)
	}
	return r, nil
}

// rules are those that judge what was asked for.
func (o Options) rules() []rule {
	if o.Only == nil {
		return rules
	}
	var out []rule
	for _, r := range rules {
		if slices.ContainsFunc(r.judges, o.asks) {
			out = append(out, r)
		}
	}
	return out
}

// asks tells whether a check was asked for.
func (o Options) asks(n Name) bool { return o.Only == nil || slices.Contains(o.Only, n) }

// A rule judges one thing, or several that fall out of the same measuring. It is
// a pure function of the input, and looks at ctx now and then.
type rule struct {
	judges []Name
	run    func(context.Context, *input) result
}

// A result is what one rule has to say. Its findings and measures need no order.
type result struct {
	findings  []Finding
	measures  []Measure
	assumed   []string // in words
	unchecked []string // what could not be judged, in words
	fault     error
}

// add joins another result to r.
func (r *result) add(o result) {
	r.findings = append(r.findings, o.findings...)
	r.measures = append(r.measures, o.measures...)
	r.assumed = append(r.assumed, o.assumed...)
	r.unchecked = append(r.unchecked, o.unchecked...)
}

// try runs the rule. What it could not do becomes words.
func (r *rule) try(ctx context.Context, in *input) (res result) {
	if ctx.Err() != nil {
		return result{unchecked: r.untold(cutOff(ctx))}
	}
	defer func() {
		if p := recover(); p != nil {
			res = result{
				unchecked: r.untold("the check failed"),
				fault:     fmt.Errorf("rule %s: %v\n%s", r.judges[0], p, debug.Stack()),
			}
		}
	}()
	res = r.run(ctx, in)
	if ctx.Err() != nil { // what was measured may not be all that there is
		return result{unchecked: r.untold(cutOff(ctx))}
	}
	return res
}

// cutOff is why a rule was not carried out to the end.
func cutOff(ctx context.Context) string {
	if board.Excess(ctx) != nil {
		return "the board is too complex"
	}
	return "the time was up"
}

func (r *rule) untold(why string) []string {
	var out []string
	for _, n := range r.judges {
		out = append(out, n.Words()+": "+why)
	}
	return out
}
