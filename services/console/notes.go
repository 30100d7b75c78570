package console

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/flow"
)

// addNote keeps what an operator wants colleagues to know about a quote, an order or a
// customer. Written again by the same request, it is there once.
func (a *Accounts) addNote(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[cases.AddNoteData](c)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(data.Text)
	if data.Operator == "" || !contract.ValidToken(data.Case) || text == "" {
		return contract.Refuse(contract.InvalidRequest, "A note has words, and an operator who writes them.")
	}
	if utf8.RuneCountInString(text) > cases.MaxNoteText {
		return contract.Refuse(contract.InvalidRequest, "A note has at most %d characters.", cases.MaxNoteText)
	}
	return a.changeCase(ctx, c, data.Case, data.Person, data.ITAR, func(now cases.Case) (*caseChange, error) {
		if slices.ContainsFunc(now.Notes, func(n cases.Note) bool { return n.ID == c.ID }) {
			return nil, nil
		}
		if len(now.Notes) >= cases.MaxNotes {
			return nil, contract.Refuse(contract.Conflict, "There are already %d notes.", cases.MaxNotes)
		}
		now.Notes = append(slices.Clone(now.Notes), cases.Note{ID: c.ID, Operator: data.Operator, At: a.now().UTC(), Text: text})
		return &caseChange{Event: cases.EventNoted, State: now}, nil
	})
}
