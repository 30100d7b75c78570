package contract

import (
	"fmt"
	"strings"
	"time"
)

// Names of the streams that are not an aggregate's.
const (
	CommandStream    = "COMMANDS"
	RequestStream    = "REQUESTS"
	DeadLetterStream = "DEAD_LETTERS"
	TimerStream      = "TIMERS"
)

// A Stream declares one JetStream stream. The declarations below are the only
// ones. Package topology applies them; services only verify that they are there.
type Stream struct {
	Name      string
	Subject   string        // what it stores; with Split the first * stands for the partition
	Split     bool          // may be split into parts by partition
	WorkQueue bool          // messages leave when acknowledged
	Schedules bool          // keeps server-side schedules
	Keep      time.Duration // 0 = for ever
	Versions  int           // messages kept of each subject, the newest; 0 = all
	// Overwrites: whoever appends to a subject that has all its versions overwrites one,
	// the oldest on which no follower acts. The broker would let go of the oldest by
	// itself, but leave its bytes on the disk.
	Overwrites bool
	// DropsOldest: once its space is full its oldest messages make way, in place of a refusal.
	DropsOldest bool
	Load        Load
	Consumers   []Consumer
	About       string
}

// Load is the rate that a stream is sized for.
type Load struct {
	PerDay int // messages
	Bytes  int // of one message with its headers, as published
}

// A Consumer declares a durable consumer of every part of a stream. It is
// updated in place, so old and new replicas share it during a rollout.
type Consumer struct {
	Name       string
	Filter     string // of the subjects; empty = all
	AckPending int    // messages delivered and not acknowledged, over all replicas
	// HeadersOnly: events come without their states, to whom their names are enough.
	HeadersOnly bool
	// Waits: messages come again at a time of their own, so some are always taken and not
	// acknowledged.
	Waits bool
}

// EventStream is the name of an aggregate's stream.
func EventStream(a Aggregate) string {
	return "EVENTS_" + strings.ToUpper(strings.ReplaceAll(string(a), "-", "_"))
}

// Day is what retention counts in.
const Day = 24 * time.Hour

const (
	// planned is how long a stream that is kept for ever is given space for.
	planned = 3 * 366 * Day
	// outstanding is how long a timer waits on average, for which space is given: the
	// boards of 500 orders a day for 400 days, of 20,000 readings for 8, and 40,000
	// uploads for hours make six days of all that are set. TIMERS drops its oldest
	// when it is full, so it gets five times that.
	outstanding = 30 * Day
	// CommandRetention is how long a command waits to be carried out.
	CommandRetention = 7 * Day
)

// Names of the consumers that are not a service's own commands.
const (
	ProjectorConsumer = "projector"
	TimerConsumer     = "timers"
)

// SizeAtLoad is how many bytes a stream holds at its load.
func (s Stream) SizeAtLoad() int64 {
	keep := s.Keep
	switch {
	case s.WorkQueue:
		keep = Day // a backlog of this long
	case s.Schedules:
		keep = outstanding
	case keep == 0:
		keep = planned
	}
	return int64(keep/Day) * int64(s.Load.PerDay) * int64(s.Load.Bytes)
}

// Parts gives the streams that a declaration is kept in: one, or n of which each
// stores every n-th partition. n is 1 for what cannot be split.
func (s Stream) Parts(n int) []Part {
	if !s.Split || n <= 1 {
		return []Part{{Name: s.Name, Subjects: []string{s.Subject}}}
	}
	n = min(n, Partitions)
	parts := make([]Part, n)
	for i := range parts {
		parts[i].Name = s.PartName(i)
	}
	for p := range Partitions {
		to := &parts[p%n]
		to.Subjects = append(to.Subjects, s.partition(p))
	}
	return parts
}

// PartName is the broker's name of a part: the first has the declared name.
func (s Stream) PartName(part int) string {
	if part == 0 {
		return s.Name
	}
	return fmt.Sprintf("%s_%d", s.Name, part)
}

// partition is the subject of one partition.
func (s Stream) partition(p int) string {
	tokens := strings.Split(s.Subject, ".")
	at := 2 // evt.<aggregate>.<partition>…, cmd.<service>.<partition>…
	tokens[at] = fmt.Sprint(p)
	return strings.Join(tokens, ".")
}

// A Part is one stream of the broker.
type Part struct {
	Name     string
	Subjects []string
}
