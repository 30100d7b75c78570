package classify

import "boardorder/pkg/board/pcb"

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
	"backdrill": saysDrill, "backdrills": saysDrill, "backdrilling": saysDrill,
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
var oddRoles = map[string]pcb.Role{
	"courtyard": pcb.RoleCourtyard, "crtyd": pcb.RoleCourtyard, "adhesive": pcb.RoleGlue, "adhes": pcb.RoleGlue, "glue": pcb.RoleGlue,
	"vscore": pcb.RoleVCut, "vscor": pcb.RoleVCut, "vscores": pcb.RoleVCut, "vscoring": pcb.RoleVCut, "vcut": pcb.RoleVCut, "vcuts": pcb.RoleVCut, "vgroove": pcb.RoleVCut, "score": pcb.RoleVCut, "scoring": pcb.RoleVCut,
	"keepout": pcb.RoleKeepOut, "keep": pcb.RoleKeepOut, "master": pcb.RoleOther, "mechanical": pcb.RoleMechanical, "mech": pcb.RoleMechanical,
	"peelable": pcb.RolePeelable, "carbon": pcb.RoleCarbon, "margin": pcb.RoleMechanical, "user": pcb.RoleMechanical,
	"breakrout": pcb.RoleMechanical, "mill": pcb.RoleMechanical, "jumper": pcb.RoleMechanical, "fill": pcb.RoleViaFill, "path": pcb.RoleMechanical,
	"stiffener": pcb.RoleOther, "stiffeners": pcb.RoleOther,
}

// asideRoles are the roles of words that say saysAside.
var asideRoles = map[string]pcb.Role{
	"designator": pcb.RoleAssembly, "designators": pcb.RoleAssembly, "refdes": pcb.RoleAssembly,
	"coating": pcb.RoleOther, "dielectric": pcb.RoleOther,
}

// shorthand are whole names, or last words, that mean a role and a side.
var shorthand = map[string]Evidence{
	"adt": {Role: pcb.RoleAssembly, Side: pcb.Top}, "adb": {Role: pcb.RoleAssembly, Side: pcb.Bottom},
	"smt": {Role: pcb.RoleMask, Side: pcb.Top}, "smb": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"sst": {Role: pcb.RoleSilk, Side: pcb.Top}, "ssb": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"spt": {Role: pcb.RolePaste, Side: pcb.Top}, "spb": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"pmt": {Role: pcb.RolePaste, Side: pcb.Top}, "pmb": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"ast": {Role: pcb.RoleAssembly, Side: pcb.Top}, "asb": {Role: pcb.RoleAssembly, Side: pcb.Bottom},
	"tslk": {Role: pcb.RoleSilk, Side: pcb.Top}, "bslk": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"cst": {Role: pcb.RoleCopper, Side: pcb.Top}, "csr": {Role: pcb.RoleMask, Side: pcb.Top}, // component side: traces, resist, paste, silkscreen
	"csp": {Role: pcb.RolePaste, Side: pcb.Top}, "csl": {Role: pcb.RoleSilk, Side: pcb.Top},
	"ssr": {Role: pcb.RoleMask, Side: pcb.Bottom}, "ssp": {Role: pcb.RolePaste, Side: pcb.Bottom}, "ssl": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"smc": {Role: pcb.RoleMask, Side: pcb.Top}, "sms": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"spc": {Role: pcb.RolePaste, Side: pcb.Top}, "sps": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"tsm": {Role: pcb.RoleMask, Side: pcb.Top}, "bsm": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"tsk": {Role: pcb.RoleSilk, Side: pcb.Top}, "bsk": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"tsp": {Role: pcb.RolePaste, Side: pcb.Top}, "bsp": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"tpm": {Role: pcb.RolePaste, Side: pcb.Top}, "bpm": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"tcream": {Role: pcb.RolePaste, Side: pcb.Top}, "bcream": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"tstop": {Role: pcb.RoleMask, Side: pcb.Top}, "bstop": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"tplace": {Role: pcb.RoleSilk, Side: pcb.Top}, "bplace": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"tsilk": {Role: pcb.RoleSilk, Side: pcb.Top}, "bsilk": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"tmask": {Role: pcb.RoleMask, Side: pcb.Top}, "bmask": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"tpaste": {Role: pcb.RolePaste, Side: pcb.Top}, "bpaste": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"tcopper": {Role: pcb.RoleCopper, Side: pcb.Top}, "bcopper": {Role: pcb.RoleCopper, Side: pcb.Bottom},
	"smtop": {Role: pcb.RoleMask, Side: pcb.Top}, "smbot": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"sstop": {Role: pcb.RoleSilk, Side: pcb.Top}, "ssbot": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"pmtop": {Role: pcb.RolePaste, Side: pcb.Top}, "pmbot": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"sptop": {Role: pcb.RolePaste, Side: pcb.Top}, "spbot": {Role: pcb.RolePaste, Side: pcb.Bottom},
}

// wholeNames are names without an extension that follow Protel's letters.
var wholeNames = map[string]string{
	"tl": "gtl", "bl": "gbl", "ts": "gts", "bs": "gbs", "to": "gto", "bo": "gbo", "tp": "gtp", "bp": "gbp", "ko": "gko",
}
