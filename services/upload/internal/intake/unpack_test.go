package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
	"boardorder/services/upload/internal/scan"
)

// memory is a store in memory: what is put and got.
type memory map[string]string

func (m memory) Put(_ context.Context, key string, r io.Reader, _ int64, _ string) (blob.Info, error) {
	data, err := io.ReadAll(r)
	if err == nil {
		m[key] = string(data)
	}
	return blob.Info{Key: key, Size: int64(len(data))}, err
}

func (m memory) Get(_ context.Context, key string) (io.ReadCloser, blob.Info, error) {
	content, ok := m[key]
	if !ok {
		return nil, blob.Info{}, blob.ErrNotFound
	}
	return io.NopCloser(strings.NewReader(content)), blob.Info{Key: key, Size: int64(len(content))}, nil
}

func (m memory) Stat(context.Context, string) (blob.Info, error) {
	return blob.Info{}, blob.ErrNotFound
}
func (m memory) Delete(context.Context, ...string) error { return nil }
func (m memory) Ping(context.Context) error              { return nil }
func (m memory) List(context.Context, string) iter.Seq2[blob.Info, error] {
	return func(func(blob.Info, error) bool) {}
}

// workers play the pool: each call takes the next outcome.
type workers struct{ outcomes []outcome }

type outcome struct {
	members []string // "name=content"
	found   unpacked
	err     error
}

func (w *workers) Run(_ context.Context, o worker.Order) error {
	next := w.outcomes[0]
	w.outcomes = w.outcomes[1:]
	for _, m := range next.members {
		name, content, _ := strings.Cut(m, "=")
		if err := o.Put(name, "", strings.NewReader(content)); err != nil {
			return err
		}
	}
	*o.Result.(*unpacked) = next.found
	return next.err
}

// scanner finds what a file says.
type scanner struct{ err error }

func (s scanner) Scan(_ context.Context, r io.Reader) (string, error) {
	text, err := io.ReadAll(r)
	if name, is := strings.CutPrefix(string(text), "malware:"); is && err == nil {
		return name, s.err
	}
	return "", errors.Join(err, s.err)
}

