package options

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/fabricator"
)

// decideFeatures adds what the files show and the request does not mention:
// impedance control, plated edges, gold fingers, castellations, blind vias. What
// costs money and nobody asked for in the request is said in a note.
func (d *decision) decideFeatures() {
	d.fabOptions = maps.Clone(d.request.FabOptions)
	switch {
	case d.request.ImpedanceControlled != nil:
		d.impedance, d.from["impedance_controlled"] = *d.request.ImpedanceControlled, fromRequest
	case yes(d.facts.Impedance):
		d.impedance, d.from["impedance_controlled"] = true, provenance(d.facts.Impedance.Source)
		d.notePriced("The files ask for controlled impedance, %s; impedance_controlled: false leaves it out.")
	}
	if yes(d.facts.EdgePlating) {
		d.option("edge_plating", true, d.facts.EdgePlating.Source)
	}
	switch {
	case yes(d.facts.Bevel):
		d.option("gold_fingers", "bevelled", d.facts.Bevel.Source)
	case yes(d.facts.GoldFingers):
		d.choose("gold_fingers", d.facts.GoldFingers, "plain", "plain", "bevelled")
	}
	switch sides := d.facts.CastellatedSides; {
	case !yes(d.facts.Castellations):
	case sides.isStated() && sides.Value >= 1 && sides.Value <= maxSides:
		d.option("castellated_sides", sides.Value, sides.Source)
	default:
		d.choose("castellated_sides", d.facts.Castellations, maxSides, 1, 2, 3, 4)
	}
	if yes(d.facts.BlindVias) {
		d.handQuoted = append(d.handQuoted, "the files show blind, buried or micro vias, which our team quotes")
	}
	d.decideProcesses()
	d.askPanel()
	d.notePanel()
}

// maxSides is how many sides are priced as castellated where nobody says: then
// the price does not rise, whatever the true number is.
const maxSides = 4

// notePanel says what the quantity counts where boards lie in panels.
func (d *decision) notePanel() {
	p, n := catalog.PanelOf(d.fabOptions), d.catalog.BuildQuantity(d.request.Quantity)
	switch {
	case d.panelDoubt() != "": // people say how many come
	case p.By != "":
		holder := "The files hold the panel"
		if p.By == "fabricator" {
			holder = "The fabricator makes panels of the board"
		}
		d.notes = append(d.notes, fmt.Sprintf("%s: quantity counts panels, so this is %s of %d x %d boards, %d boards in all, and per_board is the price of one panel.",
			holder, panels(n), p.Columns, p.Rows, n*p.Boards()))
	case yes(d.facts.Panel):
		d.notes = append(d.notes, fmt.Sprintf("The files hold a panel: quantity counts panels, so this is %s as the files draw them, and per_board is the price of one panel.", panels(n)))
	}
}

// hasPanels reports whether the boards lie in panels.
func (d *decision) hasPanels() bool {
	return catalog.PanelOf(d.request.FabOptions).By != "" || yes(d.facts.Panel)
}

func panels(n int) string {
	if n == 1 {
		return "1 panel"
	}
	return fmt.Sprintf("%d panels", n)
}

func yes(f Fact[bool]) bool { return f.isStated() && f.Value }

// option sets an option that the files show, unless the request decides it.
func (d *decision) option(key string, value any, source string) {
	if set, ok := d.fabOptions[key]; ok {
		d.noteDeclined(key, set)
		return
	}
	d.set(key, value, provenance(source))
	d.notePriced(fmt.Sprintf("The files show %s, %%s; fab_options.%s decides it otherwise.", d.optionName(key), key))
}

// notePriced keeps a note of what costs money, with a place for how it is priced: that is
// known once all is decided.
func (d *decision) notePriced(format string) { d.priced = append(d.priced, format) }

// notePrices says of what costs money whether it is in the price, or whether people put it
// there.
func (d *decision) notePrices(byPeople bool) {
	how := "which is in the price"
	if byPeople {
		how = "which our team puts in its price"
	}
	for _, format := range d.priced {
		d.notes = append(d.notes, fmt.Sprintf(format, how))
	}
	d.priced = nil
}

