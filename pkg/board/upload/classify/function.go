package classify

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/process"
	"boardorder/pkg/board/pcb"
)

// Function reads the value of a .FileFunction attribute, such as
// "Copper,L2,Inr,Plane" or "Plated,1,4,PTH". ok is false for one it does not
// know.
func Function(value string) (w Evidence, ok bool) {
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
			w.Role = pcb.RoleFabDrawing
			w.Process = process.Find(strings.Join(f[1:], " "))
		}
		if role == pcb.RoleDrill {
			drillFunction(&w, kind, f[1:])
		}
		return w, true
	}
	return w, false
}

var functionRoles = map[string]pcb.Role{
	"soldermask": pcb.RoleMask, "mask": pcb.RoleMask,
	"solderpaste": pcb.RolePaste, "paste": pcb.RolePaste,
	"legend": pcb.RoleSilk, "silkscreen": pcb.RoleSilk,
	"profile":            pcb.RoleOutline,
	"plated":             pcb.RoleDrill,
	"nonplated":          pcb.RoleDrill,
	"mixedplating":       pcb.RoleDrill,
	"drillmap":           pcb.RoleDrillDrawing,
	"assemblydrawing":    pcb.RoleAssembly,
	"fabricationdrawing": pcb.RoleFabDrawing,
	"arraydrawing":       pcb.RoleFabDrawing,
	"otherdrawing":       pcb.RoleFabDrawing,
	"vcut":               pcb.RoleVCut,
	"vcutmap":            pcb.RoleFabDrawing,
	"viafill":            pcb.RoleViaFill,
	"viatenting":         pcb.RoleViaFill,
	"glue":               pcb.RoleGlue,
	"carbonmask":         pcb.RoleCarbon,
	"goldmask":           pcb.RoleGoldFinger,
	"heatsinkmask":       pcb.RoleOther,
	"peelablemask":       pcb.RolePeelable,
	"peelablesoldermask": pcb.RolePeelable,
	"silvermask":         pcb.RoleOther,
	"tinmask":            pcb.RoleOther,
	"depthrout":          pcb.RoleOther,
	"component":          pcb.RoleAssembly,
	"drawing":            pcb.RoleFabDrawing,
	"pads":               pcb.RoleOther,
	"other":              pcb.RoleOther,
	"keep-out":           pcb.RoleKeepOut,
	"keepout":            pcb.RoleKeepOut,
	"courtyard":          pcb.RoleCourtyard,
}

// functionProcesses are what artwork of a function is for that a plain board is made without.
var functionProcesses = map[string]pcb.Process{
	"carbonmask": pcb.CarbonPrinting, "peelablemask": pcb.PeelableMasking, "peelablesoldermask": pcb.PeelableMasking,
	"goldmask": pcb.SelectiveFinish, "silvermask": pcb.SelectiveFinish, "tinmask": pcb.SelectiveFinish,
	"heatsinkmask": pcb.HeatsinkMasking, "depthrout": pcb.DepthRouting, "viafill": pcb.ViaFilling,
}

func copperFunction(w Evidence, f []string) Evidence {
	w.Role = pcb.RoleCopper
	for _, s := range f {
		switch l := strings.ToLower(s); {
		case l == "top":
			w.Side = pcb.Top
		case l == "bot":
			w.Side = pcb.Bottom
		case l == "inr":
			w.Side = pcb.Inner
		case strings.HasPrefix(l, "l"):
			if n, err := strconv.Atoi(l[1:]); err == nil && n > 0 && n <= 128 {
				w.Order = n
			}
		}
	}
	if w.Side == pcb.NoSide && w.Order == 1 {
		w.Side = pcb.Top
	}
	return w
}

func functionSide(f []string) pcb.Side {
	for _, s := range f {
		switch strings.ToLower(s) {
		case "top":
			return pcb.Top
		case "bot":
			return pcb.Bottom
		}
	}
	return pcb.NoSide
}

func drillFunction(w *Evidence, kind string, f []string) {
	switch kind {
	case "plated":
		w.Plating = pcb.Plated
	case "nonplated":
		w.Plating = pcb.NonPlated
	case "mixedplating":
		w.Plating = pcb.MixedPlating
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
