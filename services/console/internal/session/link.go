package session

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
)

// Errors of sign-in links.
var (
	ErrLink = errors.New("no such sign-in link")
	ErrUsed = errors.New("the sign-in link has been used")
)

// Link is a token that signs in once.
type Link struct {
	bucket *bus.Bucket
	sum    [sha256.Size]byte
	none   bool
}

// NewLink opens the bucket that remembers used tokens. An empty token is no link.
func NewLink(ctx context.Context, b *bus.Bus, token string) (*Link, error) {
	bucket, err := b.Bucket(ctx, contract.ConsoleLinksBucket)
	return &Link{bucket, sha256.Sum256([]byte(token)), token == ""}, err
}

// Check reports whether the token could be used: nil, ErrLink or ErrUsed.
func (l *Link) Check(ctx context.Context, token string) error {
	sum := sha256.Sum256([]byte(token))
	if l.none || subtle.ConstantTimeCompare(sum[:], l.sum[:]) != 1 {
		return ErrLink
	}
	_, _, err := l.bucket.Get(ctx, hex.EncodeToString(sum[:]))
	switch {
	case err == nil:
		return ErrUsed
	case errors.Is(err, bus.ErrNoKey):
		return nil
	}
	return fmt.Errorf("sign-in link: %w", err)
}

// Use is Check, and uses the token up.
func (l *Link) Use(ctx context.Context, token string) error {
	if err := l.Check(ctx, token); err != nil {
		return err
	}
	_, err := l.bucket.Create(ctx, hex.EncodeToString(l.sum[:]), []byte("used"))
	if errors.Is(err, bus.ErrWrongRevision) {
		return ErrUsed
	}
	if err != nil {
		return fmt.Errorf("sign-in link: %w", err)
	}
	return nil
}
