package orderfile

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/problem"
)

// TestFill: the request's word counts first, what is left out by name stays out, and a
// declaration never does.
func TestFill(t *testing.T) {
	t.Parallel()
	file := uploads.OrderFile{Name: "board-order.json", Text: `{"board_order": 1, "$schema": "x", "quantity": 5, "solder_mask": "Blue", "build_time_hours": 48, "assembly": null, "ship_to": {}, "itar": false}`}
	for name, tt := range map[string]struct {
		request map[string]any
		omit    []string
		want    []string
	}{
		"a request of nothing":       {map[string]any{}, nil, []string{"build_time_hours", "itar", "quantity", "solder_mask"}},
		"a stated quantity":          {map[string]any{"quantity": 0}, nil, []string{"build_time_hours", "itar", "solder_mask"}},
		"an empty text":              {map[string]any{"solder_mask": ""}, nil, []string{"build_time_hours", "itar", "quantity", "solder_mask"}},
		"an empty list":              {map[string]any{"solder_mask": []any{}}, nil, []string{"build_time_hours", "itar", "quantity"}},
		"a standard time, asked for": {map[string]any{"build_time_hours": nil}, nil, []string{"itar", "quantity", "solder_mask"}},
		"left out":                   {map[string]any{}, []string{"quantity", "itar"}, []string{"build_time_hours", "itar", "solder_mask"}},
	} {
		all, source, err := Fill(file, tt.request, func(name string) bool { return slices.Contains(tt.omit, name) })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(source.States, tt.want) || all["ship_to"] != nil {
			t.Errorf("%s: the file states %v, all %v; want %v and no destination", name, source.States, all, tt.want)
		}
	}
}

// TestFillDeclares: no word of a request takes back what a file declares.
func TestFillDeclares(t *testing.T) {
	t.Parallel()
	for _, request := range []map[string]any{{}, {"itar": false}, {"itar": nil}, {"ITAR": "no"}} {
		all, _, err := Fill(uploads.OrderFile{Text: `{"board_order": 1, "itar": true}`}, request, func(string) bool { return true })
		if err != nil || !itar.DeclaresIn(all) {
			t.Errorf("a file that declares, beside %v: %v, %v; want a declaration", request, all, err)
		}
	}
}

// FuzzRead: whatever the file holds, it is read or refused by its name, and what is read
// neither marks itself nor says where boards go.
func FuzzRead(f *testing.F) {
	for _, text := range []string{``, `{}`, `{"board_order": 1}`, `{"board_order": 1.0, "quantity": 1e3}`, `{"board_order": 1, "ship_to": {"country": "DE"}}`, "\ufeff[1]", `{"board_order": 1, "board_order": 1}`, strings.Repeat("[", 2000)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		stated, err := Read(uploads.OrderFile{Name: "board-order.json", Text: text})
		if err != nil {
			p := problem.Find(err)
			if p.Refusal.Code != contract.InvalidRequest || len(p.Refusal.Fields) != 1 || p.Refusal.Fields[0].Field != "board-order.json" {
				t.Errorf("%q: refused as %+v, want by its name", text, p.Refusal)
			}
			return
		}
		for name := range stated {
			if slices.Contains(marks, name) || slices.Contains(quotes.NotOfOrderFiles, name) && !itar.Name(name) {
				t.Errorf("%q states %q", text, name)
			}
		}
	})
}
