package formal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"slices"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/formdata"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const (
	maxValue = 64 << 10                      // of a field that is no file
	maxBody  = 3*formal.MaxFileBytes + 1<<20 // of a form
)

// roles are the fields that hold files.
var roles = []string{formal.Gerbers, formal.BOM, formal.CPL}

// form is one form while it is read, and what it held.
type form struct {
	orders   *Orders
	meter    *formdata.Meter
	reader   *multipart.Reader
	files    []formal.File // staged
	text     map[string]string
	problems []problem.Detail
	declared bool // ITAR-controlled, wherever in the request that stands
	unknown  []string
}

// receive streams a form into the store. When it fails, nothing is left there.
func (k *Orders) receive(c *web.Call) (*form, error) {
	f := &form{orders: k, text: map[string]string{}, declared: design.DeclaresBeside(c)}
	if err := c.PlainBody(); err != nil {
		return nil, err
	}
	if c.Body().Empty() {
		return f, nil
	}
	boundary, ok := formdata.BoundaryOf(c.Header("Content-Type"))
	if !ok {
		return nil, problem.New(contract.UnsupportedMedia, "Send the order as multipart/form-data.")
	}
	if c.Body().Length() > maxBody {
		return nil, sizeError()
	}
	body, leave, err := k.Begin(c)
	if err != nil {
		return nil, err
	}
	defer leave()
	f.meter = formdata.NewMeter(body)
	f.reader = multipart.NewReader(f.meter, boundary)
	if err := f.read(c.Context()); err != nil {
		k.discard(f.files)
		return nil, explain(err)
	}
	return f, nil
}

func sizeError() error {
	return problem.New(contract.InvalidFile, "A file is larger than %d MB. Nothing of this order was kept.", formal.MaxFileBytes>>20)
}

func (f *form) read(ctx context.Context) error {
	return formdata.ReadParts(f.meter, f.reader, func(p *multipart.Part) (bool, error) { return true, f.part(ctx, p) })
}

func (f *form) part(ctx context.Context, p *multipart.Part) error {
	about, known := formdata.Describe(p.Header.Get("Content-Disposition"))
	isFile := slices.Contains(roles, about.Field)
	switch {
	case !known:
		return problem.New(contract.InvalidRequest, "A part of the form does not say what it is.").Answering(400)
	case isFile && about.File && about.Name != "":
		return f.file(ctx, p, about)
	case isFile:
		return f.skipEmptyFile(p, about.Field)
	case about.File && itar.Name(about.Field):
		return f.value(p, about.Field)
	case about.File && slices.Contains(fields, about.Field):
		f.refuse(body(about.Field), "string_type", "Input should be a valid string", nil, nil)
		return drain(f.meter, p)
	case about.File:
		f.noteUnknown(about.Field)
		return drain(f.meter, p)
	}
	return f.value(p, about.Field)
}

// drain reads past what is no file of an order's.
func drain(m *formdata.Meter, r io.Reader) error {
	m.Allow(formal.MaxFileBytes, formdata.ErrFileTooLarge)
	if _, err := io.Copy(io.Discard, r); err != nil {
		return formdata.Cause(err)
	}
	return nil
}

// skipEmptyFile lets the empty part pass that a browser sends when no file is chosen.
func (f *form) skipEmptyFile(p *multipart.Part, field string) error {
	f.meter.Allow(maxValue, formdata.ErrHeader)
	n, err := io.Copy(io.Discard, p)
	if err != nil {
		return formdata.Cause(err)
	}
	if n > 0 {
		f.refuse(body(field), "value_error", "Value error, a file with a filename is expected", nil, nil)
	}
	return nil
}

// value reads a field that is no file.
func (f *form) value(p *multipart.Part, name string) error {
	f.meter.Allow(maxValue, formdata.ErrHeader)
	data, err := io.ReadAll(p)
	_, twice := f.text[name]
	switch {
	case err != nil:
		return formdata.Cause(err)
	case itar.Name(name):
		f.declared = f.declared || itar.Yes(string(data))
		f.text[name] = string(data)
	case !slices.Contains(fields, name):
		f.noteUnknown(name)
	case twice:
		f.refuse(body(name), "value_error", "Value error, the field stands more than once", nil, nil)
	case !utf8.Valid(data):
		f.refuse(body(name), "string_unicode", "Input should be a valid string, unable to parse raw data as a unicode string", nil, nil)
	default:
		f.text[name] = string(data)
	}
	return nil
}

func (f *form) file(ctx context.Context, p *multipart.Part, about formdata.Part) error {
	if slices.ContainsFunc(f.files, func(other formal.File) bool { return other.Role == about.Field }) {
		f.refuse(body(about.Field), "value_error", "Value error, the field stands more than once", nil, nil)
		return drain(f.meter, p)
	}
	if formdata.IsTooLong(about.Name) {
		f.refuse(body(about.Field), "string_too_long", "The file's name should have at most 255 bytes", nil, map[string]any{"max_length": 255})
		return drain(f.meter, p)
	}
	file, err := formdata.Stage(ctx, f.orders.Blobs, f.meter, p, f.orders.Now(), formal.MaxFileBytes, maxBody)
	if err != nil {
		return err
	}
	f.files = append(f.files, formal.File{Role: about.Field, Name: about.Name, Size: file.Size, SHA256: file.SHA256, Key: file.Key})
	if file.Size == 0 {
		f.refuse(body(about.Field), "value_error", "Value error, the file is empty", nil, nil)
	}
	return nil
}

func explain(err error) error {
	switch {
	case errors.Is(err, formdata.ErrNotStored):
		p := problem.New(contract.FormalIncomplete, "The files could not be stored just now. Please send the order again, with the same request_id.")
		p.Cause = err
		return p
	case errors.Is(err, formdata.ErrFileTooLarge), errors.Is(err, formdata.ErrFormTooLarge):
		return sizeError()
	}
	return cmp.Or(formdata.Refusal(err), err)
}

// content tells forms apart: by their fields and files, however those are ordered.
func (f *form) content() string {
	lines := make([]string, 0, len(f.text)+len(f.files))
	for name, text := range f.text {
		lines = append(lines, fmt.Sprintf("%q=%q", name, text))
	}
	for _, file := range f.files {
		lines = append(lines, fmt.Sprintf("%s %q %s", file.Role, file.Name, file.SHA256))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// discard removes staged files that nobody will ask for.
func (k *Orders) discard(files []formal.File) {
	keys := make([]string, len(files))
	for i, f := range files {
		keys[i] = f.Key
	}
	formdata.Discard(k.Blobs, keys...)
}
