package archive

import (
	"bytes"
	"io"
	"math/rand/v2"
	"runtime/metrics"
	"testing"

	"github.com/bodgit/sevenzip"
)

func TestSpool(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, part - 1, part, part + 1, 2 * part} {
		want := make([]byte, size)
		_, _ = rand.NewChaCha8([32]byte{1}).Read(want) // never fails
		s, n, err := spool(bytes.NewReader(want))
		if err != nil || n != int64(size) {
			t.Fatalf("spool of %d: %d, %v", size, n, err)
		}
		got, err := io.ReadAll(io.NewSectionReader(s, 0, n))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes come back as %d, %v", size, len(got), err)
		}
		if _, err := s.ReadAt(make([]byte, 1), n); err != io.EOF {
			t.Errorf("beyond the end of %d: %v", size, err)
		}
	}
}

// FuzzSevenZipHeader: the check ends whatever it is given, and what it accepts
// the library reads without claims beyond it.
func FuzzSevenZipHeader(f *testing.F) {
	f.Add([]byte{1, 5, 1, 0, 0})
	f.Add([]byte{1, 4, 6, 0, 1, 9, 1, 0, 7, 0xb, 1, 0, 1, 1, 0, 0xc, 1, 0, 8, 0xd, 1, 0xa, 1, 0, 0, 0, 0, 0, 0, 5, 1, 0, 0})
	f.Add([]byte{1, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, header []byte) {
		const most = 100
		if checkHeader(header, most) != nil {
			return
		}
		data := append(startOf(sevenZipStart, header), header...)
		before := bytesAllocated()
		z, err := guard(func() (*sevenzip.Reader, error) { return sevenzip.NewReader(bytes.NewReader(data), int64(len(data))) })
		if err == nil && len(z.File) > most {
			t.Errorf("%d files, want %d at most", len(z.File), most)
		}
		if n := bytesAllocated() - before; n > 64<<20 {
			t.Errorf("%d bytes of header take %d bytes of memory, want 64 MiB at most", len(header), n)
		}
	})
}

// bytesAllocated is what was allocated so far by this process, in bytes.
func bytesAllocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
