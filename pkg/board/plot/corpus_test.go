package plot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/archive"
	"boardorder/pkg/board"
	"boardorder/pkg/board/ipc2581"
	"boardorder/pkg/board/kicad"
	"boardorder/pkg/board/odb"
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

// A source reads whole boards from the files that it wants.
type source struct {
	wants func(name string) bool
	read  func(ctx context.Context, files []member) []*board.Board
}

type member struct {
	Name string
	Data []byte
}

var sources = map[string]source{
	"KiCad": {kicad.Reads, func(ctx context.Context, files []member) []*board.Board {
		boards, _ := kicad.Read(ctx, converted[kicad.File](files))
		return boards
	}},
	"ODB++": {func(name string) bool { return true }, func(ctx context.Context, files []member) []*board.Board {
		boards, _ := odb.Read(ctx, converted[odb.File](files))
		return boards
	}},
	"IPC-2581": {func(name string) bool {
		e := strings.ToLower(filepath.Ext(name))
		return e == ".xml" || e == ".cvg"
	}, func(ctx context.Context, files []member) []*board.Board {
		boards, _ := ipc2581.Read(ctx, converted[ipc2581.File](files))
		return boards
	}},
}

func converted[F interface {
	~struct {
		Name string
		Data []byte
	}
}](files []member) []F {
	out := make([]F, len(files))
	for i, f := range files {
		out[i] = F(f)
	}
	return out
}

// explained are the designs whose plot reads differently, and why.
var explained = map[string]string{
	"caravel-v3-flexy": "two unplated holes lie on plated ones, which a reader of drill files takes for the same holes",
}

// TestDesigns plots every board of every real design that comes as more than
// artwork, and reads the plot: the same board must come back.
func TestDesigns(t *testing.T) {
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
			if why := explained[e.Name()]; why != "" {
				t.Skip(why)
			}
			for name, s := range sources {
				if name == "ODB++" && !strings.Contains(e.Name(), "odb") && e.Name() != "ipc2581-switch-board" {
					continue
				}
				for i, b := range s.read(t.Context(), members(t, filepath.Join(dir, e.Name()), s.wants)) {
					if len(b.Copper()) > 0 {
						b.Name = fmt.Sprintf("%s-%s-%d", e.Name(), name, i)
						same(t, b, again(t, b), 3)
					}
				}
			}
		})
	}
}

// members gives the files of a design that are wanted, archives unpacked.
func members(t *testing.T, dir string, wanted func(string) bool) []member {
	t.Helper()
	var out []member
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		format, err := archive.Detect(name, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		if format == archive.None {
			if wanted(name) {
				out = append(out, member{name, data})
			}
			return nil
		}
		_, err = archive.Unpack(context.Background(), name, bytes.NewReader(data), int64(len(data)), archive.DefaultLimits(),
			func(m archive.Member, r io.Reader) error {
				if !wanted(m.Name) {
					return nil
				}
				content, err := io.ReadAll(r)
				out = append(out, member{name + "!/" + m.Name, content})
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
