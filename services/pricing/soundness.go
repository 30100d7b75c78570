package pricing

import (
	"cmp"
	"maps"
	"slices"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/exportcontrol"
	"boardorder/services/pricing/internal/findings"
	"boardorder/services/pricing/internal/options"
)

// maxFindings bounds how many findings a quote repeats, worst first; the design
// check has all.
const maxFindings = 40

// checkSoundness stops at what would not work, unless the customer wants the board as
// designed, and in any case at what has no price before somebody settles it. What
// people are to quote is stopped by nothing. What is left to see before paying is its
// result. Where people have to look at a flexible board, its facts say so from then on.
func (s *Service) checkSoundness(files boards.ReadFiles, b *boards.Board, r quotes.Request, stackups []stackups.Stackup) ([]contract.Finding, error) {
	facts := options.FactsOf(b.Facts)
	found := findings.Sort(files.Findings, *b, s.buildOf(facts, r, stackups), s.limits)
	if found.FineFlex {
		known := map[string]boards.Fact{string(pcb.FineFlex): {Value: true}}
		maps.Copy(known, b.Facts)
		b.Facts = known
	}
	if refusal := stops(found, facts.HasSize(), r); refusal != nil {
		return nil, refusal
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
	if len(files.Boards) == 0 { // that none was found is no fault of a board that people make of words
		seen = slices.DeleteFunc(seen, func(f contract.Finding) bool { return f.Check == "no_board" && f.File == "" })
	}
	return seen[:min(len(seen), maxFindings)], nil
}

// exportControlled reports whether the customer's words say that the design is.
func exportControlled(r quotes.Request) bool {
	for _, words := range []*string{r.ProjectName, r.SpecialNotes, r.BoardContext} {
		if words != nil && exportcontrol.Mentions([]byte(*words)) {
			return true
		}
	}
	return false
}

// buildOf is what the limits of the fabricator depend on, before every option is
// decided; said is what the findings were held against, without the request.
func (s *Service) buildOf(facts options.FileFacts, r quotes.Request, stackups []stackups.Stackup) findings.Build {
	outer, inner := s.resolver.Copper(quotes.Request{}, facts)
	build := findings.Build{Layers: cmp.Or(facts.Layers.Value, 2)}
	build.CopperOz, build.InnerOz = s.resolver.Copper(r, facts, stackups...)
	build.Flexible = s.resolver.IsFlexible(r, facts)
	build.Other = build.CopperOz != outer || build.InnerOz != inner
	return build
}
