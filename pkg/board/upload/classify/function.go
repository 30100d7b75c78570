package classify

import (
	"strconv"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/internal/process"
)

// Function reads the value of a .FileFunction attribute, such as
// "Copper,L2,Inr,Plane" or "Plated,1,4,PTH". ok is false for one it does not
// know.
func Function(value string) (w Witness, ok bool) {
	f := strings.Split(strings.TrimSpace(value), ",")
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	w.Weight, w.Why = weightAttribute, "file function attribute "+strconv.Quote(value)
	kind := strings.ToLower(f[0])
	if kind == "copper" {
		return copperFunction(w, f[1:]), true
	}
	if role, known := functionRoles[kind]; known {
		w.Role = role
		w.Side = functionSide(f[1:])
		w.Process = functionProcesses[kind]
		if kind == "other" || kind == "otherdrawing" {
			w.Weight = weightOther
			w.Role = board.RoleFabDrawing
			w.Process = process.Find(strings.Join(f[1:], " "))
		}
		if role == board.RoleDrill {
			drillFunction(&w, kind, f[1:])
		}
		return w, true
	}
	return w, false
}

var functionRoles = map[string]board.Role{
	"soldermask": board.RoleMask, "mask": board.RoleMask,
	"solderpaste": board.RolePaste, "paste": board.RolePaste,
	"legend": board.RoleSilk, "silkscreen": board.RoleSilk,
	"profile":            board.RoleOutline,
	"plated":             board.RoleDrill,
	"nonplated":          board.RoleDrill,
	"mixedplating":       board.RoleDrill,
	"drillmap":           board.RoleDrillDrawing,
	"assemblydrawing":    board.RoleAssembly,
	"fabricationdrawing": board.RoleFabDrawing,
	"arraydrawing":       board.RoleFabDrawing,
	"otherdrawing":       board.RoleFabDrawing,
	"vcut":               board.RoleVCut,
	"vcutmap":            board.RoleFabDrawing,
	"viafill":            board.RoleViaFill,
	"viatenting":         board.RoleViaFill,
	"glue":               board.RoleGlue,
	"carbonmask":         board.RoleCarbon,
	"goldmask":           board.RoleGoldFinger,
	"heatsinkmask":       board.RoleOther,
	"peelablemask":       board.RolePeelable,
	"peelablesoldermask": board.RolePeelable,
	"silvermask":         board.RoleOther,
	"tinmask":            board.RoleOther,
	"depthrout":          board.RoleOther,
	"component":          board.RoleAssembly,
	"drawing":            board.RoleFabDrawing,
	"pads":               board.RoleOther,
	"other":              board.RoleOther,
	"keep-out":           board.RoleKeepOut,
	"keepout":            board.RoleKeepOut,
	"courtyard":          board.RoleCourtyard,
}

// functionProcesses are what artwork of a function is for that a plain board is made without.
var functionProcesses = map[string]board.Process{
	"carbonmask": board.CarbonPrinting, "peelablemask": board.PeelableMasking, "peelablesoldermask": board.PeelableMasking,
	"goldmask": board.SelectiveFinish, "silvermask": board.SelectiveFinish, "tinmask": board.SelectiveFinish,
	"heatsinkmask": board.HeatsinkMasking, "depthrout": board.DepthRouting, "viafill": board.ViaFilling,
}

func copperFunction(w Witness, f []string) Witness {
	w.Role = board.RoleCopper
	for _, s := range f {
		switch l := strings.ToLower(s); {
		case l == "top":
			w.Side = board.Top
		case l == "bot":
			w.Side = board.Bottom
		case l == "inr":
			w.Side = board.Inner
		case strings.HasPrefix(l, "l"):
			if n, err := strconv.Atoi(l[1:]); err == nil && n > 0 && n <= 128 {
				w.Order = n
			}
		}
	}
	if w.Side == board.NoSide && w.Order == 1 {
		w.Side = board.Top
	}
	return w
}

func functionSide(f []string) board.Side {
	for _, s := range f {
		switch strings.ToLower(s) {
		case "top":
			return board.Top
		case "bot":
			return board.Bottom
		}
	}
	return board.NoSide
}

func drillFunction(w *Witness, kind string, f []string) {
	switch kind {
	case "plated":
		w.Plating = board.Plated
	case "nonplated":
		w.Plating = board.NonPlated
	case "mixedplating":
		w.Plating = board.MixedPlating
	}
	if len(f) < 2 {
		return
	}
	from, err1 := strconv.Atoi(f[0])
	to, err2 := strconv.Atoi(f[1])
	if err1 == nil && err2 == nil && from > 0 && to > 0 && max(from, to) <= 128 {
		w.From, w.To = min(from, to), max(from, to)
	}
}
