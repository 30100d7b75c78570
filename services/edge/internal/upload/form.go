package upload

import (
	"context"
	"errors"
	"io"
	"mime/multipart"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/formdata"
	"boardorder/services/edge/internal/problem"
)

// form is one form while it is read.
type form struct {
	Receiver
	meter  *formdata.Meter
	reader *multipart.Reader
	got    Received
	total  int64
}

func (f *form) read(ctx context.Context) error {
	return formdata.ReadParts(f.meter, f.reader, func(p *multipart.Part) (bool, error) {
		err := f.part(ctx, p)
		return !f.got.ITAR, err
	})
}

func (f *form) part(ctx context.Context, p *multipart.Part) error {
	about, known := formdata.Describe(p.Header.Get("Content-Disposition"))
	switch {
	case !known:
		return refuseField(field, "malformed", "A part of the form does not say what it is.")
	case about.File && itar.Name(about.Field):
		f.got.ITAR = true
		return nil
	case !about.File:
		return f.value(p, about.Field)
	case about.Field != field:
		return refuseField(about.Field, "unknown_field", "Each file stands in a part named files.")
	case about.Name == "":
		return f.nameless(p)
	case formdata.IsTooLong(about.Name):
		return refuseField(field, "too_long", "A file's name has at most 255 bytes.")
	case len(f.got.Files) == f.Limits.Files:
		return problem.New(contract.TooManyFiles, "An upload takes up to %d files at once; pack more into a .zip or .tgz.", f.Limits.Files)
	}
	return f.store(ctx, p, about.Name)
}

// nameless lets the empty part pass that a browser sends when no file is chosen.
func (f *form) nameless(p *multipart.Part) error {
	f.meter.Allow(maxValue, formdata.ErrHeader)
	if n, err := io.Copy(io.Discard, p); err != nil {
		return formdata.Cause(err)
	} else if n > 0 {
		return refuseField(field, "missing", "Each file needs a filename.")
	}
	return nil
}

// value reads a field that is no file. Only a declaration matters.
func (f *form) value(p *multipart.Part, name string) error {
	f.meter.Allow(maxValue, formdata.ErrHeader)
	data, err := io.ReadAll(p)
	if err != nil {
		return formdata.Cause(err)
	}
	if f.Judge != nil {
		if err := f.Judge(name, string(data)); err != nil {
			return err
		}
	}
	switch {
	case name == field && len(data) > 0:
		return refuseField(field, "missing", "Each file needs a filename.")
	case itar.Name(name):
		if f.got.ITAR = itar.Yes(string(data)); !f.got.ITAR && !itar.SaysNo(string(data)) {
			return design.UnclearField("itar")
		}
	case name != field:
		f.got.Notes = append(f.got.Notes, "A form field that is no file was left aside.")
	}
	return nil
}

func (f *form) store(ctx context.Context, p *multipart.Part, name string) error {
	file, err := formdata.Stage(ctx, f.Blobs, f.meter, p, f.Now(), f.Limits.FileBytes, f.Limits.Bytes-f.total)
	if errors.Is(err, formdata.ErrNotStored) {
		return problem.Unavailable(err)
	}
	if err != nil {
		return err
	}
	f.total += file.Size
	f.got.Files = append(f.got.Files, uploads.StagedFile{Name: name, Size: file.Size, SHA256: file.SHA256, Key: file.Key})
	return nil
}
