package check

import (
	"testing"

	"boardorder/pkg/contract"
)

// TestWorse: the status of a check counts what its parts need.
func TestWorse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		board          contract.CheckStatus
		must, warnings int
		want           contract.CheckStatus
	}{
		{contract.CheckPass, 0, 0, contract.CheckPass}, {contract.CheckPass, 0, 1, contract.CheckWarning}, {contract.CheckPass, 1, 0, contract.CheckMustFix},
		{contract.CheckWarning, 0, 1, contract.CheckWarning}, {contract.CheckWarning, 2, 0, contract.CheckMustFix}, {contract.CheckMustFix, 0, 0, contract.CheckMustFix},
		{contract.CheckMustFix, 0, 1, contract.CheckMustFix}, {contract.CheckRunning, 1, 0, contract.CheckRunning},
	} {
		if got := worsen(tt.board, PartChecks{MustFix: tt.must, Warnings: tt.warnings}); got != tt.want {
			t.Errorf("%s with %d, %d: %s, want %s", tt.board, tt.must, tt.warnings, got, tt.want)
		}
	}
}
