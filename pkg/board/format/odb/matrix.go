package odb

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"
)

// A layer is a row of the matrix.
type layer struct {
	name       string // as the matrix has it
	dir        string // folder, in lower case
	kind       string // TYPE
	row        int
	role       pcb.Role
	side       pcb.Side
	order      int
	negative   bool
	start, end string
	thickness  int64
	copper     float64 // ounces; 0 unknown
	material   string
	epsilonR   float64
	lossTan    float64
	addKind    string // ADD_TYPE: what a document or mask is for
}

// readMatrix reads the steps and layers of the job.
func (j *job) readMatrix() bool {
	f, ok := j.open("matrix/matrix")
	if !ok {
		return false
	}
	type column struct {
		name string
		at   int
	}
	var columns []column
	for i, r := range parseRecords(f.Data) {
		switch r.kind {
		case "STEP":
			at := atoi(r.value["COL"], i)
			if name := r.value["NAME"]; name != "" {
				columns = append(columns, column{name, at})
			}
		case "LAYER":
			if l := newLayer(r, i); l != nil {
				j.layers = append(j.layers, l)
			}
		}
	}
	slices.SortStableFunc(columns, func(a, b column) int { return cmp.Compare(a.at, b.at) })
	slices.SortStableFunc(j.layers, func(a, b *layer) int { return cmp.Compare(a.row, b.row) })
	for _, c := range columns {
		j.steps = append(j.steps, c.name)
	}
	if len(j.steps) == 0 {
		j.steps = j.t.folders("steps")
	}
	if len(j.layers) == 0 {
		j.finding(pcb.Problem, "unreadable_file", f.Name, 0, "the matrix names no layers")
	}
	j.orderLayers()
	return len(j.steps) > 0
}

func atoi(s string, otherwise int) int {
	v, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return otherwise
	}
	return v
}

func newLayer(r record, i int) *layer {
	v := r.value
	l := &layer{
		name: v["NAME"], dir: strings.ToLower(v["NAME"]), kind: strings.ToUpper(v["TYPE"]), row: atoi(v["ROW"], i),
		negative: strings.EqualFold(v["POLARITY"], "NEGATIVE"), start: strings.ToLower(v["START_NAME"]), end: strings.ToLower(v["END_NAME"]),
		material: v["DIELECTRIC_NAME"], addKind: strings.ToUpper(v["ADD_TYPE"]),
	}
	if l.name == "" {
		return nil
	}
	l.role = roleOf(l.kind, l.addKind, strings.EqualFold(v["CONTEXT"], "MISC"), l.dir)
	return l
}

func roleOf(kind, add string, misc bool, name string) pcb.Role {
	if misc {
		return pcb.RoleMechanical
	}
	switch kind {
	case "SIGNAL", "POWER_GROUND", "MIXED":
		return pcb.RoleCopper
	case "SOLDER_MASK":
		return pcb.RoleMask
	case "SOLDER_PASTE":
		return pcb.RolePaste
	case "SILK_SCREEN":
		return pcb.RoleSilk
	case "DRILL", "ROUT":
		return pcb.RoleDrill
	case "COMPONENT":
		return pcb.RoleAssembly
	case "CONDUCTIVE_PASTE":
		return pcb.RoleCarbon
	}
	for part, role := range map[string]pcb.Role{
		"ASSEMBLY": pcb.RoleAssembly, "COURTYARD": pcb.RoleCourtyard, "CARBON_MASK": pcb.RoleCarbon,
		"SILVER_MASK": pcb.RoleOther, "PEELABLE": pcb.RolePeelable, "BACKDRILL": pcb.RoleDrillDrawing,
	} {
		if strings.Contains(add, part) {
			return role
		}
	}
	if kind == "DOCUMENT" && strings.Contains(name, "outline") {
		return pcb.RoleMechanical
	}
	if strings.HasPrefix(kind, "DIELECTRIC") || kind == "MASK" {
		return pcb.RoleOther
	}
	return pcb.RoleMechanical
}

// orderLayers numbers the copper and tells the sides of the other layers by
// whether they stand before or behind it.
func (j *job) orderLayers() {
	var copper []*layer
	for _, l := range j.layers {
		if l.role == pcb.RoleCopper {
			copper = append(copper, l)
		}
	}
	for i, l := range copper {
		l.order, l.side = i+1, pcb.Inner
		switch i {
		case 0:
			l.side = pcb.Top
		case len(copper) - 1:
			l.side = pcb.Bottom
		}
	}
	if len(copper) == 0 {
		return
	}
	for _, l := range j.layers {
		switch {
		case l.role == pcb.RoleCopper || l.role == pcb.RoleDrill || l.role == pcb.RoleMechanical:
		case l.row < copper[0].row:
			l.side = pcb.Top
		case l.row > copper[len(copper)-1].row:
			l.side = pcb.Bottom
		}
	}
}

func (j *job) copper() int {
	n := 0
	for _, l := range j.layers {
		if l.role == pcb.RoleCopper {
			n++
		}
	}
	return n
}

func (j *job) layer(dir string) *layer {
	for _, l := range j.layers {
		if l.dir == dir {
			return l
		}
	}
	return nil
}

// span is the copper layers that a drill layer goes through; 0, 0 for all.
func (j *job) span(l *layer) (from, to int16) {
	a, b := j.layer(l.start), j.layer(l.end)
	if a == nil || b == nil || a.order == 0 || b.order == 0 {
		return 0, 0
	}
	lo, hi := min(a.order, b.order), max(a.order, b.order)
	if lo == 1 && hi == j.copper() {
		return 0, 0
	}
	return int16(lo), int16(hi)
}
