package pricing

import (
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/findings"
	"boardorder/services/pricing/internal/options"
)

// unsettled are checks whose findings leave it open what is built: no price is one for the
// board before somebody settles them, checks skipped or not.
var unsettled = []string{string(dfm.LayerOrder), string(dfm.ToolSizeMissing)}

// stops refuses a board for what keeps it from an instant price: with questions, where the
// customer can answer all of it in the request. nil where nothing does, or where people are
// to quote the board, as they do of whatever they can read.
func stops(found findings.Sorted, sized bool, r quotes.Request) *contract.Refusal {
	if r.SpecialRequirements {
		return nil
	}
	stop := found.Stop
	if r.SkipBoardChecks && sized {
		stop = slices.DeleteFunc(slices.Clone(stop), func(f contract.Finding) bool { return !slices.Contains(unsettled, f.Check) })
	}
	all := slices.Concat(found.Unreadable, found.Missing, stop)
	questions := questionsOf(all)
	var refusal *contract.Refusal
	switch {
	case len(all) == 0:
		return nil
	case len(found.Missing) > 0 && len(found.Unreadable) == 0:
		refusal = contract.Refuse(contract.DesignFiles,
			"A layer of the design, or what drills its holes, is not among the files, so the board as designed cannot be built from them, with or without checks: findings lists what is missing. Please upload all of the files, answer in the request what questions asks where the files are all that there are, or send special_requirements: true for a quote by our team.")
	case !slices.ContainsFunc(all, func(f contract.Finding) bool { return len(f.Answers) == 0 }):
		refusal = contract.Refuse(contract.NeedsDetails,
			"The files leave open what only the customer knows: questions lists it. Ask the customer and send the answers with the same request, in the fields that answers names.")
	case len(found.Unreadable) > 0:
		refusal = contract.Refuse(contract.DesignFiles,
			"Some of the design files could not be read to their end, so no price would be one for your board: findings lists each. Please export them again and upload them anew, or send special_requirements: true for a quote by our team.")
	case !sized:
		refusal = options.RefuseSize(nil)
	case slices.ContainsFunc(stop, func(f contract.Finding) bool { return f.Check == string(dfm.LayerOrder) }):
		refusal = contract.Refuse(contract.DesignFiles,
			"The files state the order of the copper layers in two ways, so no price would be one for your board, with or without checks: findings lists both. Please say the order with file_answers.layer_order, upload files that agree, or send special_requirements: true with the order in special_notes for a quote by our team.")
	default:
		refusal = contract.Refuse(contract.DesignFiles,
			"The design files have problems that must be mended first: findings lists each. With skip_board_checks: true the board is built as designed, if that is what the customer wants; with special_requirements: true our team looks at it and quotes it.")
	}
	refusal.Findings, refusal.Questions = pictureless(all), questions
	return refusal
}

// questionsOf puts findings that the customer can settle as questions.
func questionsOf(found []contract.Finding) []contract.Question {
	var out []contract.Question
	for _, f := range found {
		if len(f.Answers) == 0 {
			continue
		}
		q := contract.Question{Option: f.Answers[0].Field, Question: f.Sentence(), Choices: []any{}, File: f.File, Answers: f.Answers}
		for _, a := range f.Answers {
			if _, isText := a.Value.(string); a.Value == true || isText {
				q.Choices = append(q.Choices, a.Value)
			}
		}
		out = append(out, q)
	}
	return out
}

// refuseDesign refuses a design for its findings.
func refuseDesign(why []contract.Finding, message string) *contract.Refusal {
	refusal := contract.Refuse(contract.DesignFiles, "%s", message)
	refusal.Findings = pictureless(why)
	return refusal
}

// pictureless are findings as a refusal tells them: their pictures are for whoever pays.
func pictureless(found []contract.Finding) []contract.Finding {
	out := slices.Clone(found)
	for i := range out {
		out[i].Image = ""
	}
	return out
}
