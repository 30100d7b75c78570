package check

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"

	"github.com/google/go-cmp/cmp"
)

func TestRuleThatBreaksDown(t *testing.T) {
	t.Parallel()
	x := rule.Rule{Judges: []dfm.Name{dfm.DrillSize, dfm.AspectRatio}, Run: func(context.Context, *measure.Input) rule.Result { panic("out of range") }}
	r := x.Try(context.Background(), measure.New(context.Background(), kit.New().Board, dfm.Options{}))
	if len(r.Unchecked) != 2 || r.Fault == nil || !strings.Contains(r.Fault.Error(), "out of range") {
		t.Errorf("a check that panics: %+v; want two things unchecked and the fault out of range", r)
	}
}

func TestRunEndsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(context.Background())
	late := errors.New("too late")
	cancel(late)
	r, err := Run(ctx, kit.New().Board, dfm.Options{})
	if !errors.Is(err, late) || r == nil || len(r.Unchecked) < len(rules) {
		t.Errorf("Run in a context that ended = %+v, %v; want error %v and all %d rules unchecked", r, err, late, len(rules))
	}
}

// TestRunIsTheSame runs a board with many faults again and again: rules end in any
// order, the report must not show it.
func TestRunIsTheSame(t *testing.T) {
	t.Parallel()
	k := kit.New()
	for i := range int64(300) {
		k.Hole(i%20*2*kit.Milli, i/20*2*kit.Milli, 100*kit.Micron+i%3, pcb.Plated)
		k.Pad(i%20*2*kit.Milli+kit.Milli, i/20*2*kit.Milli, 1950*kit.Micron, 20*kit.Micron, string(rune('A'+i%7)))
	}
	o := dfm.Options{Limits: kit.Limits(map[dfm.Name]int64{dfm.DrillSize: 200 * kit.Micron, dfm.MaskBridge: 100 * kit.Micron, dfm.MaskExpansion: 50 * kit.Micron, dfm.TrackClearance: 100 * kit.Micron, dfm.PadClearance: 100 * kit.Micron, dfm.HoleToHole: 3 * kit.Milli})}
	first, err := Run(context.Background(), k.Board, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Findings) < 3 || first.Findings[0].Level != dfm.MustFix {
		t.Fatalf("findings %+v, want three at least, the first to be mended", first.Findings)
	}
	for _, f := range first.Findings {
		if len(f.Places) > dfm.MaxPlaces || f.Count < len(f.Places) {
			t.Errorf("%s: %d places of %d, want no more than are counted, and %d at most", f.Check, len(f.Places), f.Count, dfm.MaxPlaces)
		}
	}
	for range 5 {
		again, err := Run(context.Background(), k.Board, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, again); d != "" {
			t.Fatalf("Run of the same board gives another report (-first +this):\n%s", d)
		}
	}
}

func TestAssumed(t *testing.T) {
	t.Parallel()
	k := kit.New()
	r, _ := Run(context.Background(), k.Board, dfm.Options{Only: []dfm.Name{dfm.BoardThickness}})
	if len(r.Assumed) != 2 {
		t.Errorf("nothing stated: assumed %q, want two assumptions", r.Assumed)
	}
	k.Facts.Thickness = pcb.State(1200*kit.Micron, pcb.Source{}, 1, "")
	r, _ = Run(context.Background(), k.Board, dfm.Options{Only: []dfm.Name{dfm.BoardThickness}, CopperOz: 2})
	if len(r.Assumed) != 0 {
		t.Errorf("all stated: assumed %q, want nothing", r.Assumed)
	}
}

