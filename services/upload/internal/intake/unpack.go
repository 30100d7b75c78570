// Package intake takes staged files into an upload: unpacks archives, measures,
// digests, and decides whether they fit.
package intake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"boardorder/pkg/archive"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
)

// A Batch is what staged files turned out to hold.
type Batch struct {
	Files   []contract.UploadFile
	LeftOut []contract.LeftOut
}

// Intake moves files within a blob store.
type Intake struct{ Blobs blob.Store }

// Unpack stores the contents of staged files under prefix, whose keys it numbers
// from 0: the same files give the same keys again. What cannot be unpacked is a
// *contract.Refusal that names file and member.
func (in Intake) Unpack(ctx context.Context, prefix string, staged []contract.StagedFile) (Batch, error) {
	w := &writer{blobs: in.Blobs, prefix: prefix}
	for _, f := range staged {
		if err := w.take(ctx, f); err != nil {
			return Batch{}, err
		}
	}
	return w.batch, nil
}

type writer struct {
	blobs  blob.Store
	prefix string
	batch  Batch
}

// take copies a staged file to local disk first: reading a zip jumps about.
func (w *writer) take(ctx context.Context, f contract.StagedFile) error {
	local, err := w.fetch(ctx, f)
	if err != nil {
		return err
	}
	defer os.Remove(local.Name())
	defer local.Close()
	format, err := archive.Detect(f.Name, local, f.Size)
	if err != nil {
		return fmt.Errorf("look at %s: %w", f.Key, err)
	}
	if format == archive.None {
		return w.store(ctx, f.Name, "", io.NewSectionReader(local, 0, f.Size))
	}
	report, err := archive.Unpack(ctx, f.Name, local, f.Size, archive.DefaultLimits(), func(m archive.Member, r io.Reader) error {
		return w.store(ctx, m.Name, f.Name, r)
	})
	if e, ok := errors.AsType[*archive.Error](err); ok {
		return refusal(e)
	}
	if err != nil {
		return fmt.Errorf("unpack %s: %w", f.Key, err)
	}
	for _, name := range report.LeftOut {
		w.batch.LeftOut = append(w.batch.LeftOut, contract.LeftOut{Name: name, Why: "a file of the operating system, no design file"})
	}
	return nil
}

func (w *writer) fetch(ctx context.Context, f contract.StagedFile) (*os.File, error) {
	r, _, err := w.blobs.Get(ctx, f.Key)
	if err != nil {
		return nil, fmt.Errorf("staged file %s: %w", f.Key, err)
	}
	defer r.Close()
	local, err := os.CreateTemp("", "upload-*")
	if err != nil {
		return nil, fmt.Errorf("local copy: %w", err)
	}
	n, err := io.Copy(local, r)
	if err == nil && n != f.Size {
		err = fmt.Errorf("%d bytes instead of %d", n, f.Size)
	}
	if err != nil {
		local.Close()
		os.Remove(local.Name())
		return nil, fmt.Errorf("staged file %s: %w", f.Key, err)
	}
	return local, nil
}

func (w *writer) store(ctx context.Context, name, from string, r io.Reader) error {
	key := fmt.Sprintf("%s%d", w.prefix, len(w.batch.Files))
	sum := sha256.New()
	info, err := w.blobs.Put(ctx, key, io.TeeReader(r, sum), -1, "application/octet-stream")
	if err != nil {
		return fmt.Errorf("store member: %w", err)
	}
	w.batch.Files = append(w.batch.Files, contract.UploadFile{
		Name: name, Size: info.Size, SHA256: hex.EncodeToString(sum.Sum(nil)), Key: key, From: from,
	})
	return nil
}

// refusal says to the client what is wrong with an archive.
func refusal(e *archive.Error) *contract.Refusal {
	code := contract.UnreadableArchive
	if e.Code == archive.TooLarge {
		code = contract.UploadTooLarge
	}
	field := e.Archive
	if e.Member != "" {
		field += "!/" + e.Member
	}
	r := contract.Refuse(code, "An archive could not be unpacked; fields names it, its member and why.")
	r.Fields = []contract.FieldProblem{{Field: field, Problem: string(e.Code), Message: e.Reason}}
	return r
}
