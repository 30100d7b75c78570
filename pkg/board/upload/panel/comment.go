package panel

import (
	"math"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/places"
)

// panelize is what EasyEDA writes at the head of artwork of a board that the fabricator is
// to repeat: how often, and both sizes.
var panelize = pattern.Lazy(`(?m)^G04 Panelize:[^*\n]*Column: (\d{1,3}), Row: (\d{1,3}), Board Size: [\d.]{1,10}mm x [\d.]{1,10}mm, Panelized Board Size: ([\d.]{1,10})mm x ([\d.]{1,10})mm`)

// ReportComment says that the files ask for a panel that the fabricator is to make of the
// one board that they hold, where the outline is not that of the panel.
func ReportComment(files []*artwork.File, b *pcb.Board, list *findings.List) {
	const head, play = 1 << 10, geom.Millimetre / 2
	box := b.Outline.Bounds()
	for _, w := range files {
		data := w.Data
		m := panelize().FindSubmatch(data[:min(len(data), head)])
		if m == nil {
			continue
		}
		columns, _ := strconv.Atoi(string(m[1]))
		rows, _ := strconv.Atoi(string(m[2]))
		width, height := parseMillimetres(m[3]), parseMillimetres(m[4])
		if columns*rows < 2 || width == 0 || height == 0 || places.IsNear(width, box.Width(), play) && places.IsNear(height, box.Height(), play) {
			return
		}
		list.Say(pcb.Warning, "panel_stated", w.Result.Name,
			"the files ask for a panel of %d x %d boards, %.2f x %.2f mm, that the fabricator is to make of the one that they draw, %.2f x %.2f mm: say whether one board or the panel is wanted",
			columns, rows, geom.Millimetres(width), geom.Millimetres(height), geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
		return
	}
}

// parseMillimetres is a number of millimetres in nanometres; 0 where it is none.
func parseMillimetres(text []byte) int64 {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || v < 0 || v > 1e6 {
		return 0
	}
	return int64(math.Round(v * 1e6))
}
