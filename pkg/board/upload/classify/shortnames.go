package classify

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// shortName is how the programs of fabricators call films: a letter and the side, l1, m1,
// s2; or lt and lb for the outer copper.
var shortName = pattern.Lazy(`^([lcmsp])([12tb])$`)

var shortRoles = map[string]pcb.Role{"m": pcb.RoleMask, "s": pcb.RoleSilk, "p": pcb.RolePaste}

// shortNames reads names of one letter and a side, in folders where a layer of copper is
// called so: m1 beside l1 and m2 is the mask of the top. Alone such a name says nothing.
func (s *Set) shortNames() {
	byDir := map[string]map[string]*Result{}
	for _, r := range s.Results {
		if r.Format != FormatGerber || !shortName().MatchString(strings.ToLower(r.stem)) {
			continue
		}
		if byDir[r.dir] == nil {
			byDir[r.dir] = map[string]*Result{}
		}
		byDir[r.dir][strings.ToLower(r.stem)] = r
	}
	for _, names := range byDir {
		copper := ""
		for _, c := range []string{"l", "c"} {
			if (names[c+"1"] != nil || names[c+"t"] != nil) && (names[c+"2"] != nil || names[c+"b"] != nil || copper == "") {
				copper = c
				break
			}
		}
		for name, r := range names {
			kind, side := name[:1], name[1:]
			if copper == "" || len(r.Evidence) > 0 {
				continue
			}
			w := Evidence{Side: pcb.Top, Weight: weightName - 1, Why: "name " + strconv.Quote(r.base) + " beside " + copper + "1"}
			if side == "2" || side == "b" {
				w.Side = pcb.Bottom
			}
			counterpart := map[string]string{"1": "2", "2": "1", "t": "b", "b": "t"}[side]
			switch {
			case kind == copper && (side == "t" || side == "b"):
				w.Role = pcb.RoleCopper
			case shortRoles[kind] != pcb.RoleUnknown && names[kind+counterpart] != nil:
				w.Role = shortRoles[kind]
			default:
				continue
			}
			r.Evidence = append(r.Evidence, w)
		}
	}
}
