package designcheck

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/check"
	"boardorder/pkg/board/reader"
	"boardorder/services/design-check/internal/kicadcli"

	"go.uber.org/zap"
)

func TestSecondOpinion(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "kicad-cli")
	script := `#!/bin/sh
echo '{"kicad_version":"9.0.2","coordinate_units":"mm","unconnected_items":[{"type":"unconnected_items","severity":"error","description":"Missing","items":[]}]}' > "$9"
`
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	files := []reader.File{{Name: "x.kicad_pcb", Data: []byte("(kicad_pcb)")}}
	from := func(file string) *board.Board {
		l := board.NewLayer("F.Cu", file)
		l.Role = board.RoleCopper
		return &board.Board{Name: "x", Layers: []*board.Layer{l}}
	}
	tests := map[string]struct {
		tool kicadcli.Tool
		file string
		want int
	}{
		"KiCad's board":     {kicadcli.Tool{Path: program}, "x.kicad_pcb", 1},
		"its plot":          {kicadcli.Tool{Path: program}, "x-F_Cu.gbr", 0},
		"not installed":     {kicadcli.Tool{}, "x.kicad_pcb", 0},
		"installed, broken": {kicadcli.Tool{Path: "/nonexistent"}, "x.kicad_pcb", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := &judging{kicad: tt.tool, log: zap.NewNop()}
			var r check.Report
			j.secondOpinion(context.Background(), files, from(tt.file))(&r)
			if len(r.Findings) != tt.want || len(r.Assumed) != tt.want {
				t.Errorf("report %+v", r)
			}
		})
	}
}
