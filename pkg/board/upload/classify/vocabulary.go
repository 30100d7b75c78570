package classify

import "boardorder/pkg/board"

// A sense is what a word says.
type sense uint32

// Senses of words. Some words have more than one.
const (
	saysTop sense = 1 << iota
	saysBottom
	saysInner
	saysCopper
	saysMask
	saysPaste
	saysSilk
	saysOutline
	saysDrill
	saysDrawing
	saysAssembly
	saysLayer  // the word layer: copper if nothing else
	saysSolder // solder: mask, paste or bottom, by its neighbours
	saysOdd    // one of the rarer roles in oddRoles
	saysFill   // carries no meaning
	saysAside  // what lies on a side and is no copper, where nothing else is said; one of asideRoles
	saysWithin // inner, whatever side is named with it: the inner layer next to that side

	saysLaidOn = saysMask | saysPaste | saysSilk | saysAssembly | saysSolder // what there is of each side

	saysRole = saysMask | saysPaste | saysSilk | saysOutline | saysDrill | saysDrawing | saysAssembly
)

var senses = map[string]sense{
	"top": saysTop, "front": saysTop, "f": saysTop, "component": saysTop, "comp": saysTop, "cmp": saysTop,
	"primary": saysTop, "prm": saysTop, "pri": saysTop, "upper": saysTop,
	"bottom": saysBottom, "bot": saysBottom, "back": saysBottom, "b": saysBottom, "secondary": saysBottom, "sec": saysBottom,
	"lower": saysBottom, "btm": saysBottom, "botm": saysBottom, "solderside": saysBottom,
	"bottm": saysBottom, "botom": saysBottom, "buttom": saysBottom, "botton": saysBottom, // as people misspell it
	"inner": saysInner | saysWithin, "in": saysInner, "int": saysInner, "internal": saysInner | saysWithin, "mid": saysInner, "inr": saysInner,
	"plane": saysInner, "midlayer": saysInner | saysWithin, "innerlayer": saysInner | saysWithin,
	"gnd": saysInner, "ground": saysInner, "pwr": saysInner, "power": saysInner, "vcc": saysInner, "vdd": saysInner, "vee": saysInner,
	"conductive": saysCopper, "symbol": saysSilk, "symbols": saysSilk, "posi": saysSilk, "metalmask": saysPaste,
	"copper": saysCopper, "cu": saysCopper, "etch": saysCopper, "signal": saysCopper, "sig": saysCopper, "conductor": saysCopper,
	"elec": saysCopper, "electrical": saysCopper, "circuit": saysCopper, "wiring": saysCopper, "art": saysCopper, "artwork": saysCopper,
	"lyr": saysCopper, "lay": saysCopper, "layer": saysLayer, "l": saysLayer, "ly": saysLayer,
	"mask": saysMask, "soldermask": saysMask, "resist": saysMask, "solderresist": saysMask, "stop": saysMask, "stopmask": saysMask,
	"smask": saysMask, "sm": saysMask, "masks": saysMask, "coverlay": saysMask, "coverfilm": saysMask,
	"paste": saysPaste, "cream": saysPaste, "stencil": saysPaste, "pastemask": saysPaste, "solderpaste": saysPaste, "pm": saysPaste,
	"creme": saysPaste, "sp": saysPaste, "smdmask": saysPaste,
	"silk": saysSilk, "autosilk": saysSilk, "silkscreen": saysSilk, "silks": saysSilk, "overlay": saysSilk, "legend": saysSilk, "slk": saysSilk,
	"nomenclature": saysSilk, "ident": saysSilk, "idents": saysSilk, "ss": saysSilk, "screen": saysSilk, "silkscr": saysSilk,
	"outline": saysOutline, "outlines": saysOutline, "profile": saysOutline, "edge": saysOutline, "edges": saysOutline,
	"cuts": saysOutline, "edgecuts": saysOutline, "border": saysOutline, "contour": saysOutline, "perimeter": saysOutline, "outlline": saysOutline,
	"boardoutline": saysOutline, "boardpoly": saysOutline, "oln": saysOutline, "milling": saysOutline, "miling": saysOutline, "millings": saysOutline, "routing": saysOutline, "rout": saysOutline, "route": saysOutline, "path": saysOdd,
	"dimension": saysOutline, "box": saysOutline, "cutout": saysOutline, "cutouts": saysOutline, "boardshape": saysOutline,
	"drill": saysDrill, "drills": saysDrill, "drl": saysDrill, "holes": saysDrill, "hole": saysDrill, "pth": saysDrill, "npth": saysDrill,
	"ncdrill": saysDrill, "roundholes": saysDrill, "slotholes": saysDrill, "drillholes": saysDrill,
	"fab": saysDrawing, "fabrication": saysDrawing, "drawing": saysDrawing, "dwg": saysDrawing, "documentation": saysDrawing, "doc": saysDrawing,
	"notes": saysDrawing, "map": saysDrawing, "drillmap": saysDrawing | saysDrill, "drillguide": saysDrawing | saysDrill, "drilldrawing": saysDrawing | saysDrill, "dd": saysDrawing, "guide": saysDrawing, "external": saysDrawing,
	"dimensions": saysDrawing, "info": saysDrawing, "cmts": saysDrawing, "dwgs": saysDrawing, "frame": saysDrawing, "eco": saysDrawing,
	"designator": saysAside, "designators": saysAside, "refdes": saysAside, "coating": saysAside, "dielectric": saysAside,
	"partoutline": saysAssembly, "3dbody": saysAssembly,
	"assembly": saysAssembly, "assy": saysAssembly, "assys": saysAssembly, "assem": saysAssembly, "placement": saysAssembly, "centers": saysAssembly, "asm": saysAssembly, "asy": saysAssembly,
	"courtyard": saysOdd, "crtyd": saysOdd, "adhesive": saysOdd, "adhes": saysOdd, "glue": saysOdd, "vscore": saysOdd, "vscor": saysOdd, "vscores": saysOdd, "vscoring": saysOdd, "vcut": saysOdd, "vcuts": saysOdd, "vgroove": saysOdd,
	"score": saysOdd, "scoring": saysOdd, "keepout": saysOdd, "keep": saysOdd, "master": saysOdd, "mechanical": saysOdd, "mech": saysOdd,
	"peelable": saysOdd, "carbon": saysOdd, "margin": saysOdd, "user": saysOdd, "breakrout": saysOdd, "mill": saysOdd, "jumper": saysOdd, "fill": saysOdd, "stiffener": saysOdd, "stiffeners": saysOdd,
	"oben": saysTop, "unten": saysBottom, "kupfer": saysCopper, "lötstopp": saysMask, "loetstopp": saysMask, "lötstopplack": saysMask,
	"loetstopplack": saysMask, "positionsdruck": saysSilk, "bestückungsdruck": saysSilk, "bestueckungsdruck": saysSilk, "lotpaste": saysPaste,
	"umriss": saysOutline, "kontur": saysOutline, "platinenumriss": saysOutline, "bohrungen": saysDrill, "bohrplan": saysDrawing, "innenlage": saysInner | saysWithin,
	"dessus": saysTop, "dessous": saysBottom, "cuivre": saysCopper, "vernis": saysMask, "serigraphie": saysSilk, "sérigraphie": saysSilk,
	"perçage": saysDrill, "percage": saysDrill, "superior": saysTop, "inferior": saysBottom, "cobre": saysCopper, "mascara": saysMask,
	"serigrafia": saysSilk, "pasta": saysPaste, "contorno": saysOutline, "borde": saysOutline, "taladro": saysDrill, "taladros": saysDrill,
	"顶层": saysTop, "底层": saysBottom, "内层": saysInner | saysWithin, "线路": saysCopper, "阻焊": saysMask, "丝印": saysSilk, "锡膏": saysPaste, "钢网": saysPaste,
	"边框": saysOutline, "板框": saysOutline, "外形": saysOutline, "钻孔": saysDrill,
	"soldp": saysPaste, "pst": saysPaste, "details": saysDrawing, "document": saysDrawing, "documentlayer": saysDrawing,
	"solder": saysSolder,
	"board":  saysFill, "gerber": saysFill, "side": saysFill, "pcb": saysFill, "the": saysFill, "of": saysFill, "cadcam": saysFill, "cam": saysFill,
}

