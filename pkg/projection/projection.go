// Package projection is where the state that the streams record can be read:
// documents by id, in lists, and counted.
//
// A store holds nothing that cannot be rebuilt from the streams, and nothing
// may rely on it for mutual exclusion. Every write is guarded by the sequence
// of the event behind it, so repeated and reordered writes are harmless.
package projection

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// A Document is one projected document: the state of one aggregate (or
// operation) at Seq.
type Document struct {
	// Kind is the collection, such as "quote": [a-z0-9-]+.
	Kind string
	// ID is the aggregate's id, at most MaxID bytes, unique within its kind.
	ID string
	// Seq is the version of the aggregate that the document shows, from 1. A
	// Put with a Seq not greater than the stored one changes nothing.
	Seq uint64
	// Keys are what List and Count select by, such as {"account": "acc_…"}, at
	// most MaxKeys. Names are [a-z0-9_]+; an entry with an empty value is left
	// out.
	Keys map[string]string
	// Terms are what Find finds the document by: each 1 to MaxTerm bytes of UTF-8
	// without NUL, at most MaxTerms. They are written, and not returned.
	Terms []string
	// At is when the aggregate was created, kept in UTC to the nanosecond. It
	// orders List: newest first, ties by ascending ID.
	At time.Time
	// Until is when the document leaves, kept in UTC to the millisecond; zero
	// is never. From then on the store does not return it, and Retention later
	// it may remove it. A newer version brings its own Until, also when the
	// document has left.
	Until time.Time
	// Body is the state, valid JSON of at most MaxBody bytes, returned byte for
	// byte as it was put.
	Body json.RawMessage
}

// A Page asks for a part of a list.
type Page struct {
	// Limit is how many documents to return at most: 0 means DefaultLimit, and
	// more than MaxLimit means MaxLimit.
	Limit int
	// Cursor is "" for the first page, then what List returned as next.
	Cursor string
	// Before begins the first page at the documents whose At is not later; zero
	// is at the newest. A Cursor has its own place, and Before means nothing then.
	Before time.Time
}

const (
	// DefaultLimit is the length of a page that does not say.
	DefaultLimit = 20
	// MaxLimit is the greatest length of a page.
	MaxLimit = 1000
	// MaxID is the greatest length in bytes of an id or of a key's value.
	MaxID = 512
	// MaxKeys is how many keys a document has at most.
	MaxKeys = 64
	// MaxTerm is the greatest length of a term in bytes.
	MaxTerm = 120
	// MaxTerms is how many terms a document has at most.
	MaxTerms = 64
	// MaxBody is the greatest length of a body in bytes. With it and the longest
	// keys a document stays below the 16 MiB that MongoDB takes.
	MaxBody = 16_000_000
	// Retention is how long after its Until a document is kept at least, so that
	// an older version that is delivered again finds it and changes nothing.
	Retention = time.Hour
)

// A Store keeps documents. All methods may be called concurrently, and several
// processes may use the same store. A method returns ErrUnavailable when the
// store cannot be used now, and the context's error when the context ends it.
type Store interface {
	// Put writes the documents, each guarded by its Seq. It may be repeated. Kinds
	// are written in the order of their first documents: whoever reads a document of
	// a later kind reads those of earlier kinds as they are in this call, or newer.
	// Within one call the same document may appear more than once; the highest
	// Seq wins. Documents that the store will never take are named by a
	// *RefusedError, and all others of the call are written then. After any
	// other error some may be written, and the call is to be repeated.
	Put(ctx context.Context, docs ...Document) error
	// Get returns a document, or ErrNotFound.
	Get(ctx context.Context, kind, id string) (Document, error)
	// List returns the documents of the kind whose Keys[key] is value, or all
	// of the kind when key is "", newest first. next is the cursor of the page
	// after this one, "" when there is none. A cursor that List did not return
	// is ErrCursor.
	List(ctx context.Context, kind, key, value string, page Page) (docs []Document, next string, err error)
	// Count returns how many documents List would return in all. It reads an
	// index only.
	Count(ctx context.Context, kind, key, value string) (int, error)
	// Find returns documents of the kind that have a term which begins with prefix,
	// each once, at most limit of them (MaxLimit where it is more or 0), in no
	// particular order. It reads an index, however many documents there are.
	Find(ctx context.Context, kind, prefix string, limit int) ([]Document, error)
	// Ping reports whether the store can be used now.
	Ping(ctx context.Context) error
	// Close releases what the store holds. It is not usable afterwards.
	Close() error
}

// A Shape says by what the documents of one kind are listed, found and removed:
// what a store needs indexes for.
type Shape struct {
	Kind string
	Keys []string // names of Document.Keys
	// Terms and Expires: documents of the kind have terms, and leave.
	Terms, Expires bool
}

// An Indexer is a store whose indexes take long to make where many documents lie:
// they are made before a release that needs them, never on the way of a write.
type Indexer interface {
	// MakeIndexes makes what is missing, however long it takes. What is written
	// and read meanwhile is not held up. It may be repeated.
	MakeIndexes(ctx context.Context, shapes []Shape) error
	// EnsureIndexes makes at once what is missing over few documents, and names the
	// indexes that only MakeIndexes has the time for.
	EnsureIndexes(ctx context.Context, shapes []Shape) ([]string, error)
}

// A Rebuilder can make a new generation of all documents beside the live one.
// Both adapters are Rebuilders.
type Rebuilder interface {
	// Rebuild starts an empty generation. From its return until Swap or
	// Discard, every Put of every process that uses the store goes to both
	// generations. So whoever rebuilds first calls Rebuild, then notes where
	// the streams end, then puts everything up to there, and swaps; no writer
	// has to stop and no event falls between the two. While another rebuild is
	// under way it is ErrRebuilding; what one left that has crashed is
	// discarded.
	Rebuild(ctx context.Context) (Fresh, error)
}

// Fresh is a generation being built; several goroutines may fill it. Its Close
// gives the rebuild up unless it was swapped in, and leaves the store open.
type Fresh interface {
	Store
	// Swap makes the generation the live one and drops the one before.
	Swap(ctx context.Context) error
	// Discard drops the generation.
	Discard(ctx context.Context) error
}

var (
	// ErrNotFound says that there is no such document.
	ErrNotFound = errors.New("document not found")
	// ErrCursor says that a page's cursor is not one that List returned.
	ErrCursor = errors.New("cursor is not valid")
	// ErrRebuilding says that another rebuild of the store is under way.
	ErrRebuilding = errors.New("another rebuild of the projection is under way")
	// ErrSuperseded says that the generation was swapped in or discarded, or
	// that a later rebuild took its place.
	ErrSuperseded = errors.New("rebuild was superseded")
	// ErrUnavailable says that the store cannot be used now: it cannot be
	// reached, does not answer in time, or has no space. Later it may work.
	ErrUnavailable = errors.New("projection is unavailable")
)
