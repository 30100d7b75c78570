package boards_test

import (
	"testing"

	"boardorder/pkg/contract/boards"
)

func TestBoardNamed(t *testing.T) {
	t.Parallel()
	read := boards.ReadFiles{
		Boards: []boards.Board{{Name: "main"}, {Name: "hw/io"}, {Name: "old/io"}, {Name: "v1.2"}},
		Files: []boards.FileClass{
			{Name: "proj/main.kicad_pcb", Board: "main"}, {Name: "a.zip!/hw/io.kicad_pcb", Board: "hw/io"}, {Name: "x.gbr"},
		},
	}
	for requested, want := range map[string]string{
		"main": "main", "main.kicad_pcb": "main", "proj/main.kicad_pcb": "main", `proj\main.kicad_pcb`: "main", "Main": "main",
		"hw/io": "hw/io", "hw/io.kicad_pcb": "hw/io", "a.zip!/hw/io.kicad_pcb": "hw/io", "old/io": "old/io",
		"io": "", "x.gbr": "", "": "", "other": "", "v1.2": "v1.2",
	} {
		if b, ok := read.BoardNamed(requested); b.Name != want || ok != (want != "") {
			t.Errorf("BoardNamed(%q) = %q, %v; want %q", requested, b.Name, ok, want)
		}
	}
}
