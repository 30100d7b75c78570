package classify

import (
	"path"
	"strconv"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/internal/pattern"
)

// extensions that name a role by themselves: Protel and its many followers,
// Eagle, OrCAD, gEDA.
var extensions = map[string]Witness{
	"gtl": {Role: board.RoleCopper, Side: board.Top}, "gbl": {Role: board.RoleCopper, Side: board.Bottom},
	"gto": {Role: board.RoleSilk, Side: board.Top}, "gbo": {Role: board.RoleSilk, Side: board.Bottom},
	"gts": {Role: board.RoleMask, Side: board.Top}, "gbs": {Role: board.RoleMask, Side: board.Bottom},
	"gtp": {Role: board.RolePaste, Side: board.Top}, "gbp": {Role: board.RolePaste, Side: board.Bottom},
	"gpt": {Role: board.RoleOther, Side: board.Top}, "gpb": {Role: board.RoleOther, Side: board.Bottom}, // pad masters
	"gko": {Role: board.RoleOutline}, "gml": {Role: board.RoleOutline}, "gm": {Role: board.RoleOutline},
	"gdd": {Role: board.RoleDrillDrawing}, "gdg": {Role: board.RoleDrillDrawing},
	"gta": {Role: board.RoleAssembly, Side: board.Top}, "gba": {Role: board.RoleAssembly, Side: board.Bottom},
	"gdl": {Role: board.RoleFabDrawing},
	"gtd": {Role: board.RoleFabDrawing, Side: board.Top}, "gbd": {Role: board.RoleFabDrawing, Side: board.Bottom},

	// Eagle.
	"cmp": {Role: board.RoleCopper, Side: board.Top}, "sol": {Role: board.RoleCopper, Side: board.Bottom},
	"plc": {Role: board.RoleSilk, Side: board.Top}, "pls": {Role: board.RoleSilk, Side: board.Bottom},
	"stc": {Role: board.RoleMask, Side: board.Top}, "sts": {Role: board.RoleMask, Side: board.Bottom},
	"crc": {Role: board.RolePaste, Side: board.Top}, "crs": {Role: board.RolePaste, Side: board.Bottom},
	"tsp": {Role: board.RolePaste, Side: board.Top}, "bsp": {Role: board.RolePaste, Side: board.Bottom},
	"tsk": {Role: board.RoleSilk, Side: board.Top}, "bsk": {Role: board.RoleSilk, Side: board.Bottom},
	"tsm": {Role: board.RoleMask, Side: board.Top}, "bsm": {Role: board.RoleMask, Side: board.Bottom},
	"bor": {Role: board.RoleOutline}, "dim": {Role: board.RoleOutline}, "mil": {Role: board.RoleOutline},
	"oln": {Role: board.RoleOutline}, "out": {Role: board.RoleOutline}, "otl": {Role: board.RoleOutline}, "fab": {Role: board.RoleFabDrawing},
	"drd": {Role: board.RoleDrill},

	// OrCAD Layout and others with bare words.
	"top": {Role: board.RoleCopper, Side: board.Top}, "bot": {Role: board.RoleCopper, Side: board.Bottom},
	"smt": {Role: board.RoleMask, Side: board.Top}, "smb": {Role: board.RoleMask, Side: board.Bottom},
	"sst": {Role: board.RoleSilk, Side: board.Top}, "ssb": {Role: board.RoleSilk, Side: board.Bottom},
	"spt": {Role: board.RolePaste, Side: board.Top}, "spb": {Role: board.RolePaste, Side: board.Bottom},
	"ast": {Role: board.RoleAssembly, Side: board.Top}, "asb": {Role: board.RoleAssembly, Side: board.Bottom},
	"gnd": {Role: board.RoleCopper, Side: board.Inner}, "pwr": {Role: board.RoleCopper, Side: board.Inner},
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

// stemWitness is what the last word of a stem says where the extension only names the
// format: job-gtl.gbr.
func stemWitness(stem, ext string) (Witness, bool) {
	switch ext {
	case "gbr", "ger", "gbx", "art", "pho", "txt":
	default:
		return Witness{}, false
	}
	words := strings.FieldsFunc(strings.ToLower(stem), func(c rune) bool { return c == '-' || c == '_' || c == ' ' || c == '.' })
	if len(words) == 0 {
		return Witness{}, false
	}
	last := words[len(words)-1]
	if len(last) < 2 || last[0] != 'g' || last == "gnd" {
		return Witness{}, false
	}
	w, ok := extensionWitness(last)
	w.Weight, w.Why = weightName, "last word "+strconv.Quote(last)
	return w, ok
}

// ArtworkName tells whether a file's name promises artwork or holes.
func ArtworkName(name string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	_, known := extensionWitness(ext)
	return known || drillExtensions[ext] || ext == "gbr" || ext == "ger" || ext == "gbx" || ext == "art" || ext == "pho"
}

// extensionWitness is what the extension says.
func extensionWitness(ext string) (Witness, bool) {
	if w, ok := extensions[ext]; ok {
		w.Weight, w.Why = weightExtension, "extension "+strconv.Quote(ext)
		return w, true
	}
	if m := layerExtension().FindStringSubmatch(ext); m != nil {
		n, _ := strconv.Atoi(m[1])
		w := Witness{Role: board.RoleCopper, Side: board.Inner, Order: n, Weight: weightExtension, Why: "extension " + strconv.Quote(ext)}
		if n == 1 {
			w.Side = board.Top
		}
		return w, true
	}
	m := numberedExtension().FindStringSubmatch(ext)
	if m == nil {
		return Witness{}, false
	}
	n, _ := strconv.Atoi(m[2])
	w := Witness{Weight: weightExtension, Why: "extension " + strconv.Quote(ext)}
	switch m[1] {
	case "gm":
		w.Role = board.RoleMechanical
		if n == 1 {
			w.Role = board.RoleOutline
			w.Weight = weightExtension - 1
		}
	case "gd", "gg":
		w.Role = board.RoleDrillDrawing
	case "gl", "l", "ly", "lyr", "lay":
		w.Role, w.Side, w.Order = board.RoleCopper, board.Inner, n
		if n == 1 {
			w.Side = board.Top
		}
	case "gp":
		w.Role, w.Side, w.Rank = board.RoleCopper, board.Inner, 100+float64(n) // planes: after the signals unless something orders them
	default:
		w.Role, w.Side, w.Rank = board.RoleCopper, board.Inner, float64(n)
	}
	return w, true
}
