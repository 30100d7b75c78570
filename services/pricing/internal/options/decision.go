package options

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/stackups"
)

// The provenances that are no file.
const (
	fromRequest  = "request"
	fromStandard = "standard"
)

// A decision is one board on its way to being resolved.
type decision struct {
	*Resolver
	request quotes.Request
	facts   FileFacts

	layers                         int
	thickness, copper, innerCopper float64
	finish, mask, material, via    string
	impedance                      bool
	fabOptions                     map[string]any
	stackup                        *stackups.Stackup // that fab_stackup names
	sent                           quotes.Request    // the request before the stackup's values were put in

	from        map[string]string
	known       map[string]any // what the files state, for needs_details
	notes       []string
	priced      []string // notes of what costs money: see notePriced
	questions   []contract.Question
	unbuildable []unbuilt // what the files state and an instant quote cannot build
	handQuoted  []string  // what the files show and only people quote
}

// decide goes through the options in an order in which each can lean on the
// ones before it: what can be built depends on the material and the layers.
func (d *decision) decide() {
	d.decideLayers()
	d.decideMaterial()
	standard := d.catalog.StandardFor(d.materialOrUsual(), d.layersOrUsual())
	outer, inner := d.catalog.CopperFor(d.materialOrUsual(), d.layersOrUsual())
	family, _ := d.catalog.FamilyOf(d.materialOrUsual())
	d.thickness = d.quantity("thickness_mm", "mm", d.request.ThicknessMM, d.facts.ThicknessMM, standard.Thickness,
		d.catalog.ThicknessFor(d.materialOrUsual(), d.layersOrUsual()))
	d.decideOuterCopper(standard.Copper, outer)
	if d.layersOrUsual() >= 4 {
		d.innerCopper = d.weight("inner_copper_oz", d.request.InnerCopperOz, d.facts.InnerCopperOz, d.facts.MixedInner, standard.InnerCopper, inner)
	}
	d.finish = d.word("surface_finish", d.request.SurfaceFinish, d.facts.SurfaceFinish, standard.SurfaceFinish, d.finishes(family))
	d.mask = d.word("solder_mask", d.request.SolderMask, d.facts.SolderMask, standard.SolderMask, family.Masks)
	d.decideSilkscreen()
	d.decideVias(standard.ViaProcess)
	d.noteStandard(family.Standard)
	d.decideFeatures()
}

// noteStandard says which standards of a material differ from the usual ones, as
// far as they apply.
func (d *decision) noteStandard(own catalog.Standard) {
	var differ []string
	add := func(option string, set bool, format string, value any) {
		if set && d.from[option] == fromStandard {
			differ = append(differ, fmt.Sprintf(format, value))
		}
	}
	add("thickness_mm", own.Thickness != 0, "%s mm thick", decimal(d.thickness))
	add("copper_oz", own.Copper != 0, "%s oz copper", decimal(d.copper))
	add("surface_finish", own.SurfaceFinish != "", "%s", finishName(d.catalog, d.finish))
	add("solder_mask", own.SolderMask != "", "%s mask", strings.ToLower(d.mask))
	if len(differ) > 0 {
		d.notes = append(d.notes, fmt.Sprintf("The standard of %s is another than of FR-4, and applies here: %s.", d.materialOrUsual(), strings.Join(differ, ", ")))
	}
}

// finishes are those that go with what is decided so far.
func (d *decision) finishes(family catalog.Family) []string {
	trial := d.trial(d.spec())
	return slices.DeleteFunc(slices.Clone(family.Finishes), func(id string) bool {
		trial.Finish = id
		return slices.ContainsFunc(d.catalog.Review(trial), func(r catalog.Reason) bool { return r.Field == "surface_finish" })
	})
}

