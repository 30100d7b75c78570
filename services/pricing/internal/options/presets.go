package options

import (
	"fmt"

	"boardorder/pkg/board/dfm"
)

// What a design tool writes by itself counts as unstated. Where the standard is another
// value it is said all the same, so that nothing is built otherwise than the files list
// without a word.

// presetWord is the value that untouched files list for an option; "" where they list none.
func (d *decision) presetWord(option string, file Fact[string]) string {
	if !file.Known || !file.Default {
		return ""
	}
	return d.catalog.Read(option, file.Value).Value
}

// presetNumber is presetWord for a number, with its unit.
func presetNumber(file Fact[float64], unit string, built []float64) string {
	if !file.Known || !file.Default || file.Value <= 0 {
		return ""
	}
	return decimal(dfm.Nominal(file.Value, built)) + " " + unit
}

// notePreset says that the standard is built where untouched files list another value.
func (d *decision) notePreset(option, listed, standard string) {
	if listed != "" && listed != standard {
		d.notes = append(d.notes, fmt.Sprintf("The files list %s %s as their design tool begins with, which counts as unstated: the standard %s is built, and %s decides it otherwise.",
			optionText(option), listed, standard, option))
	}
}

// askPreset adds to the last question what untouched files list.
func (d *decision) askPreset(listed, usual string) {
	if listed != "" && listed != usual {
		q := &d.questions[len(d.questions)-1]
		q.Question += fmt.Sprintf(" The files list %s, which may be no more than what their design tool begins with.", listed)
	}
}