// TestUnpack: what becomes of each staged file.
func TestUnpack(t *testing.T) {
	t.Parallel()
	const zip = "PK\x03\x04rest of an archive"
	for rule, tt := range map[string]struct {
		staged   []string // "name=content"
		outcomes []outcome
		scanner  Scanner
		want     string // files
		code     contract.Code
		err      error
	}{
		"a file as it is":                     {[]string{"a.gbr=G04*"}, nil, nil, "a.gbr=4", "", nil},
		"several":                             {[]string{"a.gbr=G04*", "b.gbr=M02*"}, nil, nil, "a.gbr=4 b.gbr=4", "", nil},
		"an archive":                          {[]string{"a.zip=" + zip}, []outcome{{members: []string{"x/b.gbr=G04*", "c.gbr=M"}}}, nil, "a.zip:x/b.gbr=4 a.zip:c.gbr=1", "", nil},
		"a document that is packed":           {[]string{"a.xlsx=" + zip}, []outcome{{members: []string{"never=1"}, found: unpacked{Document: true}}}, nil, "a.xlsx=22", "", nil},
		"named like an archive, and none":     {[]string{"a.zip=G04*"}, nil, nil, "", contract.UnreadableArchive, nil},
		"a worker that dies once":             {[]string{"a.zip=" + zip}, []outcome{{members: []string{"half=1"}, err: worker.ErrDied}, {members: []string{"b.gbr=M"}}}, nil, "a.zip:b.gbr=1", "", nil},
		"a worker that dies twice":            {[]string{"a.zip=" + zip}, []outcome{{err: worker.ErrDied}, {err: worker.ErrDied}}, nil, "", contract.UnreadableArchive, nil},
		"one that runs out of memory":         {[]string{"a.zip=" + zip}, []outcome{{err: worker.ErrMemory}}, nil, "", contract.UploadTooLarge, nil},
		"no worker":                           {[]string{"a.zip=" + zip}, []outcome{{err: worker.ErrUnconfined}}, nil, "", "", worker.ErrUnconfined},
		"a worker that makes a way out":       {[]string{"a.zip=" + zip}, []outcome{{members: []string{"../b.gbr=M"}}}, nil, "", "", errTooMuch},
		"a worker that makes an absolute one": {[]string{"a.zip=" + zip}, []outcome{{members: []string{"/b.gbr=M"}}}, nil, "", "", errTooMuch},
		"too many files":                      {[]string{"a.zip=" + zip}, []outcome{{members: many(uploads.MaxUnpackedFiles + 1)}}, nil, "", "", errTooMuch},
		"scanned":                             {[]string{"a.gbr=G04*"}, nil, scanner{}, "a.gbr=4", "", nil},
		"malware":                             {[]string{"a.gbr=malware:eicar"}, nil, scanner{}, "", contract.InvalidRequest, nil},
		"too large to be scanned":             {[]string{"a.gbr=G04*"}, nil, scanner{scan.ErrTooLarge}, "", contract.InvalidRequest, nil},
		"a scanner that cannot be had":        {[]string{"a.gbr=G04*"}, nil, scanner{errors.New("refused")}, "", "", ErrNotScanned},
	} {
		blobs := memory{}
		var staged []uploads.StagedFile
		for _, s := range tt.staged {
			name, content, _ := strings.Cut(s, "=")
			key := "staging/" + name
			blobs[key] = content
			staged = append(staged, uploads.StagedFile{Name: name, Key: key, Size: int64(len(content))})
		}
		b, err := Intake{Blobs: blobs, Workers: &workers{tt.outcomes}, Scanner: tt.scanner}.Unpack(t.Context(), "u/", staged)
		code := contract.Code("")
		if r, ok := errors.AsType[*contract.Refusal](err); ok {
			code = r.Code
		}
		if code != tt.code || tt.err != nil && !errors.Is(err, tt.err) || err != nil && code == "" && tt.err == nil {
			t.Errorf("%s: %v, want %q, %v", rule, err, tt.code, tt.err)
		}
		if got := sizes(b.Files); got != tt.want {
			t.Errorf("%s: %q is taken, want %q", rule, got, tt.want)
		}
		for _, f := range b.Files {
			if n := len(blobs[f.Key]); int64(n) != f.Size || !strings.HasPrefix(f.Key, "u/") {
				t.Errorf("%s: %s lies at %s with %d bytes, want %d below u/", rule, f.Name, f.Key, n, f.Size)
			}
		}
	}
}

func many(n int) (names []string) {
	for range n {
		names = append(names, "x=")
	}
	return names
}

func sizes(list []uploads.File) string {
	var out []string
	for _, f := range list {
		text := fmt.Sprintf("%s=%d", f.Name, f.Size)
		if f.From != "" {
			text = f.From + ":" + text
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// TestStagedFile: a staged file that is not there, or has another size than was said, is our own
// fault and no refusal.
func TestStagedFile(t *testing.T) {
	t.Parallel()
	blobs := memory{"staging/a": "G04*"}
	for rule, tt := range map[string]struct {
		file    uploads.StagedFile
		scanner Scanner
		want    string
	}{
		"not there":               {uploads.StagedFile{Name: "b", Key: "staging/b"}, nil, "staged file staging/b"},
		"not there to be scanned": {uploads.StagedFile{Name: "b", Key: "staging/b"}, scanner{}, "staged file staging/b"},
		"of another size":         {uploads.StagedFile{Name: "a", Key: "staging/a", Size: 5}, nil, "staged file staging/a: 4 bytes instead of 5"},
	} {
		_, err := Intake{Blobs: blobs, Workers: &workers{}, Scanner: tt.scanner}.Unpack(t.Context(), "u/", []uploads.StagedFile{tt.file})
		if _, refused := errors.AsType[*contract.Refusal](err); err == nil || refused || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, refused %t; want an error that begins %q", rule, err, refused, tt.want)
		}
	}
}
