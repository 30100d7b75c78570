package upload

import (
	"path"

	"boardorder/pkg/board"
	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// withApertures reads an RS-274-D file again with the aperture list that lies
// beside it.
func (a *assembly) withApertures(w *artwork) *artwork {
	f := a.files[w.index]
	best := map[int]board.Aperture{}
	from := -1
	for i, r := range a.set.Results {
		if r.Format != classify.FormatApertures && r.Format != classify.FormatReport || path.Dir(r.Name) != path.Dir(f.Name) {
			continue
		}
		if list := report.Apertures(a.files[i].Data); len(list) > len(best) {
			best, from = list, i
		}
	}
	if from < 0 {
		return w
	}
	a.use(from, a.board)
	again := gerber.Read(a.ctx, f.Name, f.Data, gerber.Options{Apertures: best})
	again.Findings = append(again.Findings, board.Finding{
		Code: "apertures_joined", Level: board.Note,
		Message: "the file has no apertures of its own; those of " + a.result(from).Name + " were used",
	})
	return &artwork{w.index, again}
}
