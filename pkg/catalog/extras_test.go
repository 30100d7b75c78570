package catalog

import (
	"slices"
	"testing"

	"boardorder/pkg/contract/quotes"
)

// TestExtras: what is ordered beside the usual options, in the words of the catalogue.
func TestExtras(t *testing.T) {
	t.Parallel()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	yes, stackup := true, "SIM0416-7628"
	all := append(slices.Clone(c.Services), c.Options...)
	pick := all[slices.IndexFunc(all, func(o Option) bool { return len(o.Values) > 0 && o.Values[0].Name != "" })]
	for name, tt := range map[string]struct {
		request quotes.Request
		board   *quotes.BoardDetails
		want    []Extra
	}{
		"none":                      {quotes.Request{}, &quotes.BoardDetails{Layers: 2}, nil},
		"asked":                     {quotes.Request{ImpedanceControlled: &yes, FabStackup: &stackup}, nil, []Extra{{"Controlled impedance", "yes"}, {"Stackup", stackup}}},
		"as priced":                 {quotes.Request{FabStackup: &stackup}, &quotes.BoardDetails{FabStackup: "JLC04161H"}, []Extra{{"Stackup", "JLC04161H"}}},
		"a value with a name":       {quotes.Request{FabOptions: map[string]any{pick.Key: pick.Values[0].ID}}, nil, []Extra{{pick.Name, pick.Values[0].Name}}},
		"keys without a name":       {quotes.Request{FabOptions: map[string]any{"odd_key": "a_b", "other": 2.5}}, nil, []Extra{{"Odd key", "a b"}, {"Other", "2.5"}}},
		"a list of words":           {quotes.Request{FabOptions: map[string]any{"odd": []any{"top", "bottom"}}}, nil, []Extra{{"Odd", "top, bottom"}}},
		"a list of what has fields": {quotes.Request{FabOptions: map[string]any{"odd": []any{map[string]any{"x": 1.0}}}}, nil, []Extra{{"Odd", "1 chosen"}}},
	} {
		if got := c.Extras(quotes.Quote{Request: tt.request, Reply: quotes.Reply{BoardDetails: tt.board}}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
