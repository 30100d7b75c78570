package invoice_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/edge/internal/invoice"
)

var at = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func order() orders.Order {
	tax := int64(798)
	return orders.Order{
		Ref: "BO-7K2M4XYZ", Quantity: 10, Board: "2 layers, 100 × 80 mm, 1.6 mm, green", Currency: "USD", TotalCents: 5000, PaidAt: at,
		ShipTo: shipments.ShipTo{Name: "Ada Lövelace Łódź Ελένη Дмитрий", Line1: "Hof 3", PostalCode: "10115", City: "Berlin", Country: "DE", TaxID: "DE136695976"},
		Lines:  []prices.Line{{Label: "Boards", Cents: 4202}, {Label: "VAT, Germany, 19%", Cents: 798}},
		Sold: quotes.Quote{Reply: quotes.Reply{TaxCents: &tax, HSCode: "8534.00", PriceBasis: map[string]string{
			"tax.vat": "VAT, Germany, 19%: $7.98. Source: UStG § 12", "as_of": "2026-11-21",
		}}},
		Invoices: []invoices.Invoice{
			{Number: 41, Kind: invoices.OrderInvoice, Cents: 5000, Seller: []string{"Sample Boards Ltd", "1 Sample Street"}, IssuedAt: at},
			{Number: 42, Kind: invoices.CreditNote, Refund: "rf_1", Cents: 1000, Seller: []string{"Sample Boards Ltd"}, IssuedAt: at},
		},
	}
}

// reversalOf is the reversal of a credit note, the next in the book.
func reversalOf(note invoices.Invoice) invoices.Invoice {
	note.Kind, note.Number = invoices.Reversal, note.Number+1
	return note
}

// words are those of a PDF, as a reader of our users would find them.
func words(t *testing.T, pdf []byte) string {
	t.Helper()
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("needs pdftotext to read the document back")
	}
	file := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(file, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), tool, "-layout", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestDocumentsOfTestsSaySo: nobody takes one for an invoice.
func TestDocumentsOfTestsSaySo(t *testing.T) {
	t.Parallel()
	o := order()
	for n := range o.Invoices {
		o.Invoices[n].Test = true
		pdf, err := invoice.PDF(o, o.Invoices[n])
		if err != nil {
			t.Fatal(err)
		}
		if text := words(t, pdf); !strings.Contains(text, "TEST – no invoice") || !strings.Contains(text, " TEST-00004") || strings.Contains(text, "INV-") {
			t.Errorf("document %d, want TEST-00004, said to be no invoice, and no INV-:\n%s", n, text)
		}
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	o := order()
	for n, want := range [][]string{
		{"Invoice INV-000041", "Ada Lövelace Łódź Ελένη Дмитрий", "10115 Berlin", "Germany", "DE136695976", "Sample Boards Ltd", "BO-7K2M4XYZ", "$42.02", "$50.00", "Tax in the total", "$7.98", "UStG", "8534.00", "Paid in full"},
		{"Credit note INV-000042", "For invoice", "INV-000041 of 21 November 2026", "-$10.00", "-$1.60", "-$8.40"},
	} {
		pdf, err := invoice.PDF(o, o.Invoices[n])
		if err != nil {
			t.Fatal(err)
		}
		if keep := os.Getenv("PICTURES"); keep != "" {
			_ = os.WriteFile(filepath.Join(keep, o.Invoices[n].Name()+".pdf"), pdf, 0o600)
		}
		text := words(t, pdf)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%s", o.Invoices[n].Name(), w, text)
			}
		}
	}
}

// TestInvoiceSaysWhatItRecords: the card and what the price did not hold, of those that
// were issued since they are recorded; an older one stays as it was.
func TestInvoiceSaysWhatItRecords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		card    string
		without []string
		says    []string
		lacks   []string
	}{
		{"", nil, []string{"by card"}, []string{"Not in the price", "with"}},
		{"Visa ending in 4242", []string{"Shipping to you", "Import duty"}, []string{"with Visa ending in 4242", "Not in the price: Shipping to you; Import duty."}, []string{"by card"}},
	} {
		o := order()
		o.Payment.Card = &customers.CardRef{Brand: "visa", Last4: "4242"}
		o.Sold.Reply.NotIncluded = []string{"Shipping to you", "Import duty"}
		o.Invoices[0].Card, o.Invoices[0].Without = tt.card, tt.without
		pdf, err := invoice.PDF(o, o.Invoices[0])
		if err != nil {
			t.Fatal(err)
		}
		text := words(t, pdf)
		for _, w := range tt.says {
			if !strings.Contains(text, w) {
				t.Errorf("invoice with card %q and %q lacks %q:\n%s", tt.card, tt.without, w, text)
			}
		}
		for _, w := range tt.lacks {
			if strings.Contains(text, w) {
				t.Errorf("invoice with card %q and %q says %q:\n%s", tt.card, tt.without, w, text)
			}
		}
	}
}

