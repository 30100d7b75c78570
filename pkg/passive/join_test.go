package passive_test

import (
	"testing"

	"boardorder/pkg/passive"

	"github.com/google/go-cmp/cmp"
)

// TestJoin: of what two sources say differently the better counts for a part that is to be
// replaced and the worse for one that replaces; what one alone says counts, and it does
// not matter which of them is asked first.
func TestJoin(t *testing.T) {
	t.Parallel()
	spec := func(change func(*passive.Spec)) passive.Spec {
		s := passive.Spec{Kind: passive.Capacitor, Value: 100_000}
		change(&s)
		return s
	}
	dielectric := func(code string) passive.Spec { return spec(func(s *passive.Spec) { s.Dielectric = code }) }
	for name, tt := range map[string]struct{ a, b, stricter, weaker passive.Spec }{
		"ratings": {
			spec(func(s *passive.Spec) { s.Voltage, s.Power, s.Current, s.Hottest, s.Coldest = 50, 100, 1, 125, -55 }),
			spec(func(s *passive.Spec) { s.Voltage, s.Power, s.Current, s.Hottest, s.Coldest = 16, 125, 2, 85, -40 }),
			spec(func(s *passive.Spec) { s.Voltage, s.Power, s.Current, s.Hottest, s.Coldest = 50, 125, 2, 125, -55 }),
			spec(func(s *passive.Spec) { s.Voltage, s.Power, s.Current, s.Hottest, s.Coldest = 16, 100, 1, 85, -40 }),
		},
		"errors": {
			spec(func(s *passive.Spec) { s.Tolerance, s.Height, s.Tempco = 10_000, 900, 100 }),
			spec(func(s *passive.Spec) { s.Tolerance, s.Height, s.Tempco = 50_000, 800, 25 }),
			spec(func(s *passive.Spec) { s.Tolerance, s.Height, s.Tempco = 10_000, 800, 25 }),
			spec(func(s *passive.Spec) { s.Tolerance, s.Height, s.Tempco = 50_000, 900, 100 }),
		},
		"what one alone says": {
			spec(func(s *passive.Spec) { s.Voltage, s.Tolerance, s.Dielectric, s.Coldest = 50, 10_000, "X7R", -55 }),
			spec(func(s *passive.Spec) { s.Size, s.Height = "0603", 900 }),
			spec(func(s *passive.Spec) {
				s.Voltage, s.Tolerance, s.Dielectric, s.Coldest, s.Size, s.Height = 50, 10_000, "X7R", -55, "0603", 900
			}),
			spec(func(s *passive.Spec) {
				s.Voltage, s.Tolerance, s.Dielectric, s.Coldest, s.Size, s.Height = 50, 10_000, "X7R", -55, "0603", 900
			}),
		},
		"a steadier dielectric": {dielectric("X5R"), dielectric("X7R"), dielectric("X7R"), dielectric("X5R")},
		"the same dielectric":   {dielectric("X7R"), dielectric("X7R"), dielectric("X7R"), dielectric("X7R")},
	} {
		for order, pair := range map[string][2]passive.Spec{"in order": {tt.a, tt.b}, "the other way": {tt.b, tt.a}} {
			if diff := cmp.Diff(tt.stricter, pair[0].Stricter(pair[1])); diff != "" {
				t.Errorf("%s, %s: %+v.Stricter(%+v) (-want +got):\n%s", name, order, pair[0], pair[1], diff)
			}
			if diff := cmp.Diff(tt.weaker, pair[0].Weaker(pair[1])); diff != "" {
				t.Errorf("%s, %s: %+v.Weaker(%+v) (-want +got):\n%s", name, order, pair[0], pair[1], diff)
			}
		}
	}
}

// TestDielectricsThatDiffer: where neither of two is steadier, no part is as good as both,
// and a part that may be either is as good as none.
func TestDielectricsThatDiffer(t *testing.T) {
	t.Parallel()
	part := func(code string) passive.Spec {
		return passive.Spec{Kind: passive.Capacitor, Value: 100_000, Size: "0603", Tolerance: 100_000, Voltage: 50, Height: 900, Dielectric: code}
	}
	for _, tt := range []struct {
		named, replacement passive.Spec
		worse              bool
	}{
		{part("X5R"), part("X7R"), false},
		{part("X5R").Stricter(part("X6S")), part("X7R"), true},
		{part("X6S"), part("X5R").Weaker(part("X6S")), true},
		{part("X5R"), part("X5R").Weaker(part("X6S")), true},
		{part("X5R"), part("X7R").Weaker(part("X5R")), false},
		{part("X7R"), part("X7R").Weaker(part("X5R")), true},
	} {
		if list := passive.Compare(tt.named, tt.replacement); passive.HasWorse(list) != tt.worse {
			t.Errorf("Compare(%+v, %+v) = %+v, want anything worse: %v", tt.named, tt.replacement, list, tt.worse)
		}
	}
}