// oddRoles are the roles of words that say saysOdd.
var oddRoles = map[string]board.Role{
	"courtyard": board.RoleCourtyard, "crtyd": board.RoleCourtyard, "adhesive": board.RoleGlue, "adhes": board.RoleGlue, "glue": board.RoleGlue,
	"vscore": board.RoleVCut, "vscor": board.RoleVCut, "vscores": board.RoleVCut, "vscoring": board.RoleVCut, "vcut": board.RoleVCut, "vcuts": board.RoleVCut, "vgroove": board.RoleVCut, "score": board.RoleVCut, "scoring": board.RoleVCut,
	"keepout": board.RoleKeepOut, "keep": board.RoleKeepOut, "master": board.RoleOther, "mechanical": board.RoleMechanical, "mech": board.RoleMechanical,
	"peelable": board.RolePeelable, "carbon": board.RoleCarbon, "margin": board.RoleMechanical, "user": board.RoleMechanical,
	"breakrout": board.RoleMechanical, "mill": board.RoleMechanical, "jumper": board.RoleMechanical, "fill": board.RoleViaFill, "path": board.RoleMechanical,
	"stiffener": board.RoleOther, "stiffeners": board.RoleOther,
}

// asideRoles are the roles of words that say saysAside.
var asideRoles = map[string]board.Role{
	"designator": board.RoleAssembly, "designators": board.RoleAssembly, "refdes": board.RoleAssembly,
	"coating": board.RoleOther, "dielectric": board.RoleOther,
}

