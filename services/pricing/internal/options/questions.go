package options

import (
	"fmt"
	"strconv"
	"strings"

	"boardorder/pkg/contract"
)

// questionTexts is how each option is asked for, in words to relay.
var questionTexts = map[string]string{
	"layers":                        "How many copper layers does the board have?",
	"thickness_mm":                  "How thick shall the finished board be, in millimetres?",
	"copper_oz":                     "How heavy shall the outer copper be, in ounces per square foot (1 oz is 35 um)?",
	"inner_copper_oz":               "How heavy shall the inner copper be, in ounces per square foot?",
	"surface_finish":                "Which surface finish shall the pads have?",
	"solder_mask":                   "Which colour shall the solder mask have? Green builds fastest.",
	"material":                      "Which laminate shall the board be made of?",
	"via_process":                   "The files show which vias are filled: with what shall they be?",
	"fab_options.gold_fingers":      "The files show edge contacts: shall their edge be plain or bevelled?",
	"fab_options.castellated_sides": "The files show castellated holes: on how many sides of the board do they lie?",
}

func (d *decision) question(option string, choices []any, usual any) {
	d.questions = append(d.questions, contract.Question{Option: option, Question: questionTexts[option], Choices: choices, Usual: usual})
}

// ask is the answer needs_details.
func (d *decision) ask() *contract.Refusal {
	names := make([]string, len(d.questions))
	for i, q := range d.questions {
		names[i] = q.Option
	}
	words := "The files do not state %s. Ask the customer and send the answers with the same request, or send standard_for_unstated: true to take the usual one of each."
	if d.request.StandardForUnstated {
		words = "The customer's own word is needed for %s, for which no standard stands: questions says why. Ask the customer and send the answers with the same request."
	}
	refusal := contract.Refuse(contract.NeedsDetails, words, strings.Join(names, ", "))
	refusal.Questions, refusal.Known = d.questions, d.known
	if d.hasSize() {
		d.known["width_mm"], d.known["height_mm"] = hundredths(d.facts.WidthMM.Value), hundredths(d.facts.HeightMM.Value)
	}
	return refusal
}

func anys[T any](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

// optionText is an option in words.
func optionText(option string) string {
	switch option {
	case "thickness_mm":
		return "thickness"
	case "copper_oz":
		return "outer copper"
	case "inner_copper_oz":
		return "inner copper"
	}
	return strings.ReplaceAll(option, "_", " ")
}

// sentence makes a whole sentence of a clause.
func sentence(clause string) string { return capital(clause) + "." }

func sentences(clauses []string) []string {
	out := make([]string, len(clauses))
	for i, c := range clauses {
		out[i] = sentence(c)
	}
	return out
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// decimal writes a number without needless digits.
func decimal(v float64) string { return strconv.FormatFloat(hundredths(v), 'f', -1, 64) }

func copperLayers(n int) string {
	if n == 1 {
		return "1 copper layer"
	}
	return fmt.Sprintf("%d copper layers", n)
}
