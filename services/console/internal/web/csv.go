package web

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/plain"

	"go.uber.org/zap"
)

var csvHead = []string{
	"order", "order_id", "status", "account", "account_name", "quantity", "board", "total", "currency", "paid_at", "placed_at",
	"shipped_at", "fabricator", "fabricator_number", "fabricator_cost", "carrier", "tracking", "name", "company", "country", "held",
}

// ordersCSV exports orders. No cell can be taken for a formula.
func (s *Server) ordersCSV(c *call) error {
	status := c.r.URL.Query().Get("status")
	if status != "" && !slices.Contains(orderStatuses, orders.Status(status)) {
		return missing("status")
	}
	of := sideOf(c.r)
	first, next, err := s.listOrders(c, of, status, "")
	if err != nil {
		return err
	}
	if err := c.saw(audits.Record{Action: "exported orders", Kind: "status", ID: status}); err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	c.w.Header().Set("Content-Disposition", `attachment; filename="orders.csv"`)
	_ = c.controller().SetWriteDeadline(time.Now().Add(downloadTime))
	w := csv.NewWriter(c.w)
	w.UseCRLF = true
	_ = w.Write(csvHead) // what cannot be written, Flush reports
	for orders := first; ; {
		for _, o := range orders {
			if !of.has(o.Account) {
				continue
			}
			_ = w.Write(csvRow(*o, c.accountName(o.Account)))
		}
		w.Flush()
		if w.Error() != nil || next == "" {
			return nil
		}
		if orders, next, err = s.listOrders(c, of, status, next); err != nil {
			s.Log.Error("export broke off", zap.Error(err))
			panic(http.ErrAbortHandler) // a file that ends early must not look whole
		}
	}
}

func (s *Server) listOrders(c *call, of side, status, cursor string) ([]*orders.Order, string, error) {
	key, value := of.key(status)
	return list[orders.Order](c.r.Context(), s.Docs, contract.OrderAggregate, key, value, projection.Page{Limit: 500, Cursor: cursor})
}

func csvRow(o orders.Order, account string) []string {
	t := shipments.Tracking{}
	if o.Tracking != nil {
		t = *o.Tracking
	}
	row := []string{
		o.Ref, o.ID, string(o.Status), o.Account, account, strconv.Itoa(o.Quantity), o.Board, decimal(o.TotalCents), o.Currency,
		stamp(&o.PaidAt), stamp(o.PlacedAt), stamp(o.ShippedAt), o.Fabricator.Adapter, o.Fabricator.Number, decimal(o.Fabricator.Cents),
		t.Carrier, t.Number, o.ShipTo.Name, o.ShipTo.Company, o.ShipTo.Country, o.Held,
	}
	for i := range row {
		row[i] = plain.Cell(row[i])
	}
	return row
}

func stamp(t *time.Time) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