func (d *decision) decideLayers() {
	switch {
	case d.facts.Layers.isStated():
		d.layers = d.facts.Layers.Value
		d.known["layers"] = d.layers
		d.from["layers"] = provenance(d.facts.Layers.Source)
		d.confirmLayers()
	case d.request.Layers != nil:
		d.layers, d.from["layers"] = *d.request.Layers, fromRequest
	default:
		family, _ := d.catalog.FamilyOf(d.catalog.Standard.Material)
		d.question("layers", anys(family.Layers), nil)
	}
}

// confirmLayers asks whether layers that carry nothing are meant: they cost as much as any
// other. Only the request's own word answers that.
func (d *decision) confirmLayers() {
	empty := d.facts.EmptyInner
	if !empty.isStated() || empty.Value < 1 || d.request.Layers != nil {
		return
	}
	d.questions = append(d.questions, contract.Question{
		Option: "layers", Choices: []any{d.layers},
		Question: fmt.Sprintf("The files declare %s, of which %d inner carry nothing: shall the board be built with %d layers all the same? For fewer, upload the design without them.",
			copperLayers(d.layers), empty.Value, d.layers),
	})
}

func (d *decision) decideMaterial() {
	file := d.facts.Material
	if flex, ok := d.facts.flexSource(); ok && !file.isStated() {
		file = Fact[string]{Value: "Polyimide", Known: true, Source: flex}
	}
	d.material = d.word("material", d.request.Material, file, d.catalog.Standard.Material, d.catalog.MaterialIDs())
}

// decideVias differs from the other options: nobody is asked about vias, the
// standard applies where nothing is said.
func (d *decision) decideVias(standard string) {
	allowed := d.catalog.ViaProcessesFor(d.materialOrUsual(), d.layersOrUsual())
	d.via = d.word("via_process", d.request.ViaProcess, d.facts.ViaProcess, standard, allowed)
	if d.via == "" && len(d.questions) > 0 && d.questions[len(d.questions)-1].Option == "via_process" {
		d.questions = d.questions[:len(d.questions)-1]
		d.via, d.from["via_process"] = standard, fromStandard
	}
}

// materialOrUsual lets the other options be judged while the material is open.
func (d *decision) materialOrUsual() string {
	if d.material == "" {
		return d.catalog.Standard.Material
	}
	return d.material
}

func (d *decision) layersOrUsual() int {
	if d.layers == 0 {
		return 2
	}
	return d.layers
}

// buildableMeaning keeps words that leave open which kind of a finish is meant to the kind that
// this board can be built with.
func (d *decision) buildableMeaning(option string, stated catalog.Meaning, allowed []string) catalog.Meaning {
	if option != "surface_finish" || !stated.Nearest || slices.Contains(allowed, stated.Value) {
		return stated
	}
	for _, v := range allowed {
		if strings.HasPrefix(v, stated.Value+"_") {
			return catalog.Meaning{Value: v, Nearest: true, Note: fmt.Sprintf("%s is named without its kind, of which %s is built on this board", strings.ToUpper(stated.Value), v)}
		}
	}
	return stated
}

