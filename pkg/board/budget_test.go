package board_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"boardorder/pkg/board"
)

func TestBudget(t *testing.T) {
	t.Parallel()
	type spend struct {
		file string
		what board.Work
		n    int
	}
	for name, tt := range map[string]struct {
		spends []spend
		want   *board.TooComplex
	}{
		"within":               {[]spend{{"a", board.Drawn, 100}, {"b", board.Pairs, 1000}}, nil},
		"objects":              {[]spend{{"a", board.Drawn, 60}, {"b", board.Corners, 41}}, &board.TooComplex{File: "a", Counted: board.Drawn, Limit: 100}},
		"steps":                {[]spend{{"a", board.Drawn, 60}, {"b", board.Painted, 1001}}, &board.TooComplex{File: "b", Counted: board.Painted, Limit: 1000}},
		"blames who took most": {[]spend{{"a", board.Corners, 99}, {"b", board.Drawn, 2}}, &board.TooComplex{File: "a", Counted: board.Corners, Limit: 100}},
		"a hole counts more":   {[]spend{{"a", board.Drilled, 13}}, &board.TooComplex{File: "a", Counted: board.Drilled, Limit: 100}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, end := board.WithBudget(t.Context(), board.Limits{Objects: 100, Steps: 1000})
			defer end()
			ok := true
			for _, s := range tt.spends {
				ok = board.MeterOf(board.FileContext(ctx, s.file)).Spend(s.what, s.n) && ok
			}
			got := board.Excess(ctx)
			if ok != (tt.want == nil) || (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
				t.Errorf("Spend gives %v, Excess %+v; want %+v", ok, got, tt.want)
			}
			if got != nil && (!errors.Is(context.Cause(ctx), got) || ctx.Err() == nil) {
				t.Errorf("the context has not ended: %v", context.Cause(ctx))
			}
		})
	}
}

func TestTooComplexFinding(t *testing.T) {
	t.Parallel()
	f := (&board.TooComplex{File: "top.gbr", Counted: board.Corners, Limit: 77}).Finding()
	if f.Code != "too_complex" || f.Level != board.Problem || f.File != "top.gbr" || !strings.Contains(f.Message, "77") || !strings.Contains(f.Message, "corners of areas") {
		t.Errorf("%+v", f)
	}
}

// TestOneBudget: what is begun within a budget has no other.
func TestOneBudget(t *testing.T) {
	t.Parallel()
	ctx, end := board.WithBudget(t.Context(), board.Limits{Objects: 100})
	defer end()
	inner, endInner := board.WithBudget(ctx, board.Limits{Objects: 1_000_000})
	board.MeterOf(inner).Spend(board.Drawn, 60)
	endInner()
	if ctx.Err() != nil || !board.MeterOf(ctx).Spend(board.Drawn, 40) {
		t.Fatal("the budget ended too early")
	}
	if board.MeterOf(inner).Spend(board.Drawn, 1) {
		t.Error("what was spent inside does not count outside")
	}
}

func TestMeterSeesItsContextEnd(t *testing.T) {
	t.Parallel()
	budgeted, end := board.WithBudget(t.Context(), board.Limits{})
	defer end()
	for name, parent := range map[string]context.Context{"with a budget": budgeted, "without": t.Context()} {
		ctx, cancel := context.WithCancelCause(parent)
		m := board.MeterOf(ctx)
		if !m.Spend(board.Drawn, 1) || m.Err() != nil {
			t.Errorf("%s: ended at once", name)
		}
		why := errors.New("why")
		cancel(why)
		tally := m.Tally(board.Pairs)
		if m.Spend(board.Drawn, 1) || tally.Add(100_000) || tally.Add(1) || !errors.Is(m.Err(), why) || board.Excess(ctx) != nil {
			t.Errorf("%s: goes on after the end, %v", name, m.Err())
		}
	}
	if none := (board.Meter{}); !none.Spend(board.Drawn, math.MaxInt32) || none.HasEnded() {
		t.Error("the zero Meter ends")
	}
}

// TestSpendTimes: products beyond any number are too many, not few.
func TestSpendTimes(t *testing.T) {
	t.Parallel()
	for name, p := range map[string][2]int{"fits": {10, 10}, "too many": {101, 1}, "overflow": {math.MaxInt / 2, math.MaxInt / 2}, "nothing": {0, math.MaxInt}} {
		ctx, end := board.WithBudget(t.Context(), board.Limits{Objects: 100})
		if got, want := board.MeterOf(ctx).SpendTimes(board.Drawn, p[0], p[1]), name == "fits" || name == "nothing"; got != want {
			t.Errorf("%s: %v", name, got)
		}
		end()
	}
}

// TestTallies: what several goroutines count adds up.
func TestTallies(t *testing.T) {
	t.Parallel()
	ctx, end := board.WithBudget(t.Context(), board.Limits{})
	defer end()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			tally := board.MeterOf(ctx).Tally(board.Lookups)
			for range 10_001 {
				tally.Add(3)
			}
			tally.Settle()
		})
	}
	all.Wait()
	if n := board.MeterOf(ctx).Total(board.Lookups); n != 8*3*10_001 {
		t.Errorf("%d counted", n)
	}
}
