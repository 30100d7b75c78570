package streams

import (
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/bus"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
)

// rates remembers how the streams were a moment ago, for how fast they grow.
type rates struct {
	mu  sync.Mutex
	at  time.Time
	was map[string]uint64 // last sequence of each stream, and of what each consumer has taken
	per map[string]float64
}

// ratesEach is how far apart two looks are at the least.
const ratesEach = 2 * time.Second

// measure gives messages a second by name; nothing until it has looked twice.
func (r *rates) measure(states []bus.StreamState, now time.Time) map[string]float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.at) < ratesEach {
		return r.per
	}
	is := map[string]uint64{}
	for _, s := range states {
		is[s.Name] = s.LastSeq
		for _, c := range s.Consumers {
			is[s.Name+"/"+c.Name] = c.Taken
		}
	}
	per := map[string]float64{}
	for name, n := range is {
		if was, known := r.was[name]; known && n >= was && !r.at.IsZero() {
			per[name] = float64(n-was) / now.Sub(r.at).Seconds()
		}
	}
	r.at, r.was, r.per = now, is, per
	return per
}

type streamsView struct {
	page.Frame
	Streams []streamRow
	Lag     []consumerRow
}

type streamRow struct {
	bus.StreamState
	Rate string
	Age  string // of the oldest message
}

type consumerRow struct {
	Lag
	Rate string
	Age  string // since it took something
}

// Show shows every stream and who reads it, how fast and how far behind.
func (s *Section) Show(c *page.Call) error {
	states, err := s.Bus.States(c.R.Context())
	if err != nil {
		return err
	}
	now := s.Now()
	per := s.rates.measure(states, now)
	v := streamsView{Frame: c.Frame("streams", "Streams and consumers")}
	v.Refresh = 5
	for _, one := range states {
		row := streamRow{StreamState: one, Rate: formatRate(per, one.Name)}
		if one.Messages > 0 {
			row.Age = format.Wait(now, one.FirstAt)
		}
		v.Streams = append(v.Streams, row)
	}
	for _, l := range Lags(states) {
		v.Lag = append(v.Lag, consumerRow{l, formatRate(per, l.Stream+"/"+l.Name), format.Wait(now, l.LastTaken)})
	}
	return c.Show(templates, "streams", v)
}

func formatRate(per map[string]float64, name string) string {
	n, known := per[name]
	if !known {
		return "–"
	}
	return fmt.Sprintf("%.1f/s", n)
}
