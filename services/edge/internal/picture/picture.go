// Package picture sends pictures of quoted boards, in the colours of what is
// ordered. It draws nothing: a picture was drawn when the files were read, and
// another palette makes it another mask or finish.
package picture

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/board/paint"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

// Pictures sends pictures, and keeps the small ones that it made lately.
type Pictures struct {
	blobs   blob.Store
	docs    projection.Store
	waiters *wait.Waiters
	smalls  *smalls
}

// New sends what a store holds. What is still being made, as the projection tells, is
// waited for.
func New(blobs blob.Store, docs projection.Store, waiters *wait.Waiters) *Pictures {
	return &Pictures{blobs, docs, waiters, newSmalls()}
}

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
		return Unknown()
	}
	l := v.Look
	if c.AnswerNotModified(`"` + contract.DeriveID(v.Key, strconv.FormatBool(v.Small), l.Mask, l.Silkscreen, l.Finish, l.Material) + `"`) {
		return nil
	}
	var data []byte
	err := p.await(c.Context(), v.Key, func() (err error) {
		data, err = p.read(c.Context(), v)
		return err
	})
	if err != nil {
		return explain(err)
	}
	headers(c, v.Shared)
	return c.Bytes(http.StatusOK, "image/png", paint.Recolour(data, l))
}

// maxMaking is how long a picture that is being made is waited for.
const maxMaking = 10 * time.Second

var errMaking = errors.New("the picture is still being made")

// await gets a picture, once it is made: prices do not wait for pictures, nor for the
// projection, so somebody may look at a quote before there are any.
func (p *Pictures) await(ctx context.Context, key string, get func() error) error {
	err := get()
	digest := boards.DigestOf(key)
	if !errors.Is(err, blob.ErrNotFound) || digest == "" {
		return err
	}
	w := p.waiters.Join(wait.Subject{Of: contract.BoardAggregate, ID: digest})
	defer w.Leave()
	complete, err := w.Await(ctx, maxMaking, func(ctx context.Context) (bool, error) {
		files, found, err := outcome.Read[boards.ReadFiles](ctx, p.docs, string(contract.BoardAggregate), digest)
		return found && !files.IsMaking(), err
	})
	switch {
	case err != nil:
		return err
	case !complete:
		return cmp.Or(ctx.Err(), errMaking)
	}
	return get()
}

// explain gives the reply to a picture that cannot be sent.
func explain(err error) error {
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return Unknown()
	case errors.Is(err, errMaking):
		return problem.New(contract.Unavailable, "The picture is still being made. Please ask for it again in a few seconds.")
	}
	return problem.Unavailable(err)
}

func (p *Pictures) read(ctx context.Context, v View) ([]byte, error) {
	if v.Small {
		return p.smalls.get(ctx, p.blobs, v.Key)
	}
	return whole(ctx, p.blobs, v.Key)
}

// maxBytes bounds a picture that is read.
const maxBytes = 32 << 20

func whole(ctx context.Context, blobs blob.Store, key string) ([]byte, error) {
	r, _, err := blobs.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = paint.ErrTooLarge
	}
	return data, err
}

// Stream replies with a picture of another kind as it is kept.
func (p *Pictures) Stream(c *web.Call, key string, shared bool) error {
	if key == "" {
		return Unknown()
	}
	if c.AnswerNotModified(`"` + contract.DeriveID(key) + `"`) {
		return nil
	}
	var r io.ReadCloser
	var info blob.Info
	err := p.await(c.Context(), key, func() (err error) {
		r, info, err = p.blobs.Get(c.Context(), key)
		return err
	})
	if err != nil {
		return explain(err)
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

// Unknown is the reply where there is no picture.
func Unknown() error { return problem.New(contract.NotFound, "There is no such picture.") }

// Bottom is the blob of the picture of a quoted board's other side, or "". It is
// looked up in what was read of the files, which goes before an order does.
func Bottom(ctx context.Context, docs projection.Store, q quotes.Quote) string {
	if q.Digest == "" || q.Picture == "" {
		return ""
	}
	files, found, err := outcome.Read[boards.ReadFiles](ctx, docs, string(contract.BoardAggregate), q.Digest)
	if err != nil || !found {
		return ""
	}
	b, ok := files.BoardNamed(q.Board)
	if !ok || b.Top != q.Picture { // read anew since: of another drawing
		return ""
	}
	return b.Bottom
}
