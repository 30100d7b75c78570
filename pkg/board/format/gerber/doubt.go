package gerber

import (
	"fmt"

	"boardorder/pkg/board/pcb"
)

// doubt reports an aperture that cannot be made as the file says. It is a problem
// only where something is drawn with it, which settleDoubts finds out.
func (r *reader) doubt(code, detail string, aperture, line int, format string, args ...any) {
	r.find(pcb.Problem, code, detail, line, format, append([]any{aperture}, args...)...)
	i, ok := r.found[code+"\x00"+detail]
	if !ok {
		return // past the limit of findings
	}
	if r.doubts == nil {
		r.doubts = map[int][]int{}
	}
	r.doubts[i] = append(r.doubts[i], aperture)
}

// settleDoubts turns problems of apertures that nothing is drawn with into notes.
func (r *reader) settleDoubts() {
	if len(r.doubts) == 0 {
		return
	}
	used := map[int]bool{}
	for i := range r.layer.Features {
		if f := &r.layer.Features[i]; f.Kind != pcb.RegionFeature {
			used[r.layer.Apertures[f.Shape].Code] = true
		}
	}
	for i, apertures := range r.doubts {
		if f := &r.file.Findings[i]; !usesAny(used, apertures) {
			f.Level = pcb.Note
			f.Message = fmt.Sprintf("%s; nothing is drawn with it", f.Message)
		}
	}
}

func usesAny(used map[int]bool, apertures []int) bool {
	for _, d := range apertures {
		if used[d] {
			return true
		}
	}
	return false
}