func TestFindingsOfReaders(t *testing.T) {
	t.Parallel()
	at := geom.Pt(1, 2)
	problems := []pcb.Finding{
		{Code: "region_not_ended", Level: pcb.Problem, File: "a.gbr", Message: "the file ends inside a region"},
		{Code: "region_not_ended", Level: pcb.Problem, File: "a.gbr", Message: "the file ends inside a region"},
		{Code: "outline_open", Level: pcb.Problem, At: &at, Message: "the outline does not close"},
		{Code: "layer_twice", Level: pcb.Warning, Message: "two files claim to be the mask"},
		{Code: "layer_count_odd", Level: pcb.Warning, Message: "three layers"},
		{Code: "outline_gap_tiny", Level: pcb.Note, Message: "closed"},
		{Code: "mask_missing", Level: pcb.Warning, Message: "there is no solder mask file"},
	}
	names := func(f []dfm.Finding) (out []string) {
		for _, x := range f {
			out = append(out, x.Level.String()+" "+string(x.Check))
		}
		return out
	}
	got := names(fileFindings(problems, nil))
	if want := []string{"must_fix files_unreadable", "must_fix outline_open", "warning layer_extra", "warning layer_count"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got = names(fileFindings(problems, []dfm.Finding{{Check: dfm.OutlineOpen, Level: dfm.MustFix}, {Check: dfm.LayerMissing}}))
	if want := []string{"must_fix files_unreadable", "warning layer_extra", "warning layer_count"}; !slices.Equal(got, want) {
		t.Errorf("said already: got %q, want %q", got, want)
	}
}

func TestGauge(t *testing.T) {
	t.Parallel()
	in := measure.New(context.Background(), kit.New().Board, dfm.Options{Limits: dfm.Limits{
		Outer: map[dfm.Name]dfm.Limit{dfm.TrackWidth: {Min: 100 * kit.Micron, Recommended: 150 * kit.Micron}},
		Inner: map[dfm.Name]dfm.Limit{dfm.TrackWidth: {Min: 80 * kit.Micron}},
	}})
	g := rule.MinimumCheck(in, dfm.TrackWidth, false)
	for _, v := range []int64{200, 150, 149, 148, 120, 100, 99, 98, 50} {
		g.Add(dfm.Place{Value: v * kit.Micron})
	}
	r := g.Result(func(j rule.Breach) string { return words.MM(j.Value) })
	if f := kit.Want(t, &r, dfm.TrackWidth, dfm.MustFix, 2); f.Value != 50*kit.Micron || f.Places[1].Value != 98*kit.Micron {
		t.Errorf("must_fix: %+v, want a value of %d nm and %d nm at the second place", f, 50*kit.Micron, 98*kit.Micron)
	}
	if f := kit.Want(t, &r, dfm.TrackWidth, dfm.Warning, 4); f.Value != 99*kit.Micron {
		t.Errorf("warning: %+v, want 99 µm", f)
	}
	inner := rule.MinimumCheck(in, dfm.TrackWidth, true)
	inner.Add(dfm.Place{Value: 90 * kit.Micron})
	r = inner.Result(func(rule.Breach) string { return "" })
	kit.Want(t, &r, dfm.TrackWidth, dfm.MustFix, 0)
	if kit.ValueOf(t, &r, dfm.TrackWidth) != 90*kit.Micron || !r.Measures[0].Inner {
		t.Errorf("measures %+v, want 90 µm, the first of an inner layer", r.Measures)
	}
}

func TestWithoutLayers(t *testing.T) {
	t.Parallel()
	r := &dfm.Report{Findings: []dfm.Finding{{Check: dfm.Open, Level: dfm.MustFix}, {Check: dfm.Short, Level: dfm.MustFix}, {Check: dfm.LayerMissing, Level: dfm.MustFix}}}
	dropUnsureOpens(r)
	if len(r.Findings) != 2 || len(r.Unchecked) != 1 {
		t.Errorf("without unsure opens: %+v, want two findings and one thing unchecked", r)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for v, want := range map[int64]string{0: "0.00 mm", 150 * kit.Micron: "0.15 mm", 1234567: "1.235 mm", -5 * kit.Micron: "-0.005 mm", 25_400_000: "25.40 mm"} {
		if got := words.MM(v); got != want {
			t.Errorf("mm(%d) is %q, want %q", v, got, want)
		}
	}
	for _, r := range rules {
		for _, n := range r.Judges {
			if !slices.Contains(dfm.Names(), n) {
				t.Errorf("%s is not declared: dfm/names.go has all checks", n)
			}
		}
	}
}
