package archive_test

import (
	"bytes"
	"errors"
	"io"
	"path"
	"path/filepath"
	"testing"

	"boardorder/pkg/board/archive"
)

func codeOf(err error) archive.Code {
	if e, ok := errors.AsType[*archive.Error](err); ok {
		return e.Code
	}
	return ""
}

func FuzzUnpack(f *testing.F) {
	for _, data := range [][]byte{
		zipOf(f, board...), tarOf(f, board...), gzipOf(f, tarOf(f, board...)), gzipOf(f, []byte("x")), rarOf(board...), sevenZipped(f, board...),
		zipOf(f, file{"a.7z", string(sevenZipped(f, board...))}), []byte("BZh91AY&SY"),
		[]byte("Rar!\x1a\x07\x00"), zipOf(f), {},
	} {
		f.Add(data)
	}
	limits := archive.Limits{Members: 20, Bytes: 1 << 20, Ratio: 100, Slack: 1 << 16, Depth: 2}
	f.Fuzz(func(t *testing.T, data []byte) {
		var total int64
		report, err := archive.Unpack(t.Context(), "x", bytes.NewReader(data), int64(len(data)), limits, func(m archive.Member, r io.Reader) error {
			if !filepath.IsLocal(m.Name) || path.Clean(m.Name) != m.Name {
				t.Errorf("Unpack emits the name %q, want a clean local path", m.Name)
			}
			n, err := io.Copy(io.Discard, r)
			total += n
			return err
		})
		if err != nil && codeOf(err) == "" {
			t.Errorf("Unpack = %v, want an *archive.Error", err)
		}
		if total > limits.Bytes || report.Members > limits.Members {
			t.Errorf("Unpack yields %d bytes in %d members, want %d and %d at most", total, report.Members, limits.Bytes, limits.Members)
		}
	})
}
