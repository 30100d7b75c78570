package find

import (
	"slices"
	"testing"

	"boardorder/pkg/contract"
)

// TestTokens: an address is taken apart, from its end, and what is signed begins with what it
// is about.
func TestTokens(t *testing.T) {
	t.Parallel()
	for what, want := range map[string][]string{
		"BO-2345ABCD": {"BO-2345ABCD", "bo-2345abcd"}, "req_one": {"req_one"}, "Grace Hopper": nil, "board.zip": nil, "": nil,
		"https://shop.example/checkout/0a1b?lang=de#pay": {"0a1b", "checkout"}, "shop.example/buy/bl_01/": {"bl_01", "buy"},
		"https://shop.example/formal-quotes/key_CO-1-Q2.s0.k1.sig.pdf": {"key_CO-1-Q2", "key_co-1-q2", "key", "formal-quotes"},
	} {
		if got := tokens(what); !slices.Equal(got, want) {
			t.Errorf("tokens(%q) = %q, want %q", what, got, want)
		}
	}
}

// TestSpellings: what people leave out of a number is added, for the things that have it.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a    contract.Aggregate
		term string
		want []string
	}{
		{contract.OrderAggregate, "2345ab", []string{"2345ab", "bo-2345ab"}},
		{contract.OrderAggregate, "17", []string{"17", "bo-17", "inv-000017", "test-000017"}},
		{contract.OrderAggregate, "inv 17", []string{"inv 17", "inv-000017"}},
		{contract.OrderAggregate, "bo-23", []string{"bo-23"}},
		{contract.OrderAggregate, "+49 (0)30 123456", []string{"+49 (0)30 123456", "tel:6543210"}},
		{contract.FormalAggregate, "7k3f", []string{"7k3f", "co-7k3f"}},
		{contract.AccountAggregate, "0301234567", []string{"0301234567"}},
		{contract.CustomerAggregate, "0301234567", []string{"0301234567", "tel:7654321"}},
		{contract.CaseAggregate, "to call back", []string{"call"}}, {contract.CaseAggregate, "--", nil},
	} {
		if got := spellings(tt.a, tt.term); !slices.Equal(got, tt.want) {
			t.Errorf("spellings(%s, %q) = %q, want %q", tt.a, tt.term, got, tt.want)
		}
	}
}
