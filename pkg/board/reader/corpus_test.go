package reader_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/archive"
	"boardorder/pkg/board/reader"
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

// table reads a CSV file with a header: one map a row.
func table(t testing.TB, name string) []map[string]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %v", name, err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, v := range row {
			m[rows[0][i]] = v
		}
		out = append(out, m)
	}
	return out
}

// upload gives the files of a design as a service would: archives unpacked.
// A damaged or hostile archive gives its error and none of its files.
func upload(t testing.TB, dir string) (files []reader.File, broken []*archive.Error) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		unpacked, refused := unpack(t, filepath.ToSlash(rel), data)
		files = append(files, unpacked...)
		if refused != nil {
			broken = append(broken, refused)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, broken
}

func unpack(t testing.TB, name string, data []byte) ([]reader.File, *archive.Error) {
	t.Helper()
	format, err := archive.Detect(name, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if format == archive.None {
		return []reader.File{{Name: name, Data: data}}, nil
	}
	var out []reader.File
	_, err = archive.Unpack(context.Background(), name, bytes.NewReader(data), int64(len(data)), archive.DefaultLimits(),
		func(m archive.Member, r io.Reader) error {
			content, err := io.ReadAll(r)
			out = append(out, reader.File{Name: name + "!/" + m.Name, Data: content})
			return err
		})
	var refused *archive.Error
	if errors.As(err, &refused) {
		return nil, refused
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, nil
}

// A truth is what independent programs found in a design.
type truth struct {
	Layers int       `json:"true_copper_layers"`
	Size   []float64 `json:"true_size_mm"`
	KiCad  []struct {
		Opens  bool    `json:"opens"`
		Board  string  `json:"board"`
		Holes  int     `json:"holes_total"`
		Hole   float64 `json:"min_hole_mm"`
		Nets   int     `json:"nets"`
		Parts  int     `json:"footprints"`
		Layers int     `json:"copper_layers"`
	} `json:"kicad6"`
	Sets []struct {
		Archive    string `json:"archive"`
		Agreed     bool   `json:"holes_agreed"`
		Tracespace struct {
			Hits int     `json:"drill_hits"`
			Hole float64 `json:"min_hole_mm"`
		} `json:"tracespace5"`
		Gerbonara struct {
			Hits   int            `json:"drill_hits"`
			Routes int            `json:"drill_routes"`
			Hole   float64        `json:"min_hole_mm"`
			Plated map[string]int `json:"plated"`
		} `json:"gerbonara"`
	} `json:"gerber_sets"`
	Netlists []struct {
		File    string `json:"file"`
		Records int    `json:"test_records"`
		Nets    int    `json:"nets"`
	} `json:"ipc356_script"`
}

func readTruth(t testing.TB, name string) truth {
	t.Helper()
	var v truth
	data, err := os.ReadFile(name)
	if err != nil {
		return v
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// archiveName is the corpus's own way to name a file within an upload.
func archiveName(archive, file string) string {
	return strings.ReplaceAll(archive+"!/"+file, ".zip.d/", ".zip/")
}
