// Package corpus gives tests the real designs of a folder that is not part of
// the project: BOARD_CORPUS, or shared/designs beside the repository. A design
// is a folder of files as a customer would upload them; manifest.csv lists them
// and truth/ holds what independent programs found in them.
package corpus

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"boardorder/pkg/board/archive"
)

// Dir is the folder of the designs; a test that asks for it is skipped where
// there is none.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BOARD_CORPUS")
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "..", "..", "shared", "designs")
	}
	if _, err := os.Stat(filepath.Join(dir, "manifest.csv")); err != nil {
		t.Skip("no corpus of real designs: set BOARD_CORPUS to its folder")
	}
	return dir
}

// Folders names the designs in a folder, which has each in a folder of its own.
func Folders(in string) ([]string, error) {
	entries, err := os.ReadDir(in)
	var names []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != "truth" {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Designs are the rows of the manifest, by column; "name" is the design's folder.
func Designs(t testing.TB) []map[string]string {
	t.Helper()
	return Table(t, filepath.Join(Dir(t), "manifest.csv"))
}

// Truth decodes what is known of a design into v and tells whether there is any.
func Truth(t testing.TB, design string, v any) bool {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(Dir(t), "truth", design+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("truth of %s: %v", design, err)
	}
	return true
}

// Table reads a CSV file with a header: one map a row.
func Table(t testing.TB, name string) []map[string]string {
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

// Upload gives the files of a design as a service would: archives unpacked.
// A damaged or hostile archive gives its error and none of its files.
func Upload(t testing.TB, design string) (files []File, refused []*archive.Error) {
	t.Helper()
	files, refused, err := Load(t.Context(), filepath.Join(Dir(t), design))
	if err != nil {
		t.Fatal(err)
	}
	return files, refused
}