func (d *decision) set(key string, value any, from string) {
	if d.fabOptions == nil {
		d.fabOptions = map[string]any{}
	}
	d.fabOptions[key] = value
	d.from["fab_options."+key] = from
}

// optionName is an option in words, within a sentence.
func (d *decision) optionName(key string) string {
	o, _ := d.catalog.Option(key)
	return strings.ToLower(o.Name)
}

// choose asks about something that the files show without saying how. usual
// applies with standard_for_unstated; what the files only seem to show is asked about all the same.
func (d *decision) choose(key string, shown Fact[bool], usual any, choices ...any) {
	if set, ok := d.fabOptions[key]; ok {
		d.noteDeclined(key, set)
		return
	}
	if shown.Doubtful {
		d.doubt(key, choices)
		return
	}
	if !d.request.StandardForUnstated {
		d.question("fab_options."+key, choices, usual)
		return
	}
	d.set(key, usual, fromStandard)
	d.notes = append(d.notes, fmt.Sprintf("The files show %s without saying more: fab_options.%s was priced as %v.", d.optionName(key), key, usual))
}

// noteDeclined says so where the request leaves out what the files show.
func (d *decision) noteDeclined(key string, value any) {
	if o, known := d.catalog.Option(key); known && !o.IsChosen(value) {
		d.notes = append(d.notes, fmt.Sprintf("The files show %s; the request says fab_options.%s: %v, and was followed.", d.optionName(key), key, value))
	}
}

// doubt asks whether the board has what its files only seem to show: a plain board would be of no
// use where they mean it, so no standard stands for it.
func (d *decision) doubt(key string, choices []any) {
	o, _ := d.catalog.Option(key)
	d.questions = append(d.questions, contract.Question{
		Option: "fab_options." + key, Choices: append([]any{o.Default}, choices...), Usual: o.Default,
		Question: fmt.Sprintf("The files may show %s: shall there be any, and which? %v is for none.", d.optionName(key), o.Default),
	})
}

// teamReasons are the things in a request that only people can price.
func (d *decision) teamReasons() []string {
	var reasons []string
	if d.request.SpecialRequirements {
		reasons = append(reasons, "special requirements were asked for")
		if !d.hasSize() {
			reasons = append(reasons, "the files do not say how large the board is, so our team takes its size from the customer's words")
		}
	}
	if doubt := d.panelDoubt(); doubt != "" {
		reasons = append(reasons, doubt)
	}
	if isSet(d.request.FileStackup) && d.stackup != nil {
		reasons = append(reasons, "file_stackup asks for the stackup of the files and fab_stackup for another, so our team asks which holds")
	}
	if isSet(d.request.FileStackup) {
		reasons = append(reasons, "the stackup of the files is built after the team has looked at it")
	}
	switch {
	case !isSet(d.request.SeparateBoards):
	case d.hasPanels():
		reasons = append(reasons, "separating the boards of a panel is quoted by hand")
	default:
		reasons = append(reasons, "separated boards were asked for, and no panel was recognised in the files, so our team looks where to separate them")
	}
	if yes(d.facts.CopperUnknown) || !d.facts.Layers.isStated() && (d.request.Layers != nil || d.request.SkipBoardChecks) {
		reasons = append(reasons, "not all copper layers were recognised among the files, so our team looks which file is which")
	}
	return append(reasons, d.handQuoted...)
}

// isSet reports whether a field of unspecified type holds more than a no.
func isSet(raw json.RawMessage) bool {
	switch s := strings.TrimSpace(string(bytes.ToLower(raw))); s {
	case "", "null", "false", `""`, "{}", "[]", "0":
		return false
	}
	return true
}

// trial is a spec whose open options have their usual values, so that what is
// already decided can be judged before anybody is asked about the rest.
func (d *decision) trial(s fabricator.Spec) fabricator.Spec {
	s.Layers = d.layersOrUsual()
	s.Material = d.materialOrUsual()
	usual := d.catalog.StandardFor(s.Material, s.Layers)
	s.Thickness = cmp.Or(s.Thickness, nanometres(usual.Thickness))
	s.OuterCopper = cmp.Or(s.OuterCopper, usual.Copper)
	s.InnerCopper = cmp.Or(s.InnerCopper, usual.InnerCopper)
	s.Finish = cmp.Or(s.Finish, usual.SurfaceFinish)
	s.Mask = cmp.Or(s.Mask, usual.SolderMask)
	s.ViaProcess = cmp.Or(s.ViaProcess, usual.ViaProcess)
	return s
}

