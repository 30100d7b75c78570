package upload

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"boardorder/pkg/bus"
)

// Versions keeps which links of an upload hold: those of its present version.
type Versions struct{ bucket *bus.Bucket }

// NewVersions keeps them in contract.UploadLinksBucket, by ref of the upload; far
// longer than any link lives.
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
