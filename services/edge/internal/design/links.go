package design

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/bus"
)

// Links keeps which links of an upload hold, be they to add files to it or to see
// what was made of it: those of its present version.
type Links struct {
	bucket Bucket
	now    func() time.Time

	mu   sync.Mutex
	seen map[string]linkVersion // by ref of the upload
}

// A Bucket keeps values by key, as a [bus.Bucket] does: [bus.ErrNoKey] of an unknown key.
type Bucket interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
	Put(ctx context.Context, key string, value []byte) error
}

type linkVersion struct {
	version string
	until   time.Time // to be believed for new links
}

const (
	firstVersion = "0"
	// versionTTL is how long another replica may go on giving links that were
	// revoked here: what opens a link reads the present version.
	versionTTL = 5 * time.Second
	maxSeen    = 10_000
)

// NewLinks keeps them in contract.UploadLinksBucket, by ref of the upload; longer
// than any link lives.
func NewLinks(bucket Bucket, now func() time.Time) *Links {
	return &Links{bucket: bucket, now: now, seen: map[string]linkVersion{}}
}

// Version is what a new link to an upload names.
func (l *Links) Version(ctx context.Context, ref string) (string, error) {
	l.mu.Lock()
	known, ok := l.seen[ref]
	l.mu.Unlock()
	if ok && l.now().Before(known.until) {
		return known.version, nil
	}
	version, err := l.present(ctx, ref)
	if err == nil {
		l.keep(ref, version)
	}
	return version, err
}

// Hold reports whether links to an upload hold that name a version. Links without
// one were given before links to pictures and reports named any.
func (l *Links) Hold(ctx context.Context, ref, version string) (bool, error) {
	if version == "" {
		version = firstVersion
	}
	present, err := l.present(ctx, ref)
	return version == present, err
}

// Revoke ends the links to an upload that were given so far.
func (l *Links) Revoke(ctx context.Context, ref string) error {
	version := rand.Text()[:12]
	if err := l.bucket.Put(ctx, ref, []byte(version)); err != nil {
		return fmt.Errorf("version of links: %w", err)
	}
	l.keep(ref, version)
	return nil
}

func (l *Links) present(ctx context.Context, ref string) (string, error) {
	value, _, err := l.bucket.Get(ctx, ref)
	if errors.Is(err, bus.ErrNoKey) {
		return firstVersion, nil
	}
	if err != nil {
		return "", fmt.Errorf("version of links: %w", err)
	}
	return string(value), nil
}

func (l *Links) keep(ref, version string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.seen) >= maxSeen {
		clear(l.seen)
	}
	l.seen[ref] = linkVersion{version, l.now().Add(versionTTL)}
}
