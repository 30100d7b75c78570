package designcheck

import (
	"testing"

	"boardorder/pkg/contract/boards"
)

func TestChooseBoard(t *testing.T) {
	t.Parallel()
	two := []string{"main", "io"}
	for _, tt := range []struct {
		names     []string
		requested string
		want      string
	}{
		{two, "main", "main"}, {two, "hw/main.kicad_pcb", "main"}, {two, "io.kicad_pcb", "io"},
		{two, "other", ""}, {two, "", ""}, {nil, "", ""}, {two[:1], "", "main"},
	} {
		var read boards.ReadFiles
		for _, name := range tt.names {
			read.Boards = append(read.Boards, boards.Board{Name: name})
		}
		if got, err := chooseBoard(read, tt.requested); got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("chooseBoard(%q, %q) = %q, %v; want %q", tt.names, tt.requested, got, err, tt.want)
		}
	}
}
