package gerberout

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/pcb"
)

// A sheet is one Gerber file: what it is called, what it is for, and the layers
// that it draws.
type sheet struct {
	suffix   string // of the file's name
	function string // .FileFunction
	polarity string // .FilePolarity
	role     pcb.Role
	layers   []*pcb.Layer
}

// sheets lists the artwork of a board, copper first.
func sheets(b *pcb.Board) []sheet {
	copper := b.Copper()
	var out []sheet
	for i, l := range copper {
		out = append(out, copperSheet(l, i+1, len(copper)))
	}
	for _, k := range sidedKinds {
		for _, side := range [2]pcb.Side{pcb.Top, pcb.Bottom} {
			if s := k.sheet(b, side); s.needsFile() {
				out = append(out, s)
			}
		}
	}
	for _, k := range wholeKinds {
		if s := k.sheet(b, pcb.NoSide); s.needsFile() {
			out = append(out, s)
		}
	}
	return out
}

func copperSheet(l *pcb.Layer, n, of int) sheet {
	s := sheet{polarity: "Positive", role: pcb.RoleCopper, layers: []*pcb.Layer{l}}
	switch {
	case n == 1 && !(of == 1 && l.Side == pcb.Bottom):
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
	role     pcb.Role
	suffix   string
	function string
	polarity string
}

// sidedKinds lie on a side of the board, wholeKinds on none. Drawings for people
// are not plotted: nothing is built from them.
var (
	sidedKinds = []kind{
		{pcb.RoleMask, "Mask", "Soldermask", "Negative"},
		{pcb.RolePaste, "Paste", "Paste", "Positive"},
		{pcb.RoleSilk, "Silkscreen", "Legend", "Positive"},
		{pcb.RoleGlue, "Glue", "Glue", "Positive"},
		{pcb.RoleCarbon, "Carbon", "Carbonmask", "Positive"},
		{pcb.RolePeelable, "Peelable", "Peelablemask", "Positive"},
		{pcb.RoleGoldFinger, "Gold", "Goldmask", "Positive"},
		{pcb.RoleViaFill, "ViaFill", "Viafill", "Positive"},
		{pcb.RoleVCut, "VCut", "Vcut", "Positive"},
	}
	wholeKinds = []kind{
		{pcb.RoleViaFill, "ViaFill", "Viafill", "Positive"},
		{pcb.RoleVCut, "VCut", "Vcut", "Positive"},
	}
)

// sheet gathers the layers of a kind on a side into one file: whoever gets two
// files of a kind builds one of them.
func (k kind) sheet(b *pcb.Board, side pcb.Side) sheet {
	s := sheet{suffix: k.suffix, function: k.function, polarity: k.polarity, role: k.role}
	switch side {
	case pcb.Top:
		s.suffix, s.function = "F_"+k.suffix, k.function+",Top"
	case pcb.Bottom:
		s.suffix, s.function = "B_"+k.suffix, k.function+",Bot"
	}
	for _, l := range b.Layers {
		if l.Role == k.role && l.Side == side {
			s.layers = append(s.layers, l)
		}
	}
	// A layer that erases must not erase what another has drawn.
	slices.SortStableFunc(s.layers, func(x, y *pcb.Layer) int { return erases(y) - erases(x) })
	return s
}

func erases(l *pcb.Layer) int {
	if l.Negative || slices.ContainsFunc(l.Features, func(f pcb.Feature) bool { return f.Clear }) {
		return 1
	}
	return 0
}

// needsFile tells whether the sheet is worth a file. An empty mask is: it covers the
// whole side, where none covers nothing.
func (s *sheet) needsFile() bool {
	if s.role == pcb.RoleMask && len(s.layers) > 0 {
		return true
	}
	return slices.ContainsFunc(s.layers, func(l *pcb.Layer) bool { return len(l.Features) > 0 })
}
