package plot_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"boardorder/pkg/archive"
	"boardorder/pkg/board/kicad"
)

// corpusDir finds the real designs, or skips the test.
func corpusDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BOARD_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "designs")
	}
	if _, err := os.Stat(filepath.Join(dir, "manifest.csv")); err != nil {
		t.Skip("no corpus of real designs: set BOARD_CORPUS to its folder")
	}
	return dir
}

// TestKiCadDesigns plots every real KiCad board and reads the plot.
func TestKiCadDesigns(t *testing.T) {
	t.Parallel()
	dir := corpusDir(t)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			boards, _ := kicad.Read(t.Context(), projects(t, filepath.Join(dir, e.Name())))
			for i, b := range boards {
				if len(b.Copper()) == 0 {
					continue
				}
				b.Name = e.Name() + "-" + string(rune('a'+i))
				same(t, b, again(t, b))
			}
		})
	}
}

// projects gives the KiCad files of a design, archives unpacked.
func projects(t *testing.T, dir string) []kicad.File {
	t.Helper()
	var out []kicad.File
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if kicad.Reads(name) {
			out = append(out, kicad.File{Name: name, Data: data})
		}
		format, err := archive.Detect(name, bytes.NewReader(data), int64(len(data)))
		if err != nil || format == archive.None {
			return err
		}
		_, err = archive.Unpack(context.Background(), name, bytes.NewReader(data), int64(len(data)), archive.DefaultLimits(),
			func(m archive.Member, r io.Reader) error {
				content, err := io.ReadAll(r)
				if kicad.Reads(m.Name) {
					out = append(out, kicad.File{Name: name + "!/" + m.Name, Data: content})
				}
				return err
			})
		var refused *archive.Error
		if errors.As(err, &refused) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
