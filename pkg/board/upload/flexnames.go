package upload

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/process"
)

// thickestFlex is above the thickness of any flexible board.
const thickestFlex = 500 * geom.Micrometre

// flexByName leaves the material of a board open that is called flexible where nothing else
// says what it is made of: a rigid one would be built of it in silence.
func flexByName(b *board.Board) {
	f := &b.Facts
	name := flexName(b)
	chosen := f.Material.Stated() || f.Thickness.Stated() && f.Thickness.Value > thickestFlex
	if name == "" || chosen || f.Flex.Known || isUnsettled(f, "material") {
		return
	}
	if process.Named(name) == board.RigidFlex {
		f.Needs(board.State(board.RigidFlex, board.Source{File: name}, 0.8, "the name of the files"))
		return
	}
	f.Unsettled = append(f.Unsettled, board.Unsettled{Option: "material", Said: []board.Said{{Words: "a flexible board, by its name", Source: board.Source{File: name}}}})
	b.Findings = append(b.Findings, board.Finding{
		Code: "notes_unsettled", Level: board.Warning, File: name,
		Message: fmt.Sprintf("the name %q calls the board flexible, and nothing else says of what material it is made", path.Base(name)),
	})
}

// flexName is the first of the names of a board's copper layers, or of their archive, if all
// of them call it flexible.
func flexName(b *board.Board) string {
	copper := b.Copper()
	all := func(of func(file string) string) bool {
		return len(copper) > 0 && !slices.ContainsFunc(copper, func(l *board.Layer) bool { return !process.Flexible(of(l.File)) })
	}
	switch {
	case all(stem):
		return copper[0].File
	case all(func(file string) string { return stem(archiveOf(file)) }):
		return archiveOf(copper[0].File)
	}
	return ""
}

// stem is the name of a file without folders and extension.
func stem(file string) string {
	base := baseName(file)
	return strings.TrimSuffix(base, path.Ext(base))
}
