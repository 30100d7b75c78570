package conductor

import (
	"fmt"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// Of all pads to be soldered, how large a share lies off the board where the outline is doubtful,
// and where it cannot be the board's: one in so many.
const (
	doubtfulLoss = 10
	wholeLoss    = 2
	fewestLost   = 4 // less are spare lands and marks
)

// findLostPads tells of pads to be soldered that lie beyond the outline or in its cutouts. A few
// may be a coupon's or a mark's; many are the board's, and the outline is another's: that of a
// frame, say, whose boards were taken for its cutouts.
func findLostPads(in *measure.Input) rule.Result {
	var off rule.Places
	all := 0
	cut := in.Border()
	for _, s := range in.Sides() {
		last := int32(-1)
		for i := range s.Pads.Shapes {
			if s.Pads.Features[i] == last || !isSoldered(s, i) {
				continue
			}
			last = s.Pads.Features[i]
			all++
			p := &s.Pads.Shapes[i]
			at := p.CorePoint()
			if !cut.Contains(at) && !cut.IsNear(p.Bounds(), 0) {
				off.AddUnmeasured(dfm.Place{Layer: s.Copper.Name, At: at, To: at, Objects: [2]string{"pad"}})
			}
		}
	}
	if off.Count < fewestLost || off.Count*doubtfulLoss < all {
		return rule.Result{}
	}
	level, next := dfm.Warning, "Confirm that they are not wanted, such as pads of a coupon, or send the outline of the whole board."
	if off.Count*wholeLoss >= all {
		level, next = dfm.MustFix, "The outline seems to be that of something else, such as a frame around the boards: name the file that draws the board's edge (file_answers.outline), send the boards by themselves, or say in special_requirements what is to be made."
	}
	r := rule.PlaceFinding(dfm.CopperOutside, level, func(n int) string {
		return fmt.Sprintf("%d of %s to be soldered %s beyond the outline of the board or in its cutouts and would not be made. %s", n, words.Plural(all, "pad"), lie(n), next)
	}, &off)
	r.Findings[0].Answers = []answers.Answer{answers.Outline("")}
	return r
}

// isSoldered tells whether a pad is for soldering, as far as is known: the mask shows it, and it
// is no mark for cameras, which stands in an opening much wider than itself.
func isSoldered(s *measure.Side, i int) bool {
	const clear = 2 // a mark's opening is at least so much wider
	f := s.Pads.Feature(i)
	if f.Function == pcb.FuncFiducial || f.Function == pcb.FuncFiducialLocal || len(s.Open[i]) == 0 {
		return false
	}
	box := s.Pads.Boxes[i]
	for _, k := range s.Open[i] {
		if len(s.Over[k]) > 1 || len(s.Parts[k]) > 1 || s.Openings.Boxes[s.Parts[k][0]].Width() < clear*box.Width() {
			return true
		}
	}
	return false
}
