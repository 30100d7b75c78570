package s3

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"boardorder/pkg/blob"
)

// TestReceive: whatever a content comes from, it can be read twice, its length is known, and
// nothing of it stays on the disk.
func TestReceive(t *testing.T) {
	t.Parallel()
	text := func(n int) string { return strings.Repeat("x", n) }
	plain := func(n int) io.Reader { return io.MultiReader(strings.NewReader(text(n))) } // that cannot be rewound
	behind := strings.NewReader(text(10))
	if _, err := behind.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	for rule, tt := range map[string]struct {
		ctx  context.Context
		r    io.Reader
		size int64
		want int64 // bytes
		err  error
	}{
		"nothing":                        {t.Context(), plain(0), 0, 0, nil},
		"nothing, of no known length":    {t.Context(), plain(0), -1, 0, nil},
		"as much as is kept in memory":   {t.Context(), plain(small - 1), -1, small - 1, nil},
		"a byte more":                    {t.Context(), plain(small), -1, small, nil},
		"much more":                      {t.Context(), plain(3*small + 7), 3*small + 7, 3*small + 7, nil},
		"a byte at a time":               {t.Context(), iotest.OneByteReader(plain(small + 1)), small + 1, small + 1, nil},
		"less than was announced":        {t.Context(), plain(9), 10, 0, blob.ErrSize},
		"more than was announced":        {t.Context(), plain(11), 10, 0, blob.ErrSize},
		"a great deal more":              {t.Context(), plain(2 * small), small, 0, blob.ErrSize},
		"what can be rewound":            {t.Context(), bytes.NewReader([]byte(text(12))), 12, 12, nil},
		"of no known length":             {t.Context(), bytes.NewReader([]byte(text(12))), -1, 12, nil},
		"rewound, and of another length": {t.Context(), bytes.NewReader([]byte(text(12))), 13, 0, blob.ErrSize},
		"what was read from already":     {t.Context(), behind, 6, 6, nil},
		"what fails":                     {t.Context(), iotest.ErrReader(io.ErrUnexpectedEOF), -1, 0, io.ErrUnexpectedEOF},
		"what fails late":                {t.Context(), io.MultiReader(plain(small+1), iotest.ErrReader(io.ErrUnexpectedEOF)), -1, 0, io.ErrUnexpectedEOF},
		"whose sender has left":          {left, plain(10), 10, 0, context.Canceled},
	} {
		folder := t.TempDir()
		got, err := receive(tt.ctx, tt.r, tt.size, folder)
		if !errors.Is(err, tt.err) || err == nil && got.size != tt.want {
			t.Errorf("%s: %d bytes, %v; want %d, %v", rule, got.size, err, tt.want, tt.err)
		}
		if err == nil {
			for range 2 {
				n, err := io.Copy(io.Discard, got)
				if _, back := got.Seek(0, io.SeekStart); n != tt.want || err != nil || back != nil {
					t.Errorf("%s: %d bytes can be read, %v, and rewound, %v; want %d twice", rule, n, err, back, tt.want)
				}
			}
			if err := got.Close(); err != nil {
				t.Errorf("%s: Close: %v", rule, err)
			}
		}
		if files, err := os.ReadDir(folder); len(files) > 0 || err != nil {
			t.Errorf("%s: %d files stay, %v; want none", rule, len(files), err)
		}
	}
	if _, err := receive(t.Context(), plain(2*small), -1, "/nowhere/at/all"); err == nil || !strings.HasPrefix(err.Error(), "spool: ") {
		t.Errorf("a folder that is not there: %v, want that it could not be spooled", err)
	}
}