// reviewSpec sorts what the catalogue does not build without asking: what the board
// itself leads to is for people to quote; what the files state as an option, and
// what the request does without saying that it is special, goes back to the
// client. Open options are left alone.
func (d *decision) reviewSpec(spec fabricator.Spec) (reasons []string, refused []contract.FieldProblem) {
	for _, r := range d.catalog.Review(spec) {
		switch {
		case d.isStatedByFile(r):
			d.unbuildable = append(d.unbuildable, unbuilt{text: r.Text, field: r.Field, file: strings.TrimPrefix(d.from[r.Field], "file:"), allowed: d.buildableValues(r.Field)})
		case r.Field == "size" && !d.hasSize(), d.open(r.Field):
		case d.isUnawareChoice(r.Field):
			refused = append(refused, contract.FieldProblem{
				Field: r.Field, Problem: catalog.Unsupported, Allowed: d.buildableValues(r.Field),
				Message: sentence(r.Text) + " Choose another value, or send special_requirements: true for a quote by our team.",
			})
		default:
			reasons = append(reasons, r.Text)
		}
	}
	return reasons, refused
}

// isUnawareChoice reports whether the request chose an option without saying that
// it is special. Layers that people are known to quote need no such word.
func (d *decision) isUnawareChoice(option string) bool {
	family, _ := d.catalog.FamilyOf(d.materialOrUsual())
	return d.from[option] == fromRequest && !d.request.SpecialRequirements && !d.isUnknownWord(option) &&
		!(option == "layers" && slices.Contains(family.ReviewLayers, d.layers))
}

// isUnknownWord reports whether the request's word is none of the catalogue, which
// is refused as such.
func (d *decision) isUnknownWord(option string) bool {
	return slices.ContainsFunc(d.unknownWords(), func(p contract.FieldProblem) bool { return p.Field == option })
}

// buildableValues lists the values of an option that are built of this material.
func (d *decision) buildableValues(option string) any {
	material, layers := d.materialOrUsual(), d.layersOrUsual()
	family, _ := d.catalog.FamilyOf(material)
	outer, inner := d.catalog.CopperFor(material, layers)
	switch option {
	case "layers":
		return family.Layers
	case "thickness_mm":
		return d.catalog.ThicknessFor(material, layers)
	case "copper_oz":
		return outer
	case "inner_copper_oz":
		return inner
	case "surface_finish":
		return family.Finishes
	case "solder_mask":
		return family.Masks
	case "via_process":
		return d.catalog.ViaProcessesFor(material, layers)
	}
	return nil
}

func (d *decision) open(option string) bool {
	return slices.ContainsFunc(d.questions, func(q contract.Question) bool { return q.Option == option }) ||
		option != "size" && d.from[option] == "" && !strings.HasPrefix(option, "fab_options.")
}

func (d *decision) isStatedByFile(r catalog.Reason) bool {
	return r.Field != "layers" && strings.HasPrefix(d.from[r.Field], "file:")
}

// sizeAsked says what to send for a board whose size the files do not say.
const sizeAsked = "The files do not say how large the board is, so it has no price yet: upload its outline with the other files, the layer that draws the board's edge (such as Edge.Cuts, GKO or GM1), " +
	"or send special_requirements: true with width and height in special_notes for a quote by our team."

// RefuseSize asks for the outline of a board, or at least for its size. found is
// what stands in the board's way beside that.
func RefuseSize(found []contract.Finding) *contract.Refusal {
	refusal := contract.Refuse(contract.DesignFiles, sizeAsked)
	refusal.Findings = found
	return refusal
}

func (d *decision) refuseSize() *contract.Refusal {
	refusal := RefuseSize([]contract.Finding{{Level: "must_fix", Check: "outline", What: "The board's outline was not found, so its size is not known."}})
	refusal.Known = d.known
	return refusal
}
