package auth

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/bus"
)

// Flags notes keys that were seen where they do not belong, for the operator's
// team: whoever reads logs or histories may have them.
type Flags struct {
	bucket *bus.Bucket
	now    func() time.Time
}

// NewFlags notes into contract.APIKeyFlagsBucket: RFC 3339 of the first time, by
// key id.
func NewFlags(bucket *bus.Bucket, now func() time.Time) *Flags { return &Flags{bucket, now} }

// Raise notes a key, and reports whether it is the first time.
func (f *Flags) Raise(ctx context.Context, keyID string) (first bool, err error) {
	_, err = f.bucket.Create(ctx, keyID, f.now().UTC().AppendFormat(nil, time.RFC3339))
	if errors.Is(err, bus.ErrWrongRevision) {
		return false, nil
	}
	return err == nil, err
}
