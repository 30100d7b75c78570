package pricing

import (
	"maps"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/contract"
	"boardorder/services/pricing/internal/findings"
	"boardorder/services/pricing/internal/options"
)

// unsettled are checks whose findings leave it open what is built: no price is one for the
// board before somebody settles them, checks skipped or not.
var unsettled = []string{string(dfm.LayerOrder), string(dfm.ToolSizeMissing)}

// stops refuses a board for what keeps it from an instant price: with questions, where the
// customer can answer all of it in the request. nil where nothing does, or where people are
// to quote the board, as they do of whatever they can read.
func stops(found findings.Sorted, sized bool, r contract.QuoteRequest) *contract.Refusal {
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
	case !slices.ContainsFunc(all, func(f contract.Finding) bool { return len(f.Answers) == 0 }):
		refusal = contract.Refuse(contract.NeedsDetails,
			"The files leave open what only the customer knows: questions lists it. Ask the customer and send the answers with the same request, in the fields that answers names.")
	case len(found.Unreadable) > 0:
		refusal = contract.Refuse(contract.DesignFiles,
			"Some of the design files could not be read to their end, so no price would be one for your board: findings lists each. Please export them again and upload them anew, or send special_requirements: true for a quote by our team.")
	case len(found.Missing) > 0:
		refusal = contract.Refuse(contract.DesignFiles,
			"A layer of the design is not among the files, so the board as designed cannot be built from them, with or without checks: findings lists what is missing. Please upload all of the files, or send special_requirements: true for a quote by our team.")
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
		q := contract.Question{Option: f.Answers[0].Field, Question: contract.Sentence(f.What), Choices: []any{}, File: f.File, Answers: f.Answers}
		for _, a := range f.Answers {
			if _, isText := a.Value.(string); a.Value == true || isText {
				q.Choices = append(q.Choices, a.Value)
			}
		}
		out = append(out, q)
	}
	return out
}

// stopped refuses a design for its findings.
func stopped(why []contract.Finding, message string) *contract.Refusal {
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

// teamWay is how people come to quote what a machine does not.
const teamWay = "If the files cannot be mended or answered for, send the same request with special_requirements: true, and what is special in special_notes: our team then quotes the files as they are."

// guided adds to a refusal of files what was read of the board, and the way that is open
// whatever the files hold.
func guided(refusal *contract.Refusal, b contract.BoardFile, files contract.ReadFiles) *contract.Refusal {
	if refusal == nil || refusal.Code != contract.DesignFiles && refusal.Code != contract.NeedsDetails && refusal.Code != contract.InvalidRequest {
		return refusal
	}
	out := *refusal
	out.Known = maps.Clone(refusal.Known)
	if refusal.Code != contract.InvalidRequest && designed(files) {
		out.Next = teamWay
	}
	if out.Known == nil {
		out.Known = map[string]any{}
	}
	for _, name := range []string{"layers", "width_mm", "height_mm"} {
		if f := b.Facts[name]; f.Value != nil && out.Known[name] == nil {
			out.Known[name] = f.Value
		}
	}
	return &out
}
