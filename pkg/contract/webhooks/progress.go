package webhooks

import "time"

// Window is how many objects of an endpoint may wait for another attempt at once. With so many
// nothing more is looked at until one of them is over: an endpoint that is away takes no more
// room than that, however much happens meanwhile.
const Window = 256

// Progress is how far an endpoint was delivered to. It lies in the bucket
// contract.WebhookProgressBucket under the endpoint's id. All that its owner has in the feed up
// to Seq was delivered, or given up, or passed over, but what Lanes hold.
type Progress struct {
	Made int64     `json:"made"` // when the feed's stream was made, Unix seconds: another one counts anew
	Seq  uint64    `json:"seq"`  // of the last event that was looked at
	At   time.Time `json:"at"`   // when that was stored
	// Version is that of the endpoint up to which what was asked to be sent again is under way.
	Version uint64 `json:"version,omitempty"`
	// Lanes are the objects that have events up to Seq which were not delivered: one lane each,
	// since what follows of an object waits for what comes before.
	Lanes []Lane `json:"lanes,omitempty"`
	// FailingSince is when the first attempt failed after which none succeeded; nil: the last did.
	FailingSince *time.Time `json:"failing_since,omitempty"`
	Failures     int        `json:"failures,omitempty"` // attempts since then
	SucceededAt  *time.Time `json:"succeeded_at,omitempty"`
	// QuietUntil is until when the receiver asked to be left alone.
	QuietUntil time.Time `json:"quiet_until,omitzero"`
}

// A Lane is one object with an event that is to be delivered.
type Lane struct {
	Key      string    `json:"k"`           // the object's, feed.KeyOf, or of its own where Object is set
	Object   string    `json:"o,omitempty"` // key of the object of an event that is sent again, alone
	Seq      uint64    `json:"s"`           // position of the event in the feed
	Attempts int       `json:"n,omitempty"` // that failed
	First    time.Time `json:"f,omitzero"`  // when the first of them did
	Next     time.Time `json:"t,omitzero"`  // when the next attempt is due; zero: at once
}

// Places are the endpoints that an owner has, or is about to have, by their ids, and when each was
// counted. They lie in the same bucket under feed.OwnerToken, so that creations at one moment agree on
// how many there are.
type Places map[string]time.Time

// Waiting is how many objects have an event that waits for another attempt.
func (p Progress) Waiting() (n int) {
	for _, l := range p.Lanes {
		if l.Attempts > 0 {
			n++
		}
	}
	return n
}
