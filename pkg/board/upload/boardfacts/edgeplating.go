package boardfacts

import (
	"slices"
	"strings"

	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/pcb"
)

// stateEdgePlating takes the word of a file that draws the edge, or of a job file that lists it,
// that the edge is plated.
func (s Reader) stateEdgePlating() {
	plating := &s.Board.Facts.EdgePlating
	for _, w := range s.Art {
		if w.Layer.Role == pcb.RoleOutline && isPlatedProfile(w.Attribute(".FileFunction")) {
			plating.Offer(pcb.State(true, pcb.Source{File: w.Layer.File}, 0.95, "attribute of the outline"))
		}
	}
	for i, r := range s.Set.Results {
		j := s.Set.Jobs[i]
		if j != nil && r.Board == s.Board.Name && slices.ContainsFunc(j.Files, func(f gbrjob.File) bool { return isPlatedProfile(strings.Split(f.Function, ",")) }) {
			plating.Offer(pcb.State(true, pcb.Source{File: r.Name}, 0.9, "job file"))
		}
	}
}

// isPlatedProfile tells whether a file's function is that of an edge with plating.
func isPlatedProfile(function []string) bool {
	return len(function) > 1 && strings.EqualFold(function[0], "Profile") && strings.EqualFold(strings.TrimSpace(function[1]), "P")
}
