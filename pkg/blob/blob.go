// Package blob stores files under keys that the service made.
//
// A key is a digest or a generated id, never a name from outside; what a file
// was called is data of its owner. A blob is immutable in practice: a Put under
// a key that exists replaces it as a whole.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// An Info describes one stored blob.
type Info struct {
	Key         string
	Size        int64 // bytes
	ContentType string
	ModTime     time.Time // when it was put, UTC
}

// A Store keeps blobs. All methods may be called concurrently, and several
// processes may use the same store. Keys that ValidKey refuses are ErrKey.
//
// Choose keys such that none is a folder of another, as "a" is of "a/b": some
// S3 servers keep them as a tree of files and refuse that.
type Store interface {
	// Put stores what r yields until io.EOF, replacing a blob of that key
	// atomically. size is its length, or -1 when unknown; a reader that yields
	// another length is an error. When r or the store fails, nothing of the
	// new content is visible and a blob that was there before is untouched.
	// An empty contentType means application/octet-stream.
	Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (Info, error)
	// Get opens a blob for reading, or returns ErrNotFound. The reader must be
	// closed; a blob replaced meanwhile is still read as it was, or fails.
	Get(ctx context.Context, key string) (io.ReadCloser, Info, error)
	// Stat describes a blob, or returns ErrNotFound.
	Stat(ctx context.Context, key string) (Info, error)
	// Delete removes blobs. Keys that are not there are no error.
	Delete(ctx context.Context, keys ...string) error
	// List yields the blobs whose keys begin with prefix, in ascending order of
	// key. The prefix may end inside a segment; "" is everything. After an
	// error it ends. ContentType is only in Stat and Get.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
	// Ping reports whether the store can be used now.
	Ping(ctx context.Context) error
}

// DeletePrefix deletes all blobs whose keys begin with prefix; none is no error.
func DeletePrefix(ctx context.Context, s interface {
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
	Delete(ctx context.Context, keys ...string) error
}, prefix string) error {
	var keys []string
	for info, err := range s.List(ctx, prefix) {
		if err != nil {
			return fmt.Errorf("list %s: %w", prefix, err)
		}
		keys = append(keys, info.Key)
	}
	if len(keys) == 0 {
		return nil
	}
	if err := s.Delete(ctx, keys...); err != nil {
		return fmt.Errorf("delete under %s: %w", prefix, err)
	}
	return nil
}

var (
	// ErrNotFound says that there is no blob of that key.
	ErrNotFound = errors.New("blob not found")
	// ErrKey says that a key or prefix is not well formed.
	ErrKey = errors.New("blob key is not valid")
	// ErrSize says that a reader did not yield the announced number of bytes.
	ErrSize = errors.New("blob has not the announced size")
)

const (
	// MaxKey is the greatest length of a key in bytes.
	MaxKey = 512
	// MaxSegment is the greatest length of a segment of a key in bytes.
	MaxSegment = 200
	// DefaultContentType stands in for an empty content type.
	DefaultContentType = "application/octet-stream"
)
