package merge_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/merge"
)

// TestFreeName: names are unique within a project, and never empty.
func TestFreeName(t *testing.T) {
	t.Parallel()
	p := &pcb.Project{Boards: []*pcb.Board{{Name: "x"}, {Name: "x (2)"}, {Name: "board"}}}
	m := merge.New(pcb.Meter{}, &classify.Set{}, p)
	for name, want := range map[string]string{"y": "y", "x": "x (3)", "": "board (2)"} {
		if got := m.FreeName(name); got != want {
			t.Errorf("free name for %q: %q, want %q", name, got, want)
		}
	}
}

// TestMerger: boards that draw and drill the same are one, those of one size are versions.
func TestMerger(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		second []string // what the copper of the second board draws
		width  int64
		boards int
		codes  []string
	}{
		"the same":         {[]string{"5,5"}, 0, 1, []string{"board_twice"}},
		"another version":  {[]string{"5,5", "6,6"}, 0, 2, []string{"board_versions", "several_boards"}},
		"of another width": {[]string{"5,5", "6,6"}, geom.Millimetre, 2, []string{"several_boards"}},
	} {
		p := &pcb.Project{}
		for i, items := range [][]string{{"5,5"}, c.second} {
			s := uploads.NewStage()
			s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", items...))
			s.Board.Facts.Width = pcb.State(20*geom.Millimetre+int64(i)*c.width, pcb.Source{}, 0.9, "")
			s.Board.Facts.Height = pcb.State(int64(10*geom.Millimetre), pcb.Source{}, 0.9, "")
			p.Boards = append(p.Boards, s.Board)
		}
		merge.New(pcb.Meter{}, &classify.Set{}, p).DropRepeats()
		var codes []string
		for _, f := range p.Findings {
			codes = append(codes, f.Code)
		}
		if len(p.Boards) != c.boards || !slices.Equal(codes, c.codes) {
			t.Errorf("%s: %d boards, findings %v; want %d, %v", name, len(p.Boards), codes, c.boards, c.codes)
		}
	}
}
