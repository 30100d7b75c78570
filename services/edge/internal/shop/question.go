package shop

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// questionView is a question that must be answered before there is a price.
type questionView struct {
	ID, Name, Text, File string
	Detail               string       // what the service asks, in English
	Choices              []choiceView // one of them
	Inputs               []inputView  // or what is typed
}

// choiceView is one value of a choice.
type choiceView struct {
	ID, Value, Label string
	Chosen           bool
	English          bool // the label is
	Apart            bool // a line follows it
}

// inputView is a field to type into.
type inputView struct {
	ID, Name, Label, Value string
	Lines                  bool
	English                bool // the label is
}

// questionViews asks what a refusal asks, as fields of the page's form. Whatever was
// answered stays so.
func (s *Shop) questionViews(p voice, f choices, r contract.Refusal, read boards.ReadFiles) []questionView {
	var out []questionView
	for i, q := range r.Questions {
		v := questionView{ID: fmt.Sprintf("q%d", i), File: shorten(q.File, 120)}
		v.Text, v.Detail = p.question(q)
		if slices.Contains(slices.Concat(numbers, words), q.Option) {
			v.Name = q.Option
			s.addChoices(p, &v, f, q)
		} else {
			v.Name = answerPrefix + contract.DeriveID(q.Option, q.Question, q.File)[:12]
			addAnswers(p, &v, f, q, read)
		}
		if len(v.Choices) == 1 { // it can be left unanswered too: the files are mended then
			v.Choices = append(v.Choices, choiceView{ID: v.ID + "-none", Label: p.Text("No: I send other files"), Chosen: !v.Choices[0].Chosen})
		}
		out = append(out, v)
	}
	return append(out, fieldQuestions(p, f, r)...)
}

// fieldQuestions ask for what an answer needs besides, such as how many boards a panel has.
func fieldQuestions(p voice, f choices, r contract.Refusal) []questionView {
	var out []questionView
	for i, one := range r.Fields {
		if strings.HasPrefix(one.Field, "fab_options.") {
			id := fmt.Sprintf("n%d", i)
			name := textPrefix + one.Field
			v := questionView{ID: id, Name: name, Inputs: []inputView{{ID: id + "-i", Name: name, Label: p.Text("Your answer"), Value: f.get(name)}}}
			v.Text, v.Detail = p.question(contract.Question{Option: one.Field, Question: one.Message})
			out = append(out, v)
		}
	}
	return out
}

// addChoices offers the values of an option.
func (s *Shop) addChoices(p voice, v *questionView, f choices, q contract.Question) {
	chosen := f.get(v.Name)
	for i, c := range q.Choices {
		value := fmt.Sprint(c)
		label := s.nameOf(p, q.Option, value)
		if c == q.Usual {
			label = p.Text("%s (usual)", label)
		}
		v.Choices = append(v.Choices, choiceView{ID: fmt.Sprintf("%s-%d", v.ID, i), Value: value, Label: label, Chosen: chosen == value || chosen == "" && c == q.Usual && c != nil})
	}
}

// addAnswers offers the ways on from a finding, or the values of an extra.
func addAnswers(p voice, v *questionView, f choices, q contract.Question, read boards.ReadFiles) {
	if len(q.Answers) == 0 {
		for _, c := range q.Choices {
			addAnswer(p, v, f, answers.Answer{Field: q.Option, Value: c, Means: fmt.Sprint(c)})
		}
		return
	}
	for _, a := range q.Answers {
		switch {
		case a.Field == "file_answers.tool_sizes" && isOpen(a.Value):
			addSizes(p, v, f, a)
		case a.Value == nil:
			addInput(p, v, f, a, read)
		case !isOpen(a.Value):
			addAnswer(p, v, f, a)
		}
	}
}

func addAnswer(p voice, v *questionView, f choices, a answers.Answer) {
	value, err := json.Marshal(map[string]any{"field": a.Field, "value": a.Value})
	if err != nil {
		return // what came as JSON is JSON
	}
	label := p.meaning(a)
	v.Choices = append(v.Choices, choiceView{ID: fmt.Sprintf("%s-%d", v.ID, len(v.Choices)), Value: string(value), Label: label.Text, English: label.English, Chosen: url.Values(f).Get(v.Name) == string(value)})
}

// isOpen reports whether a value has a null in it, for what only the customer knows.
func isOpen(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case map[string]any:
		for _, inner := range v {
			if isOpen(inner) {
				return true
			}
		}
	}
	return false
}

func addInput(p voice, v *questionView, f choices, a answers.Answer, read boards.ReadFiles) {
	label := p.meaning(a)
	in := inputView{ID: fmt.Sprintf("%s-i%d", v.ID, len(v.Inputs)), Name: textPrefix + a.Field, Label: label.Text, English: label.English, Lines: a.Field == "file_answers.layer_order"}
	in.Value = url.Values(f).Get(in.Name)
	if names := copperFiles(read); in.Lines && len(names) > 0 { // not filled in: whoever overlooks it has not answered
		in.Label = p.Text("%s One a line; those that we know are %s.", in.Label, p.List(names))
	}
	v.Inputs = append(v.Inputs, in)
}

// copperFiles are those that were taken for copper, as far as their order is known.
func copperFiles(read boards.ReadFiles) []string {
	list := slices.DeleteFunc(slices.Clone(read.Files), func(c boards.FileClass) bool { return c.Role != "copper" })
	slices.SortStableFunc(list, func(a, b boards.FileClass) int { return a.Layer - b.Layer })
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return out
}

func addSizes(p voice, v *questionView, f choices, a answers.Answer) {
	files, _ := a.Value.(map[string]any)
	for file, tools := range files {
		tools, _ := tools.(map[string]any)
		for tool := range tools {
			name := sizePrefix + tool + "-" + file
			v.Inputs = append(v.Inputs, inputView{ID: fmt.Sprintf("%s-i%d", v.ID, len(v.Inputs)), Name: name, Label: p.Text("The diameter of tool %s in millimetres.", tool), Value: f.get(name)})
		}
	}
}

// listAnswers are answers that were given and are not asked any more.
func listAnswers(f choices, asked []questionView) []inputView {
	shown := map[string]bool{}
	for _, q := range asked {
		shown[q.Name] = true
		for _, in := range q.Inputs {
			shown[in.Name] = true
		}
	}
	var out []inputView
	for name, values := range f {
		isAnswer := strings.HasPrefix(name, answerPrefix) || strings.HasPrefix(name, textPrefix) || strings.HasPrefix(name, sizePrefix)
		if value := cmp.Or(values...); isAnswer && !shown[name] && value != "" {
			out = append(out, inputView{Name: name, Value: value})
		}
	}
	slices.SortFunc(out, func(a, b inputView) int { return strings.Compare(a.Name, b.Name) })
	return out
}
