package checkout

import (
	"regexp"
	"strings"
)

// plainWords puts what notes, reasons and findings say to programs into the words of the page.
// Nothing can be sent with a request here: what would be is done by asking for another quote.
var plainWords = strings.NewReplacer(
	"fab_options.gold_fingers was priced as plain", "their edge is priced without a bevel",
	"Send ship_to.country for another; checkout prices the real address before payment.", "Choose the country to see its price.",
	"if anything there is to be built, say it in the request", "if anything there is to be built, tell us before you pay",
	"and board_findings lists each difference", "and each difference is listed on this page",
	"; faster_builds lists what is.", "; what is offered is listed below.",
	"; shipping_options lists what is.", "; what is offered is listed below.",
	"special_notes go with the order to our team and to whoever builds it, and change neither price nor options; send special_requirements: true for what must be built otherwise.",
	"Your notes go with the order to our team and to whoever builds it, and change neither price nor options.",
	": to have another one read, name it in file_answers.parts_sheet", "",
	" Send the same request with the answers that fields names corrected.", "",
	"not confirmed, prudent rate held", "not confirmed; the highest that it may be is in the price",
	"the price holds the prudent rate and does not rise if the true one is higher", "the price holds the highest that they may be and does not rise",
	"declare it with itar: true, and its files are deleted", "please tell us, and its files are deleted",
	" standard_for_unstated", " our standard",
	"do_not_fit_refs", "the parts to be left off",
)

// machineTalk are clauses about what to send, which nobody can follow on a page, and fields that
// a sentence names.
var (
	sendClause = regexp.MustCompile(`(?i)[;,]?\s*(?:or |and )?send [a-z_]+(?:\.[a-z_]+)*(?:: [a-z_]+)?[^.;]*`)
	optionName = regexp.MustCompile(`\b(?:fab_options|file_answers|ship_to)\.([a-z0-9_]+)(?:: ([a-z0-9_.]+))?`)
	fieldName  = regexp.MustCompile(`\b(?:special_requirements|skip_board_checks|staff_picks_parts|special_notes|board_findings|surface_finish|solder_mask|via_process|thickness_mm|copper_oz|inner_copper_oz|panel_by|panel_columns|panel_rows|custom_quote_reasons)\b(?:: true)?`)
)

// explainToBuyer puts a sentence that was written for programs into words for whoever buys.
func explainToBuyer(sentence string) string {
	s := plainWords.Replace(sentence)
	s = sendClause.ReplaceAllStringFunc(s, func(clause string) string {
		if fieldName.MatchString(clause) || optionName.MatchString(clause) {
			return ""
		}
		return clause
	})
	s = optionName.ReplaceAllStringFunc(s, func(name string) string {
		m := optionName.FindStringSubmatch(name)
		words := spell(m[1])
		if m[2] != "" {
			words += " “" + spell(m[2]) + "”"
		}
		return words
	})
	return fieldName.ReplaceAllStringFunc(s, func(name string) string { return spell(strings.TrimSuffix(name, ": true")) })
}

// spell is a field's name or value in words.
func spell(name string) string {
	for _, unit := range []string{"_mm", "_oz"} {
		name = strings.TrimSuffix(name, unit)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// explainAll is explainToBuyer of each.
func explainAll(sentences []string) []string {
	out := make([]string, len(sentences))
	for i, s := range sentences {
		out[i] = explainToBuyer(s)
	}
	return out
}
