package contract

import (
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
// ones; they are created or updated when a service starts.
type Stream struct {
	Name      string
	Subjects  []string
	WorkQueue bool          // messages leave when acknowledged
	Schedules bool          // keeps server-side schedules
	MaxAge    time.Duration // 0 = for ever
	Share     int           // this stream's part, in percent, of the space given to all streams
	About     string
}

// EventStream is the name of an aggregate's stream.
func EventStream(a Aggregate) string {
	return "EVENTS_" + strings.ToUpper(strings.ReplaceAll(string(a), "-", "_"))
}

const (
	day  = 24 * time.Hour
	year = 366 * day
)

// Streams lists every stream. The shares add up to 100.
func Streams() []Stream {
	streams := []Stream{
		{Name: CommandStream, Subjects: []string{"cmd.*.*"}, WorkQueue: true, Share: 5,
			About: "what clients and services wish; one durable consumer a service"},
		{Name: RequestStream, Subjects: []string{"cmd.*.*.*"}, MaxAge: 7 * day, Share: 5,
			About: "what clients asked for, by a key of its content; known also once it was carried out"},
		{Name: DeadLetterStream, Subjects: []string{"dead.>"}, MaxAge: 90 * day, Share: 5,
			About: "commands that could not be handled, with their reason and trail"},
		{Name: TimerStream, Subjects: []string{"timer.>"}, Schedules: true, Share: 5,
			About: "schedules, and what of them fell due"},
	}
	for _, e := range []struct {
		of     Aggregate
		share  int
		maxAge time.Duration
		about  string
	}{
		{AccountAggregate, 5, 0, "accounts and their API keys"},
		{BoardAggregate, 10, year, "what was read from a set of files, by content digest"},
		{CheckoutAggregate, 10, 0, "how a quote was paid"},
		{DesignCheckAggregate, 5, 90 * day, "boards held against fabricators' limits, by content and options"},
		{OperationAggregate, 10, 90 * day, "outcomes of requests that changed nothing else"},
		{OrderAggregate, 15, 0, "what was paid and must be built"},
		{QuoteAggregate, 15, year, "prices and reviews"},
		{QuoteRequestAggregate, 5, 90 * day, "how far a slow quote request is"},
		{UploadAggregate, 5, 90 * day, "uploaded files, until they are deleted"},
	} {
		streams = append(streams, Stream{
			Name: EventStream(e.of), Subjects: []string{"evt." + string(e.of) + ".>"},
			MaxAge: e.maxAge, Share: e.share, About: e.about,
		})
	}
	return streams
}
