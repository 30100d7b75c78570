package accounts_test

import (
	"testing"

	"boardorder/pkg/contract/accounts"
)

// TestFabricatorRules: a rule is read as it is written; what is none is refused.
func TestFabricatorRules(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want accounts.FabricatorRule
		ok   bool
	}{
		{"cheapest", accounts.FabricatorRule{Kind: accounts.Cheapest}, true},
		{"fastest", accounts.FabricatorRule{Kind: accounts.Fastest}, true},
		{"preferred", accounts.FabricatorRule{Kind: accounts.Preferred}, true},
		{"preferred 10%", accounts.FabricatorRule{Kind: accounts.Preferred, Percent: 10}, true},
		{"preferred near_by", accounts.FabricatorRule{Kind: accounts.Preferred, Fabricator: "near_by"}, true},
		{"preferred near_by 100%", accounts.FabricatorRule{Kind: accounts.Preferred, Fabricator: "near_by", Percent: 100}, true},
		{"", accounts.FabricatorRule{Kind: accounts.Preferred}, true},
		{"best", accounts.FabricatorRule{}, false},
		{"cheapest 10%", accounts.FabricatorRule{}, false},
		{"fastest near_by", accounts.FabricatorRule{}, false},
		{"preferred 0%", accounts.FabricatorRule{}, false},
		{"preferred 101%", accounts.FabricatorRule{}, false},
		{"preferred -1%", accounts.FabricatorRule{}, false},
		{"preferred 2.5%", accounts.FabricatorRule{}, false},
		{"preferred a b", accounts.FabricatorRule{}, false},
		{"preferred a.b", accounts.FabricatorRule{}, false},
		{"preferred 10% near_by", accounts.FabricatorRule{}, false},
	} {
		got, err := accounts.ParseFabricatorRule(tt.text)
		if (err == nil) != tt.ok || tt.ok && got != tt.want {
			t.Errorf("parse %q: %+v, %v; want %+v, a rule: %t", tt.text, got, err, tt.want, tt.ok)
		}
		if written := got.String(); tt.ok && tt.text != "" && written != tt.text {
			t.Errorf("%q is written as %q, want the same", tt.text, written)
		}
	}
	if got := (accounts.FabricatorRule{}).String(); got != "preferred" {
		t.Errorf("the zero rule is written as %q, want preferred", got)
	}
}
