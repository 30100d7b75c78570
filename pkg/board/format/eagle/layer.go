package eagle

import (
	"boardorder/pkg/board/pcb"
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
	role pcb.Role
	side pcb.Side
}

var uses = map[int]use{
	dimensionLayer: {pcb.RoleOutline, pcb.NoSide}, 21: {pcb.RoleSilk, pcb.Top}, 22: {pcb.RoleSilk, pcb.Bottom},
	27: {pcb.RoleAssembly, pcb.Top}, 28: {pcb.RoleAssembly, pcb.Bottom},
	topStop: {pcb.RoleMask, pcb.Top}, bottomStop: {pcb.RoleMask, pcb.Bottom},
	topCream: {pcb.RolePaste, pcb.Top}, bottomCream: {pcb.RolePaste, pcb.Bottom},
	35: {pcb.RoleGlue, pcb.Top}, 36: {pcb.RoleGlue, pcb.Bottom},
	39: {pcb.RoleKeepOut, pcb.Top}, 40: {pcb.RoleKeepOut, pcb.Bottom},
	41: {pcb.RoleKeepOut, pcb.Top}, 42: {pcb.RoleKeepOut, pcb.Bottom}, 43: {pcb.RoleKeepOut, pcb.NoSide},
	millingLayer: {pcb.RoleMechanical, pcb.NoSide}, 47: {pcb.RoleFabDrawing, pcb.NoSide},
	51: {pcb.RoleAssembly, pcb.Top}, 52: {pcb.RoleAssembly, pcb.Bottom},
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
	return use{role: pcb.RoleMechanical}
}
