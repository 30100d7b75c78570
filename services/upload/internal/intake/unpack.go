// Package intake takes staged files into an upload: has archives unpacked,
// measures, digests, and decides whether they fit.
package intake

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/board/archive"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
	"boardorder/services/upload/internal/scan"
)

// A Batch is what staged files turned out to hold.
type Batch struct {
	Files   []uploads.File
	LeftOut []uploads.LeftOut
}

// Workers are processes that do [Tasks]; a *worker.Pool.
type Workers interface {
	Run(ctx context.Context, o worker.Order) error
}

// Scanner looks for malware in a file as it was sent; found names it. A
// *scan.Scanner.
type Scanner interface {
	Scan(ctx context.Context, r io.Reader) (found string, err error)
}

// ErrNotScanned says that the scanner did not answer: nothing is taken in until it does.
var ErrNotScanned = errors.New("a file could not be scanned for malware")

// Intake moves files within a blob store.
type Intake struct {
	Blobs   blob.Store
	Workers Workers // what archives are unpacked by
	Scanner Scanner // nil = none
}

// Unpack stores the contents of staged files under prefix, whose keys it numbers
// from 0: the same files give the same keys again. What cannot be unpacked is a
// *contract.Refusal that names file and member.
func (in Intake) Unpack(ctx context.Context, prefix string, staged []uploads.StagedFile) (Batch, error) {
	w := &writer{Intake: in, prefix: prefix}
	for _, f := range staged {
		if err := in.scan(ctx, f); err != nil {
			return Batch{}, err
		}
		if err := w.take(ctx, f); err != nil {
			return Batch{}, err
		}
	}
	return w.batch, nil
}

// scan refuses a file that holds malware. An archive is scanned as a whole: scanners
// look into them.
func (in Intake) scan(ctx context.Context, f uploads.StagedFile) error {
	if in.Scanner == nil {
		return nil
	}
	r, _, err := in.Blobs.Get(ctx, f.Key)
	if err != nil {
		return fmt.Errorf("staged file %s: %w", f.Key, err)
	}
	defer r.Close() //nolint:errcheck // read only
	found, err := in.Scanner.Scan(ctx, r)
	switch {
	case errors.Is(err, scan.ErrTooLarge):
		return refuseFile(f.Name, "is too large to be scanned for malware: send it in parts")
	case err != nil:
		return errors.Join(ErrNotScanned, err)
	case found != "":
		return refuseFile(f.Name, "holds malware ("+found+") and was not taken")
	}
	return nil
}

type writer struct {
	Intake
	prefix string
	batch  Batch
}

// take takes a staged file, or what is in it. Only its first bytes are looked at
// here.
func (w *writer) take(ctx context.Context, f uploads.StagedFile) error {
	r, _, err := w.Blobs.Get(ctx, f.Key)
	if err != nil {
		return fmt.Errorf("staged file %s: %w", f.Key, err)
	}
	defer r.Close() //nolint:errcheck // read only
	whole := bufio.NewReaderSize(r, archive.HeadSize)
	head, err := whole.Peek(archive.HeadSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("staged file %s: %w", f.Key, err)
	}
	if archive.DetectHead(head) != archive.None {
		return w.unpack(ctx, f)
	}
	if archive.IsArchiveName(f.Name) {
		return refuseNonArchive(f.Name)
	}
	if why := archive.Contradiction(f.Name, head); why != "" {
		w.batch.LeftOut = append(w.batch.LeftOut, uploads.LeftOut{Name: f.Name, Why: why})
		return nil
	}
	return w.takeWhole(ctx, f, whole)
}

func (w *writer) takeWhole(ctx context.Context, f uploads.StagedFile, r io.Reader) error {
	if err := w.store(ctx, f.Name, "", r); err != nil {
		return err
	}
	if n := w.batch.Files[len(w.batch.Files)-1].Size; n != f.Size {
		return fmt.Errorf("staged file %s: %d bytes instead of %d", f.Key, n, f.Size)
	}
	return nil
}

// unpackTime is more than any honest archive takes.
const unpackTime = time.Minute

// unpack has a worker unpack a staged file. One that died may have been killed
// for another's need of memory, so that is tried once more.
func (w *writer) unpack(ctx context.Context, f uploads.StagedFile) error {
	found, err := w.unpackOnce(ctx, f)
	if errors.Is(err, worker.ErrDied) {
		found, err = w.unpackOnce(ctx, f)
	}
	switch {
	case worker.IsFailure(err):
		return refuseHardArchive(f.Name, err)
	case err != nil:
		return fmt.Errorf("unpack %s: %w", f.Key, err)
	case found.Problem != nil:
		return refusal(found.Problem)
	case found.Document:
		r, _, err := w.Blobs.Get(ctx, f.Key)
		if err != nil {
			return fmt.Errorf("staged file %s: %w", f.Key, err)
		}
		defer r.Close() //nolint:errcheck // read only
		return w.takeWhole(ctx, f, r)
	}
	for _, l := range found.LeftOut {
		w.batch.LeftOut = append(w.batch.LeftOut, uploads.LeftOut(l))
	}
	return nil
}

// errTooMuch says that unpacking gave what no archive within the limits holds.
var errTooMuch = errors.New("unpacking made what it may not")

func (w *writer) unpackOnce(ctx context.Context, f uploads.StagedFile) (found unpacked, err error) {
	before, left := len(w.batch.Files), int64(uploads.MaxUnpackedBytes)
	staged := worker.Source{Name: f.Name, Size: f.Size, Open: func(ctx context.Context) (io.ReadCloser, error) {
		r, _, err := w.Blobs.Get(ctx, f.Key)
		return r, err
	}}
	err = w.Workers.Run(ctx, worker.Order{
		Task: unpackTask, Files: []worker.Source{staged}, Timeout: unpackTime, Result: &found,
		Put: func(name, _ string, r io.Reader) error {
			// The worker checks the same, as long as the archive has no power over it.
			if n := len(w.batch.Files) - before; n >= uploads.MaxUnpackedFiles || left <= 0 || !fs.ValidPath(name) {
				return errTooMuch
			}
			if err := w.store(ctx, name, f.Name, io.LimitReader(r, left+1)); err != nil {
				return err
			}
			if left -= w.batch.Files[len(w.batch.Files)-1].Size; left < 0 { // a file that is cut is no file
				return errTooMuch
			}
			return nil
		},
	})
	if err != nil || found.Document {
		w.batch.Files = w.batch.Files[:before]
	}
	return found, err
}

func (w *writer) store(ctx context.Context, name, from string, r io.Reader) error {
	key := fmt.Sprintf("%s%d", w.prefix, len(w.batch.Files))
	sum := sha256.New()
	info, err := w.Blobs.Put(ctx, key, io.TeeReader(r, sum), -1, "application/octet-stream")
	if err != nil {
		return fmt.Errorf("store member: %w", err)
	}
	w.batch.Files = append(w.batch.Files, uploads.File{
		Name: name, Size: info.Size, SHA256: hex.EncodeToString(sum.Sum(nil)), Key: key, From: from,
	})
	return nil
}
