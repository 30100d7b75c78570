// Package assembled decides what an assembly means for a quote: what has to be
// asked first, whether it has a price, and what the reply says of its parts.
package assembled

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/quotes"
)

// Questions refuses a request whose assembly leaves something open that the
// customer has to answer; nil where nothing is.
func Questions(p assemblies.Plan, r quotes.Request) *contract.Refusal {
	if fields := fieldProblems(p, r); len(fields) > 0 {
		return contract.RefuseFields(fields)
	}
	places, numbers := placeQuestions(p), []string(nil)
	if !r.StaffPicksParts {
		numbers = numberQuestions(p)
	}
	readings := readingQuestions(p)
	code := contract.NeedsPartNumbers
	switch {
	case len(readings) > 0:
		code = contract.NeedsDetails
		places = append([]string{"How the positions of the parts are meant is open: questions says why, and how they may be. " +
			"Send the answer in file_answers.placements with the same request, or upload corrected positions."}, places...)
	case len(places) > 0:
		code = contract.OffBoardParts
	case len(numbers) == 0:
		return nil
	}
	out := contract.Refuse(code, "%s", strings.Join(slices.Concat(places, numbers), " "))
	out.OffBoard, out.Questions = slices.Concat(p.OffBoard, p.Doubtful, p.OffPads), readings
	if len(numbers) > 0 {
		out.Parts = slices.Concat(p.Unnamed, p.Unrated)
	}
	return out
}

// placeQuestions ask where parts go.
func placeQuestions(p assemblies.Plan) []string {
	switch {
	case p.NoPlaces:
		return []string{assemblies.PlacesMissing + ": upload a pick-and-place file with the reference, position, side and rotation of each part, or the design tool's project."}
	case p.NoUnit:
		return []string{"The pick-and-place file does not say its unit, and the size of the board does not tell it: no unit fits, or several do. " +
			"Write the unit beside the numbers or into the headings, such as Mid X (mm), and upload the file again."}
	}
	var out []string
	if len(p.OffBoard) > 0 {
		out = append(out, "Parts of the bill of materials have no place on the board, or a place and a mark that they are not fitted: off_board_parts lists them, each with why. "+
			"Upload positions or a corrected list, or send their references in do_not_fit_refs if the customer says to leave them off.")
	}
	if len(p.Doubtful) > 0 {
		out = append(out, "The placements of some parts make no sense: off_board_parts lists them, each with why. "+
			"Upload corrected positions, or send their references in do_not_fit_refs if the customer says to leave them off.")
	}
	if len(p.OffPads) > 0 {
		out = append(out, "Some parts do not lie on their pads, while the others do: off_board_parts lists them, each with why. "+
			"Upload corrected positions, or send file_answers.placements: by_pads to put them where their pads are, as_listed to place them as the file says, or their references in do_not_fit_refs if the customer says to leave them off.")
	}
	return out
}

// readingQuestions ask how files of placements are meant that lie on no pads as listed.
func readingQuestions(p assemblies.Plan) []contract.Question {
	var out []contract.Question
	for _, m := range p.Misread {
		q := contract.Question{Option: answers.PlacementsField, File: m.File, Choices: []any{answers.AsListed}, Answers: []answers.Answer{answers.PlacementsAsListed()}}
		q.Question = fmt.Sprintf("The positions of this file do not fit the board: of %d parts whose pads are known %d lie on them as listed, and no other reading fits. Are they right all the same?", m.Known, m.Listed)
		switch {
		case m.Copies > 1:
			q.Question = fmt.Sprintf("The files hold %d equal boards, and the positions are those of one of them. Are parts to be placed on one board only? Else upload the positions and the list of all of them, or the files of one board.", m.Copies)
			q.Answers = []answers.Answer{answers.PlacementsOfOne(m.Copies)}
		case m.Words != "":
			q.Question = fmt.Sprintf("The positions of this file do not fit the board as listed: of %d parts whose pads are known %d lie on them, and %d do %s. Which is meant?", m.Known, m.Listed, m.Fit, m.Words)
			q.Choices = []any{answers.ByPads, answers.AsListed}
			q.Answers = append([]answers.Answer{answers.PlacementsByPads(m.Words)}, q.Answers...)
		}
		out = append(out, q)
	}
	return out
}

