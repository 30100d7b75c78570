// Package formdata is what reading multipart forms takes, piece by piece: forms are
// read as they arrive, their files go to storage, and everything in them is bounded.
package formdata

import (
	"errors"
	"hash"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
)

// What can be wrong with a form, beside its content.
var (
	ErrFileTooLarge = errors.New("file too large")
	ErrFormTooLarge = errors.New("form too large")
	ErrHeader       = errors.New("part header too large")
	ErrIncomplete   = errors.New("form incomplete")
)

// Bounds of a form beside its files.
const (
	MaxHeader = 16 << 10 // of one part
	MaxParts  = 100
)

// Counted reads one file: it counts, digests and stops at the limits.
type Counted struct {
	R            io.Reader
	Hash         hash.Hash
	N, Max, Left int64
	Err          error // of reading, as opposed to storing
}

func (c *Counted) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N += int64(n)
	c.Hash.Write(p[:n])
	switch {
	case c.N > c.Max:
		err = ErrFileTooLarge
	case c.N > c.Left:
		err = ErrFormTooLarge
	}
	if err != nil && err != io.EOF {
		c.Err = err
		return 0, err
	}
	return n, err
}

// end stands behind a form. The form reader takes some ways of ending early for
// the end; it never does so for this error. The line break in front of it
// closes a last boundary that has none.
type end struct{}

func (end) Read([]byte) (int, error) { return 0, ErrIncomplete }

// A Meter bounds how much is read for one purpose, so that endless headers cannot
// fill the memory.
type Meter struct {
	r    io.Reader
	left int64 // -1 = not bounded here
	over error
}

// NewMeter reads a form's body.
func NewMeter(body io.Reader) *Meter {
	return &Meter{r: io.MultiReader(body, strings.NewReader("\r\n"), end{})}
}

// Allow starts a new budget, -1 for none; what the form reader has read ahead is on top.
func (m *Meter) Allow(n int64, over error) { m.left, m.over = n, over }

func (m *Meter) Read(p []byte) (int, error) {
	if m.left == 0 {
		return 0, m.over
	}
	if m.left > 0 && int64(len(p)) > m.left {
		p = p[:m.left]
	}
	n, err := m.r.Read(p)
	if m.left > 0 {
		m.left -= int64(n)
	}
	return n, err
}

// ReadParts gives the parts of a form one by one to take, until it wants no more.
func ReadParts(m *Meter, form *multipart.Reader, take func(*multipart.Part) (more bool, err error)) error {
	for n := 0; ; n++ {
		m.Allow(MaxHeader, ErrHeader)
		p, err := form.NextRawPart()
		switch {
		case err == io.EOF: // wrapped, it is a form that ended early
			return nil
		case err != nil:
			return Cause(err)
		case n == MaxParts:
			return problem.New(contract.TooManyFiles, "The form has more than %d parts.", MaxParts)
		}
		if more, err := take(p); err != nil || !more {
			return err
		}
	}
}

// Refusal is the answer to a form that is not well made; nil for what else is wrong.
func Refusal(err error) error {
	switch {
	case errors.Is(err, ErrHeader):
		return problem.New(contract.InvalidRequest, "A part of the form is larger than it may be.").Answering(http.StatusBadRequest)
	case errors.Is(err, ErrIncomplete):
		return problem.New(contract.InvalidRequest, "The form did not arrive completely. Nothing of it was kept; send it again.").Answering(http.StatusBadRequest)
	}
	return nil
}

// Cause distinguishes what a form is refused for from a form that ended early, which is
// [ErrIncomplete].
func Cause(err error) error {
	for _, known := range []error{ErrFileTooLarge, ErrFormTooLarge, ErrHeader} {
		if errors.Is(err, known) {
			return known
		}
	}
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p // a quota
	}
	return errors.Join(ErrIncomplete, err)
}
