package faults_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A span is the time of a scenario, until the system had recovered from it.
type span struct {
	scenario
	from, to time.Time
}

// How long a request may wait for its outcome, from the storing of the one to the
// storing of the other.
const (
	maxOrderly = 5 * time.Second  // while brokers are restarted in an orderly way
	maxKilled  = 12 * time.Second // while one is killed
)

// A waited request had its outcome after a time.
type waited struct {
	request string
	stored  time.Time
	took    time.Duration
}

// checkWaits compares when requests and their outcomes were stored. Only the long
// form, which is a measurement on a quiet machine, fails by what it finds.
func (r *rig) checkWaits(ctx context.Context, h *history) {
	outcomes := h.outcomes()
	claims, err := r.claims(ctx)
	if err != nil {
		r.t.Fatalf("read the requests: %v", err)
	}
	r.checkClaims(claims, outcomes)
	var all []waited
	for _, m := range claims {
		request := requestOfClaim(m)
		if end, ok := outcomes[request]; ok {
			all = append(all, waited{request, m.Time, end.StoredAt.Sub(m.Time)})
		}
	}
	for _, s := range r.spans {
		var during []waited
		for _, w := range all {
			if !w.stored.Before(s.from) && w.stored.Before(s.to) {
				during = append(during, w)
			}
		}
		if len(during) == 0 {
			continue
		}
		slices.SortFunc(during, func(a, b waited) int { return int(a.took - b.took) })
		worst := during[len(during)-1]
		line := fmt.Sprintf("%s: %d requests, half had their outcome within %s, 99 of 100 within %s, all within %s (%s)", s.name, len(during),
			during[len(during)/2].took.Round(time.Millisecond), during[len(during)*99/100].took.Round(time.Millisecond), worst.took.Round(time.Millisecond), worst.request)
		if s.limit > 0 && worst.took > s.limit && *longForm {
			r.t.Errorf("%s; want %s at most", line, s.limit)
		} else {
			r.t.Log(line)
		}
	}
	r.spans = nil
}

// violation is what a broker says in its log, and what it tells the program, when a
// user does what it may not.
var violation = regexp.MustCompile(`(?i)(permissions|publish|subscription|authorization) violation`)

// checkLogs finds users of the broker who did what they may not.
func (r *rig) checkLogs() {
	logs, err := filepath.Glob(filepath.Join(r.dir, "logs", "*.log"))
	if err != nil || len(logs) == 0 {
		r.t.Fatalf("no logs in %s: %v", r.dir, err)
	}
	for _, file := range logs {
		text, err := os.ReadFile(file)
		if err != nil {
			r.t.Error(err)
		}
		found := 0
		for line := range strings.Lines(string(text)) {
			if violation.MatchString(line) {
				if found++; found <= 3 {
					r.t.Errorf("%s, want no violation of permissions: %s", filepath.Base(file), strings.TrimSpace(line))
				}
			}
		}
		if found > 3 {
			r.t.Errorf("%s: %d such lines in all, want 3 at most", filepath.Base(file), found)
		}
	}
}
