package options

import (
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/foil"
	"boardorder/pkg/contract"
)

// decideOuterCopper differs from other numbers in that files may state the foil that is
// plated.
func (d *decision) decideOuterCopper(standard float64, built []float64) {
	file := d.facts.CopperOz
	if d.leavesOpen("copper_oz") {
		d.copper = d.quantity("copper_oz", "oz", d.request.CopperOz, file, standard, built)
		return
	}
	if finished := foil.WeightAsBuilt(file.Value); file.isStated() && finished != file.Value {
		if d.request.CopperOz == nil && !d.facts.MixedOuter.isStated() {
			d.notes = append(d.notes, fmt.Sprintf("The files say %s oz of outer copper, which is its foil: plated with the holes it is %s oz, and built and priced as that.", decimal(file.Value), decimal(finished)))
		}
		file.Value = finished
	}
	d.copper = d.weight("copper_oz", d.request.CopperOz, file, d.facts.MixedOuter, standard, built)
}

// weight decides copper. Layers that the files give different weights are asked about,
// standard or not: one weight is built, and the files state another for some of them.
func (d *decision) weight(option string, requested *float64, file Fact[float64], mixed Fact[string], standard float64, built []float64) float64 {
	if !mixed.isStated() || d.leavesOpen(option) {
		return d.quantity(option, "oz", requested, file, standard, built)
	}
	if requested != nil {
		oz := d.quantity(option, "oz", requested, Fact[float64]{}, standard, built)
		d.notes = append(d.notes, fmt.Sprintf("The files say %s %s; %s %s oz for all of them, and the request was followed.", optionText(option), mixed.Value, d.asker(option), decimal(oz)))
		return oz
	}
	usual := dfm.Nominal(file.Value, built)
	d.questions = append(d.questions, contract.Question{
		Option: option, Choices: anys(built), Usual: usual,
		Question: fmt.Sprintf("The stackup of the files has %s %s. An instant quote builds one weight for all of these layers: which? For the build of the files send file_stackup: true, which our team quotes.",
			optionText(option), mixed.Value),
	})
	return 0
}
