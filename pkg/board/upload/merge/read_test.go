package merge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestProjectBeside: a KiCad project with the Gerbers is read and compared.
func TestProjectBeside(t *testing.T) {
	t.Parallel()
	source := `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 0.8))
 (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user))
 (setup (stackup (layer "F.Mask" (type "Top Solder Mask") (color "Black")) (copper_finish "ENIG")))
 (net 0 "") (net 1 "GND")
 (footprint "R" (layer "F.Cu") (at 5 5) (fp_text reference "R1" (at 0 0) (layer "F.SilkS")) (pad "1" thru_hole circle (at 0 0) (size 1.6 1.6) (drill 0.8) (layers "*.Cu") (net 1 "GND")))
 (gr_rect (start 0 0) (end 30 10) (layer "Edge.Cuts") (width 0.1)))`
	p := uploads.Ordinary().Merge(uploads.Set{"x.kicad_pcb": source}).Read(t)
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards, want one", len(p.Boards))
	}
	b := p.Boards[0]
	got := strings.TrimSpace(fmt.Sprintln(b.Facts.Width.Value, b.Facts.Finish.Value, b.Facts.MaskColour.Value, len(b.Components), len(b.Nets)))
	if want := "20000000 ENIG Black 1 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if diff := cmp.Diff([]string{"project_holes_differ", "project_size_differs"}, uploads.Codes(p, pcb.Warning)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
	}
	for _, f := range b.Findings {
		if strings.HasPrefix(f.Code, "project_") && (strings.Contains(f.Message, "%!") || !strings.Contains(f.Message, "the Gerbers would be built")) {
			t.Errorf("%s: %s; want a sentence that says that the Gerbers would be built", f.Code, f.Message)
		}
	}
}

// TestBoards: several boards, the same twice, and versions of one.
func TestBoards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		other  func(name, data string) (string, string)
		boards int
		want   string
	}{
		{"the same again", func(n, d string) (string, string) { return "again/" + n, d }, 1, "board_twice"},
		{"plotted again at another time", func(n, d string) (string, string) {
			return "again/" + n, strings.Replace(d, "%MOMM*%\n", "%MOMM*%\n%TF.CreationDate,2026-01-01T00:00:00Z*%\n", 1)
		}, 1, "board_twice"},
		{"some of the same again, in an archive within", func(n, d string) (string, string) {
			if n == "x-Edge_Cuts.gbr" || n == "x-B_Mask.gbr" {
				return "", ""
			}
			return "x.rar/" + n, d
		}, 1, "board_twice"},
		{"some of the same again, and one that is not the same", func(n, d string) (string, string) {
			if n == "x-B_Mask.gbr" {
				return "", ""
			}
			if n == "x-F_Mask.gbr" {
				d = uploads.Gerber("", "5,5", "15,5")
			}
			return "v2/" + n, d
		}, 2, "board_versions"},
		{"the same artwork, with other holes", func(n, d string) (string, string) {
			return "v2/" + n, strings.Replace(d, "T1C0.800", "T1C0.900", 1)
		}, 2, "board_versions"},
		{"another version", func(n, d string) (string, string) {
			return "v2/" + n, strings.ReplaceAll(d, "X10000000Y5000000", "X11000000Y5000000")
		}, 2, "board_versions"},
		{"another board", func(n, d string) (string, string) {
			return "other.zip!/" + strings.Replace(n, "x-", "other-", 1), strings.ReplaceAll(d, "X20000000", "X40000000")
		}, 2, "several_boards"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := uploads.Ordinary()
			for name, data := range uploads.Ordinary() {
				if n, d := c.other(name, data); n != "" {
					s[n] = d
				}
			}
			p := s.Read(t)
			if len(p.Boards) != c.boards || !slices.Contains(uploads.Codes(p, pcb.Note), c.want) {
				t.Errorf("%d boards, findings %v; want %d, %s", len(p.Boards), uploads.Codes(p, pcb.Note), c.boards, c.want)
			}
		})
	}
}
