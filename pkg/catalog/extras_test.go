package catalog

import (
	"slices"
	"testing"

	"boardorder/pkg/contract"
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
		asked contract.QuoteRequest
		board *contract.BoardDetails
		want  []Extra
	}{
		"none":                      {contract.QuoteRequest{}, &contract.BoardDetails{Layers: 2}, nil},
		"asked":                     {contract.QuoteRequest{ImpedanceControlled: &yes, FabStackup: &stackup}, nil, []Extra{{"Controlled impedance", "yes"}, {"Stackup", stackup}}},
		"as priced":                 {contract.QuoteRequest{FabStackup: &stackup}, &contract.BoardDetails{FabStackup: "JLC04161H"}, []Extra{{"Stackup", "JLC04161H"}}},
		"a value with a name":       {contract.QuoteRequest{FabOptions: map[string]any{pick.Key: pick.Values[0].ID}}, nil, []Extra{{pick.Name, pick.Values[0].Name}}},
		"keys without a name":       {contract.QuoteRequest{FabOptions: map[string]any{"odd_key": "a_b", "other": 2.5}}, nil, []Extra{{"Odd key", "a b"}, {"Other", "2.5"}}},
		"a list of words":           {contract.QuoteRequest{FabOptions: map[string]any{"odd": []any{"top", "bottom"}}}, nil, []Extra{{"Odd", "top, bottom"}}},
		"a list of what has fields": {contract.QuoteRequest{FabOptions: map[string]any{"odd": []any{map[string]any{"x": 1.0}}}}, nil, []Extra{{"Odd", "1 chosen"}}},
	} {
		if got := c.Extras(contract.Quote{Asked: tt.asked, Reply: contract.QuoteReply{BoardDetails: tt.board}}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
