package console_test

import (
	"boardorder/pkg/contract/orders"
	"net/http"
	"strings"
	"testing"
)

func TestReportOrder(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	fin, at := w.signInAs("fin"), "/orders/"+instantRef
	fin.fill(at, at).wants(t, http.StatusUnprocessableEntity, "Choose the new status of the order.")
	fin.fill(at, at, "status", "held").wants(t, http.StatusUnprocessableEntity, "Choose the new status of the order.")
	fin.fill(at, at, "status", "shipped", "url", "javascript:alert(1)").
		wants(t, http.StatusUnprocessableEntity, "Enter the carrier.", "Enter how the parcel can be tracked.", "https://")
	fin.fill(at, at, "status", "placed", "note", "refuse").wants(t, http.StatusUnprocessableEntity, "An order cannot become this.")
	form := fin.form(at, at)
	for name, value := range map[string]string{"status": "shipped", "carrier": "DHL", "number": "JD01", "url": "https://dhl.example/JD01"} {
		form.Set(name, value)
	}
	fin.post(at, form).wants(t, http.StatusOK, "The order has been changed", "JD01", "fin,")
	w.awaitAudit("fin", "reported on an order")
}

func TestGiveMoneyBack(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	fin, page := w.signInAs("fin"), "/orders/"+instantRef
	for amount, want := range map[string]string{"": "Enter an amount, such as 1234.50.", "0": "Write it like 1234.50.", "-1": "Write it like 1234.50.", "ten": "Write it like 1234.50."} {
		fin.fill(page, page+"/refund", "amount", amount).wants(t, http.StatusUnprocessableEntity, want)
	}
	fin.fill(page, page+"/refund", "amount", "9999").wants(t, http.StatusUnprocessableEntity, "Of this payment less is left: $")
	form := fin.form(page, page+"/refund")
	form.Set("amount", "12.50")
	form.Set("why", "a scratch")
	for range 2 { // a double click is one refund
		fin.post(page+"/refund", form).wants(t, http.StatusOK, "The refund is written down", "not yet taken by the card processor", "$12.50", "a scratch")
	}
	if o := orderOf(w, instantRef); len(o.Refunds) != 1 || o.Refunds[0].Cents != 1250 || o.Refunds[0].Operator == "" {
		t.Errorf("refunds = %+v, want one of 1250 cents by its operator", o.Refunds)
	}
	w.awaitAudit("fin", "refunded an order")
	if a := w.signInAs("pia").post(page+"/refund", form); a.status != http.StatusForbidden {
		t.Errorf("who may not = %d, want 403", a.status)
	}
}

func TestCancelOrder(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	fin, page := w.signInAs("fin"), "/orders/"+instantRef
	fin.fill(page, page+"/cancel").wants(t, http.StatusUnprocessableEntity, "Please confirm: this cannot be undone")
	fin.fill(page, page+"/cancel", "sure", "yes", "why", "as you asked").wants(t, http.StatusOK, "The order is cancelled", "as you asked", "cancelled")
	if o := orderOf(w, instantRef); o.Status != orders.Cancelled {
		t.Errorf("order = %s, want %s", o.Status, orders.Cancelled)
	}
	if strings.Contains(fin.get(page).body, page+"/cancel") {
		t.Error("it could be cancelled again")
	}
	w.awaitAudit("fin", "cancelled an order")
}
