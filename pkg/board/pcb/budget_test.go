package pcb_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	type spend struct {
		file string
		what pcb.Work
		n    int
	}
	for name, tt := range map[string]struct {
		spends []spend
		want   *pcb.TooComplex
	}{
		"within":               {[]spend{{"a", pcb.Drawn, 100}, {"b", pcb.Pairs, 1000}}, nil},
		"objects":              {[]spend{{"a", pcb.Drawn, 60}, {"b", pcb.Corners, 41}}, &pcb.TooComplex{File: "a", Counted: pcb.Drawn, Limit: 100}},
		"steps":                {[]spend{{"a", pcb.Drawn, 60}, {"b", pcb.Painted, 1001}}, &pcb.TooComplex{File: "b", Counted: pcb.Painted, Limit: 1000}},
		"blames who took most": {[]spend{{"a", pcb.Corners, 99}, {"b", pcb.Drawn, 2}}, &pcb.TooComplex{File: "a", Counted: pcb.Corners, Limit: 100}},
		"a hole counts more":   {[]spend{{"a", pcb.Drilled, 13}}, &pcb.TooComplex{File: "a", Counted: pcb.Drilled, Limit: 100}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 100, Steps: 1000})
			defer end()
			ok := true
			for _, s := range tt.spends {
				ok = pcb.MeterOf(pcb.FileContext(ctx, s.file)).Spend(s.what, s.n) && ok
			}
			got := pcb.Excess(ctx)
			if ok != (tt.want == nil) || (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
				t.Errorf("Spend gives %v, Excess %+v; want %+v", ok, got, tt.want)
			}
			if got != nil && (!errors.Is(context.Cause(ctx), got) || ctx.Err() == nil) {
				t.Errorf("the context ended with %v (%v), want %v", context.Cause(ctx), ctx.Err(), got)
			}
		})
	}
}

func TestTooComplexFinding(t *testing.T) {
	t.Parallel()
	f := (&pcb.TooComplex{File: "top.gbr", Counted: pcb.Corners, Limit: 77}).Finding()
	if f.Code != "too_complex" || f.Level != pcb.Problem || f.File != "top.gbr" || !strings.Contains(f.Message, "77") || !strings.Contains(f.Message, "corners of areas") {
		t.Errorf("Finding = %+v, want the problem too_complex of top.gbr that names 77 corners of areas", f)
	}
}

// TestOneBudget: what is begun within a budget has no other.
func TestOneBudget(t *testing.T) {
	t.Parallel()
	ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 100})
	defer end()
	inner, endInner := pcb.WithBudget(ctx, pcb.Limits{Objects: 1_000_000})
	pcb.MeterOf(inner).Spend(pcb.Drawn, 60)
	endInner()
	if ctx.Err() != nil || !pcb.MeterOf(ctx).Spend(pcb.Drawn, 40) {
		t.Fatal("the budget ended too early")
	}
	if pcb.MeterOf(inner).Spend(pcb.Drawn, 1) {
		t.Error("what was spent inside does not count outside")
	}
}

func TestMeterSeesItsContextEnd(t *testing.T) {
	t.Parallel()
	budgeted, end := pcb.WithBudget(t.Context(), pcb.Limits{})
	defer end()
	for name, parent := range map[string]context.Context{"with a budget": budgeted, "without": t.Context()} {
		ctx, cancel := context.WithCancelCause(parent)
		m := pcb.MeterOf(ctx)
		if !m.Spend(pcb.Drawn, 1) || m.Err() != nil {
			t.Errorf("%s: ended at once, %v", name, m.Err())
		}
		why := errors.New("why")
		cancel(why)
		tally := m.Tally(pcb.Pairs)
		if m.Spend(pcb.Drawn, 1) || tally.Add(100_000) || tally.Add(1) || !errors.Is(m.Err(), why) || pcb.Excess(ctx) != nil {
			t.Errorf("%s: goes on after the end, error %v, excess %v; want no more, %v, none", name, m.Err(), pcb.Excess(ctx), why)
		}
	}
	if none := (pcb.Meter{}); !none.Spend(pcb.Drawn, math.MaxInt32) || none.HasEnded() {
		t.Error("the zero Meter ends")
	}
}

// TestSpendTimes: products beyond any number are too many, not few.
func TestSpendTimes(t *testing.T) {
	t.Parallel()
	for name, p := range map[string][2]int{"fits": {10, 10}, "too many": {101, 1}, "overflow": {math.MaxInt / 2, math.MaxInt / 2}, "nothing": {0, math.MaxInt}} {
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 100})
		if got, want := pcb.MeterOf(ctx).SpendTimes(pcb.Drawn, p[0], p[1]), name == "fits" || name == "nothing"; got != want {
			t.Errorf("%s: SpendTimes(%d, %d) of 100 = %v, want %v", name, p[0], p[1], got, want)
		}
		end()
	}
}

// TestTallies: what several goroutines count adds up.
func TestTallies(t *testing.T) {
	t.Parallel()
	ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{})
	defer end()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			tally := pcb.MeterOf(ctx).Tally(pcb.Lookups)
			for range 10_001 {
				tally.Add(3)
			}
			tally.Settle()
		})
	}
	all.Wait()
	if n := pcb.MeterOf(ctx).Total(pcb.Lookups); n != 8*3*10_001 {
		t.Errorf("%d counted, want %d", n, 8*3*10_001)
	}
}
