// Package upload takes files in from clients: it streams them to storage as
// they arrive, passes on where they lie, and answers with what became of them.
// It never holds a file in memory and never looks into one.
package upload

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"

	"github.com/oklog/ulid/v2"
)

// Limits of one request.
type Limits struct {
	Files     int
	FileBytes int64
	Bytes     int64
}

// DefaultLimits are those of the interface.
func DefaultLimits() Limits {
	return Limits{contract.MaxUploadFiles, contract.MaxUploadFileBytes, contract.MaxUploadBytes}
}

const (
	field      = "files"
	formExtra  = 1 << 20  // what a form may have besides its files
	headerMost = 16 << 10 // of one part
	valueMost  = 4 << 10  // of a field that is no file
	partsMost  = 100
)

// Received is what a form held.
type Received struct {
	Files []contract.StagedFile
	Notes []string // what was left aside, in words
	ITAR  bool     // the form declares it; Files is then empty
}

// Receiver streams forms into the store, under keys of its own.
type Receiver struct {
	Blobs  blob.Store
	Limits Limits
	Now    func() time.Time
}

// errors of reading that are the client's; anything else is the store's.
var (
	errFileTooLarge   = errors.New("file too large")
	errUploadTooLarge = errors.New("upload too large")
	errHeader         = errors.New("part header too large")
	errIncomplete     = errors.New("form incomplete")
)

// Receive reads a multipart form. When it fails, nothing is left in the store.
func (v Receiver) Receive(ctx context.Context, contentType string, body io.Reader) (Received, error) {
	boundary, err := boundaryOf(contentType)
	if err != nil {
		return Received{}, err
	}
	meter := &meter{r: io.MultiReader(body, strings.NewReader("\r\n"), end{})}
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
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil || media != "multipart/form-data" || params["boundary"] == "" {
		return "", problem.New(contract.UnsupportedMedia, "Send the files as multipart/form-data, each in a part named files.")
	}
	return params["boundary"], nil
}

// Discard removes staged files that nobody will ask for. Without an answer from
// the store they stay until it is swept.
func (v Receiver) Discard(files []contract.StagedFile) {
	if len(files) == 0 {
		return
	}
	keys := make([]string, len(files))
	for i, f := range files {
		keys[i] = f.Key
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = v.Blobs.Delete(ctx, keys...)
}

type form struct {
	Receiver
	meter  *meter
	reader *multipart.Reader
	got    Received
	total  int64
}

func (f *form) read(ctx context.Context) error {
	for n := 0; ; n++ {
		f.meter.allow(headerMost, errHeader)
		p, err := f.reader.NextRawPart()
		switch {
		case err == io.EOF: // wrapped, it is a form that ended early
			return nil
		case err != nil:
			return f.broken(err)
		case n == partsMost:
			return problem.New(contract.TooManyFiles, "The form has more than %d parts.", partsMost)
		}
		if err := f.part(ctx, p); err != nil || f.got.ITAR {
			return err
		}
	}
}

func (f *form) part(ctx context.Context, p *multipart.Part) error {
	about := describe(p.Header.Get("Content-Disposition"))
	switch {
	case !about.file:
		return f.value(p, about.field)
	case about.field != field:
		return refused(about.field, "unknown_field", "Each file stands in a part named files.")
	case about.name == "":
		return f.nameless(p)
	case tooLong(about.name):
		return refused(field, "too_long", "A file's name has at most 255 bytes.")
	case len(f.got.Files) == f.Limits.Files:
		return problem.New(contract.TooManyFiles, "An upload takes up to %d files at once; pack more into a .zip or .tgz.", f.Limits.Files)
	}
	return f.store(ctx, p, about.name)
}

// nameless lets the empty part pass that a browser sends when no file is chosen.
func (f *form) nameless(p *multipart.Part) error {
	f.meter.allow(valueMost, errHeader)
	if n, err := io.Copy(io.Discard, p); err != nil {
		return f.broken(err)
	} else if n > 0 {
		return refused(field, "missing", "Each file needs a filename.")
	}
	return nil
}

// value reads a field that is no file. Only a declaration matters.
func (f *form) value(p *multipart.Part, name string) error {
	f.meter.allow(valueMost, errHeader)
	data, err := io.ReadAll(p)
	if err != nil {
		return f.broken(err)
	}
	switch {
	case name == field && len(data) > 0:
		return refused(field, "missing", "Each file needs a filename.")
	case strings.EqualFold(name, "itar"):
		f.got.ITAR = Declares(string(data))
	case name != field:
		f.got.Notes = append(f.got.Notes, "A form field that is no file was left aside.")
	}
	return nil
}

// Declares reads a form's or query's word on ITAR. What is neither yes nor no
// counts as yes: it must not be passed over.
func Declares(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "false", "0", "no", "off":
		return false
	}
	return true
}

