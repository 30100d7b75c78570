package orders

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"

	"go.uber.org/zap"
)

var csvHead = []string{
	"order", "order_id", "status", "account", "account_name", "quantity", "board", "total", "currency", "paid_at", "placed_at",
	"shipped_at", "fabricator", "fabricator_number", "fabricator_cost", "carrier", "tracking", "name", "company", "country", "held",
}

// Export exports orders. No cell can be taken for a formula.
func (s *Section) Export(c *page.Call) error {
	status := c.R.URL.Query().Get("status")
	if status != "" && !slices.Contains(orderStatuses, orders.Status(status)) {
		return page.Missing("status")
	}
	of := states.ReadMode(c.R)
	first, next, err := s.listOrders(c, of, status, "")
	if err != nil {
		return err
	}
	if err := c.RecordAccess(audits.Record{Action: "exported orders", Kind: "status", ID: status}); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "text/csv; charset=utf-8")
	c.W.Header().Set("Content-Disposition", `attachment; filename="orders.csv"`)
	_ = c.Controller().SetWriteDeadline(time.Now().Add(download.DownloadTime))
	w := csv.NewWriter(c.W)
	w.UseCRLF = true
	_ = w.Write(csvHead) // what cannot be written, Flush reports
	for orders := first; ; {
		for _, o := range orders {
			if !of.Has(o.Account) {
				continue
			}
			_ = w.Write(csvRow(*o, c.AccountName(o.Account)))
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

func (s *Section) listOrders(c *page.Call, of states.ModeFilter, status, cursor string) ([]*orders.Order, string, error) {
	key, value := of.Key(status)
	return states.List[orders.Order](c.R.Context(), s.Docs, contract.OrderAggregate, key, value, projection.Page{Limit: 500, Cursor: cursor})
}

func csvRow(o orders.Order, account string) []string {
	t := shipments.Tracking{}
	if o.Tracking != nil {
		t = *o.Tracking
	}
	row := []string{
		o.Ref, o.ID, string(o.Status), o.Account, account, strconv.Itoa(o.Quantity), o.Board, format.Decimal(o.TotalCents), o.Currency,
		format.Stamp(&o.PaidAt), format.Stamp(o.PlacedAt), format.Stamp(o.ShippedAt), o.Fabricator.Name, o.Fabricator.Number, format.Decimal(o.Fabricator.Cents),
		t.Carrier, t.Number, o.ShipTo.Name, o.ShipTo.Company, o.ShipTo.Country, o.Held,
	}
	for i := range row {
		row[i] = untrusted.Cell(row[i])
	}
	return row
}
