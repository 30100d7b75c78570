// Package picture sends pictures of quoted boards, in the colours of what is
// ordered. It draws nothing: a picture was drawn when the files were read, and
// another palette makes it another mask or finish.
package picture

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"boardorder/pkg/blob"
	"boardorder/pkg/board/paint"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Pictures sends pictures, and keeps the small ones that it made lately.
type Pictures struct {
	blobs  blob.Store
	smalls *smalls
}

// New sends what a store holds.
func New(blobs blob.Store) *Pictures { return &Pictures{blobs, newSmalls()} }

// A View is how a picture is shown.
type View struct {
	Key    string // of the blob; "" is a picture that is not there
	Look   paint.Look
	Small  bool // at most 480 by 360 pixels
	Shared bool // may stand on pages of other sites
}

// Send replies with a board's picture.
func (p *Pictures) Send(c *web.Call, v View) error {
	if v.Key == "" {
		return None()
	}
	l := v.Look
	if c.NotModified(`"` + contract.DeriveID(v.Key, strconv.FormatBool(v.Small), l.Mask, l.Legend, l.Finish, l.Material) + `"`) {
		return nil
	}
	data, err := p.read(c.Context(), v)
	if errors.Is(err, blob.ErrNotFound) {
		return None()
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	headers(c, v.Shared)
	return c.Bytes(http.StatusOK, "image/png", paint.In(data, l))
}

func (p *Pictures) read(ctx context.Context, v View) ([]byte, error) {
	if v.Small {
		return p.smalls.get(ctx, p.blobs, v.Key)
	}
	return whole(ctx, p.blobs, v.Key)
}

// mostBytes bounds a picture that is read.
const mostBytes = 32 << 20

func whole(ctx context.Context, blobs blob.Store, key string) ([]byte, error) {
	r, _, err := blobs.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = paint.ErrTooLarge
	}
	return data, err
}

// Stream replies with a picture of another kind as it is kept.
func (p *Pictures) Stream(c *web.Call, key string, shared bool) error {
	if key == "" {
		return None()
	}
	if c.NotModified(`"` + contract.DeriveID(key) + `"`) {
		return nil
	}
	r, info, err := p.blobs.Get(c.Context(), key)
	if errors.Is(err, blob.ErrNotFound) {
		return None()
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	headers(c, shared)
	c.Fiber.Status(http.StatusOK)
	return c.Fiber.SendStream(r, int(info.Size)) // closes r when it is sent
}

func headers(c *web.Call, shared bool) {
	c.Set("Content-Type", "image/png")
	c.Set("Cache-Control", "private, max-age=3600")
	c.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if shared {
		c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
}

// None is the reply where there is no picture.
func None() error { return problem.New(contract.NotFound, "There is no such picture.") }

// Bottom is the blob of the picture of a quoted board's other side, or "". It is
// looked up in what was read of the files, which goes before an order does.
func Bottom(ctx context.Context, docs projection.Store, q contract.Quote) string {
	if q.Digest == "" || q.Picture == "" {
		return ""
	}
	files, found, err := outcome.Read[contract.ReadFiles](ctx, docs, string(contract.BoardAggregate), q.Digest)
	if err != nil || !found {
		return ""
	}
	b, ok := files.BoardNamed(q.Board)
	if !ok || b.Top != q.Picture { // read anew since: of another drawing
		return ""
	}
	return b.Bottom
}
