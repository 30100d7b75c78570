package upload_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

// loadDesign gives the files of a design as a service would.
func loadDesign(t testing.TB, design string) ([]upload.File, []*archive.Error) {
	t.Helper()
	files, refused := corpus.Upload(t, design)
	return corpus.ConvertFiles[upload.File](files), refused
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
