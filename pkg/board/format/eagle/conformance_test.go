package eagle

import (
	"math"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
)

// TestCorpus reads real boards; sizes and counts are those of their Gerbers or
// counted in the XML.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		dir, file           string
		layers, parts, nets int
		holes               int
		width, height       float64
	}{
		{"px4-fmuv2-eagle", "PX4FMUv2.4.6.brd.zip", 6, 290, 261, 0, 0, 0},
		{"openevse-v5", "OpenEVSE_PLUS_v5.brd.zip", 2, 77, 60, 94, 65.272, 45.057},
		{"sparkfun-thing-plus-panel", "SparkFun_Thing_Plus_ESP32_WROOM_C.brd.zip", 2, 110, 53, 0, 0, 0},
	} {
		t.Run(tt.dir, func(t *testing.T) {
			t.Parallel()
			files, _ := corpus.Upload(t, tt.dir)
			boards, findings := Read(t.Context(), corpus.ConvertFiles[File](slices.DeleteFunc(files, func(f corpus.File) bool { return !strings.HasPrefix(f.Name, tt.file) })))
			if len(boards) != 1 || len(findings) != 0 {
				t.Fatalf("%d boards, findings %v; want one board, no findings", len(boards), findings)
			}
			b := boards[0]
			if n := b.Facts.CopperLayers.Value; n != tt.layers || len(b.Components) != tt.parts || len(b.Nets)-1 != tt.nets {
				t.Errorf("%d copper layers, %d parts, %d nets; want %d, %d, %d", n, len(b.Components), len(b.Nets)-1, tt.layers, tt.parts, tt.nets)
			}
			if tt.holes > 0 && len(b.Holes) != tt.holes {
				t.Errorf("holes %d, want %d", len(b.Holes), tt.holes)
			}
			w, h := geom.Millimetres(b.Facts.Width.Value), geom.Millimetres(b.Facts.Height.Value)
			if tt.width > 0 && (math.Abs(w-tt.width) > 0.01 || math.Abs(h-tt.height) > 0.01) {
				t.Errorf("size %.3f x %.3f mm, want %.3f x %.3f", w, h, tt.width, tt.height)
			}
			if !b.Outline.Closed {
				t.Errorf("the outline is open, %.3f x %.3f mm", w, h)
			}
			checkWiring(t, b)
			t.Logf("%.3f x %.3f mm, %d holes, %.3f mm thick", w, h, len(b.Holes), geom.Millimetres(b.Facts.Thickness.Value))
			for _, f := range b.Findings {
				t.Logf("finding: %s %s line %d: %s", f.Level, f.Code, f.Line, f.Message)
			}
		})
	}
}

// checkWiring checks that tracks of a net end at its pads: parts that are turned or
// mirrored wrongly would put their pads elsewhere.
func checkWiring(t *testing.T, b *pcb.Board) {
	t.Helper()
	ends := map[int32]map[geom.Point]bool{}
	for _, l := range b.Copper() {
		for _, f := range l.Features {
			if f.Kind == pcb.LineFeature && f.Net > 0 && f.Function == pcb.FuncConductor {
				if ends[f.Net] == nil {
					ends[f.Net] = map[geom.Point]bool{}
				}
				ends[f.Net][f.A], ends[f.Net][f.B] = true, true
			}
		}
	}
	met, missed := map[pcb.Side]int{}, map[pcb.Side]int{}
	for _, p := range b.Pins[1:] {
		if p.Net == 0 || ends[p.Net] == nil {
			continue
		}
		near := false
		for q := range ends[p.Net] {
			near = near || q.Dist(p.At) < 300_000
		}
		if near {
			met[p.Side]++
		} else {
			missed[p.Side]++
		}
	}
	for side, n := range missed {
		if n > met[side] {
			t.Errorf("on side %q %d pins have no track of their net, want no more than the %d that have one", side, n, met[side])
		}
	}
	t.Logf("pins with a track %v, without %v", met, missed)
}
