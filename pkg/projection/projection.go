// Package projection is where the state that the streams record can be read:
// documents by id, by unique key, and in lists.
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
// operation) after the event at Seq of its stream.
type Document struct {
	// Kind is the collection, such as "quote": [a-z0-9-]+.
	Kind string
	// ID is the aggregate's id, at most MaxID bytes, unique within its kind.
	ID string
	// Seq is the stream sequence of the event that wrote the document, from 1.
	// A Put with a Seq not greater than the stored one changes nothing.
	Seq uint64
	// Keys are what List selects by, such as {"account": "acc_…"}. Names are
	// [a-z0-9_]+; an entry with an empty value is left out.
	Keys map[string]string
	// Unique are what Lookup finds by, such as {"key_id": "…"}; optional, named
	// and treated like Keys. A value belongs to one document of the kind.
	Unique map[string]string
	// At is when the aggregate was created, kept in UTC to the nanosecond. It
	// orders List: newest first, ties by ascending ID.
	At time.Time
	// Body is the state, valid JSON, returned byte for byte as it was put.
	Body json.RawMessage
}

// A Page asks for a part of a list.
type Page struct {
	// Limit is how many documents to return at most: 0 means DefaultLimit, and
	// more than MaxLimit means MaxLimit.
	Limit int
	// Cursor is "" for the first page, then what List returned as next.
	Cursor string
}

const (
	// DefaultLimit is the length of a page that does not say.
	DefaultLimit = 20
	// MaxLimit is the greatest length of a page.
	MaxLimit = 1000
	// MaxID is the greatest length in bytes of an id or of a key's value.
	MaxID = 512
)

// A Store keeps documents. All methods may be called concurrently, and several
// processes may use the same store.
type Store interface {
	// Put writes the documents, each guarded by its Seq: all of them or none
	// where the store can, otherwise each on its own. It may be repeated.
	// Within one call the same document may appear more than once; the highest
	// Seq wins. A unique key that another document holds is a *ConflictError.
	Put(ctx context.Context, docs ...Document) error
	// Get returns a document, or ErrNotFound.
	Get(ctx context.Context, kind, id string) (Document, error)
	// Lookup returns the document that holds the unique key, or ErrNotFound.
	Lookup(ctx context.Context, kind, key, value string) (Document, error)
	// List returns the documents of the kind whose Keys[key] is value, or all
	// of the kind when key is "", newest first. next is the cursor of the page
	// after this one, "" when there is none. A cursor that List did not return
	// is ErrCursor.
	List(ctx context.Context, kind, key, value string, page Page) (docs []Document, next string, err error)
	// Ping reports whether the store can be used now.
	Ping(ctx context.Context) error
	// Close releases what the store holds. It is not usable afterwards.
	Close() error
}

// A Rebuilder can make a new generation of all documents beside the live one.
// Both adapters are Rebuilders.
type Rebuilder interface {
	// Rebuild starts an empty generation. From its return until Swap or
	// Discard, every Put of every process that uses the store goes to both
	// generations. So whoever rebuilds first calls Rebuild, then notes where
	// the streams end, then puts everything up to there, and swaps; no writer
	// has to stop and no event falls between the two. An earlier rebuild that
	// was never finished is discarded.
	Rebuild(ctx context.Context) (Fresh, error)
}

// Fresh is a generation being built. Its Close releases nothing that the Store
// holds and leaves the generation as it is.
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
	// ErrConflict says that a unique key belongs to another document; the
	// error itself is a *ConflictError.
	ErrConflict = errors.New("unique key belongs to another document")
	// ErrCursor says that a page's cursor is not one that List returned.
	ErrCursor = errors.New("cursor is not valid")
	// ErrSuperseded says that the generation was swapped in or discarded, or
	// that a later rebuild took its place.
	ErrSuperseded = errors.New("rebuild was superseded")
)

// A ConflictError names the document that could not be put, the unique key in
// the way and, where the store knows it, who holds it. It never shows the
// key's value, which may be a secret.
type ConflictError struct {
	Kind, Key  string
	ID, Holder string // Holder may be ""
}

func (e *ConflictError) Error() string {
	holder := "another document"
	if e.Holder != "" {
		holder = e.Holder
	}
	return "unique key " + e.Key + " of " + e.Kind + " " + e.ID + " belongs to " + holder
}

// Is makes errors.Is(err, ErrConflict) hold.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }
