package formdata

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract/uploads"

	"github.com/oklog/ulid/v2"
)

// A Staged is a file of a form that lies in the store, under a key of its own.
type Staged struct {
	Key, SHA256 string // the digest is in hex
	Size        int64
}

// ErrNotStored says that the store did not take a file.
var ErrNotStored = errors.New("a file was not stored")

// Stage streams a file of a form into the store: one of most bytes, of a form that has
// left bytes to go. A file beyond that is the error, as [Cause] gives it.
func Stage(ctx context.Context, store blob.Store, m *Meter, file io.Reader, at time.Time, limit, left int64) (Staged, error) {
	r := &Counted{R: file, Hash: sha256.New(), Max: limit, Left: left}
	m.Allow(-1, nil) // the file's own limits count now
	key := uploads.StagingPrefix + ulid.MustNew(ulid.Timestamp(at), rand.Reader).String()
	_, err := store.Put(ctx, key, r, -1, blob.DefaultContentType)
	switch {
	case r.Err != nil:
		return Staged{}, Cause(r.Err)
	case err != nil:
		return Staged{}, errors.Join(ErrNotStored, err)
	}
	return Staged{Key: key, SHA256: hex.EncodeToString(r.Hash.Sum(nil)), Size: r.N}, nil
}

// Discard removes staged files that nobody will ask for. Without an answer from the
// store they stay until it is swept.
func Discard(store blob.Store, keys ...string) {
	if len(keys) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = store.Delete(ctx, keys...)
}
