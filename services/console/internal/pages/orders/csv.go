package orders

import (
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/money"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"

	"go.uber.org/zap"
)

var csvHead = []string{
	"order", "order_id", "status", "account", "account_name", "quantity", "board", "total", "currency", "paid_at", "placed_at",
	"shipped_at", "fabricator", "fabricator_number", "fabricator_cost", "carrier", "tracking", "name", "company", "country", "held",
	"charged", "charged_currency",
}

// exportPage is how many orders are read at once.
const exportPage = 500

// Export exports orders. No cell can be taken for a formula.
func (s *Section) Export(c *page.Call) error {
	wanted, err := readSelection(c)
	if err != nil {
		return err
	}
	first, next, err := s.read(c.R.Context(), wanted, exportPage, "")
	if err != nil {
		return err
	}
	if err := c.RecordAccess(audits.Record{Action: "exported orders", Kind: "status", ID: wanted.Status}); err != nil {
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
			_ = w.Write(csvRow(*o, c.AccountName(o.Account)))
		}
		w.Flush()
		if w.Error() != nil || next == "" {
			return nil
		}
		if orders, next, err = s.read(c.R.Context(), wanted, exportPage, next); err != nil {
			s.Log.Error("export broke off", zap.Error(err))
			panic(http.ErrAbortHandler) // a file that ends early must not look whole
		}
	}
}

func csvRow(o orders.Order, account string) []string {
	t := shipments.Tracking{}
	if o.Tracking != nil {
		t = *o.Tracking
	}
	charged := prices.NewCharged(o.Payment.Currency, o.Payment.Cents)
	if c := o.Payment.Charged; c != nil {
		charged = c.Charged
	}
	row := []string{
		o.Ref, o.ID, string(o.Status), o.Account, account, strconv.Itoa(o.Quantity), o.Board, format.Decimal(o.TotalCents), o.Currency,
		format.Stamp(&o.PaidAt), format.Stamp(o.PlacedAt), format.Stamp(o.ShippedAt), o.Fabricator.Name, o.Fabricator.Number, format.Decimal(o.Fabricator.Cents),
		t.Carrier, t.Number, o.ShipTo.Name, o.ShipTo.Company, o.ShipTo.Country, o.Held,
		strings.ReplaceAll(money.Decimal(charged.Minor, charged.Digits), ",", ""), charged.Currency,
	}
	for i := range row {
		row[i] = untrusted.Cell(row[i])
	}
	return row
}
