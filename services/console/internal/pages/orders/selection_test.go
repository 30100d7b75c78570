package orders_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page/pagetest"
	"boardorder/services/console/internal/states"
)

// putFound projects an order as the projector does: found by its customer, listed by the day of payment.
func (d *desk) putFound(t *testing.T, o orders.Order) {
	t.Helper()
	body, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	doc := projection.Document{
		Kind: string(contract.OrderAggregate), ID: o.Quote, Seq: 1, At: o.PaidAt, Body: body, Keys: map[string]string{"status": string(o.Status)},
		Terms: search.Terms(contract.OrderAggregate, o.Quote, body),
	}
	if err := d.Docs.Put(t.Context(), doc); err != nil {
		t.Fatal(err)
	}
}

// TestOrdersAreFiltered: by customer, day, fabricator and currency, alone and together, on the page
// and in the file.
func TestOrdersAreFiltered(t *testing.T) {
	t.Parallel()
	d := open(t)
	day := time.Date(2026, 11, 20, 23, 30, 0, 0, time.UTC)
	for i, ref := range []string{"ada", "grace", "yen"} {
		o := makePaidOrder()
		o.ID, o.Ref, o.Quote, o.Refunds, o.PaidAt = "ord_"+ref, "BO-"+ref, ref, nil, day.AddDate(0, 0, i)
		o.ShipTo.Name, o.ShipTo.Company, o.ShipTo.Email = ref+" Lovelace", "", ref+"@example.com"
		o.Fabricator.Name = []string{"Far East", "Nearby", "Far East"}[i]
		if ref == "yen" {
			o.Payment.Charged = &prices.Charge{Charged: prices.Charged{Currency: "JPY", Minor: 45_000}, Cents: 30_000}
		}
		d.putFound(t, o)
	}
	for query, want := range map[string]string{
		"": "yen grace ada", "customer=grace": "grace", "customer=lovelace": "yen grace ada", "customer=nobody": "", "from=2026-11-21": "yen grace", "to=2026-11-20": "ada", "from=2026-11-21&to=2026-11-21": "grace",
		"fabricator=far": "yen ada", "currency=JPY": "yen", "currency=usd": "grace ada", "fabricator=far&currency=USD": "ada", "status=held": "", "status=placed&customer=ada": "ada",
	} {
		w := d.Get(fin, d.list, "/orders?"+query)
		var got []string
		for _, line := range strings.Split(w.Body.String(), "\n") {
			if _, after, found := strings.Cut(line, `<th scope="row"><a class="number" href="/orders/`); found {
				ref, _, _ := strings.Cut(after, `"`)
				got = append(got, ref)
			}
		}
		if strings.Join(got, " ") != want || w.Code != http.StatusOK {
			t.Errorf("%q: %d, orders %q; want %q", query, w.Code, got, want)
		}
		rows, err := csv.NewReader(d.Get(fin, d.export, "/orders.csv?"+query).Body).ReadAll()
		var file []string
		for _, row := range rows[min(1, len(rows)):] {
			file = append(file, strings.TrimPrefix(row[0], "BO-"))
		}
		if err != nil || strings.Join(file, " ") != want {
			t.Errorf("%q: the file has %q, %v; want %q", query, file, err, want)
		}
	}
	for _, query := range []string{"customer=ad", "from=yesterday", "to=2026-13-01"} {
		if w := d.Get(fin, d.list, "/orders?"+query); w.Code != http.StatusBadRequest {
			t.Errorf("%q: %d, want 400", query, w.Code)
		}
	}
	if w := d.Get(viewer, d.list, "/orders?customer=grace"); strings.Count(w.Body.String(), `href="/orders/`) < 3 || strings.Contains(w.Body.String(), `name="customer"`) {
		t.Errorf("who does not see customers finds by them:\n%s", w.Body)
	}
}

// TestOlderOrders: a list that is narrowed goes on to the first order, each shown once.
func TestOlderOrders(t *testing.T) {
	t.Parallel()
	d := open(t)
	const n = states.PerPage + 5
	for i := range n {
		o := makePaidOrder()
		o.Quote, o.PaidAt, o.Fabricator.Name = fmt.Sprintf("q%02d", i), pagetest.At.AddDate(0, 0, -i), "Fab & Söhne"
		d.putFound(t, o)
	}
	shown, to := 0, "/orders?status=placed&fabricator=fab+%26+s%C3%B6hne&from=2026-01-01"
	for pages := 0; to != ""; pages++ {
		body := d.Get(fin, d.list, to).Body.String()
		shown += strings.Count(body, `<th scope="row"><a class="number"`)
		if to = pagetest.Older(body); pages > 2 {
			t.Fatalf("the list of %d orders goes on after %d rows: %s", n, shown, to)
		}
	}
	if shown != n {
		t.Errorf("%d orders are shown, want each of %d once", shown, n)
	}
}

// TestHeldOrdersHaveLabelsAndASum: what each is held for in few words, and what is at stake in all.
func TestHeldOrdersHaveLabelsAndASum(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.putHeld()
	body := d.Get(fin, d.list, "/orders?status=held").Body.String()
	for _, want := range []string{"3 orders are held", "<b>$102.01</b>", "to be looked at"} {
		if !strings.Contains(body, want) {
			t.Errorf("the held orders do not say %q", want)
		}
	}
	if strings.Contains(d.Get(fin, d.list, "/orders").Body.String(), "at stake") {
		t.Error("all orders have a sum of those that are held")
	}
}

// TestOrderThatWaits: a paid order whose fabricator is away says for whom it waits, since when, and when it
// is tried again; one that is placed does not.
func TestOrderThatWaits(t *testing.T) {
	t.Parallel()
	for status, waits := range map[orders.Status]bool{orders.Paid: true, orders.Placing: true, orders.Placed: false} {
		d := open(t)
		o := makePaidOrder()
		o.Status, o.Fabricator.Name = status, "Far East"
		o.Postponed = &orders.Postponement{Since: pagetest.At.Add(-2 * time.Hour), Next: pagetest.At.Add(5 * time.Minute), EveryS: 600, Why: "no answer"}
		d.put(o)
		for target, body := range map[string]string{"/orders/q1": d.Get(viewer, d.show, "/orders/q1").Body.String(), "/orders": d.Get(viewer, d.list, "/orders").Body.String()} {
			wants := []string{"2026-11-21 08:00:00", "at 2026-11-21 10:05:00 UTC"}
			if target == "/orders/q1" {
				wants = append(wants, "It waits for Far East", "no answer")
			}
			for _, want := range wants {
				if strings.Contains(body, want) != waits {
					t.Errorf("%s of a %s order says %q: %t, want %t", target, status, want, !waits, waits)
				}
			}
		}
	}
}
