package contract_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
)

// TestReportHolds: a report need not be made again for ten minutes, one of suppliers that
// could not be reached until asking again makes sense, one that waits for suppliers never.
func TestReportHolds(t *testing.T) {
	t.Parallel()
	ended := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name             string
		report           *contract.PartReport
		age              time.Duration
		answered, usable bool
	}{
		{"all answered", &contract.PartReport{}, 9 * time.Minute, true, true},
		{"all answered long ago", &contract.PartReport{}, 10 * time.Minute, true, false},
		{"some have not answered", &contract.PartReport{RetryAfterS: 3}, time.Second, false, false},
		{"one was out of reach a moment ago", &contract.PartReport{RetryAfterS: 60, Unreached: []string{"distributor_a"}}, 59 * time.Second, true, true},
		{"one was out of reach a minute ago", &contract.PartReport{RetryAfterS: 60, Unreached: []string{"distributor_a"}}, time.Minute, true, false},
		{"no report", nil, time.Second, false, false},
	} {
		check := contract.PartCheck{Status: contract.PartCheckEnded, EndedAt: ended, Report: tt.report}
		made := contract.Assembly{Status: contract.PartCheckEnded, StartedAt: ended, EndedAt: ended, Report: tt.report}
		if now := ended.Add(tt.age); check.Usable(now) != tt.usable || made.Usable(now, time.Time{}) != tt.usable {
			t.Errorf("%s: check %t, assembly %t, want %t", tt.name, check.Usable(now), made.Usable(now, time.Time{}), tt.usable)
		}
		if tt.report != nil && tt.report.IsComplete() != tt.answered {
			t.Errorf("%s: answered %t", tt.name, !tt.answered)
		}
	}
}
