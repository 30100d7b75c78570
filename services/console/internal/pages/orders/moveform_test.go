package orders

import (
	"boardorder/pkg/contract/orders"
	"testing"
)

func TestMovesAreForwardOrHeld(t *testing.T) {
	t.Parallel()
	for status, want := range map[orders.Status]int{
		orders.Held: 3, orders.Paid: 4, orders.Placing: 0, orders.Placed: 3,
		orders.InProduction: 2, orders.Shipped: 1,
	} {
		got := moves(orders.Order{Status: status})
		if len(got) != want {
			t.Errorf("%s can become %v, want %d of them", status, got, want)
		}
		for _, to := range got {
			if (orderView{}).Explain(to) == "" {
				t.Errorf("nothing says what %s is", to)
			}
		}
	}
}