// TestSameBytes: a document is the same whenever it is drawn, and small.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	o := order()
	for _, i := range o.Invoices {
		a, err := invoice.PDF(o, i)
		if err != nil {
			t.Fatal(err)
		}
		b, err := invoice.PDF(order(), i)
		if err != nil || !bytes.Equal(a, b) || !bytes.HasPrefix(a, []byte("%PDF-")) || len(a) > 120_000 {
			t.Errorf("%s: %d and %d bytes, %v", i.Name(), len(a), len(b), err)
		}
	}
}

// TestHostileWords: nothing that stands in an order keeps it from being drawn.
func TestHostileWords(t *testing.T) {
	t.Parallel()
	o := order()
	evil := "x) Tj ET \\ \x00\u202e\U0001F600 李\n" + strings.Repeat("w", 5000)
	o.Board, o.ShipTo.Name, o.Lines[0].Label, o.Invoices[0].Seller = evil, evil, evil, []string{evil, ""}
	for range 200 {
		o.Lines = append(o.Lines, prices.Line{Label: "more", Cents: 1})
	}
	if _, err := invoice.PDF(o, o.Invoices[0]); err != nil {
		t.Errorf("PDF of invoice %d: %v", o.Invoices[0].Number, err)
	}
	if _, err := invoice.PDF(orders.Order{}, invoices.Invoice{}); err != nil {
		t.Errorf("PDF of an order of nothing: %v", err)
	}
}

// TestInvoiceOfASaleInTheEU: VAT in the country's currency with its rate and day, how many
// boards and what one costs.
func TestInvoiceOfASaleInTheEU(t *testing.T) {
	t.Parallel()
	euro := prices.Rate{Currency: "EUR", Date: "2026-11-20", PerEUR: "1", USDPerEUR: "1.1622"}
	crown := prices.Rate{Currency: "CZK", Date: "2026-11-20", PerEUR: "24.215", USDPerEUR: "1.1622"}
	quoted := prices.Rate{Currency: "EUR", Date: "2026-11-18", PerUSD: "0.860437"}
	for _, tt := range []struct {
		document int
		tax      invoices.Tax
		says     []string
	}{
		{0, invoices.Tax{Cents: 798, National: &invoices.InCurrency{Hundredths: 687, Rate: euro}}, []string{
			"Quantity", "Each, without tax", "10         $4.202         $42.02", "$7.98", "VAT in EUR, at 1 EUR = 1.1622 USD (European Central Bank, 20", "EUR 6.87", "divided among the boards"}},
		{0, invoices.Tax{Cents: 798, National: &invoices.InCurrency{Hundredths: 16627, Rate: crown}}, []string{
			"VAT in CZK, at 1 EUR = 1.1622 USD = 24.215 CZK", "CZK 166.27"}},
		{1, invoices.Tax{Cents: 161, National: &invoices.InCurrency{Hundredths: 138, Rate: quoted}}, []string{
			"-$8.39", "-$1.61", "VAT in EUR, at 1 USD = 0.860437 EUR (European Central Bank, 18", "-EUR 1.38"}},
	} {
		o := order()
		o.Invoices[tt.document].Tax, o.Invoices[tt.document].Quantities = &tt.tax, []int{10, 0}
		pdf, err := invoice.PDF(o, o.Invoices[tt.document])
		if err != nil {
			t.Fatal(err)
		}
		if keep := os.Getenv("PICTURES"); keep != "" {
			_ = os.WriteFile(filepath.Join(keep, fmt.Sprintf("%d-%s.pdf", tt.document, tt.tax.National.Rate.Currency)), pdf, 0o600)
		}
		text := strings.Join(strings.Fields(words(t, pdf)), " ")
		for _, w := range tt.says {
			if w = strings.Join(strings.Fields(w), " "); !strings.Contains(text, w) {
				t.Errorf("document %d with tax %+v lacks %q:\n%s", tt.document, tt.tax, w, text)
			}
		}
	}
}

