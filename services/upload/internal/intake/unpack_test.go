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
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
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

// TestWorkers: what a worker may make of an archive, and what it may not.
func TestWorkers(t *testing.T) {
	t.Parallel()
	const zip = "PK\x03\x04rest of an archive"
	for rule, tt := range map[string]struct {
		staged   []string // "name=content"
		outcomes []outcome
		want     string // files
		err      error
	}{
		"a document that is packed":           {[]string{"a.xlsx=" + zip}, []outcome{{members: []string{"never=1"}, found: unpacked{Document: true}}}, "a.xlsx=22", nil},
		"no worker":                           {[]string{"a.zip=" + zip}, []outcome{{err: worker.ErrUnconfined}}, "", worker.ErrUnconfined},
		"a worker that makes an absolute one": {[]string{"a.zip=" + zip}, []outcome{{members: []string{"/b.gbr=M"}}}, "", errTooMuch},
		"too many files":                      {[]string{"a.zip=" + zip}, []outcome{{members: repeatNames(uploads.MaxUnpackedFiles + 1)}}, "", errTooMuch},
	} {
		blobs := memory{}
		var staged []uploads.StagedFile
		for _, s := range tt.staged {
			name, content, _ := strings.Cut(s, "=")
			key := "staging/" + name
			blobs[key] = content
			staged = append(staged, uploads.StagedFile{Name: name, Key: key, Size: int64(len(content))})
		}
		b, err := Intake{Blobs: blobs, Workers: &workers{tt.outcomes}}.Unpack(t.Context(), "u/", staged)
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v", rule, err, tt.err)
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

func repeatNames(n int) (names []string) {
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
