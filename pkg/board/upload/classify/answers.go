package classify

import (
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
)

// answers lets what the customer says of a file speak in the place of all that the file
// and its name do.
func (s *Set) answers(fileAnswers *answers.FileAnswers) {
	if fileAnswers == nil {
		return
	}
	for _, r := range s.Results {
		if r.Name == fileAnswers.Outline && r.Format == FormatGerber {
			r.setAnswer(Evidence{Role: pcb.RoleOutline})
		}
	}
	for i, name := range fileAnswers.LayerOrder {
		for _, r := range s.Results {
			if r.Name == name && r.Format == FormatGerber {
				r.setAnswer(Evidence{Role: pcb.RoleCopper, Order: i + 1, Side: stackSide(i, len(fileAnswers.LayerOrder))})
			}
		}
	}
}

// demoteOutlines leaves the outline that the customer names as the only one.
func (s *Set) demoteOutlines() {
	if !slices.ContainsFunc(s.Results, func(r *Result) bool { return r.HasAnswer(pcb.RoleOutline) }) {
		return
	}
	for _, r := range s.Results {
		if r.Role == pcb.RoleOutline && !r.HasAnswer(pcb.RoleOutline) {
			r.Role = pcb.RoleMechanical
			r.Why += "; the customer names another file as the outline"
		}
	}
}

// stackSide is the side of copper file i of n.
func stackSide(i, n int) pcb.Side {
	switch {
	case i == 0:
		return pcb.Top
	case i == n-1:
		return pcb.Bottom
	}
	return pcb.Inner
}

func (r *Result) setAnswer(w Evidence) {
	w.Weight, w.Why = weightAnswer, "the customer says so"
	r.Evidence = []Evidence{w}
}

// HasAnswer tells whether the customer says that the file is of a role.
func (r *Result) HasAnswer(role pcb.Role) bool {
	return len(r.Evidence) == 1 && r.Evidence[0].Weight == weightAnswer && r.Evidence[0].Role == role
}
