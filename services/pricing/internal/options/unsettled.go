package options

import (
	"fmt"
	"path"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
)

// leavesOpen reports whether the files give an option several values, or one that nobody
// can read: then no standard stands for it.
func (d *decision) leavesOpen(option string) bool { return len(d.facts.Stated[option]) > 0 }

// describeStated says what the files state of an option, with each file: our own names of
// what they mean, else their words in quotes.
func (d *decision) describeStated(option string) string {
	var out []string
	for _, s := range d.facts.Stated[option] {
		words := fmt.Sprintf("%q", untrusted.Line(s.Words, 40))
		if m := d.catalog.Read(option, s.Words); m.Value != "" {
			words = m.Value
		}
		place := path.Base(s.File)
		if s.Line > 0 {
			place += fmt.Sprintf(", line %d", s.Line)
		}
		out = append(out, fmt.Sprintf("%s (%s)", words, place))
	}
	return strings.Join(out, " and as ")
}

// askStated asks for an option that the files leave open.
func (d *decision) askStated(option string, choices []any) {
	question := fmt.Sprintf("The files give %s as %s, and one value is built: which? For a build with more than one, or with another, send special_requirements: true, which our team quotes.",
		optionText(option), d.describeStated(option))
	if len(d.facts.Stated[option]) == 1 {
		question = fmt.Sprintf("The files give %s as %s, which is none of the values that are built: which shall it be? For another, send special_requirements: true, which our team quotes.",
			optionText(option), d.describeStated(option))
	}
	d.questions = append(d.questions, contract.Question{Option: option, Choices: choices, Question: question, File: d.facts.Stated[option][0].File})
}

func (d *decision) settleWord(option string, requested *string, allowed []string) string {
	if requested == nil {
		d.askStated(option, anys(allowed))
		return ""
	}
	d.from[option] = fromRequest
	d.noteSettled(option, *requested)
	return *requested
}

func (d *decision) settleNumber(option, unit string, requested *float64, built []float64) float64 {
	if requested == nil {
		d.askStated(option, anys(built))
		return 0
	}
	value := dfm.Nearest(*requested, built, requestSlack)
	d.from[option] = fromRequest
	d.noteRounding(option, unit, *requested, value)
	d.noteSettled(option, decimal(value)+" "+unit)
	return value
}

func (d *decision) noteSettled(option, value string) {
	d.notes = append(d.notes, fmt.Sprintf("The files give %s as %s; %s %s, and the request was followed.", optionText(option), d.describeStated(option), d.asker(option), value))
}

// decideSilkscreen says which silkscreen is printed where the files name another colour: only
// people quote one that no mask is printed with.
func (d *decision) decideSilkscreen() {
	requested := strings.ToLower(strings.TrimSpace(d.facts.Silkscreen.Value))
	if !d.facts.Silkscreen.isStated() || requested == "" || d.mask == "" {
		return
	}
	printed := strings.ToLower(d.catalog.Silkscreen(d.mask))
	switch {
	case requested == printed, printed == "", strings.HasPrefix(requested, "#"), requested == "not specified", requested == "user defined":
	case requested == "white", requested == "black":
		d.notes = append(d.notes, fmt.Sprintf("The files say a %s silkscreen; on a %s mask it is printed in %s.", requested, strings.ToLower(d.mask), printed))
	default:
		u := unbuilt{text: "the files ask for a silkscreen in another colour than white or black, which our team quotes", words: d.facts.Silkscreen.Value, file: d.facts.Silkscreen.Source}
		d.handQuoted = append(d.handQuoted, u.quotation())
	}
}

// askPanel asks who makes a panel that notes of the files ask for.
func (d *decision) askPanel() {
	if !yes(d.facts.PanelWanted) || yes(d.facts.Panel) || d.requests("panel_by") {
		return
	}
	d.questions = append(d.questions, contract.Question{
		Option: "fab_options.panel_by", Choices: []any{"none", "fabricator", "customer"}, File: d.facts.PanelWanted.Source,
		Question: fmt.Sprintf("%s asks for boards in panels, and the files draw a single board: shall they come as single boards (none), shall the fabricator make panels (fabricator), or do the files hold the panel (customer)? With fabricator and customer send the boards side by side in fab_options.panel_columns and those one above the other in fab_options.panel_rows; quantity counts panels then.", path.Base(d.facts.PanelWanted.Source)),
	})
}
