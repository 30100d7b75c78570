package classify

import (
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"
)

// A pcadFilm gathers what P-CAD lists in the head of a film: what is drawn of parts, then the layers.
type pcadFilm struct {
	open    bool // the list was begun and has not ended
	symbols bool // of the drills
	layers  []string
}

// pcadItems are what a film may draw of any layer.
var pcadItems = []string{"Pads", "Vias", "Designators", "Types", "Values", "Drill Symbols"}

// pcadRoles are the layers that every board of P-CAD has.
var pcadRoles = map[string]Evidence{
	"Top": {Role: pcb.RoleCopper, Side: pcb.Top}, "Bottom": {Role: pcb.RoleCopper, Side: pcb.Bottom},
	"Top Mask": {Role: pcb.RoleMask, Side: pcb.Top}, "Bot Mask": {Role: pcb.RoleMask, Side: pcb.Bottom},
	"Top Silk": {Role: pcb.RoleSilk, Side: pcb.Top}, "Bot Silk": {Role: pcb.RoleSilk, Side: pcb.Bottom},
	"Top Paste": {Role: pcb.RolePaste, Side: pcb.Top}, "Bot Paste": {Role: pcb.RolePaste, Side: pcb.Bottom},
	"Top Assy": {Role: pcb.RoleAssembly, Side: pcb.Top}, "Bot Assy": {Role: pcb.RoleAssembly, Side: pcb.Bottom},
	pcadEdge: {Role: pcb.RoleOutline},
}

// pcadEdge is the layer of the board's edge, which may be plotted on any film.
const pcadEdge = "Board"

// add takes a comment.
func (p *pcadFilm) add(text string) {
	if first, ok := strings.CutPrefix(text, "File Contents:"); ok {
		p.open, text = true, strings.TrimSpace(first)
	}
	item := strings.TrimPrefix(text, "No ")
	switch {
	case !p.open:
	case text == "":
		p.open = false
	case slices.Contains(pcadItems, item):
		p.symbols = p.symbols || text == "Drill Symbols"
	default:
		p.layers = append(p.layers, text)
	}
}

// verdict judges a film by the layers that are listed; false where they are none that are known, or
// several that no film has together.
func (p *pcadFilm) verdict() (Evidence, bool) {
	drawn := slices.DeleteFunc(slices.Clone(p.layers), func(l string) bool { return l == pcadEdge && len(p.layers) > 1 })
	if p.symbols || len(drawn) != 1 {
		return Evidence{}, false
	}
	w, ok := pcadRoles[drawn[0]]
	w.Weight, w.Why = weightComment, "comment File Contents: "+strconv.Quote(drawn[0])
	return w, ok
}
