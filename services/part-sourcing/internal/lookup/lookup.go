// Package lookup asks suppliers about parts: in batches, each part once however
// many want to know, answers kept as long as each supplier's terms allow, and
// nobody waiting longer than they care to.
package lookup

import (
	"context"
	"time"

	"boardorder/services/part-sourcing/internal/part"
)

// A Source is a supplier that can be asked.
type Source interface {
	Name() string
	// Batch is how many parts one Lookup may have.
	Batch() int
	// Takes reports whether it knows numbers of that scheme.
	Takes(part.Scheme) bool
	// Lookup answers each query, in their order; an answer without offers says
	// that it does not have the part. An error is of the call as a whole, and
	// nothing of such an answer is believed.
	Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error)
}

// A Policy is how long a supplier's answers may be used again. Some suppliers'
// terms forbid to keep them: zero keeps nothing.
type Policy struct {
	Found   time.Duration
	Missing time.Duration // that it does not have the part
}

// A Supply is a source and how it is used. Zero values of the rest but Policy
// mean the defaults.
type Supply struct {
	Source   Source
	Policy   Policy
	Parallel int           // calls at a time; 4
	Timeout  time.Duration // of one call with its wait for the quota; 90 s
	Linger   time.Duration // how long a call that is not full waits for more parts; 5 ms
	// Spares reports whether calls about so many parts may be made for who is sparing;
	// nil: always.
	Spares func(ctx context.Context, parts int) bool
}

// Terms are how answers are asked for.
type Terms struct {
	Since   time.Time // what is kept from before is asked for anew
	Sparing bool      // a source that can spare no calls fails with outside.OverQuota
}

// A State is what is known of a part at a source.
type State string

// The states.
const (
	Found    State = "found"
	Missing  State = "missing"   // the source does not have it
	Pending  State = "pending"   // not answered yet
	Failed   State = "failed"    // could not be asked; see Err
	NotTaken State = "not_taken" // the source does not know numbers of this scheme
)

// A Reply is what a source says of one query.
type Reply struct {
	Query  part.Query
	Source string
	State  State
	Answer part.Answer
	At     time.Time // when the source said so
	Err    error     // with Failed
}

// An Entry is an answer that is kept.
type Entry struct {
	Answer part.Answer
	At     time.Time
}

// Claims let replicas agree on which of them asks a source about a part. Whoever
// finds a claim waits for the answer to be in the cache, or for the claim to end.
type Claims interface {
	// Take claims keys, until release is called or this replica is gone for a
	// while. held are those that another has. With an error it is not known of
	// some who has them: those are in neither.
	Take(ctx context.Context, keys []string) (held map[string]bool, release func(), err error)
	// Held gives those of keys that are claimed.
	FindHeld(ctx context.Context, keys []string) (map[string]bool, error)
}

// A Cache keeps answers, shared by those who ask the same suppliers. It may forget
// at any time; an error counts as nothing kept.
type Cache interface {
	// Get gives what is kept under keys.
	Get(ctx context.Context, keys []string) (map[string]Entry, error)
	// Put keeps an entry for no longer than life.
	Put(ctx context.Context, key string, e Entry, ttl time.Duration) error
}