// word decides an option whose values are words.
func (d *decision) word(option string, requested *string, file Fact[string], standard string, allowed []string) string {
	var stated catalog.Meaning
	if file.isStated() {
		stated = d.buildableMeaning(option, d.catalog.Read(option, file.Value), allowed)
	}
	if stated.Value != "" && !d.leavesOpen(option) {
		d.known[option] = stated.Value
	}
	switch {
	case d.leavesOpen(option):
		return d.settleWord(option, requested, allowed)
	case requested != nil:
		d.from[option] = fromRequest
		if stated.Value != "" && stated.Value != *requested {
			d.notes = append(d.notes, fmt.Sprintf("The files say %s %s; %s %s, and the request was followed.",
				optionText(option), stated.Value, d.asker(option), *requested))
		} else if stated.Unknown || stated.Unable != "" {
			other := unbuilt{text: fmt.Sprintf("The files ask for another %s than the request, which was followed", optionText(option)), words: file.Value, file: file.Source}
			d.notes = append(d.notes, other.quotation()+".")
		}
		return *requested
	case stated.Nearest && !d.request.StandardForUnstated:
		d.question(option, anys(allowed), stated.Value)
		last := &d.questions[len(d.questions)-1]
		last.Question += " In the files, " + stated.Note + "."
		return ""
	case stated.Value != "":
		d.from[option] = provenance(file.Source)
		if stated.Note != "" {
			d.notes = append(d.notes, fmt.Sprintf("By the files' words for %s, %s; %s decides it otherwise.", optionText(option), stated.Note, option))
		}
		return stated.Value
	case stated.Unknown:
		d.unbuildable = append(d.unbuildable, unbuilt{
			text: fmt.Sprintf("%s: a value that we do not know is not built without asking", optionText(option)), field: option, words: file.Value, file: file.Source, allowed: allowed,
		})
		return ""
	case stated.Unable != "":
		d.unbuildable = append(d.unbuildable, unbuilt{
			text: fmt.Sprintf("%s: %s is not built without asking", optionText(option), stated.Unable), field: option, words: file.Value, file: file.Source, allowed: allowed,
		})
		return ""
	}
	usual := standard
	if len(allowed) > 0 && !slices.Contains(allowed, standard) {
		usual = allowed[0]
	}
	if d.request.StandardForUnstated {
		if usual != standard {
			d.notes = append(d.notes, fmt.Sprintf("The standard %s %s is not built like this; %s was taken.", optionText(option), standard, usual))
		}
		d.notePreset(option, d.presetWord(option, file), usual)
		d.from[option] = fromStandard
		return usual
	}
	d.question(option, anys(allowed), usual)
	d.askPreset(d.presetWord(option, file), usual)
	return ""
}

// requestSlack is how far a request's number may lie from what is built and still
// mean it: people write 1.57 mm for 62 mil.
const requestSlack = 0.035

// quantity decides an option whose values are numbers.
func (d *decision) quantity(option, unit string, requested *float64, file Fact[float64], standard float64, built []float64) float64 {
	usual := dfm.Nearest(standard, built, math.Inf(1))
	stated, has := 0.0, file.isStated() && file.Value > 0
	if has {
		stated = dfm.Nominal(file.Value, built)
		d.known[option] = stated
	}
	switch {
	case d.leavesOpen(option):
		delete(d.known, option)
		return d.settleNumber(option, unit, requested, built)
	case requested != nil:
		value := dfm.Nearest(*requested, built, requestSlack)
		d.from[option] = fromRequest
		d.noteRounding(option, unit, *requested, value)
		if has && math.Abs(value-stated) > 0.001 {
			d.notes = append(d.notes, fmt.Sprintf("The files say %s %s %s; %s %s %s, and the request was followed.",
				optionText(option), decimal(stated), unit, d.asker(option), decimal(value), unit))
		}
		return value
	case has:
		d.from[option] = provenance(file.Source)
		d.noteRounding(option, unit, file.Value, stated)
		return stated
	case d.request.StandardForUnstated:
		d.from[option] = fromStandard
		if usual != standard {
			d.notes = append(d.notes, fmt.Sprintf("The standard %s of %s %s is not built like this; %s %s was taken.",
				optionText(option), decimal(standard), unit, decimal(usual), unit))
		}
		d.notePreset(option, presetNumber(file, unit, built), decimal(usual)+" "+unit)
		return usual
	}
	d.question(option, anys(built), usual)
	d.askPreset(presetNumber(file, unit, built), decimal(usual)+" "+unit)
	return 0
}

// noteRounding says so when a number was taken for another.
func (d *decision) noteRounding(option, unit string, stated, built float64) {
	if math.Abs(stated-built) > 0.011 {
		d.notes = append(d.notes, fmt.Sprintf("%s %s %s is built as %s %s.", capital(optionText(option)), decimal(stated), unit, decimal(built), unit))
	}
}
