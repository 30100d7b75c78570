// Package orderfile reads what an upload's board-order.json states of a request, so that
// every endpoint that takes an upload understands it alike.
package orderfile

import (
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
)

// Fill gives the body of a request with what an order file states and the request does
// not. The request's word counts, also where it is an empty list; null is no word.
func Fill(file uploads.OrderFile, request map[string]any, omit func(string) bool) (map[string]any, *quotes.OrderSource, error) {
	stated, err := Read(file)
	if err != nil {
		return nil, nil, err
	}
	source := &quotes.OrderSource{Name: file.Name, States: []string{}}
	all := maps.Clone(request)
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		if itar.Name(name) && itar.DeclaresIn(map[string]any{name: stated[name]}) {
			all[name] = stated[name] // no default of a client takes it back
			source.States = append(source.States, name)
			continue
		}
		if _, sent := request[name]; sent && name == "build_time_hours" {
			continue // null asks for the standard time, as cells of tables and savings do
		}
		if v := all[name]; stated[name] == nil || v != nil && v != "" || omit != nil && omit(name) && !itar.Name(name) {
			continue
		}
		all[name] = stated[name]
		source.States = append(source.States, name)
	}
	return all, source, nil
}

// IsEmpty reports whether a value says as much as none.
func IsEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// marks are what an order file says of itself.
var marks = []string{"board_order", "$schema"}

// Read gives the properties of a request that an order file states.
func Read(file uploads.OrderFile) (map[string]any, error) {
	if file.Problem != "" {
		return nil, refuse(jsonbody.Malformed, file.Problem)
	}
	stated, err := jsonbody.Parse([]byte(strings.TrimPrefix(file.Text, "\ufeff")))
	if err != nil {
		message := problem.Find(err).Refusal.Message
		if rest, ok := strings.CutPrefix(message, "The body "); ok {
			message = "It " + rest
		}
		return nil, refuse(jsonbody.Malformed, message)
	}
	f := jsonbody.NewFields(stated)
	if version := f.Int("board_order", quotes.FormatOrderFile, quotes.FormatOrderFile); version == nil {
		return nil, refuse(jsonbody.Unsupported, `It states "board_order": 1 where it is to be read; no other form of it is known here.`)
	}
	maps.DeleteFunc(stated, func(name string, _ any) bool {
		return slices.Contains(marks, name) || slices.Contains(quotes.NotOfOrderFiles, name)
	})
	return stated, nil
}

// refuse refuses a request since the order file of its upload cannot be read.
func refuse(kind, message string) error {
	return problem.Fields([]contract.FieldProblem{{
		Field: answers.OrderFileName, Problem: kind,
		Message: message + " Correct " + answers.OrderFileName + " and upload it again: a file of the same name takes its place.",
	}})
}

// Name says of each problem of a field that the order file states where it stands.
func Name(err error, source *quotes.OrderSource) error {
	if err == nil {
		return nil
	}
	p := problem.Find(err)
	for i, f := range p.Refusal.Fields {
		if name, _, _ := strings.Cut(f.Field, "."); slices.Contains(source.States, name) {
			p.Refusal.Fields[i].Field = answers.OrderFileName + "." + f.Field
			p.Refusal.Fields[i].Message = "In " + answers.OrderFileName + ": " + f.Message
		}
	}
	return p
}
