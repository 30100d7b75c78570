package provider

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 30, 0, time.UTC)

// minutes is a time so many minutes after noon.
func minutes(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

// process is what one process saw: calls at a minute that took so many seconds; below zero
// they failed.
func process(calls ...[2]int) *Meter {
	m := NewSet().Open(Fabricator, "Fab", 3)
	for _, c := range calls {
		m.Record(minutes(c[0]), time.Duration(max(c[1], -c[1]))*time.Second, c[1] > 0)
	}
	return m
}

// reportAt is what a process said when it was last heard of.
func (m *Meter) reportAt(n int) Report {
	r, _ := m.read()
	r.At = minutes(n)
	return r
}

// TestStates: what all processes together saw says how a provider does, and since when.
func TestStates(t *testing.T) {
	t.Parallel()
	usedUp := process([2]int{1, 1})
	usedUp.Exhaust(minutes(5), minutes(9))
	usedUp.Exhaust(minutes(6), minutes(70))
	free := process([2]int{1, 1})
	free.Exhaust(minutes(5), minutes(9))
	failed := process([2]int{1, 1}, [2]int{2, -1}, [2]int{3, -1}, [2]int{4, -1}, [2]int{5, -1})
	for _, tt := range []struct {
		name    string
		reports []Report
		state   State
		since   time.Time
		away    int
	}{
		{"not called", []Report{process().reportAt(9)}, Unasked, time.Time{}, 0},
		{"works since its first call", []Report{process([2]int{1, 1}, [2]int{2, -1}, [2]int{3, -1}, [2]int{4, 1}).reportAt(9)}, Works, minutes(1), 0},
		{"works again", []Report{process([2]int{1, -1}, [2]int{2, -1}, [2]int{3, -1}, [2]int{4, 1}).reportAt(9), process([2]int{2, 1}).reportAt(9)}, Works, minutes(4), 0},
		{"away", []Report{failed.reportAt(9)}, Away, minutes(4), 1},
		{"away for one of two", []Report{failed.reportAt(9), process([2]int{8, 1}).reportAt(9)}, Away, minutes(4), 1},
		{"away for a process that is gone, and not since", []Report{failed.reportAt(-9), process([2]int{8, 1}).reportAt(9)}, Works, minutes(1), 0},
		{"away when the last process ended", []Report{failed.reportAt(-9)}, Away, minutes(4), 0},
		{"used up", []Report{usedUp.reportAt(9), process([2]int{8, 1}).reportAt(9)}, UsedUp, minutes(5), 0},
		{"allowed again", []Report{free.reportAt(9)}, Works, minutes(1), 0},
		{"slow", []Report{process([2]int{2, 1}, [2]int{5, 9}, [2]int{6, 8}, [2]int{7, 9}, [2]int{8, 9}).reportAt(9)}, Slow, minutes(5).Truncate(time.Minute), 0},
		{"slow long ago", []Report{process([2]int{-40, 9}, [2]int{-40, 8}, [2]int{-39, 9}, [2]int{-38, 9}, [2]int{-38, 9}).reportAt(9)}, Works, minutes(-40), 0},
		{"slow once", []Report{process([2]int{8, 30}).reportAt(9)}, Works, minutes(8), 0},
	} {
		all := Merge(minutes(10), tt.reports)
		if len(all) != 1 || all[0].State != tt.state || !all[0].Since.Equal(tt.since) || all[0].AwayFor != tt.away {
			t.Errorf("%s: Merge(%+v) = %+v; want one that is %s since %s, for %d processes", tt.name, tt.reports, all, tt.state, tt.since, tt.away)
		}
	}
}

// TestFigures are of the calls of an hour, in all processes.
func TestFigures(t *testing.T) {
	t.Parallel()
	a, b := process([2]int{-90, -1}), process([2]int{0, 1})
	for i := range 97 {
		a.Record(minutes(i/10), 100*time.Millisecond, i%10 > 0)
	}
	b.Record(minutes(9), 4*time.Second, true)
	all := Merge(minutes(10), []Report{a.reportAt(9), b.reportAt(-20)})
	if len(all) != 1 {
		t.Fatalf("Merge = %+v, want one provider", all)
	}
	got := all[0]
	if got.Calls != 99 || got.Failures != 10 || !got.LastSuccess.Equal(minutes(9)) || got.Processes != 1 {
		t.Errorf("of 99 calls of the last hour 10 failed: %+v; want so, the last good one at %s, in a process that runs", got, minutes(9))
	}
	if got.P95 < 100*time.Millisecond || got.P95 > 125*time.Millisecond {
		t.Errorf("p95 = %s, want 100 ms and at most a quarter more", got.P95)
	}
	b.Record(minutes(9), 4*time.Second, true)
	for range 4 {
		b.Record(minutes(9), 3*time.Second, true)
	}
	if got := Merge(minutes(10), []Report{a.reportAt(9), b.reportAt(9)})[0].P95; got < 3*time.Second || got > 4*time.Second {
		t.Errorf("p95 with 7 slow calls in 104 = %s, want 3 s and at most a quarter more", got)
	}
}

// TestWorstFirst orders providers by how they do, then by what they are.
func TestWorstFirst(t *testing.T) {
	t.Parallel()
	set := NewSet()
	works, away := set.Open(CardProcessor, "cards", 1), set.Open(MailServer, "mail", 1)
	set.Open(ExchangeRates, "ECB", 1)
	works.Record(noon, time.Second, true)
	away.Record(noon, time.Second, false)
	var reports []Report
	for _, m := range set.list() {
		reports = append(reports, m.reportAt(0))
	}
	var got []string
	for _, h := range Merge(minutes(1), reports) {
		got = append(got, h.Name)
	}
	if strings.Join(got, " ") != "mail cards ECB" {
		t.Errorf("Merge orders them %q, want mail cards ECB", got)
	}
}

// shelf keeps what is put there.
type shelf struct {
	mu   sync.Mutex
	puts map[string]int
	last Report
	err  error
}

// Put implements Store.
func (s *shelf) Put(_ context.Context, key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.puts[key]++
	return json.Unmarshal(value, &s.last)
}

// TestReportsAreWritten when something was counted, again where that failed, and now and
// then; two writers of one process write the same.
func TestReportsAreWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set, s := NewSet(), &shelf{puts: map[string]int{}}
		m := set.Open(Fabricator, "Fab Ö 1", 3)
		if set.Open(Fabricator, "Fab Ö 1", 3) != m {
			t.Fatalf("a provider has another meter than %p in the same process", m)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = set.Publish(ctx, s, time.Now) }()
		key := "fabricator-fab---1." + set.id
		wrote := func(after time.Duration, want int) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.puts[key] != want || len(s.puts) != min(want, 1) {
				t.Errorf("written %v, want %s %d times", s.puts, key, want)
			}
		}
		wrote(time.Second, 1) // that there is such a provider
		wrote(4*publishEvery, 1)
		m.Record(time.Now(), time.Second, true)
		wrote(publishEvery, 2)
		s.mu.Lock()
		s.err = errors.New("away")
		s.mu.Unlock()
		m.Record(time.Now(), time.Second, false)
		wrote(publishEvery, 2)
		s.mu.Lock()
		s.err = nil
		s.mu.Unlock()
		wrote(publishEvery, 3)
		if len(s.last.Minutes) != 1 || s.last.Minutes[0].Failures != 1 || s.last.LastSuccess.IsZero() || s.last.At.IsZero() {
			t.Errorf("the last report is %+v, want one minute with a failure, and when a call succeeded", s.last)
		}
		wrote(repeatEvery+publishEvery, 4)
	})
}
