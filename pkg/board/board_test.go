package board_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
)

// pack gives the files of a folder as an archive.
func pack(t *testing.T, from fs.FS) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	if err := w.AddFS(from); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReadUnpacks: an archive is read like its folder, and one that cannot be unpacked
// is said and hinders nothing else.
func TestReadUnpacks(t *testing.T) {
	t.Parallel()
	packed := pack(t, os.DirFS("testdata/blinker"))
	for name, tt := range map[string]struct {
		files    fstest.MapFS
		boards   int
		findings []string
	}{
		"archive":         {fstest.MapFS{"a.zip": {Data: packed}}, 1, nil},
		"damaged archive": {fstest.MapFS{"a.zip": {Data: packed[:len(packed)-30]}}, 0, []string{"no_board", "archive_damaged"}},
		"both":            {fstest.MapFS{"a.zip": {Data: packed}, "b.zip": {Data: packed[:len(packed)-30]}}, 1, []string{"archive_damaged"}},
		"nothing":         {fstest.MapFS{}, 0, []string{"no_board"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := board.Read(t.Context(), tt.files)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Boards) != tt.boards {
				t.Errorf("%d boards, want %d", len(p.Boards), tt.boards)
			}
			var got []string
			for _, f := range p.Findings {
				if f.Level == pcb.Problem {
					got = append(got, f.Code)
				}
			}
			if len(got) != len(tt.findings) {
				t.Fatalf("findings %q, want %q", got, tt.findings)
			}
			for i, want := range tt.findings {
				if got[i] != want {
					t.Errorf("finding %d is %s, want %s", i, got[i], want)
				}
			}
		})
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := board.Read(ctx, os.DirFS("testdata/blinker")); !errors.Is(err, context.Canceled) {
		t.Errorf("reading with an ended context gives %v, want %v", err, context.Canceled)
	}
	if _, err := board.Read(t.Context(), os.DirFS("testdata/none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reading a folder that is not there gives %v, want %v", err, fs.ErrNotExist)
	}
}

// TestCheckLimits: one's own limits are what counts.
func TestCheckLimits(t *testing.T) {
	t.Parallel()
	p, err := board.Read(t.Context(), os.DirFS("testdata/blinker"))
	if err != nil {
		t.Fatal(err)
	}
	own := limits.Standard(4, 1)
	own.Outer = nil
	r, err := board.CheckLimits(t.Context(), p.Boards[0], own)
	if err != nil || len(r.Findings) != 0 {
		t.Errorf("without limits there are %v, %v, want no findings", r.Findings, err)
	}
}

func TestRenderNothing(t *testing.T) {
	t.Parallel()
	if err := board.Render(t.Context(), io.Discard, pcb.NewBoard("empty"), pcb.Top, 0); !errors.Is(err, render.ErrNothing) {
		t.Errorf("a board without anything is drawn: %v, want %v", err, render.ErrNothing)
	}
}
