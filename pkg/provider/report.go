// Package provider measures the calls of external providers: whether they answer, how
// soon, and since when they do not. Each process reports what it sees of them; whoever
// reads the reports of all adds them up.
package provider

import (
	"math"
	"time"
)

// A Kind is what a provider does for us.
type Kind string

// The kinds of providers.
const (
	Fabricator    Kind = "fabricator"
	PartsSupplier Kind = "supplier of parts"
	CardProcessor Kind = "card processor"
	ExchangeRates Kind = "exchange rates"
	MailServer    Kind = "mail server"
)

// Window is how long a call counts for rates and times.
const Window = time.Hour

// A Report is what one process saw of one provider.
type Report struct {
	Kind        Kind      `json:"kind"`
	Name        string    `json:"name"`
	At          time.Time `json:"at"` // when it was written
	LastSuccess time.Time `json:"last_success,omitzero"`
	AwaySince   time.Time `json:"away_since,omitzero"` // zero: it answers
	Recovered   time.Time `json:"recovered,omitzero"`  // when it last came back
	FirstCall   time.Time `json:"first_call,omitzero"`
	UsedUpSince time.Time `json:"used_up_since,omitzero"`
	UsedUpUntil time.Time `json:"used_up_until,omitzero"` // our calls are used up until then
	Minutes     []Minute  `json:"minutes,omitempty"`      // those with calls, oldest first
}

// A Minute is what became of the calls that ended within one.
type Minute struct {
	At       int64       `json:"at"` // minutes since 1970
	Failures int         `json:"failures,omitempty"`
	Times    map[int]int `json:"times"` // how many took how long: see step
}

// Times are counted in steps that are a quarter longer than the one before: what is said of
// them is at most that much too large.
const stepFactor = 1.25

// step is which step a time is counted in, in milliseconds.
func step(took time.Duration) int {
	ms := float64(took) / float64(time.Millisecond)
	return int(math.Ceil(math.Log(max(ms, 1)) / math.Log(stepFactor)))
}

// stepEnd is the longest time of a step.
func stepEnd(n int) time.Duration {
	return time.Duration(math.Pow(stepFactor, float64(n)) * float64(time.Millisecond)).Round(time.Millisecond)
}

func minuteOf(t time.Time) int64 { return t.Unix() / 60 }
