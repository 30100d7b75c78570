package pricing

import (
	"cmp"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/contract"
	"boardorder/pkg/exportcontrol"
	"boardorder/services/pricing/internal/findings"
	"boardorder/services/pricing/internal/options"
)

// mostFindings bounds how many findings a quote repeats, worst first; the design
// check has all.
const mostFindings = 40

// sound stops at what would not work, unless the customer wants the board as
// designed, and in any case at what could not be read, at layers that are missing and
// at a board whose size nobody knows; never where people are to quote it. What is left to
// see before paying is its result.
func (s *Service) sound(files contract.ReadFiles, b contract.BoardFile, r contract.QuoteRequest, stackups []contract.Stackup) ([]contract.Finding, error) {
	facts := options.FactsOf(b.Facts)
	found := findings.Sort(files.Findings, b, s.buildOf(facts, r, stackups), s.limits)
	byPeople := r.SpecialRequirements // who settle whatever a price cannot be made of
	if len(found.Unreadable) > 0 && !byPeople {
		return nil, stopped(slices.Concat(found.Unreadable, found.Stop),
			"Some of the design files could not be read to their end, so no price would be one for your board: findings lists each. Please export them again and upload them anew, or send special_requirements: true for a quote by our team.")
	}
	if len(found.Missing) > 0 && !byPeople {
		return nil, stopped(slices.Concat(found.Missing, found.Stop),
			"A layer of the design is not among the files, so the board as designed cannot be built from them, with or without checks: findings lists what is missing. Please upload all of the files, or send special_requirements: true for a quote by our team.")
	}
	stop, unordered := splitOrder(found.Stop)
	if unordered && !byPeople {
		return nil, stopped(found.Stop,
			"The files state the order of the copper layers in two ways, so no price would be one for your board, with or without checks: findings lists both. Please say the order with file_answers.layer_order, upload files that agree, or send special_requirements: true with the order in special_notes for a quote by our team.")
	}
	if !facts.Sized() {
		if len(stop) > 0 && !byPeople {
			return nil, options.RefuseSize(pictureless(stop))
		}
		stop = slices.DeleteFunc(slices.Clone(stop), func(f contract.Finding) bool { return f.Check == string(dfm.OutlineMissing) }) // people ask for it
	}
	if len(stop) > 0 && !r.SkipBoardChecks && !byPeople {
		return nil, stopped(stop,
			"The design files have problems that must be mended first: findings lists each. With skip_board_checks: true the board is built as designed, if that is what the customer wants; with special_requirements: true our team looks at it and quotes it.")
	}
	// Whatever else was found, people hold the order for this.
	isControl := func(f contract.Finding) bool { return f.Check == exportcontrol.Check }
	var control []contract.Finding
	if i := slices.IndexFunc(found.Doubtful, isControl); i >= 0 {
		control = append(control, found.Doubtful[i])
	} else if exportControlled(r) {
		control = append(control, contract.Finding{Level: "warning", Check: exportcontrol.Check, What: "The request speaks of ITAR export control: " + exportcontrol.Advice + "."})
	}
	seen := slices.Concat(control, found.Unreadable, found.Missing, found.Stop, slices.DeleteFunc(found.Doubtful, isControl))
	return seen[:min(len(seen), mostFindings)], nil
}

// splitOrder gives the findings without that of a doubtful order of the copper layers, which
// people settle, and whether it was among them.
func splitOrder(stop []contract.Finding) (rest []contract.Finding, unordered bool) {
	rest = slices.DeleteFunc(slices.Clone(stop), func(f contract.Finding) bool { return f.Check == string(dfm.LayerOrder) })
	return rest, len(rest) < len(stop)
}

// exportControlled reports whether the customer's words say that the design is.
func exportControlled(r contract.QuoteRequest) bool {
	for _, words := range []*string{r.ProjectName, r.SpecialNotes, r.BoardContext} {
		if words != nil && exportcontrol.Mentions([]byte(*words)) {
			return true
		}
	}
	return false
}

// stopped refuses a design for its findings.
func stopped(why []contract.Finding, message string) *contract.Refusal {
	refusal := contract.Refuse(contract.DesignFiles, "%s", message)
	refusal.Findings = pictureless(why)
	return refusal
}

// sizeOf is what was read of a board's layers and size, for a refusal.
func sizeOf(b contract.BoardFile) map[string]any {
	out := map[string]any{}
	for _, name := range []string{"layers", "width_mm", "height_mm"} {
		if f := b.Facts[name]; f.Value != nil {
			out[name] = f.Value
		}
	}
	return out
}

// pictureless are findings as a refusal tells them: their pictures are for whoever pays.
func pictureless(found []contract.Finding) []contract.Finding {
	out := slices.Clone(found)
	for i := range out {
		out[i].Image = ""
	}
	return out
}

// buildOf is what the limits of the fabricator depend on, before every option is
// decided; said is what the findings were held against, without the request.
func (s *Service) buildOf(facts options.FileFacts, r contract.QuoteRequest, stackups []contract.Stackup) findings.Build {
	outer, inner := s.resolver.Copper(contract.QuoteRequest{}, facts)
	build := findings.Build{Layers: cmp.Or(facts.Layers.Value, 2)}
	build.CopperOz, build.InnerOz = s.resolver.Copper(r, facts, stackups...)
	build.Other = build.CopperOz != outer || build.InnerOz != inner
	return build
}
