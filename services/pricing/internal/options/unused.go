package options

import (
	"fmt"
	"strings"
)

// noteUnused names the fields of the request that change nothing about this
// board, so that nobody believes that they did.
func (d *decision) noteUnused() {
	r := d.request
	if !r.Assembly {
		d.noteUnusedLists()
	}
	if r.BoardContext != nil {
		d.notes = append(d.notes, "board_context was kept for our team and does not change the price.")
	}
	if r.SpecialNotes != nil && !r.SpecialRequirements {
		d.notes = append(d.notes, "special_notes go with the order to our team and to whoever builds it, and change neither price nor options; send special_requirements: true for what must be built otherwise.")
	}
}

// noteUnusedLists names what is about parts while the boards are ordered bare.
func (d *decision) noteUnusedLists() {
	r := d.request
	var names []string
	for _, f := range []struct {
		name string
		sent bool
	}{
		{"customer_supplied_refs", len(r.CustomerSuppliedRefs) > 0}, {"do_not_fit_refs", len(r.DoNotFitRefs) > 0},
		{"substitutions", len(r.Substitutions) > 0}, {"staff_picks_parts", r.StaffPicksParts},
	} {
		if f.sent {
			names = append(names, f.name)
		}
	}
	if len(names) > 0 {
		d.notes = append(d.notes, fmt.Sprintf("The boards are bare, so %s changed nothing; send assembly: true for assembled boards.", strings.Join(names, ", ")))
	}
}
