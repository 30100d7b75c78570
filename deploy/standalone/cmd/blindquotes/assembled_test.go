package main

import (
	"reflect"
	"strings"
	"testing"

	"boardorder/pkg/contract"
)

func TestSettle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		sent    map[string]any
		refused contract.Refusal
		want    map[string]any
		again   bool
	}{
		{name: "no position", refused: contract.Refusal{Code: contract.OffBoardParts, OffBoard: []contract.PartQuestion{{Reference: "R3, R4"}}},
			want: map[string]any{"do_not_fit_refs": []string{"R3", "R4"}}, again: true},
		{name: "no part after that", sent: map[string]any{"do_not_fit_refs": []string{"R3"}},
			refused: contract.Refusal{Code: contract.NeedsPartNumbers, Parts: []contract.PartQuestion{{Reference: "J1"}, {Reference: "R3"}}},
			want:    map[string]any{"do_not_fit_refs": []string{"R3", "J1"}}, again: true},
		{name: "the same again", sent: map[string]any{"do_not_fit_refs": []string{"R3"}}, refused: contract.Refusal{Code: contract.OffBoardParts, OffBoard: []contract.PartQuestion{{Reference: "R3"}}},
			want: map[string]any{"do_not_fit_refs": []string{"R3"}}},
		{name: "shorts as they are drawn", refused: contract.Refusal{Code: contract.DesignFiles}, want: map[string]any{"skip_board_checks": true}, again: true},
		{name: "shorts once more", sent: map[string]any{"skip_board_checks": true}, refused: contract.Refusal{Code: contract.DesignFiles}, want: map[string]any{"skip_board_checks": true}},
		{name: "usual options", refused: contract.Refusal{Code: contract.NeedsDetails, Questions: []contract.Question{{Option: "layers", Usual: 2}, {Option: "board"}}},
			want: map[string]any{"layers": 2}, again: true},
		{name: "one choice", refused: contract.Refusal{Code: contract.NeedsDetails, Questions: []contract.Question{{Option: "layers", Choices: []any{4}}}},
			want: map[string]any{"layers": 4}, again: true},
		{name: "nothing is usual", refused: contract.Refusal{Code: contract.NeedsDetails, Questions: []contract.Question{{Option: "board"}}}, want: map[string]any{}},
		{name: "a price", refused: contract.Refusal{}, want: map[string]any{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.sent == nil {
				c.sent = map[string]any{}
			}
			if again := settle(c.sent, c.refused); again != c.again || !reflect.DeepEqual(c.sent, c.want) {
				t.Errorf("%v with %v, want %v with %v", again, c.sent, c.again, c.want)
			}
		})
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	total := newCount(&out)
	total.add("one", &replies{Quote: []byte(`{"mode":"instant","parts":[
		{"reference":"R1","fitting":"fitted","verdict":"ok","mpn":"RC0402FR-0710KL","manufacturer":"YAGEO","replaces":"C25744","compared":[{"property":"power","named":"63 mW","replacement":"100 mW"}]},
		{"reference":"J1","fitting":"left_off"},{"reference":"U1","part":"LM358","fitting":"fitted","verdict":"check","mpn":"LM358DR","why":"another manufacturer"}]}`)})
	total.add("two", &replies{Quote: []byte(`{"mode":"review","custom_quote_reasons":["team"],"parts":[{"reference":"U1","part":"NOSUCH","fitting":"fitted","verdict":"problem","why":"not found"}]}`)})
	total.add("three", &replies{Quote: []byte(`{"mode":"review","custom_quote_reasons":["team"],"parts":[{"reference":"U1","part":"LM358DR","mpn":"LM358DR","fitting":"fitted","verdict":"problem"}]}`)})
	total.add("four", &replies{Quote: []byte(`{"error":"design_files","message":"No board."}`)})
	total.summary()
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"one 3 1 1 1 0 1 instant", "two 1 0 0 0 1 0 review 1 unknown to all; team", "four 0 0 0 0 0 0 design_files No board.", "all 5 1 1 1 2 1",
		"swapped R1: C25744 by RC0402FR-0710KL YAGEO power: 63 mW, now 100 mW", "check U1: LM358 LM358DR [] another manufacturer",
		"4 designs: 1 instant, 2 review", "2 whose parts can be had: 1 instant, 1 review",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
