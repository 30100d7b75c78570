// Package invoice draws invoices and credit notes as PDF. What a document says is
// recorded in its order; drawn again it is the same, byte for byte.
package invoice

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/address"
	"boardorder/pkg/contract"
	"boardorder/pkg/money"

	"github.com/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

const (
	font   = "go"
	margin = 20.0 // mm
	width  = 170.0
)

// PDF draws a document of an order.
func PDF(o contract.Order, i contract.Invoice) ([]byte, error) {
	d := open(o, i)
	d.parties(o, i)
	d.heading(o, i)
	if i.Kind == contract.CreditNote {
		d.credit(o, i)
	} else {
		d.lines(o)
	}
	d.notes(o, i)
	var out bytes.Buffer
	if err := d.Output(&out); err != nil {
		return nil, fmt.Errorf("draw %s: %w", i.Name(), err)
	}
	return out.Bytes(), nil
}

type document struct{ *fpdf.Fpdf }

func open(o contract.Order, i contract.Invoice) document {
	d := document{fpdf.New("P", "mm", "A4", "")}
	d.SetCatalogSort(true)
	d.SetCreationDate(i.IssuedAt.UTC())
	d.SetModificationDate(i.IssuedAt.UTC())
	d.SetLang("en")
	d.SetTitle(title(i)+" "+i.Name(), true)
	d.SetProducer("boardorder", true)
	d.AddUTF8FontFromBytes(font, "", goregular.TTF)
	d.AddUTF8FontFromBytes(font, "B", gobold.TTF)
	d.SetMargins(margin, margin, margin)
	d.SetAutoPageBreak(true, margin)
	d.SetFooterFunc(func() {
		d.SetY(-15)
		d.text("", 8)
		d.CellFormat(width, 5, fmt.Sprintf("%s · %s · page %d", i.Name(), o.Ref, d.PageNo()), "", 0, "C", false, 0, "")
	})
	d.AddPage()
	return d
}

func title(i contract.Invoice) string {
	if i.Kind == contract.CreditNote {
		return "Credit note"
	}
	return "Invoice"
}

func (d document) text(style string, size float64) { d.SetFont(font, style, size) }

func (d document) block(x, y, w float64, lines []string) float64 {
	d.SetXY(x, y)
	for _, line := range lines {
		d.SetX(x)
		d.MultiCell(w, 5, plain(line), "", "L", false)
	}
	return d.GetY()
}

// parties are the buyer at the left and the seller at the right.
func (d document) parties(o contract.Order, i contract.Invoice) {
	buyer := address.Lines(o.ShipTo)
	if o.ShipTo.TaxID != "" {
		buyer = append(buyer, "Tax number: "+o.ShipTo.TaxID)
	}
	d.text("", 10)
	left := d.block(margin, 30, 80, buyer)
	right := d.block(margin+95, 30, 75, i.Seller)
	d.SetY(max(left, right) + 12)
}

func (d document) heading(o contract.Order, i contract.Invoice) {
	d.text("B", 18)
	d.CellFormat(width, 9, title(i)+" "+i.Name(), "", 1, "L", false, 0, "")
	d.text("", 10)
	const day = "2 January 2006"
	facts := [][2]string{
		{"Date", i.IssuedAt.UTC().Format(day)}, {"Order", o.Ref}, {"Paid", o.PaidAt.UTC().Format(day) + ", by card"},
		{"Delivered", fmt.Sprintf("%d × %s", o.Quantity, o.Board)},
	}
	if first := slices.IndexFunc(o.Invoices, func(x contract.Invoice) bool { return x.Kind == contract.InvoiceOfOrder }); i.Kind == contract.CreditNote && first >= 0 {
		facts = append(facts, [2]string{"For invoice", o.Invoices[first].Name() + " of " + o.Invoices[first].IssuedAt.UTC().Format(day)})
	}
	for _, f := range facts {
		d.CellFormat(30, 5.5, f[0], "", 0, "L", false, 0, "")
		d.MultiCell(width-30, 5.5, plain(f[1]), "", "L", false)
	}
	d.Ln(6)
}

func (d document) row(label, amount string, bold bool) {
	style, border := "", ""
	if bold {
		style, border = "B", "T"
	}
	d.text(style, 10)
	parts := d.SplitText(plain(label), width-40)
	for n, part := range parts {
		value := ""
		if n == len(parts)-1 {
			value = amount
		}
		d.CellFormat(width-35, 6, part, border, 0, "L", false, 0, "")
		d.CellFormat(35, 6, value, border, 1, "R", false, 0, "")
		border = ""
	}
}

func (d document) lines(o contract.Order) {
	for _, l := range o.Lines {
		d.row(l.Label, money.Amount(l.Cents, o.Currency), false)
	}
	d.row("Total", money.Amount(o.TotalCents, o.Currency), true)
	d.taxes(o, o.TotalCents)
}

func (d document) credit(o contract.Order, i contract.Invoice) {
	d.row("Given back of the payment", money.Amount(-i.Cents, o.Currency), false)
	d.row("Total", money.Amount(-i.Cents, o.Currency), true)
	d.taxes(o, -i.Cents)
}

// taxes tell of an amount what of it is tax: the order's tax in proportion.
func (d document) taxes(o contract.Order, cents int64) {
	tax := int64(0)
	if t := o.Sold.Reply.TaxCents; t != nil && o.TotalCents > 0 {
		tax = money.Divide(*t*cents, o.TotalCents)
	}
	d.row("Net", money.Amount(cents-tax, o.Currency), false)
	d.row("Tax in the total", money.Amount(tax, o.Currency), false)
	d.Ln(5)
}

// notes say on which ground tax and duty were charged, and where the goods went.
func (d document) notes(o contract.Order, i contract.Invoice) {
	d.text("", 9)
	var notes []string
	for key, words := range o.Sold.Reply.PriceBasis {
		if strings.HasPrefix(key, "tax.") || strings.HasPrefix(key, "duty.") {
			notes = append(notes, words)
		}
	}
	slices.Sort(notes)
	if hs := o.Sold.Reply.HSCode; hs != "" {
		notes = append(notes, "Customs code: "+hs+".")
	}
	if i.Kind == contract.InvoiceOfOrder {
		notes = append(notes, "Paid in full. Nothing is owed.")
	}
	for _, n := range notes {
		d.MultiCell(width, 4.8, plain(n), "", "L", false)
	}
}

// plain keeps words from outside on their line, and to a length.
func plain(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == '\u202e' || r == '\u202d' || r > 0xffff { // the font knows the first plane only
			return ' '
		}
		return r
	}, s)), " ")
	if runes := []rune(s); len(runes) > 300 {
		return string(runes[:300]) + "…"
	}
	return s
}
