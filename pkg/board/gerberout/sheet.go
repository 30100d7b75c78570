package gerberout

import (
	"fmt"
	"slices"

	"boardorder/pkg/board"
)

// A sheet is one Gerber file: what it is called, what it is for, and the layers
// that it draws.
type sheet struct {
	suffix   string // of the file's name
	function string // .FileFunction
	polarity string // .FilePolarity
	role     board.Role
	layers   []*board.Layer
}

// sheets lists the artwork of a board, copper first.
func sheets(b *board.Board) []sheet {
	copper := b.Copper()
	var out []sheet
	for i, l := range copper {
		out = append(out, copperSheet(l, i+1, len(copper)))
	}
	for _, k := range sidedKinds {
		for _, side := range [2]board.Side{board.Top, board.Bottom} {
			if s := k.sheet(b, side); s.needsFile() {
				out = append(out, s)
			}
		}
	}
	for _, k := range wholeKinds {
		if s := k.sheet(b, board.NoSide); s.needsFile() {
			out = append(out, s)
		}
	}
	return out
}

func copperSheet(l *board.Layer, n, of int) sheet {
	s := sheet{polarity: "Positive", role: board.RoleCopper, layers: []*board.Layer{l}}
	switch {
	case n == 1 && !(of == 1 && l.Side == board.Bottom):
		s.suffix, s.function = "F_Cu", fmt.Sprintf("Copper,L%d,Top", n)
	case n == of:
		s.suffix, s.function = "B_Cu", fmt.Sprintf("Copper,L%d,Bot", n)
	default:
		s.suffix, s.function = fmt.Sprintf("In%d_Cu", n-1), fmt.Sprintf("Copper,L%d,Inr", n)
	}
	return s
}

// A kind is a role of artwork other than copper.
type kind struct {
	role     board.Role
	suffix   string
	function string
	polarity string
}

// sidedKinds lie on a side of the board, wholeKinds on none. Drawings for people
// are not plotted: nothing is built from them.
var (
	sidedKinds = []kind{
		{board.RoleMask, "Mask", "Soldermask", "Negative"},
		{board.RolePaste, "Paste", "Paste", "Positive"},
		{board.RoleSilk, "Silkscreen", "Legend", "Positive"},
		{board.RoleGlue, "Glue", "Glue", "Positive"},
		{board.RoleCarbon, "Carbon", "Carbonmask", "Positive"},
		{board.RolePeelable, "Peelable", "Peelablemask", "Positive"},
		{board.RoleGoldFinger, "Gold", "Goldmask", "Positive"},
		{board.RoleViaFill, "ViaFill", "Viafill", "Positive"},
		{board.RoleVCut, "VCut", "Vcut", "Positive"},
	}
	wholeKinds = []kind{
		{board.RoleViaFill, "ViaFill", "Viafill", "Positive"},
		{board.RoleVCut, "VCut", "Vcut", "Positive"},
	}
)

// sheet gathers the layers of a kind on a side into one file: whoever gets two
// files of a kind builds one of them.
func (k kind) sheet(b *board.Board, side board.Side) sheet {
	s := sheet{suffix: k.suffix, function: k.function, polarity: k.polarity, role: k.role}
	switch side {
	case board.Top:
		s.suffix, s.function = "F_"+k.suffix, k.function+",Top"
	case board.Bottom:
		s.suffix, s.function = "B_"+k.suffix, k.function+",Bot"
	}
	for _, l := range b.Layers {
		if l.Role == k.role && l.Side == side {
			s.layers = append(s.layers, l)
		}
	}
	// A layer that erases must not erase what another has drawn.
	slices.SortStableFunc(s.layers, func(x, y *board.Layer) int { return erases(y) - erases(x) })
	return s
}

func erases(l *board.Layer) int {
	if l.Negative || slices.ContainsFunc(l.Features, func(f board.Feature) bool { return f.Clear }) {
		return 1
	}
	return 0
}

// needsFile tells whether the sheet is worth a file. An empty mask is: it covers the
// whole side, where none covers nothing.
func (s *sheet) needsFile() bool {
	if s.role == board.RoleMask && len(s.layers) > 0 {
		return true
	}
	return slices.ContainsFunc(s.layers, func(l *board.Layer) bool { return len(l.Features) > 0 })
}
