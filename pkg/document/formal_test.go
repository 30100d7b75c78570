package document_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	formalcontract "boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/document"
)

func formal() formalcontract.Order {
	at, layers := time.Date(2026, 11, 22, 12, 30, 0, 0, time.UTC), 4
	lines := []prices.Line{{Label: "Boards, 4 layers, ENIG", Cents: 120_000}, {Label: "Tooling", Cents: 15_000}, {Label: "Discount", Cents: -11_550}}
	return formalcontract.Order{
		Ref: "CO-7Q2MKX4BTR", Form: formalcontract.Form{
			Name: "Motor controller Łódź", Qty: 50, Services: formalcontract.Services{Fabrication: true, PartProcurement: true}, BoardLayers: &layers,
			BoardOrigin: "us", TargetDate: "2026-12-24", CustomerPO: "PO-1234", Email: "ada@example.com",
		},
		Quote: &formalcontract.Quote{
			Number: "CO-7Q2MKX4BTR-Q1", IssuedAt: at, ValidUntil: at.AddDate(0, 1, 0), Note: "We can begin on Monday.\nPlease say which finish.", Seller: []string{"Sample Boards Ltd", "1 Sample Street"},
			Options: []formalcontract.Option{
				{ID: "opt_1_1", Fabricator: "Example Circuits", Description: "4 layers, ENIG, IPC class 3", LeadTimeDays: 15, Lines: lines, TotalCents: 123_450, Currency: "USD"},
				{ID: "opt_1_2", Fabricator: "Other & Sons", LeadTimeDays: 1, Lines: lines[:1], TotalCents: 120_000, Currency: "USD"},
			},
		},
	}
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
	if keep := os.Getenv("PICTURES"); keep != "" {
		_ = os.WriteFile(filepath.Join(keep, t.Name()+".pdf"), pdf, 0o600)
	}
	out, err := exec.CommandContext(t.Context(), tool, "-layout", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestFormalQuote: all of a quote stands in the document, and the same bytes come of
// the same quote.
func TestFormalQuote(t *testing.T) {
	t.Parallel()
	pdf, err := document.FormalQuote(formal())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := document.FormalQuote(formal()); err != nil || !bytes.Equal(pdf, again) || len(pdf) > 120_000 {
		t.Errorf("%d and %d bytes, %v", len(pdf), len(again), err)
	}
	text := words(t, pdf)
	for _, want := range []string{
		"Quote CO-7Q2MKX4BTR-Q1", "22 November 2026, 12:30 UTC", "22 December 2026", "Motor controller Łódź", "fabrication, part procurement", "PO-1234", "ada@example.com",
		"Sample Boards Ltd", "Option 1: Example Circuits", "opt_1_1", "15 days", "1 day from", "IPC class 3", "$1,200.00", "-$115.50", "$1,234.50", "$24.69", "Option 2: Other & Sons", "Monday", "2026-12-24",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	o := formal()
	o.Accepted = &formalcontract.Acceptance{Terms: formalcontract.Terms{OptionID: "opt_1_2"}, AcceptedAt: o.Quote.IssuedAt}
	o.ITAR = true
	if pdf, err = document.FormalQuote(o); err != nil {
		t.Fatal(err)
	}
	if text := words(t, pdf); !strings.Contains(text, "Other & Sons (accepted 22 November 2026)") || strings.Contains(text, "Circuits (accepted") || !strings.Contains(text, "US persons only") {
		t.Errorf("accepted and controlled; want the name, the day of acceptance and US persons only:\n%s", text)
	}
	o.Quote = nil
	if _, err := document.FormalQuote(o); !errors.Is(err, document.ErrNoQuote) {
		t.Errorf("without a quote: %v", err)
	}
}

// TestFormalQuoteInAllLanguages: title, facts, amounts and notes are the language's, and
// so is what a screen reader reads it as. Nothing of ours cannot be drawn.
func TestFormalQuoteInAllLanguages(t *testing.T) {
	t.Parallel()
	for code, want := range map[string][]string{
		"en":      {"Quote CO-7Q2MKX4BTR-Q1", "Valid until", "22 December 2026, 12:30 UTC", "fabrication, part procurement", "$1,234.50", "−$115.50", "1 day from", "page 1"},
		"de":      {"Angebot CO-7Q2MKX4BTR-Q1", "Gültig bis", "22. Dezember 2026, 12:30 Uhr UTC", "Bauteilbeschaffung", "1.234,50 $", "−115,50 $", "1 Tag von", "Seite 1", "Leiterplatten, 4 Lagen, "},
		"fr":      {"Devis CO-7Q2MKX4BTR-Q1", "Valable jusqu’au", "22 décembre 2026", "1 234,50 $", "page 1"},
		"es":      {"Oferta CO-7Q2MKX4BTR-Q1", "Válida hasta", "22 de diciembre de 2026", "1.234,50 $", "página 1"},
		"it":      {"Offerta CO-7Q2MKX4BTR-Q1", "Valida fino al", "22 dicembre 2026", "1.234,50 $", "pagina 1"},
		"ja":      {"見積書 CO-7Q2MKX4BTR-Q1", "有効期限", "2026年12月22日", "部品調達", "$1,234.50", "1ページ"},
		"zh-Hans": {"报价单 CO-7Q2MKX4BTR-Q1", "有效期至", "2026年12月22日", "元器件采购", "$1,234.50", "第 1 页"},
	} {
		o := formal()
		o.Language = code
		pdf, err := document.FormalQuote(o)
		if err != nil {
			t.Fatal(err)
		}
		keep("quote-"+code+".pdf", pdf)
		text := strings.ReplaceAll(words(t, pdf), "\u00a0", " ")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%s", code, w, text)
			}
		}
		if strings.Contains(text, "[U+") || !bytes.Contains(pdf, []byte("/Lang ("+code+")")) || len(pdf) > 150_000 {
			t.Errorf("%s: %d bytes, want /Lang (%s), 150000 at most, and all characters:\n%s", code, len(pdf), code, text)
		}
	}
}

// TestHostileQuote: nothing that stands in a quote keeps it from being drawn, and the
// largest one is.
func TestHostileQuote(t *testing.T) {
	t.Parallel()
	evil := "x) Tj ET \\ \x00\u202e\u2066\U0001F600 李\n" + strings.Repeat("w", 3000)
	o := formal()
	o.Name, o.CustomerPO, o.TargetDate, o.Quote.Note, o.Quote.Seller = evil, evil, evil, evil, []string{evil, ""}
	o.Quote.Options = nil
	for range formalcontract.MaxOptions {
		option := formalcontract.Option{ID: "opt", Fabricator: evil, Description: evil, Currency: "USD", TotalCents: 1 << 40}
		for range 40 {
			option.Lines = append(option.Lines, prices.Line{Label: evil, Cents: 1})
		}
		o.Quote.Options = append(o.Quote.Options, option)
	}
	began := time.Now()
	pdf, err := document.FormalQuote(o)
	if err != nil || len(pdf) > 1<<20 {
		t.Errorf("%d bytes, %v", len(pdf), err)
	}
	t.Logf("%d bytes in %v", len(pdf), time.Since(began))
	if _, err := document.FormalQuote(formalcontract.Order{Quote: &formalcontract.Quote{}}); err != nil {
		t.Errorf("a formal quote of nothing: %v, want paper", err)
	}
}

// TestFormalQuoteOfANameFromTheRight: a name that ends in a number and is written from
// the right stands on a line without any number of ours, which it would change places with.
func TestFormalQuoteOfANameFromTheRight(t *testing.T) {
	t.Parallel()
	o := formal()
	o.Name, o.Qty = "مرحبا 777", 5
	pdf, err := document.FormalQuote(o)
	if err != nil {
		t.Fatal(err)
	}
	var quantity bool
	for line := range strings.Lines(words(t, pdf)) {
		if strings.Contains(line, "777") && strings.ContainsAny(strings.ReplaceAll(line, "777", ""), "0123456789") && !strings.Contains(line, "$") {
			t.Errorf("numbers stand beside the name: %q", line)
		}
		quantity = quantity || slices.Equal(strings.Fields(line), []string{"Boards", "5"})
	}
	if !quantity {
		t.Error("the quantity is not there")
	}
}
