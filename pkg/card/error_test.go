package card_test

import (
	"errors"
	"fmt"
	"testing"

	"boardorder/pkg/card"
)

func TestKindOf(t *testing.T) {
	t.Parallel()
	refused := &card.Error{Kind: card.Refused, Code: card.CodeNotFound, Doing: "ask for payment", Message: "no such payment"}
	for _, tt := range []struct {
		err  error
		want card.Kind
	}{
		{nil, ""},
		{refused, card.Refused},
		{fmt.Errorf("settle: %w", refused), card.Refused},
		{errors.New("anything else"), card.Unknown},
	} {
		if got := card.KindOf(tt.err); got != tt.want {
			t.Errorf("KindOf(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
	if !card.IsCode(fmt.Errorf("settle: %w", refused), card.CodeNotFound) || card.IsCode(refused, card.CodeBusy) || card.IsCode(nil, "") {
		t.Error("IsCode does not tell codes apart")
	}
	if want := "ask for payment: card processor: refused (resource_missing): no such payment"; refused.Error() != want {
		t.Errorf("Error() = %q, want %q", refused, want)
	}
}

func TestTotal(t *testing.T) {
	t.Parallel()
	r := card.CheckoutRequest{Lines: []card.Line{{Cents: 500}, {Cents: -50}, {Cents: 0}}}
	if got := r.Total(); got != 450 {
		t.Errorf("Total = %d, want 450", got)
	}
}
