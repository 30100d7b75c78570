package kit

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
)

// TestLinesAreBounded: a list may have any number of designators, a line each, but parts of
// 300 kinds at most.
func TestLinesAreBounded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line  func(i int) string
		lines int
		why   string
	}{
		"a line for every designator":   {func(i int) string { return fmt.Sprintf("R%d,1k,0402\n", i) }, 1, ""},
		"300 parts, half of them twice": {func(i int) string { return fmt.Sprintf("R%d,%dk,0402\n", i, i%300) }, 300, ""},
		"301 parts":                     {func(i int) string { return fmt.Sprintf("R%d,%dk,0402\n", i, i%301) }, 0, "it has 301 lines of parts, and at most 300 are taken"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := &pcb.Board{Name: "b"}
			list := "Designator,Value,Footprint\n"
			for i := range 450 {
				list += tt.line(i + 1)
				one.Components = append(one.Components, pcb.Component{Ref: fmt.Sprintf("R%d", i+1), At: geom.Pt(1, 1)})
			}
			k, ok := ReadBoard(&pcb.Project{Boards: []*pcb.Board{one}}, []upload.File{{Name: "bom.csv", Data: []byte(list)}}, nil, "b")
			var why []string
			for _, u := range k.Unread {
				why = append(why, u.Why)
			}
			if !ok || len(k.List.Lines) != tt.lines || strings.Join(why, " ") != tt.why {
				t.Errorf("%d lines, left aside: %q; want %d, %q", len(k.List.Lines), why, tt.lines, tt.why)
			}
		})
	}
}
