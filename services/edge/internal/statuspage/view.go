package statuspage

import (
	"time"

	"boardorder/pkg/status"
)

// Reply is the reply of GET /v1/status.
type Reply struct {
	OK     bool         `json:"ok"`
	AsOf   time.Time    `json:"as_of"`
	Status status.State `json:"status"` // of all together
	Parts  []Part       `json:"parts"`
	// Incidents are null where they cannot be read.
	Incidents []Incident `json:"incidents"`
}

// Part is one part, with its days.
type Part struct {
	status.Part
	Status status.State `json:"status"`
	Since  *time.Time   `json:"since"`
	Says   string       `json:"says"`
	// Days are null where they cannot be read.
	Days []Day `json:"days"`
}

// Day is what was measured of a part on one day, in minutes.
type Day struct {
	Day      string       `json:"day"`
	Status   status.State `json:"status"`
	Measured int          `json:"measured_minutes"`
	Works    int          `json:"works_minutes"`
	Slow     int          `json:"slow_minutes"`
	Quota    int          `json:"quota_used_minutes"`
	Away     int          `json:"away_minutes"`
}

// Incident is what was written about one.
type Incident struct {
	ID       string        `json:"incident_id"`
	Title    string        `json:"title"`
	Language string        `json:"language"`
	Stage    status.Stage  `json:"stage"`
	Kinds    []status.Kind `json:"kinds"`
	BeganAt  time.Time     `json:"began_at"`
	EndedAt  *time.Time    `json:"ended_at"`
	Updates  []Update      `json:"updates"`
}

// Update is one thing that was said of an incident.
type Update struct {
	At    time.Time    `json:"at"`
	Stage status.Stage `json:"stage"`
	Text  string       `json:"text"`
}

// seen is all that is known at a time. Of history and incidents nil is not known.
type seen struct {
	at        time.Time
	standings []status.Standing
	history   []status.History
	incidents []status.Incident
}

// reply is what is said of it.
func (s seen) reply() Reply {
	r := Reply{OK: true, AsOf: s.at.UTC().Truncate(time.Second), Status: overall(s.standings), Parts: []Part{}}
	for _, st := range s.standings {
		p := Part{Part: st.Part, Status: st.State, Says: says(st.Kind, st.State)}
		if !st.Since.IsZero() {
			at := st.Since.UTC().Truncate(time.Minute)
			p.Since = &at
		}
		for _, h := range s.history {
			p.Days = append(p.Days, dayOf(h, st.ID))
		}
		r.Parts = append(r.Parts, p)
	}
	if s.incidents == nil {
		return r
	}
	r.Incidents = []Incident{}
	for _, i := range s.incidents {
		shown := Incident{ID: i.ID, Title: i.Title, Language: i.Language, Stage: i.Stage(), Kinds: i.Kinds, BeganAt: i.BeganAt, EndedAt: i.EndedAt, Updates: []Update{}}
		for _, u := range i.Updates {
			shown.Updates = append(shown.Updates, Update{u.At, u.Stage, u.Text})
		}
		r.Incidents = append(r.Incidents, shown)
	}
	return r
}

// overall is how the service does as a whole: away where it is not reached itself, slow where
// a part does not what it should, and otherwise as measured.
func overall(parts []status.Standing) status.State {
	out := parts[0].State
	for _, p := range parts[1:] {
		if out == status.Works && p.State != status.Works && p.State != status.NotMeasured {
			out = status.Slow
		}
	}
	return out
}

func dayOf(h status.History, part string) Day {
	d := Day{Day: h.Date, Status: status.NotMeasured}
	if h.Day == nil {
		return d
	}
	m := h.Parts[part]
	d.Works, d.Slow, d.Quota, d.Away, d.Measured = m.Minutes[status.Works], m.Minutes[status.Slow], m.Minutes[status.QuotaUsed], m.Minutes[status.Away], m.Total()
	for _, state := range status.States() {
		if m.Minutes[state] > 0 {
			d.Status = state // the gravest
			break
		}
	}
	return d
}
