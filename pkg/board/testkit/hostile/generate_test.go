package hostile_test

import (
	"bytes"
	"flag"
	"io"
	"path"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/board/testkit/hostile"
	"boardorder/pkg/board/upload"
)

var (
	duration = flag.Duration("hostile", 0, "how long to go on with other seeds")
	first    = flag.Uint64("seed", 1, "the first seed of generated uploads")
)

// TestGenerated reads, checks and draws uploads made at random. With -hostile 5m it
// goes on for five minutes; -seed N begins at another upload.
func TestGenerated(t *testing.T) {
	const seeds = 12
	watchHeap(t)
	begin := time.Now()
	for seed := *first; seed < *first+seeds || time.Since(begin) < *duration; seed++ {
		if testing.Short() && seed > *first {
			return
		}
		step := time.Now()
		out := work(t, unpackUpload(t, seed))
		t.Logf("seed %d: %v, %d boards, %q", seed, time.Since(step).Round(time.Millisecond), out.boards, out.complex)
		if t.Failed() {
			t.Fatalf("upload of seed %d", seed)
		}
	}
}

// unpackUpload is an upload that came in archives.
func unpackUpload(t *testing.T, seed uint64) []upload.File {
	t.Helper()
	name, data := hostile.Pack(seed, hostile.Generate(seed))
	var files []upload.File
	_, err := archive.Unpack(t.Context(), name, bytes.NewReader(data), int64(len(data)), archive.DefaultLimits(), func(m archive.Member, r io.Reader) error {
		content, err := io.ReadAll(r)
		files = append(files, upload.File{Name: path.Clean(m.Name), Data: content})
		return err
	})
	if err != nil {
		t.Logf("seed %d: %v", seed, err)
		return hostile.Generate(seed)
	}
	return files
}

func TestGenerateIsRepeatable(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		a, b := hostile.Generate(seed), hostile.Generate(seed)
		if !slices.EqualFunc(a, b, func(x, y upload.File) bool { return x.Name == y.Name && bytes.Equal(x.Data, y.Data) }) {
			t.Errorf("seed %d makes two uploads", seed)
		}
	}
}
