package dfm

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

func TestRuleThatBreaksDown(t *testing.T) {
	t.Parallel()
	x := rule{[]Name{DrillSize, AspectRatio}, func(context.Context, *input) result { panic("out of range") }}
	r := x.try(context.Background(), newInput(context.Background(), newKit().Board, Options{}))
	if len(r.unchecked) != 2 || r.fault == nil || !strings.Contains(r.fault.Error(), "out of range") {
		t.Errorf("got %+v", r)
	}
}

func TestRunEndsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(context.Background())
	late := errors.New("too late")
	cancel(late)
	r, err := Run(ctx, newKit().Board, Options{})
	if !errors.Is(err, late) || r == nil || len(r.Unchecked) < len(rules) {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestRunIsTheSame runs a board with many faults again and again: rules end in any
// order, the report must not show it.
func TestRunIsTheSame(t *testing.T) {
	t.Parallel()
	k := newKit()
	for i := range int64(300) {
		k.hole(i%20*2*milli, i/20*2*milli, 100*micron+i%3, board.Plated)
		k.pad(i%20*2*milli+milli, i/20*2*milli, 1950*micron, 20*micron, string(rune('A'+i%7)))
	}
	o := Options{Limits: limits(map[Name]int64{DrillSize: 200 * micron, MaskBridge: 100 * micron, MaskExpansion: 50 * micron, TrackClearance: 100 * micron, PadClearance: 100 * micron, HoleToHole: 3 * milli})}
	first, err := Run(context.Background(), k.Board, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Findings) < 3 || first.Findings[0].Level != MustFix {
		t.Fatalf("found %+v", first.Findings)
	}
	for _, f := range first.Findings {
		if len(f.Places) > MaxPlaces || f.Count < len(f.Places) {
			t.Errorf("%s: %d places of %d", f.Check, len(f.Places), f.Count)
		}
	}
	for range 5 {
		again, err := Run(context.Background(), k.Board, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, again); d != "" {
			t.Fatal(d)
		}
	}
}

func TestAssumed(t *testing.T) {
	t.Parallel()
	k := newKit()
	r, _ := Run(context.Background(), k.Board, Options{Only: []Name{BoardThickness}})
	if len(r.Assumed) != 2 {
		t.Errorf("nothing stated: %q", r.Assumed)
	}
	k.Facts.Thickness = board.State(1200*micron, board.Source{}, 1, "")
	r, _ = Run(context.Background(), k.Board, Options{Only: []Name{BoardThickness}, CopperOz: 2})
	if len(r.Assumed) != 0 {
		t.Errorf("all stated: %q", r.Assumed)
	}
}

func TestFindingsOfReaders(t *testing.T) {
	t.Parallel()
	at := geom.Pt(1, 2)
	problems := []board.Finding{
		{Code: "region_not_ended", Level: board.Problem, File: "a.gbr", Message: "the file ends inside a region"},
		{Code: "region_not_ended", Level: board.Problem, File: "a.gbr", Message: "the file ends inside a region"},
		{Code: "outline_open", Level: board.Problem, At: &at, Message: "the outline does not close"},
		{Code: "layer_twice", Level: board.Warning, Message: "two files claim to be the mask"},
		{Code: "layer_count_odd", Level: board.Warning, Message: "three layers"},
		{Code: "outline_gap_tiny", Level: board.Note, Message: "closed"},
		{Code: "mask_missing", Level: board.Warning, Message: "there is no solder mask file"},
	}
	names := func(f []Finding) (out []string) {
		for _, x := range f {
			out = append(out, x.Level.String()+" "+string(x.Check))
		}
		return out
	}
	got := names(fromFiles(problems, nil))
	if want := []string{"must_fix files_unreadable", "must_fix outline_open", "warning layer_extra", "warning layer_count"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got = names(fromFiles(problems, []Finding{{Check: OutlineOpen, Level: MustFix}, {Check: LayerMissing}}))
	if want := []string{"must_fix files_unreadable", "warning layer_extra", "warning layer_count"}; !slices.Equal(got, want) {
		t.Errorf("said already: got %q, want %q", got, want)
	}
}

func TestGauge(t *testing.T) {
	t.Parallel()
	in := newInput(context.Background(), newKit().Board, Options{Limits: Limits{
		Outer: map[Name]Limit{TrackWidth: {Min: 100 * micron, Recommended: 150 * micron}},
		Inner: map[Name]Limit{TrackWidth: {Min: 80 * micron}},
	}})
	g := in.gauge(TrackWidth, false)
	for _, v := range []int64{200, 150, 149, 148, 120, 100, 99, 98, 50} {
		g.add(Place{Value: v * micron})
	}
	r := g.result(func(j judged) string { return mm(j.value) })
	if f := r.want(t, TrackWidth, MustFix, 2); f.Value != 50*micron || f.Places[1].Value != 98*micron {
		t.Errorf("must_fix: %+v", f)
	}
	if f := r.want(t, TrackWidth, Warning, 4); f.Value != 99*micron {
		t.Errorf("warning: %+v", f)
	}
	inner := in.gauge(TrackWidth, true)
	inner.add(Place{Value: 90 * micron})
	r = inner.result(func(judged) string { return "" })
	r.want(t, TrackWidth, MustFix, 0)
	if r.measured(t, TrackWidth) != 90*micron || !r.measures[0].Inner {
		t.Errorf("measures %+v", r.measures)
	}
}

func TestWithoutLayers(t *testing.T) {
	t.Parallel()
	r := &Report{Findings: []Finding{{Check: Open, Level: MustFix}, {Check: Short, Level: MustFix}, {Check: LayerMissing, Level: MustFix}}}
	r.withoutLayers()
	if len(r.Findings) != 2 || len(r.Unchecked) != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for v, want := range map[int64]string{0: "0.00 mm", 150 * micron: "0.15 mm", 1234567: "1.235 mm", -5 * micron: "-0.005 mm", 25_400_000: "25.40 mm"} {
		if got := mm(v); got != want {
			t.Errorf("mm(%d) is %q, want %q", v, got, want)
		}
	}
	for _, r := range rules {
		for _, n := range r.judges {
			if _, ok := words[n]; !ok {
				t.Errorf("%s has no words", n)
			}
		}
	}
}
