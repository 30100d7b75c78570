package roles_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/roles"
)

// TestStages: each stage settles roles by what files draw, and by nothing else.
func TestStages(t *testing.T) {
	t.Parallel()
	var pads, small []string
	for i := range 12 {
		pads = append(pads, fmt.Sprintf("%d,%d", 2+i, 2+i/3))
	}
	small = append(small, pads[:9]...)
	for name, c := range map[string]struct {
		role  pcb.Role
		data  string
		stage func(s *uploads.Stage, l *findings.List)
		want  pcb.Role
		side  pcb.Side
		codes []string
	}{
		"a mask without a side": {pcb.RoleMask, uploads.Gerber("", pads...), func(s *uploads.Stage, _ *findings.List) { roles.FindSides(pcb.Meter{}, s.Art) }, pcb.RoleMask, pcb.Top, nil},
		"a mask on few pads":    {pcb.RoleMask, uploads.Gerber("", small...), func(s *uploads.Stage, _ *findings.List) { roles.FindSides(pcb.Meter{}, s.Art) }, pcb.RoleMask, pcb.NoSide, nil},
		"scores that are words": {pcb.RoleVCut, uploads.Gerber("", "1,1 2,1", "2,1 2,2"), func(s *uploads.Stage, l *findings.List) { roles.RejectScores(pcb.Meter{}, s.Art, l) }, pcb.RoleFabDrawing, pcb.NoSide, []string{"score_doubtful"}},
		"scores across":         {pcb.RoleVCut, uploads.Gerber("", "10,-1 10,11"), func(s *uploads.Stage, l *findings.List) { roles.RejectScores(pcb.Meter{}, s.Art, l) }, pcb.RoleVCut, pcb.NoSide, nil},
		"a second outline": {pcb.RoleOutline, uploads.Gerber("", uploads.OutlineLines...), func(s *uploads.Stage, l *findings.List) {
			roles.SettleRivals(context.Background(), boardedge.Search{Files: s.Art, List: l})
		}, pcb.RoleMechanical, pcb.NoSide, []string{"layer_twice"}},
	} {
		s := uploads.NewStage()
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", pads...))
		s.AddArtwork("edge.gbr", pcb.RoleOutline, pcb.NoSide, 0, uploads.Gerber("", uploads.OutlineLines...))
		f := s.AddArtwork("x.gbr", c.role, pcb.NoSide, 0, c.data)
		var list findings.List
		c.stage(s, &list)
		var codes []string
		for _, f := range list {
			codes = append(codes, f.Code)
		}
		if f.Layer.Role != c.want || f.Layer.Side != c.side || !slices.Equal(codes, c.codes) {
			t.Errorf("%s: %s %s, findings %v; want %s %s, %v", name, f.Layer.Side, f.Layer.Role, codes, c.side, c.want, c.codes)
		}
	}
}
