package odb

import (
	"math"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
)

// jobFiles gives the files of a design's ODB++ archive.
func jobFiles(t testing.TB, design, archive string) []File {
	t.Helper()
	files, _ := corpus.Upload(t, design)
	return corpus.ConvertFiles[File](slices.DeleteFunc(files, func(f corpus.File) bool { return !strings.HasPrefix(f.Name, archive+"!/") }))
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	corpus.Dir(t)
	for design, archive := range map[string]string{
		"odb-flat-hierarchy": "flat_hierarchy-odb.tgz", "odb-minimal": "minimal-test-odb.zip", "odb-sandbox-wifi": "sandbox-odb_wifi.tgz",
		"tc-sa45-odb": "SA45_DaughterCard-RevX1_odb.tgz", "ipc2581-switch-board": "Switch_Board_ODB.zip",
		"ts5-thunderscope-odb": "Thunderscope_Rev5.3_TS-PCIe_ODB.zip",
	} {
		t.Run(design, func(t *testing.T) {
			t.Parallel()
			var want struct {
				ODB struct {
					Copper     int            `json:"copper_layers"`
					Components map[string]int `json:"components"`
					Nets       int            `json:"eda_nets"`
					Profiles   map[string]struct {
						Box   [2]float64 `json:"bbox_of_vertices_mm"`
						Holes int        `json:"holes"`
					} `json:"profiles"`
				} `json:"odb"`
			}
			corpus.Truth(t, design, &want)
			boards, stray := Read(t.Context(), jobFiles(t, design, archive))
			if len(boards) != 1 || len(stray) > 0 {
				t.Fatalf("%d boards, findings %v; want one board, no findings", len(boards), stray)
			}
			compare(t, boards[0], want.ODB.Copper, want.ODB.Components["top"]+want.ODB.Components["bottom"], want.ODB.Nets)
			for _, p := range want.ODB.Profiles {
				box := boards[0].Outline.Bounds()
				if w, h := float64(box.Width())/1e6, float64(box.Height())/1e6; math.Abs(w-p.Box[0]) > 0.05 || math.Abs(h-p.Box[1]) > 0.05 {
					t.Errorf("size %.3f × %.3f mm, want %v", w, h, p.Box)
				}
			}
		})
	}
}

func compare(t *testing.T, b *pcb.Board, copper, components, nets int) {
	t.Helper()
	if n := b.Facts.CopperLayers.Value; n != copper || len(b.Copper()) != copper {
		t.Errorf("copper layers %d (%d drawn), want %d", n, len(b.Copper()), copper)
	}
	if n := len(b.Components); n != components {
		t.Errorf("components %d, want %d", n, components)
	}
	if n := len(b.Nets); nets > 0 && (n > nets || n < nets-2) {
		t.Errorf("nets %d, want %d with those for nothing", n, nets)
	}
	for _, f := range b.Findings {
		t.Logf("%s %s %s:%d %s ×%d", f.Level, f.Code, f.File, f.Line, f.Message, f.Count)
	}
}

// TestSameBoardAsGerber compares a job with the drill file of the same board.
func TestSameBoardAsGerber(t *testing.T) {
	t.Parallel()
	boards, _ := Read(t.Context(), jobFiles(t, "ts5-thunderscope-odb", "Thunderscope_Rev5.3_TS-PCIe_ODB.zip"))
	sizes := map[int64]int{}
	slots := 0
	for _, h := range boards[0].Holes {
		if h.Kind == pcb.DrillHole {
			sizes[(h.Diameter+5000)/10_000]++
		} else {
			slots++
		}
	}
	// From the drill file in the corpus's truth: 3866 hits and 11 routes.
	for d, n := range map[int64]int{20: 3741, 38: 74, 310: 2} {
		if sizes[d] != n {
			t.Errorf("holes of %.2f mm: %d, want %d", float64(d)/100, sizes[d], n)
		}
	}
	if slots != 11 {
		t.Errorf("slots %d, want 11", slots)
	}
}
