package notes

import (
	"fmt"
	"path"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/process"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
)

// thickestFlex is above the thickness of any flexible board.
const thickestFlex = 500 * geom.Micrometre

// LeaveMaterialByName leaves the material of a board open that is called flexible, or one of
// metal, where nothing else says what it is made of: one of FR-4 would be built of it in
// silence.
func LeaveMaterialByName(b *pcb.Board) {
	f := &b.Facts
	if f.Material.IsStated() || isUnsettled(f, "material") {
		return
	}
	if name := nameOfKind(b, process.MetalCore); name != "" {
		leaveMaterial(b, name, "a board of metal", "says that the board is built on metal")
		return
	}
	name := nameOfKind(b, process.Flexible)
	if name == "" || f.Thickness.IsStated() && f.Thickness.Value > thickestFlex || f.Flex.Known {
		return
	}
	if process.Find(name) == pcb.RigidFlex {
		f.Needs(pcb.State(pcb.RigidFlex, pcb.Source{File: name}, 0.8, "the name of the files"))
		return
	}
	leaveMaterial(b, name, "a flexible board", "calls the board flexible")
}

// leaveMaterial leaves the material open for what a name says.
func leaveMaterial(b *pcb.Board, name, what, says string) {
	b.Facts.Unsettled = append(b.Facts.Unsettled, pcb.Unsettled{Option: "material", Statements: []pcb.Statement{{Words: what + ", by its name", Source: pcb.Source{File: name}}}})
	b.Findings = append(b.Findings, pcb.Finding{
		Code: "notes_unsettled", Level: pcb.Warning, File: name,
		Message: fmt.Sprintf("the name %q %s, and nothing else says of what material it is made", path.Base(name), says),
	})
}

// nameOfKind is the first of the names of a board's copper layers, or of their archive, if all
// of them are of a kind.
func nameOfKind(b *pcb.Board, kind func(name string) bool) string {
	copper := b.Copper()
	all := func(of func(file string) string) bool {
		return len(copper) > 0 && !slices.ContainsFunc(copper, func(l *pcb.Layer) bool { return !kind(of(l.File)) })
	}
	switch {
	case all(group.Stem):
		return copper[0].File
	case all(func(file string) string { return group.Stem(classify.Archive(file)) }):
		return classify.Archive(copper[0].File)
	}
	return ""
}
