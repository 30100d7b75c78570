package options

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
)

// stiffeners are the options that say what a flexible board is stiffened with.
var stiffeners = []string{"fr4_stiffener_mm", "polyimide_stiffener_mm", "steel_stiffener_mm"}

// decideProcesses settles what a plain board is made without: where an option of the
// catalogue expresses it, by that; else people quote it.
func (d *decision) decideProcesses() {
	for _, p := range d.facts.Processes {
		if !yes(p.Needed) || d.expresses(p) {
			continue
		}
		why := fmt.Sprintf("the files show %s, which our team quotes", p.Name.Words())
		if p.Name == pcb.Separating {
			why += "; where they are one panel, fab_options.panel_by: customer says so, with the boards side by side in fab_options.panel_columns and those one above the other in fab_options.panel_rows"
		}
		d.handQuoted = append(d.handQuoted, why)
	}
}

// expresses reports whether what shall be built says all about a process.
func (d *decision) expresses(p NeededProcess) bool {
	switch p.Name {
	case pcb.PressFitting:
		d.option("press_fit_holes", true, p.Needed.Source)
		return true
	case pcb.Stiffening:
		return slices.ContainsFunc(stiffeners, d.requests)
	case pcb.Coverlaying: // every flexible board has one
		return d.isFlexible()
	case pcb.SelectiveFinish:
		return d.requests("gold_fingers")
	case pcb.ViaFilling:
		return d.fillsVias()
	case pcb.Separating: // the request says that the files hold a panel
		return catalog.PanelOf(d.request.FabOptions).By == "customer"
	}
	return false
}

// requests reports whether the request decides an option.
func (d *decision) requests(option string) bool {
	_, set := d.request.FabOptions[option]
	return set
}

func (d *decision) isFlexible() bool {
	m, _ := d.catalog.Material(d.material)
	return m.Family == "flex"
}

// fillsVias settles how the vias are filled that a layer of the files shows. Only the
// request can say that they are not.
func (d *decision) fillsVias() bool {
	const usual = "epoxy_filled_capped"
	filled := slices.DeleteFunc(slices.Clone(d.catalog.ViaProcessesFor(d.materialOrUsual(), d.layersOrUsual())), func(id string) bool {
		return id == "tented" || id == "untented"
	})
	switch {
	case d.from["via_process"] == fromRequest, slices.Contains(filled, d.via):
		return true
	case !slices.Contains(filled, usual):
		return false
	case d.request.StandardForUnstated:
		d.via, d.from["via_process"] = usual, fromStandard
		d.notes = append(d.notes, "The files show filled vias without saying how: via_process was priced as "+usual+".")
	default:
		d.via = ""
		delete(d.from, "via_process")
		d.question("via_process", anys(filled), usual)
	}
	return true
}

// sortMisfits sorts what does not go with the board: what the request chose is refused; what the
// files show is for people to quote, for no field of the request can mend it.
func (d *decision) sortMisfits(problems []contract.FieldProblem) (reasons []string, refused []contract.FieldProblem) {
	for _, p := range problems {
		key, isOption := strings.CutPrefix(p.Field, "fab_options.")
		if !isOption || d.from[p.Field] == "" || p.Problem != catalog.NotApplicable { // what the request chose has no provenance yet
			refused = append(refused, p)
			continue
		}
		fault := strings.TrimSuffix(strings.TrimPrefix(p.Message, p.Field+" "), ".")
		reasons = append(reasons, fmt.Sprintf("the files show %s, which %s", d.optionName(key), fault))
	}
	return reasons, refused
}
