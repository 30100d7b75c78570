package standalone_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/fault"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/quotes"
)

// TestTwoFabricators: what the primary fabricator gives no price for, the next one builds; the
// reply says who, and each gets the orders of its own quotes, whoever could build them by then.
func TestTwoFabricators(t *testing.T) {
	t.Parallel()
	second, err := simulator.New(simulator.Config{DataDir: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bustest.Go(t, second.Run)
	s := start(t, map[string]string{
		"DEMO_REQUESTS_PER_MINUTE": "1000000",
		"FABRICATOR_1_NAME":        "near_by", "FABRICATOR_1_INTERFACE": "openfab", "FABRICATOR_1_URL": second.FabricatorURL(), "FABRICATOR_1_COUNTRY": "DE",
		"FABRICATOR_1_APP_ID": fabricator.AppID, "FABRICATOR_1_ACCESS_KEY": fabricator.AccessKey, "FABRICATOR_1_SECRET_KEY": fabricator.SecretKey,
	})
	upload := s.upload(t, s.sample(t))
	ask := func(quantity int) quotes.Reply {
		return s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":%d,"standard_for_unstated":true}`, upload, quantity), http.StatusCreated)
	}
	ours := s.Simulator()
	of := map[string]quotes.Reply{"board_maker": ask(10)}
	if err := ours.Faults().Add(fault.Fault{Match: "POST /fab/overseas/openapi/pcb/calculate", Kind: fault.ErrorBefore, Times: -1}); err != nil {
		t.Fatal(err)
	}
	of["near_by"] = ask(20)
	ours.Faults().Clear()
	makers := map[string]*simulator.Simulator{"board_maker": ours, "near_by": second}
	for name, q := range of {
		if q.Fabricator != name {
			t.Errorf("a quote of %d boards is of %q, want %s", q.Quantity, q.Fabricator, name)
		}
		s.pay(t, q.CheckoutURL, "4242424242424242")
	}
	for name, q := range of {
		var now orderState
		bustest.WaitFor(t, "the parcel of "+name, func() bool { s.get(t, "/v1/quotes/"+q.QuoteID, &now); return now.Status == "shipped" })
		built := makers[name].Fabricator().Ledger().Orders
		if len(built) != 1 || !strings.HasPrefix(built[0].Batch, "ord_") {
			t.Errorf("%s has the orders %+v, want the one of its quote", name, built)
		}
	}
}
