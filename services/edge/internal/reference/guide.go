package reference

import (
	"fmt"
	"html/template"

	"boardorder/pkg/contract"

	"go.yaml.in/yaml/v3"
)

// A program is a first quote in one language, as it can be run.
type program struct{ Language, File, Code string }

// programs are the first quote in each language that the reference shows.
func programs() ([]program, error) {
	out := []program{
		{Language: "Shell", File: "first-quote.sh"}, {Language: "Python", File: "first-quote.py"},
		{Language: "TypeScript", File: "first-quote.ts"}, {Language: "Go", File: "first-quote.go.txt"},
	}
	for i, p := range out {
		code, err := files.ReadFile("guide/" + p.File)
		if err != nil {
			return nil, err
		}
		out[i].Code = string(code)
	}
	return out, nil
}

// An explanation says what an error means, and what to do about it.
type explanation struct{ Cause, Remedy string }

func (e explanation) CauseHTML() template.HTML  { return words(e.Cause) }
func (e explanation) RemedyHTML() template.HTML { return words(e.Remedy) }

// explanations has one for every code of the closed list.
func explanations() (map[contract.Code]explanation, error) {
	text, err := files.ReadFile("guide/errors.yaml")
	if err != nil {
		return nil, err
	}
	var out map[contract.Code]explanation
	if err := yaml.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	for _, c := range contract.Codes() {
		if e := out[c]; e.Cause == "" || e.Remedy == "" {
			return nil, fmt.Errorf("guide/errors.yaml does not explain %s", c)
		}
	}
	if len(out) != len(contract.Codes()) {
		return nil, fmt.Errorf("guide/errors.yaml explains %d codes, and there are %d", len(out), len(contract.Codes()))
	}
	return out, nil
}
