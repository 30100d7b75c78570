package roles

import (
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/copperlayers"
	"boardorder/pkg/board/upload/findings"
)

// PutOnBoard puts the artwork on the board, copper in order first.
func PutOnBoard(m pcb.Meter, files []*artwork.File, b *pcb.Board, list *findings.List) {
	slices.SortStableFunc(files, func(x, y *artwork.File) int { return copperlayers.SortKey(x.Layer) - copperlayers.SortKey(y.Layer) })
	for _, w := range files {
		f := w.Result
		if !strings.Contains(f.Why, "left aside") && f.Role != pcb.RoleUnknown {
			w.Result.Use(b.Name)
		}
		f.Board = b.Name
		for _, g := range w.Findings {
			g.File = f.Name
			if drawingOnly[w.Layer.Role] || inkOnly[g.Code] && (!conducts[w.Layer.Role] || g.Code == overlapping && missesPads(m, files, w.Layer)) { // what comes out otherwise there stops nothing
				g.Level = min(g.Level, pcb.Warning)
			}
			list.Add(g)
		}
		b.Adopt(w.Layer)
	}
}

// overlapping is the code of contours that run round a place twice.
const overlapping = "overlapping_contour"

// missesPads reports whether none of a mask's contours that run round a place twice lies
// at a pad: they are lettering, open over an area of copper.
func missesPads(m pcb.Meter, files []*artwork.File, l *pcb.Layer) bool {
	if l.Role != pcb.RoleMask {
		return false
	}
	var boxes []geom.Box
	for i := range l.Features {
		if f := &l.Features[i]; f.Kind == pcb.RegionFeature {
			if n := l.Regions[f.Shape].Outer.Turns(); n != 1 && n != -1 {
				boxes = append(boxes, l.FeatureBounds(f))
			}
		}
	}
	for _, w := range files {
		if w.Layer.Role != pcb.RoleCopper || w.Layer.Side != l.Side {
			continue
		}
		for i := range w.Layer.Features {
			f := &w.Layer.Features[i]
			if f.Function == pcb.FuncViaPad || f.Kind != pcb.FlashFeature && !f.Function.Pad() {
				continue
			}
			if !m.Spend(pcb.Lookups, len(boxes)) || slices.ContainsFunc(boxes, w.Layer.FeatureBounds(f).Overlaps) {
				return false
			}
		}
	}
	return len(boxes) > 0
}

// inkOnly are faults that change what a file draws in a few places: of a silkscreen or a
// drawing that is no reason to stop, nor of lettering in a mask.
var inkOnly = map[string]bool{overlapping: true, "bad_aperture": true, "unknown_aperture": true, "aperture_undefined": true, "bad_macro": true, "coordinate_range": true}

// drawingOnly are the roles of files that people look at and nothing is built from:
// whatever cannot be read of one, the board is as the other files have it. Mechanical
// layers may draw the edge or milling, others what is processed in another way.
var drawingOnly = map[pcb.Role]bool{
	pcb.RoleDrillDrawing: true, pcb.RoleFabDrawing: true, pcb.RoleAssembly: true, pcb.RoleCourtyard: true, pcb.RoleKeepOut: true,
}

// conducts are the roles whose filled places make the circuit or the board's shape.
var conducts = map[pcb.Role]bool{
	pcb.RoleCopper: true, pcb.RoleMask: true, pcb.RolePaste: true, pcb.RoleOutline: true, pcb.RoleDrill: true, pcb.RoleUnknown: true,
}
