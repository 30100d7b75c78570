package boardedge_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/findings"
)

// TestSearch: the edge is found elsewhere where what is called so does not go round the pads.
func TestSearch(t *testing.T) {
	t.Parallel()
	var pads []string
	for i := range 12 {
		pads = append(pads, fmt.Sprintf("%d,%d", 2+i, 2+i/3))
	}
	for name, c := range map[string]struct {
		outline, other []string
		role           pcb.Role
		edge           string
		codes          []string
	}{
		"round the pads":       {uploads.OutlineLines, nil, pcb.RoleMechanical, "edge.gbr", nil},
		"beside them":          {[]string{"30,0 40,0", "40,0 40,9", "40,9 30,9", "30,9 30,0"}, uploads.OutlineLines, pcb.RoleMechanical, "other.gbr", []string{"outline_elsewhere"}},
		"beside, none other":   {[]string{"30,0 40,0", "40,0 40,9", "40,9 30,9", "30,9 30,0"}, nil, pcb.RoleMechanical, "edge.gbr", nil},
		"beside, in a drawing": {[]string{"30,0 40,0", "40,0 40,9", "40,9 30,9", "30,9 30,0"}, uploads.OutlineLines, pcb.RoleFabDrawing, "", []string{"outline_elsewhere"}},
	} {
		s := uploads.NewStage()
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", pads...))
		s.AddArtwork("edge.gbr", pcb.RoleOutline, pcb.NoSide, 0, uploads.Gerber("", c.outline...))
		s.AddArtwork("other.gbr", c.role, pcb.NoSide, 0, uploads.Gerber("", c.other...))
		var list findings.List
		boardedge.Search{Files: s.Art, List: &list}.Correct(t.Context())
		edge := ""
		for _, f := range s.Art {
			if f.Layer.Role == pcb.RoleOutline {
				edge = f.Layer.Name
			}
		}
		var codes []string
		for _, f := range list {
			codes = append(codes, f.Code)
		}
		if edge != c.edge || !slices.Equal(codes, c.codes) {
			t.Errorf("%s: the edge is %q, findings %v; want %q, %v", name, edge, codes, c.edge, c.codes)
		}
	}
}
