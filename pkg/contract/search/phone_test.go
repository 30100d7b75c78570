package search_test

import (
	"testing"

	"boardorder/pkg/contract/search"
)

// TestPhone: one number is one number however it is written, with the codes of its country and
// its place or without.
func TestPhone(t *testing.T) {
	t.Parallel()
	const number = "+49 (0)30 1234-567"
	for _, same := range []string{"0049301234567", "+49 30 1234567", "030/1234567", "(030) 123 45 67", "1234567", "０３０－１２３４５６７", "tel:+49301234567", "+49 30 1234567 ext. 9", "030 1234567"} {
		if !search.IsSamePhone(number, same) || !search.IsSamePhone(same, number) {
			t.Errorf("%q and %q: %q and %q, want the same number", number, same, search.Phone(number), search.Phone(same))
		}
		if search.PhoneTerm(search.Phone(same)) != search.PhoneTerm(search.Phone(number)) {
			t.Errorf("%q is looked for by %q, want as %q", same, search.PhoneTerm(search.Phone(same)), number)
		}
	}
	for _, other := range []string{"030 1234568", "+49 40 1234567", "", "12345", "grace", "BO-2345ABCD", "+49 30 12"} {
		if search.IsSamePhone(number, other) {
			t.Errorf("%q is %q, want another number or none", other, search.Phone(other))
		}
	}
}