// numberQuestions ask which parts are meant.
func numberQuestions(p assemblies.Plan) []string {
	var out []string
	if len(p.Unnamed) > 0 {
		out = append(out, "Lines of the bill of materials name no exact part: parts lists them, each with why. "+
			"Add part numbers and upload the list again, or send staff_picks_parts: true to let our team choose.")
	}
	if len(p.Unrated) > 0 {
		out = append(out, "Capacitors state no voltage, and no net tells it: parts lists them, each with what there is to choose from. "+
			"Write the voltage beside the value, such as 100nF 50V, or name the part, and upload the list again, or send staff_picks_parts: true to get the highest voltage that costs the same.")
	}
	return out
}

// maxNamed is how many references a sentence names.
const maxNamed = 10

var plainRef = regexp.MustCompile(`^[A-Za-z_]{1,12}[0-9]{1,6}[A-Za-z]?$`)

// refs names references in a sentence; those that are no plain words are counted only.
func refs(list []string) string {
	var plain []string
	for _, ref := range list {
		if plainRef.MatchString(ref) && len(plain) < maxNamed {
			plain = append(plain, ref)
		}
	}
	if more := len(list) - len(plain); more > 0 {
		plain = append(plain, fmt.Sprintf("%d more", more))
	}
	return strings.Join(plain, ", ")
}

// fieldProblems are fields whose references and parts do not fit the list.
func fieldProblems(p assemblies.Plan, r quotes.Request) []contract.FieldProblem {
	var out []contract.FieldProblem
	for _, f := range []struct {
		name string
		refs []string
	}{{"do_not_fit_refs", r.DoNotFitRefs}, {"customer_supplied_refs", r.CustomerSuppliedRefs}} {
		var unknown []string
		for _, ref := range p.Unknown {
			if slices.ContainsFunc(f.refs, func(text string) bool { return strings.Contains(strings.ToUpper(text), strings.ToUpper(ref)) }) {
				unknown = append(unknown, ref)
			}
		}
		if len(unknown) > 0 {
			out = append(out, contract.FieldProblem{Field: f.name, Problem: "unknown", Message: "No line of the bill of materials has these references: " + refs(unknown) + "."})
		}
	}
	if len(p.Both) > 0 {
		out = append(out, contract.FieldProblem{Field: "customer_supplied_refs", Problem: "contradicts",
			Message: "References stand in do_not_fit_refs, too: " + refs(p.Both) + ". Parts are either left off, or sent by the customer and fitted."})
	}
	if p.Empty {
		out = append(out, contract.FieldProblem{Field: fieldToChange(r), Problem: "nothing_to_fit",
			Message: "No part would be fitted: all lines of the bill of materials are left off. Send assembly: false for bare boards."})
	}
	if len(p.Split) > 0 {
		out = append(out, contract.FieldProblem{Field: "do_not_fit_refs", Problem: "part_of_a_line",
			Message: "Whole lines of the bill of materials can be left off, or references that have no place on the board; these have one, and stand on lines with others that would stay: " + refs(p.Split) + "."})
	}
	return append(out, findUnapplied(p)...)
}

// fieldToChange is what the client has to change where no line is fitted: what is
// left off, or where the list itself leaves all off, the wish for assembly.
func fieldToChange(r quotes.Request) string {
	if len(r.DoNotFitRefs) > 0 {
		return "do_not_fit_refs"
	}
	return "assembly"
}

// findUnapplied are substitutions that fit no line: the part that the customer wanted
// gone is never priced in silence.
func findUnapplied(p assemblies.Plan) []contract.FieldProblem {
	var out []contract.FieldProblem
	for i, s := range p.Substs {
		if !s.Applied {
			out = append(out, contract.FieldProblem{Field: fmt.Sprintf("substitutions.%d", i), Problem: "not_applied", Message: "The substitution cannot be made. " + s.Why})
		}
	}
	return out
}
