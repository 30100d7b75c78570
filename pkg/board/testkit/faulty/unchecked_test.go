package faulty_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
)

// TestUnchecked holds a report to tell what its form of upload leaves unknown: a
// text of a Gerber file is strokes.
func TestUnchecked(t *testing.T) {
	t.Parallel()
	for form, want := range map[faulty.Form]bool{faulty.Gerber: true, faulty.KiCad: false} {
		p := upload.Read(context.Background(), form.Files(faulty.Base()), upload.Options{})
		r, err := check.Run(context.Background(), p.Boards[0], dfm.Options{Limits: limits.Standard(4, 1)})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(r.Unchecked, func(s string) bool { return strings.HasPrefix(s, "Height and mirroring of text: ") })
		if got != want {
			t.Errorf("%s: text unchecked %v, want %v: %q", form, got, want, r.Unchecked)
		}
	}
}

// TestUncheckedRule holds a report to name the design's own rules that it could
// not judge.
func TestUncheckedRule(t *testing.T) {
	t.Parallel()
	s := faulty.Base()
	s.Custom = `(rule "far apart" (condition "A.NetClass == 'odd'") (constraint clearance (min 3mm)))`
	p := upload.Read(context.Background(), s.KiCad(), upload.Options{})
	r, err := check.Run(context.Background(), p.Boards[0], dfm.Options{Limits: limits.Standard(4, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Unchecked, func(s string) bool { return strings.Contains(s, `"far apart"`) }) {
		t.Errorf("unchecked: %q, want the rule far apart", r.Unchecked)
	}
}
