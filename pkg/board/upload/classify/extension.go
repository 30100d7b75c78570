package classify

import (
	"path"
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// extensions that name a role by themselves: Protel and its many followers,
// Eagle, OrCAD, gEDA.
var extensions = map[string]Evidence{
	"gtl": {Role: pcb.RoleCopper, Side: pcb.Top}, "gbl": {Role: pcb.RoleCopper, Side: pcb.Bottom},
	"gto": {Role: pcb.RoleSilk, Side: pcb.Top}, "gbo": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"gts": {Role: pcb.RoleMask, Side: pcb.Top}, "gbs": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"gtp": {Role: pcb.RolePaste, Side: pcb.Top}, "gbp": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"gpt": {Role: pcb.RoleOther, Side: pcb.Top}, "gpb": {Role: pcb.RoleOther, Side: pcb.Bottom}, // pad masters
	"gko": {Role: pcb.RoleOutline}, "gml": {Role: pcb.RoleOutline}, "gm": {Role: pcb.RoleOutline},
	"gdd": {Role: pcb.RoleDrillDrawing}, "gdg": {Role: pcb.RoleDrillDrawing},
	"gta": {Role: pcb.RoleAssembly, Side: pcb.Top}, "gba": {Role: pcb.RoleAssembly, Side: pcb.Bottom},
	"gdl": {Role: pcb.RoleFabDrawing},
	"gtd": {Role: pcb.RoleFabDrawing, Side: pcb.Top}, "gbd": {Role: pcb.RoleFabDrawing, Side: pcb.Bottom},

	// Eagle.
	"cmp": {Role: pcb.RoleCopper, Side: pcb.Top}, "sol": {Role: pcb.RoleCopper, Side: pcb.Bottom},
	"plc": {Role: pcb.RoleSilk, Side: pcb.Top}, "pls": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"stc": {Role: pcb.RoleMask, Side: pcb.Top}, "sts": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"crc": {Role: pcb.RolePaste, Side: pcb.Top}, "crs": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"tsp": {Role: pcb.RolePaste, Side: pcb.Top}, "bsp": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"tsk": {Role: pcb.RoleSilk, Side: pcb.Top}, "bsk": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"tsm": {Role: pcb.RoleMask, Side: pcb.Top}, "bsm": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"bor": {Role: pcb.RoleOutline}, "dim": {Role: pcb.RoleOutline}, "mil": {Role: pcb.RoleOutline},
	"oln": {Role: pcb.RoleOutline}, "out": {Role: pcb.RoleOutline}, "otl": {Role: pcb.RoleOutline}, "fab": {Role: pcb.RoleFabDrawing},
	"drd": {Role: pcb.RoleDrill},

	// OrCAD Layout and others with bare words.
	"top": {Role: pcb.RoleCopper, Side: pcb.Top}, "bot": {Role: pcb.RoleCopper, Side: pcb.Bottom},
	"smt": {Role: pcb.RoleMask, Side: pcb.Top}, "smb": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"sst": {Role: pcb.RoleSilk, Side: pcb.Top}, "ssb": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"spt": {Role: pcb.RolePaste, Side: pcb.Top}, "spb": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"ast": {Role: pcb.RoleAssembly, Side: pcb.Top}, "asb": {Role: pcb.RoleAssembly, Side: pcb.Bottom},
	"gnd": {Role: pcb.RoleCopper, Side: pcb.Inner}, "pwr": {Role: pcb.RoleCopper, Side: pcb.Inner},
}

// drillExtensions are those of NC programs; a Gerber that has one is a drawing
// of the holes, or the holes themselves as flashes.
var drillExtensions = map[string]bool{
	"drl": true, "xln": true, "exc": true, "drd": true, "ncd": true, "nc": true, "tap": true, "cnc": true, "rou": true,
	"ncdrill": true, "rte": true, "rt": true, "dr": true, "drill": true, "xnc": true, "ndr": true, "thd": true, "npt": true, "dri": false,
}

var numberedExtension = pattern.Lazy(`^(g|gl|gp|gm|gd|gg|in|ly|l|g_in|gin|gi|inner|lyr|lay)(\d{1,3})$`)

// internalPlane is the extension of an internal plane of Protel or Altium.
var internalPlane = pattern.Lazy(`^gp\d{1,2}$`)

// layerExtension is that of layers by their number from the top: G2L, G3L.
var layerExtension = pattern.Lazy(`^g(\d{1,2})l$`)

// stemEvidence is what the last word of a stem says where the extension only names the
// format: job-gtl.gbr.
func stemEvidence(stem, ext string) (Evidence, bool) {
	switch ext {
	case "gbr", "ger", "gbx", "art", "pho", "txt":
	default:
		return Evidence{}, false
	}
	words := strings.FieldsFunc(strings.ToLower(stem), func(c rune) bool { return c == '-' || c == '_' || c == ' ' || c == '.' })
	if len(words) == 0 {
		return Evidence{}, false
	}
	last := words[len(words)-1]
	if len(last) < 2 || last[0] != 'g' || last == "gnd" {
		return Evidence{}, false
	}
	w, ok := extensionEvidence(last)
	w.Weight, w.Why = weightName, "last word "+strconv.Quote(last)
	return w, ok
}

// ArtworkName tells whether a file's name promises artwork or holes.
func ArtworkName(name string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	_, known := extensionEvidence(ext)
	return known || drillExtensions[ext] || ext == "gbr" || ext == "ger" || ext == "gbx" || ext == "art" || ext == "pho"
}

// extensionEvidence is what the extension says.
func extensionEvidence(ext string) (Evidence, bool) {
	if w, ok := extensions[ext]; ok {
		w.Weight, w.Why = weightExtension, "extension "+strconv.Quote(ext)
		return w, true
	}
	if m := layerExtension().FindStringSubmatch(ext); m != nil {
		n, _ := strconv.Atoi(m[1])
		w := Evidence{Role: pcb.RoleCopper, Side: pcb.Inner, Order: n, Weight: weightExtension, Why: "extension " + strconv.Quote(ext)}
		if n == 1 {
			w.Side = pcb.Top
		}
		return w, true
	}
	m := numberedExtension().FindStringSubmatch(ext)
	if m == nil {
		return Evidence{}, false
	}
	n, _ := strconv.Atoi(m[2])
	w := Evidence{Weight: weightExtension, Why: "extension " + strconv.Quote(ext)}
	switch m[1] {
	case "gm":
		w.Role = pcb.RoleMechanical
		if n == 1 {
			w.Role = pcb.RoleOutline
			w.Weight = weightExtension - 1
		}
	case "gd", "gg":
		w.Role = pcb.RoleDrillDrawing
	case "gl", "l", "ly", "lyr", "lay":
		w.Role, w.Side, w.Order = pcb.RoleCopper, pcb.Inner, n
		if n == 1 {
			w.Side = pcb.Top
		}
	case "gp":
		w.Role, w.Side, w.Rank = pcb.RoleCopper, pcb.Inner, 100+float64(n) // planes: after the signals unless something orders them
	default:
		w.Role, w.Side, w.Rank = pcb.RoleCopper, pcb.Inner, float64(n)
	}
	return w, true
}