func (f *form) store(ctx context.Context, p *multipart.Part, name string) error {
	r := &counted{r: p, hash: sha256.New(), most: f.Limits.FileBytes, left: f.Limits.Bytes - f.total}
	f.meter.allow(-1, nil) // the file's own limits count now
	key := "staging/" + ulid.MustNew(ulid.Timestamp(f.Now()), rand.Reader).String()
	_, err := f.Blobs.Put(ctx, key, r, -1, blob.DefaultContentType)
	if r.err != nil {
		return f.broken(r.err)
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	f.total += r.n
	f.got.Files = append(f.got.Files, contract.StagedFile{Name: name, Size: r.n, SHA256: hex.EncodeToString(r.hash.Sum(nil)), Key: key})
	return nil
}

// broken tells a limit from a form that ended early.
func (f *form) broken(err error) error {
	for _, known := range []error{errFileTooLarge, errUploadTooLarge, errHeader} {
		if errors.Is(err, known) {
			return known
		}
	}
	return errors.Join(errIncomplete, err)
}

func (v Receiver) explain(err error) error {
	switch {
	case errors.Is(err, errFileTooLarge):
		return problem.New(contract.UploadTooLarge, "A file is larger than %d MB.", v.Limits.FileBytes>>20)
	case errors.Is(err, errUploadTooLarge):
		return TooLarge(v.Limits)
	case errors.Is(err, errHeader):
		return problem.New(contract.InvalidRequest, "A part of the form is larger than it may be.").Answering(400)
	case errors.Is(err, errIncomplete):
		return problem.New(contract.InvalidRequest, "The form did not arrive completely. Nothing of it was kept; send it again.").Answering(400)
	}
	return err
}

// TooLarge says that the files together are too large.
func TooLarge(l Limits) error {
	return problem.New(contract.UploadTooLarge, "The files together are larger than %d MB.", l.Bytes>>20)
}

func refused(name, what, message string) error {
	return problem.Fields([]contract.FieldProblem{{Field: name, Problem: what, Message: message, Allowed: []string{field}}})
}

// counted reads one file: it counts, digests and stops at the limits.
type counted struct {
	r             io.Reader
	hash          hash.Hash
	n, most, left int64
	err           error // of reading, as opposed to storing
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.hash.Write(p[:n])
	switch {
	case c.n > c.most:
		err = errFileTooLarge
	case c.n > c.left:
		err = errUploadTooLarge
	}
	if err != nil && err != io.EOF {
		c.err = err
		return 0, err
	}
	return n, err
}

// end stands behind a form. The form reader takes some ways of ending early for
// the end; it never does so for this error. The line break in front of it
// closes a last boundary that has none.
type end struct{}

func (end) Read([]byte) (int, error) { return 0, errIncomplete }

// meter bounds how much is read for one purpose, so that endless headers cannot
// fill the memory.
type meter struct {
	r    io.Reader
	left int64 // -1 = not bounded here
	over error
}

// allow starts a new budget; what the form reader has read ahead is on top.
func (m *meter) allow(n int64, over error) { m.left, m.over = n, over }

func (m *meter) Read(p []byte) (int, error) {
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
