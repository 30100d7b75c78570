// Package merge tells which boards of an upload are one: the same files again, other plots,
// and the projects that artwork was plotted from, which add what artwork cannot say.
package merge

import (
	"fmt"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/boardsize"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
)

// A Merger merges the boards of a project. It changes the project's boards and findings, and
// the reports of the files.
type Merger struct {
	*findings.List // of the project
	Project        *pcb.Project
	Set            *classify.Set
	Meter          pcb.Meter
	Sizes          boardsize.Sizes

	prints map[*pcb.Board]*fingerprint
}

// New merges the boards of a project, as far as it has any yet.
func New(m pcb.Meter, set *classify.Set, p *pcb.Project) *Merger {
	return &Merger{List: (*findings.List)(&p.Findings), Project: p, Set: set, Meter: m, Sizes: boardsize.Sizes{}, prints: map[*pcb.Board]*fingerprint{}}
}

// FreeName makes a board's name unique within the project.
func (m *Merger) FreeName(name string) string {
	if name == "" {
		name = "board"
	}
	free := name
	for n := 2; m.Project.Board(free) != nil && m.Meter.Spend(pcb.Lookups, len(m.Project.Boards)); n++ {
		free = fmt.Sprintf("%s (%d)", name, n)
	}
	return free
}
