package reference

import (
	"fmt"
	"html/template"

	"boardorder/pkg/contract"

	"go.yaml.in/yaml/v3"
)

// A program is a first quote in one language, as it can be run: by plain requests, and
// with the client library of the language where it has one.
type program struct{ Language, Code, WithLibrary string }

// programs are the first quote in each language that the reference shows.
func programs() ([]program, error) {
	out := []program{
		{"Shell", "first-quote.sh", ""}, {"Python", "first-quote.py", "first-quote-library.py"},
		{"TypeScript", "first-quote.ts", "first-quote-library.ts"}, {"Go", "first-quote.go.txt", ""},
	}
	for i := range out {
		for _, text := range []*string{&out[i].Code, &out[i].WithLibrary} {
			if *text == "" {
				continue
			}
			code, err := files.ReadFile("guide/" + *text)
			if err != nil {
				return nil, err
			}
			*text = string(code)
		}
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
