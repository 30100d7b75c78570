// Package upload takes files in from clients: it streams them to storage as
// they arrive, passes on where they lie, and answers with what became of them.
// It never holds a file in memory and never looks into one.
package upload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"strings"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/formdata"
	"boardorder/services/edge/internal/problem"
)

// Limits of one request.
type Limits struct {
	Files     int
	FileBytes int64
	Bytes     int64
}

// DefaultLimits are those of the interface.
func DefaultLimits() Limits {
	return Limits{uploads.MaxFiles, uploads.MaxFileBytes, uploads.MaxBytes}
}

const (
	field     = "files"
	formExtra = 1 << 20 // what a form may have besides its files
	maxValue  = 4 << 10 // of a field that is no file
)

// Received is what a form held.
type Received struct {
	Files []uploads.StagedFile
	Notes []string // what was left aside, in words
	ITAR  bool     // the form declares it; Files is then empty
}

// content tells forms apart: by their files, in the order in which they came, since one of
// the same name takes the place of the one before.
func (r Received) content() string {
	var b strings.Builder
	for _, f := range r.Files {
		fmt.Fprintf(&b, "%d:%s%s\n", len(f.Name), f.Name, f.SHA256)
	}
	return b.String()
}

// Receiver streams forms into the store, under keys of its own.
type Receiver struct {
	Blobs  blob.Store
	Limits Limits
	Now    func() time.Time
	// Judge looks at each field that is no file, and refuses the form by it; nil: nobody does.
	Judge func(name, value string) error
}

// Receive reads a multipart form. When it fails, nothing is left in the store.
func (v Receiver) Receive(ctx context.Context, contentType string, body io.Reader) (Received, error) {
	boundary, err := boundaryOf(contentType)
	if err != nil {
		return Received{}, err
	}
	meter := formdata.NewMeter(body)
	f := &form{Receiver: v, meter: meter, reader: multipart.NewReader(meter, boundary)}
	err = f.read(ctx)
	if err != nil || f.got.ITAR {
		v.Discard(f.got.Files)
		f.got.Files = nil
	}
	if err != nil {
		return Received{}, v.explain(err)
	}
	return f.got, nil
}

func boundaryOf(contentType string) (string, error) {
	boundary, ok := formdata.BoundaryOf(contentType)
	if !ok {
		return "", problem.New(contract.UnsupportedMedia, "Send the files as multipart/form-data, each in a part named files.")
	}
	return boundary, nil
}

// Discard removes staged files that nobody will ask for.
func (v Receiver) Discard(files []uploads.StagedFile) {
	keys := make([]string, len(files))
	for i, f := range files {
		keys[i] = f.Key
	}
	formdata.Discard(v.Blobs, keys...)
}

func (v Receiver) explain(err error) error {
	switch {
	case errors.Is(err, formdata.ErrFileTooLarge):
		return problem.New(contract.UploadTooLarge, "A file is larger than %d MB.", v.Limits.FileBytes>>20)
	case errors.Is(err, formdata.ErrFormTooLarge):
		return SizeError(v.Limits)
	}
	return cmp.Or(formdata.Refusal(err), err)
}

// SizeError says that the files together are too large.
func SizeError(l Limits) error {
	return problem.New(contract.UploadTooLarge, "The files together are larger than %d MB.", l.Bytes>>20)
}

func refuseField(name, what, message string) error {
	return problem.Fields([]contract.FieldProblem{{Field: name, Problem: what, Message: message, Allowed: []string{field}}})
}
