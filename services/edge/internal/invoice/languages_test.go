package invoice_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/services/edge/internal/invoice"
)

// orderInGermany is an order as the services record it, all in English.
func orderInGermany() orders.Order {
	o := order()
	o.Board = "2 layers, 100 x 80 mm, 1.6 mm thick, FR-4, 1 oz copper, lead-free HASL, green mask"
	o.Lines = []prices.Line{{Label: "Boards, 2 layers", Cents: 4000}, {Label: "Shipping: DHL Express Worldwide", Cents: 202}, {Label: "VAT, Germany, 19 %", Cents: 798}}
	o.Sold.Reply.PriceBasis = map[string]string{"tax.vat": "VAT, Germany, 19 %: $7.98. Source: UStG § 12, checked 2026-11-21"}
	euro := invoices.InCurrency{Hundredths: 687, Rate: prices.Rate{Currency: "EUR", Date: "2026-11-20", PerEUR: "1", USDPerEUR: "1.1622"}}
	o.Invoices[0].Tax, o.Invoices[0].Quantities = &invoices.Tax{Cents: 798, National: &euro}, []int{10, 0, 0}
	o.Invoices[0].Card, o.Invoices[0].Without = "Visa ending in 4242", []string{"Assembling the boards"}
	return o
}

// TestDocumentsInAllLanguages: an invoice, a credit note and its reversal are in the language that they
// record, with the words that its law and trade have for them, and nothing stays English.
func TestDocumentsInAllLanguages(t *testing.T) {
	t.Parallel()
	for code, want := range map[string][3][]string{
		"en": {
			{"Invoice INV-000041", "21 November 2026, with Visa ending in 4242", "Germany", "10 × 2 layers, 100 x 80 mm", "VAT, Germany, 19 %", "$50.00", "Paid in full"},
			{"Credit note INV-000042", "INV-000041 of 21 November 2026", "−$10.00"},
			{"Credit note reversal INV-000043", "INV-000042"},
		},
		"de": {
			{"Rechnung INV-000041", "21. November 2026, mit Visa mit den Endziffern 4242", "Deutschland", "10 × 2 Lagen, 100 × 80 mm", "MwSt., Deutschland, 19 %", "1 EUR = 1,1622 USD", "50,00 $", "Nettobetrag", "6,87 €", "geprüft am 21. November 2026", "Die Bestückung der Leiterplatten", "Vollständig bezahlt"},
			{"Gutschrift (Rechnungskorrektur) INV-000042", "INV-000041 vom 21. November 2026", "−10,00 $"},
			{"Storno einer Gutschrift INV-000043", "INV-000042"},
		},
		"fr": {
			{"Facture INV-000041", "21 novembre 2026", "Allemagne", "2 couches", "TVA, Allemagne, 19 %", "50,00 $", "Total HT", "Payée en totalité"},
			{"Avoir INV-000042", "INV-000041 du 21 novembre 2026", "−10,00 $"},
			{"Annulation d’avoir INV-000043", "INV-000042"},
		},
		"es": {
			{"Factura INV-000041", "21 de noviembre de 2026", "Alemania", "2 capas", "IVA, Alemania, 19 %", "50,00 $", "Base imponible", "Pagada en su totalidad"},
			{"Factura rectificativa INV-000042", "INV-000041 del 21 de noviembre de 2026"},
			{"Anulación de factura rectificativa INV-000043", "INV-000042"},
		},
		"it": {
			{"Fattura INV-000041", "21 novembre 2026", "Germania", "2 strati", "IVA, Germania, 19 %", "50,00 $", "Imponibile", "Pagata per intero"},
			{"Nota di credito INV-000042", "INV-000041 del 21 novembre 2026"},
			{"Storno di nota di credito INV-000043", "INV-000042"},
		},
		"ja": {
			{"請求書兼領収書 INV-000041", "2026年11月21日", "ドイツ", "2層", "$50.00", "税抜金額", "全額お支払い済み"},
			{"クレジットノート（返金明細書） INV-000042", "INV-000041（2026年11月21日）", "−$10.00"},
			{"クレジットノート取消書 INV-000043", "INV-000042"},
		},
		"zh-Hans": {
			{"账单 (Invoice) INV-000041", "2026年11月21日", "德国", "2 层", "$50.00", "不含税金额", "已全额付清"},
			{"贷记单 (Credit note) INV-000042", "INV-000041（2026年11月21日）", "−$10.00"},
			{"贷记单冲销 (Credit note reversal) INV-000043", "INV-000042"},
		},
	} {
		o := orderInGermany()
		o.Invoices = append(o.Invoices, reversalOf(o.Invoices[1]))
		for n := range o.Invoices {
			o.Invoices[n].Language = code
			checkDocument(t, o, n, want[n])
		}
	}
}

func checkDocument(t *testing.T, o orders.Order, n int, want []string) {
	t.Helper()
	i := o.Invoices[n]
	pdf, err := invoice.PDF(o, i)
	if err != nil {
		t.Fatal(err)
	}
	if keep := os.Getenv("PICTURES"); keep != "" {
		_ = os.WriteFile(filepath.Join(keep, i.Language+"-"+string(i.Kind)+".pdf"), pdf, 0o600)
	}
	text := strings.ReplaceAll(words(t, pdf), "\u00a0", " ")
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s %s lacks %q:\n%s", i.Language, i.Name(), w, text)
		}
	}
	if strings.Contains(text, "[U+") || !bytes.Contains(pdf, []byte("/Lang ("+i.Language+")")) || len(pdf) > 150_000 {
		t.Errorf("%s %s: %d bytes, want /Lang (%s), 150000 at most, and all characters:\n%s", i.Language, i.Name(), len(pdf), i.Language, text)
	}
	for _, english := range []string{"layers", "thick", "copper", "green", "Shipping", "Germany", "checked", "Paid", "Total in", "Order "} {
		if i.Language != "en" && strings.Contains(text, english) {
			t.Errorf("%s %s says %q:\n%s", i.Language, i.Name(), english, text)
		}
	}
}
