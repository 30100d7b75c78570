package check

import (
	"testing"

	"boardorder/pkg/contract/designchecks"
)

// TestWorse: the status of a check counts what its parts need.
func TestWorse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		board          designchecks.Status
		must, warnings int
		want           designchecks.Status
	}{
		{designchecks.Pass, 0, 0, designchecks.Pass}, {designchecks.Pass, 0, 1, designchecks.Warning}, {designchecks.Pass, 1, 0, designchecks.MustFix},
		{designchecks.Warning, 0, 1, designchecks.Warning}, {designchecks.Warning, 2, 0, designchecks.MustFix}, {designchecks.MustFix, 0, 0, designchecks.MustFix},
		{designchecks.MustFix, 0, 1, designchecks.MustFix}, {designchecks.Running, 1, 0, designchecks.Running},
	} {
		if got := worsen(tt.board, PartChecks{MustFix: tt.must, Warnings: tt.warnings}); got != tt.want {
			t.Errorf("%s with %d, %d: %s, want %s", tt.board, tt.must, tt.warnings, got, tt.want)
		}
	}
}