// TestChargedOnce: what is charged once stands with one and its whole price, and nothing says
// that it is divided.
func TestChargedOnce(t *testing.T) {
	t.Parallel()
	o := order()
	o.Lines = []prices.Line{{Label: "Stencil", Cents: 2400}, {Label: "Boards", Cents: 1802}, {Label: "VAT, Germany, 19%", Cents: 798}}
	o.Invoices[0].Quantities, o.Invoices[0].OnceApart = []int{1, 10, 0}, true
	pdf, err := invoice.PDF(o, o.Invoices[0])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(words(t, pdf)), " ")
	for _, w := range []string{"Stencil 1 $24.00 $24.00", "Boards 10 $1.802 $18.02"} {
		if !strings.Contains(text, w) {
			t.Errorf("the invoice lacks %q:\n%s", w, text)
		}
	}
	if strings.Contains(text, "divided among") {
		t.Errorf("the invoice says that something is divided:\n%s", text)
	}
}

// TestUnitPrices: what ends is exact; what does not is said to as many digits as matter.
func TestUnitPrices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cents int64
		n     int
		want  string
	}{
		{4202, 10, "$4.202"}, {4200, 10, "$4.20"}, {1000, 3, "$3.3333"}, {2000, 3, "$6.6667"}, {100, 3, "$0.333333"}, {400, 100_000, "$0.00004"},
		{12345, 1, "$123.45"}, {-100, 8, "−$0.125"}, {1, 16, "$0.000625"},
	} {
		o := order()
		o.Lines[0].Cents, o.Invoices[0].Quantities = tt.cents, []int{tt.n, 0}
		pdf, err := invoice.PDF(o, o.Invoices[0])
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Fields(words(t, pdf)); !slices.Contains(text, tt.want) {
			t.Errorf("%d cents for %d: %q, want %s each", tt.cents, tt.n, text, tt.want)
		}
	}
}

// TestInvoiceOfNobody: where nobody said who sells, it says so first.
func TestInvoiceOfNobody(t *testing.T) {
	t.Parallel()
	for seller, want := range map[string]bool{"": true, " | ": true, "Boards Ltd | 1 Street": false} {
		o := order()
		o.Invoices[0].Seller = invoices.Seller(seller)
		pdf, err := invoice.PDF(o, o.Invoices[0])
		if err != nil {
			t.Fatal(err)
		}
		if text := words(t, pdf); strings.Contains(text, "SAMPLE – no invoice") != want {
			t.Errorf("seller %q: said to be a sample: %t, want %t:\n%s", seller, !want, want, text)
		}
	}
}

// TestInvoiceOfAnotherCurrency: what the card was charged, and by which rate.
func TestInvoiceOfAnotherCurrency(t *testing.T) {
	t.Parallel()
	o := order()
	rate := &prices.Charge{Charged: prices.Charged{Currency: "JPY", Minor: 7984}, Cents: 5000, Rate: "159.679", Bank: "156.548", Date: "2026-11-20", Percent: "2"}
	o.Invoices[0].Charged, o.Invoices[0].Rate = &rate.Charged, rate
	o.Invoices[1].Charged, o.Invoices[1].Rate = &prices.Charged{Currency: "JPY", Minor: 1597}, rate
	o.Invoices = append(o.Invoices, reversalOf(o.Invoices[1]))
	for n, want := range [][]string{
		{"$50.00", "Charged to the card JPY 7,984", "at 1 USD = 159.679 JPY: the European Central Bank’s rate of 20 November 2026, 156.548, and 2 %."},
		{"-$10.00", "Returned to the card −JPY 1,597", "Returned to the card at 1 USD = 159.679 JPY, as it was charged"},
		{"Credit note reversal INV-000043", "Reverses credit note INV-000042 of 21 November 2026", "Refund that did not arrive $10.00", "Not returned to the card JPY 1,597", "The bank sent this refund back"},
	} {
		pdf, err := invoice.PDF(o, o.Invoices[n])
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(words(t, pdf)), " ")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%s", o.Invoices[n].Name(), w, text)
			}
		}
	}
}
