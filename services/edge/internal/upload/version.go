package upload

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/bus"
)

// Versions keeps which links of an upload hold: those of its present version.
type Versions struct{ bucket *bus.Bucket }

// VersionBucket is where versions are kept, by ref of the upload; far longer
// than any link lives.
func VersionBucket() bus.BucketConfig {
	return bus.BucketConfig{Name: "UPLOAD_LINKS", About: "versions of uploads' links, where some were revoked", TTL: 30 * 24 * time.Hour, Bytes: 16 << 20}
}

// NewVersions keeps them in the bucket.
func NewVersions(bucket *bus.Bucket) Versions { return Versions{bucket} }

const firstVersion = "0"

// of gives the version of an upload's links.
func (v Versions) of(ctx context.Context, ref string) (string, error) {
	value, _, err := v.bucket.Get(ctx, ref)
	if errors.Is(err, bus.ErrNoKey) {
		return firstVersion, nil
	}
	if err != nil {
		return "", fmt.Errorf("version of a link: %w", err)
	}
	return string(value), nil
}

// renew gives an upload's links another version: those given so far end.
func (v Versions) renew(ctx context.Context, ref string) error {
	if err := v.bucket.Put(ctx, ref, []byte(rand.Text()[:12])); err != nil {
		return fmt.Errorf("version of a link: %w", err)
	}
	return nil
}
