package savings

import (
	"fmt"
	"strconv"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/savings"
)

const (
	cheapSideMM = 100 // up to which fabricators have their lowest prices
	nearSideMM  = 103 // from which a board can be made to fit them
)

// drillsMM are drills that fabricators tell apart by their price.
var drillsMM = []float64{0.2, 0.25, 0.3}

// boardSize is a board that is a little smaller, so that its sides are within the lowest prices.
func boardSize(b Board) []Change {
	if !b.Facts.HasSize() || isShown(b.Facts.Panel) || catalog.PanelOf(b.Details.FabOptions).By != "" {
		return nil
	}
	out := Change{Kind: savings.BoardSize, Request: b.Request, Facts: map[string]any{}}
	fit := func(name string, mm float64) {
		if mm > cheapSideMM && mm <= nearSideMM {
			out.Facts[name] = float64(cheapSideMM)
			out.Changes = append(out.Changes, savings.Changed{Field: name, From: mm, To: cheapSideMM})
		}
	}
	fit("width_mm", b.Details.WidthMM)
	fit("height_mm", b.Details.HeightMM)
	if len(out.Changes) == 0 {
		return nil
	}
	out.Means = fmt.Sprintf("If the board’s outline were at most %d mm along that side, it would cost this. That is a change of the design: upload the files of the smaller board.", cheapSideMM)
	if len(out.Changes) > 1 {
		out.Means = fmt.Sprintf("If the board’s outline were at most %d mm along both sides, it would cost this. That is a change of the design: upload the files of the smaller board.", cheapSideMM)
	}
	return []Change{out}
}

// drillSize is a board without its smallest holes.
func drillSize(b Board) []Change {
	const most = 2
	hole := b.Facts.MinHoleMM
	if !hole.Known || hole.Value <= 0 || b.Details.FabOptions["min_via"] != nil { // which says the size that is paid for
		return nil
	}
	var out []Change
	for _, drill := range drillsMM {
		if drill < hole.Value+0.01 || len(out) == most {
			continue
		}
		out = append(out, Change{
			Kind: savings.DrillSize, Request: b.Request, Facts: map[string]any{"smallest_drill_mm": drill},
			Changes: []savings.Changed{{Field: "smallest_drill_mm", From: hole.Value, To: drill}},
			Means: fmt.Sprintf("If no hole were smaller than %s mm, the board would cost this; now the smallest is %s mm. That is a change of the design: larger holes need larger pads. Upload the changed files.",
				decimal(drill), decimal(hole.Value)),
		})
	}
	return out
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
