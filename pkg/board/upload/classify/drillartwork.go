package classify

import (
	"bytes"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// drillArtwork tells a drawing of the holes from the holes themselves, drawn as
// flashes and nothing else, or as strokes in a file of slots.
func (r *Result) drillArtwork() {
	if profileOnly(r.file.Data) {
		r.Role, r.Side, r.Plating, r.Confidence = pcb.RoleOutline, pcb.NoSide, pcb.PlatingUnknown, 0.9
		r.FromLayer, r.ToLayer = 0, 0
		r.Why = "all that it draws with states to be the board's profile"
		return
	}
	flashes, strokes := countDraws(r.file.Data)
	stated := slices.IndexFunc(r.Evidence, func(w Evidence) bool { return w.Role == pcb.RoleDrill && w.Weight >= weightJob })
	r.Role = pcb.RoleDrillDrawing
	r.Confidence = max(r.Confidence, 0.6)
	switch {
	case stated >= 0 && (flashes+strokes == 0 || drillTools(r.file.Data)):
		r.Role = pcb.RoleDrill // with the plating that is stated; slots are strokes
		if curve().Match(r.file.Data) {
			r.Doubt = "it also draws arcs or areas, which were not taken for holes: send what is milled so as a drill program too"
		}
		return
	case flashes > 0 && strokes == 0:
		r.Why = "a drill file by name that flashes and draws nothing else"
	case strokes > 0 && hasWord(r.words, "slotholes", "slots"):
		r.Why = "slots by name, each a stroke"
	default:
		if stated >= 0 {
			r.Doubt = "it says of itself that it holds holes (" + r.Evidence[stated].Why + "), and draws other things too: no hole was taken from it"
		}
		return
	}
	r.Role = pcb.RoleDrill
	if r.Plating == pcb.PlatingUnknown || stated < 0 {
		r.Plating = platingOf(r.words)
	}
}

// StatesRouting tells whether a file says of itself that it holds what is routed, plated or
// not: EAGLE plots its milling so.
func (r *Result) StatesRouting() bool {
	return slices.ContainsFunc(r.Evidence, func(w Evidence) bool {
		return w.Role == pcb.RoleDrill && w.Weight >= weightJob && strings.Contains(w.Why, ",Route")
	})
}

var (
	apertureFunction = pattern.Lazy(`TA\.AperFunction,([^,*]+)`)
	curve            = pattern.Lazy(`[IJ]-?\d+D0?1\*|G36\*`)
)

// profileOnly tells whether every aperture that a Gerber file defines is stated to draw the
// board's profile: Proteus calls its layer of the edge a file of holes without plating.
func profileOnly(data []byte) bool {
	return hasOnlyApertures(data, func(f string) bool { return f == "Profile" })
}

// drillTools tells whether every tool that a Gerber file defines is stated to be one that
// drills or mills slots: each flash is a hole then, and each stroke a slot.
func drillTools(data []byte) bool {
	return hasOnlyApertures(data, func(f string) bool { return strings.HasSuffix(f, "Drill") || f == "Slot" })
}

// hasOnlyApertures tells whether a Gerber file states what apertures are for, and each to be
// for what is wanted.
func hasOnlyApertures(data []byte, wanted func(function string) bool) bool {
	tools := apertureFunction().FindAllSubmatch(data, -1)
	return len(tools) > 0 && !slices.ContainsFunc(tools, func(m [][]byte) bool { return !wanted(string(m[1])) })
}

// countDraws counts flashes and strokes of a Gerber, roughly: by their
// operation codes.
func countDraws(data []byte) (flashes, strokes int) {
	flashes = bytes.Count(data, []byte("D03*")) + bytes.Count(data, []byte("D3*"))
	strokes = bytes.Count(data, []byte("D01*")) + bytes.Count(data, []byte("D1*")) + bytes.Count(data, []byte("G36*"))
	return flashes, strokes
}