// shorthand are whole names, or last words, that mean a role and a side.
var shorthand = map[string]Witness{
	"adt": {Role: board.RoleAssembly, Side: board.Top}, "adb": {Role: board.RoleAssembly, Side: board.Bottom},
	"smt": {Role: board.RoleMask, Side: board.Top}, "smb": {Role: board.RoleMask, Side: board.Bottom},
	"sst": {Role: board.RoleSilk, Side: board.Top}, "ssb": {Role: board.RoleSilk, Side: board.Bottom},
	"spt": {Role: board.RolePaste, Side: board.Top}, "spb": {Role: board.RolePaste, Side: board.Bottom},
	"pmt": {Role: board.RolePaste, Side: board.Top}, "pmb": {Role: board.RolePaste, Side: board.Bottom},
	"ast": {Role: board.RoleAssembly, Side: board.Top}, "asb": {Role: board.RoleAssembly, Side: board.Bottom},
	"tslk": {Role: board.RoleSilk, Side: board.Top}, "bslk": {Role: board.RoleSilk, Side: board.Bottom},
	"cst": {Role: board.RoleCopper, Side: board.Top}, "csr": {Role: board.RoleMask, Side: board.Top}, // component side: traces, resist, paste, legend
	"csp": {Role: board.RolePaste, Side: board.Top}, "csl": {Role: board.RoleSilk, Side: board.Top},
	"ssr": {Role: board.RoleMask, Side: board.Bottom}, "ssp": {Role: board.RolePaste, Side: board.Bottom}, "ssl": {Role: board.RoleSilk, Side: board.Bottom},
	"smc": {Role: board.RoleMask, Side: board.Top}, "sms": {Role: board.RoleMask, Side: board.Bottom},
	"spc": {Role: board.RolePaste, Side: board.Top}, "sps": {Role: board.RolePaste, Side: board.Bottom},
	"tsm": {Role: board.RoleMask, Side: board.Top}, "bsm": {Role: board.RoleMask, Side: board.Bottom},
	"tsk": {Role: board.RoleSilk, Side: board.Top}, "bsk": {Role: board.RoleSilk, Side: board.Bottom},
	"tsp": {Role: board.RolePaste, Side: board.Top}, "bsp": {Role: board.RolePaste, Side: board.Bottom},
	"tpm": {Role: board.RolePaste, Side: board.Top}, "bpm": {Role: board.RolePaste, Side: board.Bottom},
	"tcream": {Role: board.RolePaste, Side: board.Top}, "bcream": {Role: board.RolePaste, Side: board.Bottom},
	"tstop": {Role: board.RoleMask, Side: board.Top}, "bstop": {Role: board.RoleMask, Side: board.Bottom},
	"tplace": {Role: board.RoleSilk, Side: board.Top}, "bplace": {Role: board.RoleSilk, Side: board.Bottom},
	"tsilk": {Role: board.RoleSilk, Side: board.Top}, "bsilk": {Role: board.RoleSilk, Side: board.Bottom},
	"tmask": {Role: board.RoleMask, Side: board.Top}, "bmask": {Role: board.RoleMask, Side: board.Bottom},
	"tpaste": {Role: board.RolePaste, Side: board.Top}, "bpaste": {Role: board.RolePaste, Side: board.Bottom},
	"tcopper": {Role: board.RoleCopper, Side: board.Top}, "bcopper": {Role: board.RoleCopper, Side: board.Bottom},
	"smtop": {Role: board.RoleMask, Side: board.Top}, "smbot": {Role: board.RoleMask, Side: board.Bottom},
	"sstop": {Role: board.RoleSilk, Side: board.Top}, "ssbot": {Role: board.RoleSilk, Side: board.Bottom},
	"pmtop": {Role: board.RolePaste, Side: board.Top}, "pmbot": {Role: board.RolePaste, Side: board.Bottom},
	"sptop": {Role: board.RolePaste, Side: board.Top}, "spbot": {Role: board.RolePaste, Side: board.Bottom},
}

// wholeNames are names without an extension that follow Protel's letters.
var wholeNames = map[string]string{
	"tl": "gtl", "bl": "gbl", "ts": "gts", "bs": "gbs", "to": "gto", "bo": "gbo", "tp": "gtp", "bp": "gbp", "ko": "gko",
}
