package shop

import (
	"regexp"
	"strconv"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/language"
)

// optionQuestions ask for options, in the words of the service that prices.
var optionQuestions = map[string]string{
	"layers":                        language.Key("How many copper layers does the board have?"),
	"thickness_mm":                  language.Key("How thick shall the finished board be, in millimetres?"),
	"copper_oz":                     language.Key("How heavy shall the outer copper be, in ounces per square foot (1 oz is 35 um)?"),
	"inner_copper_oz":               language.Key("How heavy shall the inner copper be, in ounces per square foot?"),
	"surface_finish":                language.Key("Which surface finish shall the pads have?"),
	"solder_mask":                   language.Key("Which colour shall the solder mask have? Green builds fastest."),
	"material":                      language.Key("Which laminate shall the board be made of?"),
	"via_process":                   language.Key("The files show which vias are filled: with what shall they be?"),
	"fab_options.gold_fingers":      language.Key("The files show edge contacts: shall their edge be plain or bevelled?"),
	"fab_options.castellated_sides": language.Key("The files show castellated holes: on how many sides of the board do they lie?"),
	"board":                         language.Key("Which board shall be quoted?"),
}

// topicQuestions ask for what a finding of the files leaves open, which the service says in
// a sentence of its own.
var topicQuestions = map[string]string{
	"file_answers.no_holes":     language.Key("Are these all the holes of the board?"),
	"file_answers.outline":      language.Key("What is the edge of the board?"),
	"file_answers.layer_order":  language.Key("In which order do the copper layers lie?"),
	"file_answers.tool_sizes":   language.Key("How large are the drills?"),
	"file_answers.leave_out":    language.Key("Does this file belong to the board?"),
	answers.PlacementsField:     language.Key("How are the positions of the parts meant?"),
	answers.PartsSheetField:     language.Key("Which sheet lists the parts of the board?"),
	"fab_options.panel_by":      language.Key("Shall the boards come in panels, and who makes them?"),
	"fab_options.panel_columns": language.Key("How many boards lie side by side in a panel?"),
	"fab_options.panel_rows":    language.Key("How many boards lie one above the other in a panel?"),
}

// question is what to ask, and what the service says of it in English where the page has
// no words for that.
func (p voice) question(q contract.Question) (text, detail string) {
	if p.isEnglish() {
		return p.sentence(q.Question), ""
	}
	if key := optionQuestions[q.Option]; key != "" {
		return p.Text(key), ""
	}
	asked := p.say(p.sentence(q.Question))
	if !asked.English {
		return asked.Text, ""
	}
	if key := topicQuestions[q.Option]; key != "" {
		return p.Text(key), asked.Text
	}
	return p.Text("Your files leave this open:"), asked.Text
}

// sentence is a question or a clause as a whole sentence of the page.
func (p voice) sentence(clause string) string {
	if words := p.plain.Replace(clause); !strings.HasSuffix(words, "?") {
		return contract.Sentence(words)
	}
	return p.plain.Replace(clause)
}

// valueNames are values of extras, which the service writes as programs send them.
var valueNames = map[string]string{
	"none": language.Key("none"), "plain": language.Key("plain"), "bevelled": language.Key("bevelled"),
	"fabricator": language.Key("The fabricator makes panels."), "customer": language.Key("The files hold the panel."),
}

var firstNumber = regexp.MustCompile(`\d+`)

// meaning is what an answer says.
func (p voice) meaning(a answers.Answer) said {
	if p.isEnglish() {
		return p.say(a.Means)
	}
	number, _ := strconv.Atoi(firstNumber.FindString(a.Means))
	named, isNamed := a.Value.(string)
	text := ""
	switch {
	case a.Field == "file_answers.no_holes" && a.Means == answers.ZeroHoles().Means:
		text = p.Text("The board has no holes.")
	case a.Field == "file_answers.no_holes" && number > 0:
		text = p.Text("None of these %d pads is drilled: the board has no holes but those that its files drill.", number)
	case a.Field == "file_answers.no_holes":
		text = p.Text("This pad is not drilled: the board has no holes but those that its files drill.")
	case a.Field == "file_answers.outline" && isNamed:
		text = p.Text("The line in this file is the edge of the board.")
	case a.Field == "file_answers.outline":
		text = p.Text("The name of the file that draws the edge of the board.")
	case a.Field == "file_answers.tool_sizes":
		text = p.Text("The tools’ sizes are in %s.", p.unit(a.Means))
	case a.Field == "file_answers.layer_order":
		text = p.Text("The names of all copper files of the board, the top one first.")
	case a.Field == "file_answers.leave_out":
		text = p.Text("This file is not of the board and is left out.")
	case a.Field == answers.PlacementsField && named == answers.ByPads:
		text = p.Text("The positions are meant as they fit the pads of the board.")
	case a.Field == answers.PlacementsField && number > 0:
		text = p.Text("Parts are placed on one of the %d boards only, as listed.", number)
	case a.Field == answers.PlacementsField:
		text = p.Text("The positions are right as they are listed, and the parts are placed so.")
	case valueNames[named] != "":
		text = p.Text(valueNames[named])
	default:
		return p.say(a.Means)
	}
	return said{Text: text}
}

// unit is the unit that an answer's sentence ends with.
func (p voice) unit(sentence string) string {
	switch {
	case strings.Contains(sentence, "inch"):
		return p.Text("inches")
	case strings.Contains(sentence, "millimetre"):
		return p.Text("millimetres")
	}
	_, unit, _ := strings.Cut(strings.TrimSuffix(sentence, "."), " in ")
	return unit
}
