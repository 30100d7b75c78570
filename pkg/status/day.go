package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/bus"
)

// HistoryDays is how many days are shown.
const HistoryDays = 90

// A Day is what was measured on one, in UTC: one sample a minute, whichever edge took it.
type Day struct {
	Last  int64               `json:"last"` // the minute of the newest sample, since 1970
	Parts map[string]Measured `json:"parts"`
}

// Measured is what was measured of a part on a day.
type Measured struct {
	Part
	Minutes map[State]int `json:"minutes"`
}

// Total is how many minutes were measured.
func (m Measured) Total() (n int) {
	for _, minutes := range m.Minutes {
		n += minutes
	}
	return n
}

// add counts a minute, unless another edge has counted it.
func (d *Day) add(minute int64, parts []Standing) bool {
	if minute <= d.Last {
		return false
	}
	d.Last = minute
	if d.Parts == nil {
		d.Parts = map[string]Measured{}
	}
	for _, p := range parts {
		if p.State == NotMeasured {
			continue
		}
		m := d.Parts[p.ID]
		if m.Part = p.Part; m.Minutes == nil {
			m.Minutes = map[State]int{}
		}
		m.Minutes[p.State]++
		d.Parts[p.ID] = m
	}
	return true
}

// Bucket is where days or incidents lie, together for all processes: a [bus.Bucket].
type Bucket interface {
	Keys(ctx context.Context) ([]string, error)
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
	Create(ctx context.Context, key string, value []byte) (rev uint64, err error)
	Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error)
	Delete(ctx context.Context, key string) error
}

// Days are the days that were measured.
type Days struct {
	bucket Bucket

	mu      sync.Mutex
	pending []sample        // not written yet
	ended   map[string]*Day // days that change no more; nil = nothing was measured
}

type sample struct {
	at    time.Time
	parts []Standing
}

// NewDays makes days over a bucket.
func NewDays(bucket Bucket) *Days { return &Days{bucket: bucket, ended: map[string]*Day{}} }

const (
	// maxPending is how many samples wait for a broker that is away: a day.
	maxPending = 24 * 60
	races      = 20 // attempts while other edges write the same day
)

// Note counts a sample of a minute. Of several edges one counts it. A sample that cannot be
// written waits for the next: that the broker was away is a measurement too.
func (d *Days) Note(ctx context.Context, at time.Time, parts []Standing) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pending = append(d.pending, sample{at.UTC(), parts})
	d.pending = d.pending[max(len(d.pending)-maxPending, 0):]
	for len(d.pending) > 0 {
		name, n := dayOf(d.pending[0].at), 0
		for n < len(d.pending) && dayOf(d.pending[n].at) == name {
			n++
		}
		if err := d.write(ctx, name, d.pending[:n]); err != nil {
			return err
		}
		d.pending = d.pending[n:]
	}
	return nil
}

func (d *Days) write(ctx context.Context, name string, samples []sample) error {
	for range races {
		day, rev, err := d.read(ctx, name)
		if err != nil {
			return err
		}
		if day == nil {
			day = &Day{}
		}
		changed := false
		for _, s := range samples {
			changed = day.add(s.at.Unix()/60, s.parts) || changed
		}
		if !changed {
			return nil
		}
		value, err := json.Marshal(day)
		if err != nil {
			return fmt.Errorf("encode day %s: %w", name, err)
		}
		if rev == 0 {
			_, err = d.bucket.Create(ctx, name, value)
		} else {
			_, err = d.bucket.Update(ctx, name, value, rev)
		}
		if err == nil || !errors.Is(err, bus.ErrWrongRevision) {
			return err
		}
	}
	return fmt.Errorf("day %s: others wrote it %d times", name, races)
}

// read gives a day, or nil if nothing was measured.
func (d *Days) read(ctx context.Context, name string) (day *Day, rev uint64, err error) {
	value, rev, err := d.bucket.Get(ctx, name)
	if errors.Is(err, bus.ErrNoKey) {
		return nil, 0, nil
	}
	if err == nil {
		err = json.Unmarshal(value, &day)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("day %s: %w", name, err)
	}
	return day, rev, nil
}

// A History is one day of it, with nil where nothing was measured.
type History struct {
	Date string // 2026-11-30
	*Day
}

// Read gives the last days, oldest first, today among them.
func (d *Days) Read(ctx context.Context, now time.Time) ([]History, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]History, HistoryDays)
	known := make(map[string]*Day, HistoryDays)
	for i := range out {
		at := now.UTC().AddDate(0, 0, i-HistoryDays+1)
		name := dayOf(at)
		day, ended := d.ended[name]
		if !ended {
			var err error
			if day, _, err = d.read(ctx, name); err != nil {
				return nil, err
			}
		}
		if i < HistoryDays-2 { // yesterday may still get what waited for the broker
			known[name] = day
		}
		out[i] = History{name, day}
	}
	d.ended = known
	return out, nil
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }
