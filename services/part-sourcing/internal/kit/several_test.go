package kit

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
)

// TestSeveralLists: lists of other designators of the board are one list, one that shares
// some with it is compared with it, and one of another board is neither.
func TestSeveralLists(t *testing.T) {
	t.Parallel()
	const head = "Designator,Value,Footprint\n"
	for name, tt := range map[string]struct {
		files         []string
		lines, others string
	}{
		"one":                  {[]string{"R1,1k,0402\nC1,1u,0402\n"}, "R1 C1", ""},
		"a list for each side": {[]string{"R1,1k,0402\nC1,1u,0402\n", "R2,1k,0402\nU1,LM358,SO8\n"}, "R1 C1 R2 U1", ""},
		"the same twice":       {[]string{"R1,1k,0402\nC1,1u,0402\nR2,1k,0402\n", "R1,2k,0402\nc1,1u,0402\n"}, "R1 C1 R2", "R1 c1"},
		"of another board":     {[]string{"R1,1k,0402\nC1,1u,0402\n", "Q1,BC847,SOT23\nQ2,BC847,SOT23\nR2,1k,0402\nQ3,BC847,SOT23\n"}, "R1 C1", ""},
		"a file of positions":  {[]string{"R1,1k,0402\nC1,1u,0402\n", "R2,5,5\nU1,6,6\n"}, "R1 C1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := &pcb.Board{Name: "b"}
			for _, ref := range strings.Fields("R1 R2 C1 U1") {
				one.Components = append(one.Components, pcb.Component{Ref: ref, At: geom.Pt(1, 1)})
			}
			var files []upload.File
			for i, rows := range tt.files {
				heading := head
				if strings.Contains(rows, ",5,5") {
					heading = "Designator,Mid X,Mid Y\n"
				}
				files = append(files, upload.File{Name: fmt.Sprintf("list%d.csv", i), Data: []byte(heading + rows)})
			}
			k, ok := ReadBoard(&pcb.Project{Boards: []*pcb.Board{one}}, files, nil, "b")
			var refs, others []string
			for i := range k.List.Lines {
				refs = append(refs, k.List.Lines[i].Refs...)
			}
			for _, l := range k.Others {
				for i := range l.Lines {
					others = append(others, l.Lines[i].Refs...)
				}
			}
			if !ok || strings.Join(refs, " ") != tt.lines || strings.Join(others, " ") != tt.others {
				t.Errorf("listed %v, compared with %v; want %s, %s", refs, others, tt.lines, tt.others)
			}
		})
	}
}
