package eagle

import (
	"boardorder/pkg/board"
)

// Numbers of layers with a fixed meaning.
const (
	topLayer, bottomLayer = 1, 16
	dimensionLayer        = 20
	topStop, bottomStop   = 29, 30
	topCream, bottomCream = 31, 32
	millingLayer          = 46
)

// A use is what a layer's number means.
type use struct {
	role board.Role
	side board.Side
}

var uses = map[int]use{
	dimensionLayer: {board.RoleOutline, board.NoSide}, 21: {board.RoleSilk, board.Top}, 22: {board.RoleSilk, board.Bottom},
	27: {board.RoleAssembly, board.Top}, 28: {board.RoleAssembly, board.Bottom},
	topStop: {board.RoleMask, board.Top}, bottomStop: {board.RoleMask, board.Bottom},
	topCream: {board.RolePaste, board.Top}, bottomCream: {board.RolePaste, board.Bottom},
	35: {board.RoleGlue, board.Top}, 36: {board.RoleGlue, board.Bottom},
	39: {board.RoleKeepOut, board.Top}, 40: {board.RoleKeepOut, board.Bottom},
	41: {board.RoleKeepOut, board.Top}, 42: {board.RoleKeepOut, board.Bottom}, 43: {board.RoleKeepOut, board.NoSide},
	millingLayer: {board.RoleMechanical, board.NoSide}, 47: {board.RoleFabDrawing, board.NoSide},
	51: {board.RoleAssembly, board.Top}, 52: {board.RoleAssembly, board.Bottom},
}

// targetLayer is the layer that a layer's content goes to: names are printed with
// what is placed. 0 where nothing of it is drawn: pads, vias, air wires, origins.
func targetLayer(n int) int {
	switch {
	case n == 25 || n == 26:
		return n - 4
	case n == 17 || n == 18 || n == 19 || n == 23 || n == 24 || n == 44 || n == 45 || n <= 0:
		return 0
	}
	return n
}

// mirrorLayer is the layer of a part's drawing when the part sits at the bottom.
func mirrorLayer(n int) int {
	switch {
	case n >= 1 && n <= 16:
		return 17 - n
	case n >= 21 && n <= 42, n == 51, n == 52:
		return ((n - 1) ^ 1) + 1
	}
	return n
}

// useOf tells what a layer is for.
func useOf(n int) use {
	if u, ok := uses[n]; ok {
		return u
	}
	return use{role: board.RoleMechanical}
}
