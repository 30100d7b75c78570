package partchecks_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
)

// TestReportHolds: a report need not be made again for ten minutes, one of suppliers that
// could not be reached until asking again makes sense, one that waits for suppliers never.
func TestReportHolds(t *testing.T) {
	t.Parallel()
	ended := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name             string
		report           *partchecks.Report
		age              time.Duration
		answered, usable bool
	}{
		{"all answered", &partchecks.Report{}, 9 * time.Minute, true, true},
		{"all answered long ago", &partchecks.Report{}, 10 * time.Minute, true, false},
		{"some have not answered", &partchecks.Report{RetryAfterS: 3}, time.Second, false, false},
		{"one was out of reach a moment ago", &partchecks.Report{RetryAfterS: 60, Unreached: []string{"distributor_a"}}, 59 * time.Second, true, true},
		{"one was out of reach a minute ago", &partchecks.Report{RetryAfterS: 60, Unreached: []string{"distributor_a"}}, time.Minute, true, false},
		{"no report", nil, time.Second, false, false},
	} {
		check := partchecks.PartCheck{Status: partchecks.Ended, EndedAt: ended, Report: tt.report}
		made := assemblies.Assembly{Status: partchecks.Ended, StartedAt: ended, EndedAt: ended, Report: tt.report}
		if now := ended.Add(tt.age); check.Usable(now) != tt.usable || made.Usable(now, time.Time{}) != tt.usable {
			t.Errorf("%s: check %t, assembly %t, want %t", tt.name, check.Usable(now), made.Usable(now, time.Time{}), tt.usable)
		}
		if tt.report != nil && tt.report.IsComplete() != tt.answered {
			t.Errorf("%s: answered %t, want %t", tt.name, tt.report.IsComplete(), tt.answered)
		}
	}
}
