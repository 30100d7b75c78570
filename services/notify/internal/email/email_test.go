package email_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/prices"
	"boardorder/services/notify/internal/email"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

var at = time.Date(2026, 11, 21, 23, 30, 0, 0, time.UTC)

func writer(t *testing.T) *email.Writer {
	t.Helper()
	w, err := email.New(email.Shop{
		Name: "Board Ordering", Support: "help@boards.example", Links: []email.Link{{URL: "https://boards.example/legal/terms", Label: "Terms of sale"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var receipt = email.Receipt{
	OrderRef: "BO-7K2M4", Name: "Ada Lövelace", Board: "2 layers, 100 × 80 mm, 1.6 mm, green", Quantity: 10,
	Lines:      []email.Line{{Label: "Boards", Cents: 104550}, {Label: "Shipping, express", Cents: 2100}, {Label: "Discount", Cents: -650}, {Label: "Duty and tax", Cents: 1999}},
	TotalCents: 107999, Currency: "USD", PaidAt: at, Card: "Visa ending in 4242",
	Address:  []string{"Ada Lövelace", "Analytical Engines Ltd", "12 St James's Square", "London SW1Y 4JH", "United Kingdom"},
	Delivery: "8 to 11 working days from payment, build included", StatusURL: "https://boards.example/o/BO-7K2M4",
	PictureURL: "https://boards.example/o/BO-7K2M4/board.png", InvoiceURL: "https://boards.example/o/BO-7K2M4/invoice.pdf",
}

// TestNamesFromTheRight: a name that is written from the right orders nothing but
// itself, so that the numbers beside it stay those that we wrote.
func TestNamesFromTheRight(t *testing.T) {
	t.Parallel()
	w := writer(t)
	formal := email.Formal{OrderRef: "CO-7K2M4", Name: "مرحبا 123", Quantity: 5}
	for name, make := range map[string]func() (email.Message, error){
		"team": func() (email.Message, error) {
			return w.FormalTeam(email.FormalTeam{Formal: formal, Partner: "Example CAD"})
		},
		"parcel": func() (email.Message, error) { return w.FormalParcel(email.FormalParcel{Formal: formal}) },
	} {
		l, err := make()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{l.Text, l.HTML} {
			if !strings.Contains(text, "\u2068مرحبا 123\u2069") || !strings.Contains(text, "5 boards") {
				t.Errorf("%s, want the name from the right set apart, and 5 boards, in\n%s", name, text)
			}
		}
	}
}

// emails is one of each, with everything and with the least.
func emails(w *email.Writer) map[string]func() (email.Message, error) {
	return map[string]func() (email.Message, error){
		"receipt": func() (email.Message, error) { return w.Receipt(receipt) },
		"receipt-later": func() (email.Message, error) {
			return w.Receipt(email.Receipt{
				OrderRef: "BO-1", Board: "2 layers", Quantity: 10, Lines: []email.Line{{Label: "Board", Cents: 3438}}, TotalCents: 3438, Currency: "USD", PaidAt: at,
				Later: "50 boards for $73.07", Paper: email.Paper{Without: []string{"Shipping to you"}, Team: "Two panels."},
			})
		},
		"receipt-least": func() (email.Message, error) {
			return w.Receipt(email.Receipt{OrderRef: "BO-1", Board: "2 layers", Quantity: 1, Lines: []email.Line{{Label: "Board", Cents: 5000}}, TotalCents: 5000, Currency: "EUR", PaidAt: at})
		},
		"shipped": func() (email.Message, error) {
			return w.WriteShipped(email.Shipped{
				OrderRef: "BO-7K2M4", Name: "Ada", Board: receipt.Board, Quantity: 10, Carrier: "DHL Express", Number: "1234567890",
				TrackingURL: "https://www.dhl.com/track?n=1234567890&l=en", Delivery: "3 to 5 working days", Address: receipt.Address, StatusURL: receipt.StatusURL,
			})
		},
		"formal-quote": func() (email.Message, error) {
			return w.FormalQuote(email.FormalQuote{
				Formal: email.Formal{OrderRef: "CO-7K2M4", Name: "Motor <b>controller</b>", Quantity: 50}, Number: "CO-7K2M4-Q2", Note: "With ENIG.\nCome back soon.", ValidUntil: at,
				Options:     []email.FormalOption{{Fabricator: "Example Circuits", Days: 15, Cents: 123450, Currency: "USD"}, {Fabricator: "Other & Sons", Days: 5, Cents: 200000, Currency: "USD"}},
				DocumentURL: "https://boards.example/formal-quotes/k_CO-7K2M4-Q2.t.k1.s.pdf",
			})
		},
		"formal-question": func() (email.Message, error) {
			return w.FormalQuestion(email.FormalTalk{Formal: email.Formal{OrderRef: "CO-7K2M4", Name: "Motor <b>controller</b>"}, Question: "Which stackup?\n<i>Yours</i> or ours?"})
		},
		"formal-question-controlled": func() (email.Message, error) {
			return w.FormalQuestion(email.FormalTalk{Formal: email.Formal{OrderRef: "CO-1", Controlled: true}})
		},
		"formal-answered": func() (email.Message, error) {
			return w.FormalAnswered(email.FormalTalk{Formal: email.Formal{OrderRef: "CO-7K2M4"}, Question: "Which stackup?", Answer: "That of the\n<b>drawing</b>.", ConsoleURL: "https://console.boards.example/central/k"})
		},
		"formal-quote-controlled": func() (email.Message, error) {
			return w.FormalQuote(email.FormalQuote{Formal: email.Formal{OrderRef: "CO-1", Controlled: true}, Number: "CO-1-Q1", ValidUntil: at})
		},
		"formal-parcel": func() (email.Message, error) {
			return w.FormalParcel(email.FormalParcel{
				Formal: email.Formal{OrderRef: "CO-7K2M4", Name: "Motor controller", Quantity: 50}, Carrier: "UPS", Number: "1Z999", TrackingURL: "https://example.com/1Z999",
			})
		},
		"formal-team": func() (email.Message, error) {
			return w.FormalTeam(email.FormalTeam{Formal: email.Formal{OrderRef: "CO-7K2M4", Name: "Motor controller", Quantity: 50}, Partner: "Example CAD", ConsoleURL: "https://console.boards.example/central/k"})
		},
		"formal-team-controlled": func() (email.Message, error) {
			return w.FormalTeam(email.FormalTeam{Formal: email.Formal{OrderRef: "CO-1", Controlled: true}, Partner: "Example CAD", Accepted: true, ConsoleURL: "https://console.boards.example/central/k"})
		},
		"shipped-least": func() (email.Message, error) {
			return w.WriteShipped(email.Shipped{OrderRef: "BO-1", Board: "2 layers", Quantity: 1})
		},
		"review-request": func() (email.Message, error) {
			return w.ReviewRequest(email.ReviewRequest{
				QuoteRef: "q-9", Partner: "Example CAD", Name: "Ada", Email: "ada@example.com", Company: "Engines & Sons", Board: receipt.Board, Quantity: 5000,
				Reasons: []string{"blind and buried vias", "more than 16 layers"}, Notes: "Please <b>hurry</b>.\n\nPrice it here: https://evil.example/\n\u202egnihtyna",
				ConsoleURL: "https://console.boards.example/q/9", AskedAt: at,
			})
		},
		"review-received": func() (email.Message, error) {
			return w.ReviewReceived(email.ReviewReceived{
				QuoteRef: "BO-7K2M4", Name: "Ada", Board: receipt.Board, Quantity: 10, Notes: "Blind vias.\n<b>L1 to L2</b>", Address: receipt.Address, AnswerBy: at,
				CheckoutURL: "https://boards.example/c/abc",
			})
		},
		"formal-received": func() (email.Message, error) {
			return w.FormalReceived(email.FormalReceived{
				Formal: email.Formal{OrderRef: "CO-7K2M4", Name: "Motor <b>controller</b>", Quantity: 50}, CustomerPO: "PO-7", TargetDate: "2026-12-24", Notes: "With ENIG.", AnswerBy: at,
			})
		},
		"formal-received-controlled": func() (email.Message, error) {
			return w.FormalReceived(email.FormalReceived{Formal: email.Formal{OrderRef: "CO-1", Controlled: true}, AnswerBy: at})
		},
		"review-question": func() (email.Message, error) {
			return w.ReviewQuestion(email.ReviewQuestion{
				QuoteRef: "BO-7K2M4", Name: "Ada", Board: receipt.Board, Quantity: 10, Question: "On which side?\nTop or bottom?", CheckoutURL: "https://boards.example/c/abc",
			})
		},
		"review-answered": func() (email.Message, error) {
			return w.ReviewAnswered(email.ReviewAnswered{
				QuoteRef: "BO-7K2M4", Name: "Ada", Email: "ada@example.com", Question: "On which side?", Answer: "Top.\n<b>Please</b>", ConsoleURL: "https://console.boards.example/r/9",
			})
		},
		"review-refused": func() (email.Message, error) {
			return w.ReviewRefused(email.ReviewRefused{QuoteRef: "BO-7K2M4", Board: receipt.Board, Quantity: 10, Why: "We build no flex boards."})
		},
		"order-held": func() (email.Message, error) {
			return w.OrderAttention(email.OrderAttention{
				OrderRef: "BO-7K2M4", Held: true, Why: "the fabricator's price has risen", Name: "Ada", Email: "ada@example.com", Board: receipt.Board,
				Quantity: 10, TotalCents: 107999, Currency: "USD", Reference: "ord_1", ConsoleURL: "https://console.boards.example/o/1", PaidAt: at,
			})
		},
		"order-waiting": func() (email.Message, error) {
			return w.OrderAttention(email.OrderAttention{
				OrderRef: "BO-7K2M4", Why: "Which side is up?", Board: receipt.Board, Quantity: 1, Currency: "USD", ConsoleURL: "https://console.boards.example/o/1", PaidAt: at,
			})
		},
		"key-revoked": func() (email.Message, error) {
			return w.KeyRevoked(email.KeyRevoked{Name: "Example CAD", Prefix: "bo_live_4fGh2kLm9QxZ", Key: "Shop <b>", At: at})
		},
		"endpoint-gone": func() (email.Message, error) {
			return w.EndpointDisabled(email.EndpointDisabled{Name: "Example CAD", Endpoint: "we_01KAJ6F5Q1X4S8T3V6W9Y2Z5B7", URL: "https://example.com/hooks?<b>", Gone: true, Since: at, At: at, Reference: "https://boards.example/docs"})
		},
		"endpoint-stopped": func() (email.Message, error) {
			return w.EndpointDisabled(email.EndpointDisabled{Name: "Example CAD", Endpoint: "we_01KAJ6F5Q1X4S8T3V6W9Y2Z5B7", URL: "https://example.com/hooks", Stopped: true, At: at, Reference: "https://boards.example/docs"})
		},
		"endpoint-failing": func() (email.Message, error) {
			return w.EndpointDisabled(email.EndpointDisabled{Endpoint: "we_01KAJ6F5Q1X4S8T3V6W9Y2Z5B7", URL: "https://example.com/hooks", Since: at.AddDate(0, 0, -5), At: at, Reference: "https://boards.example/docs"})
		},
		"declared": func() (email.Message, error) {
			return w.WriteDeclared(email.Declared{Name: "Example CAD", Sent: at, Files: []string{"board.zip", "<b>x</b>.csv"}})
		},
		"declared-own": func() (email.Message, error) {
			return w.WriteDeclared(email.Declared{Sent: at, Own: true})
		},
		"payment-code": func() (email.Message, error) {
			return w.PaymentCode(email.PaymentCode{
				Code: "042137", Minutes: 10, Name: "Ada", Board: receipt.Board, Quantity: 10, Cents: 107999, Currency: "USD", Brand: "visa", Last4: "4242",
				Address: receipt.Address,
			})
		},
		"payment-code-found": func() (email.Message, error) {
			return w.PaymentCode(email.PaymentCode{
				Code: "042137", Minutes: 10, Name: "Ada", Board: receipt.Board, Quantity: 10, Cents: 107999, Currency: "USD", Brand: "visa", Last4: "4242",
				Address: receipt.Address, Found: []string{"Two holes <b>touch</b>.", "No drill file is among the files."},
			})
		},
		"history-code": func() (email.Message, error) {
			return w.HistoryCode(email.HistoryCode{Code: "042137", Minutes: 10})
		},
		"member-added": func() (email.Message, error) {
			return w.MemberAdded(email.MemberAdded{Account: "Acme <b>Boards</b>", By: "ops@acme.example", Role: "developer", URL: "https://boards.example/portal"})
		},
		"key-made": func() (email.Message, error) {
			return w.KeyMade(email.KeyMade{Account: "Acme <b>Boards</b>", Key: "Shop <b>", Prefix: "bo_live_4fGh2kLm9QxZ", By: "dev@acme.example", At: at, Networks: []string{"192.0.2.0/24", "2001:db8::/32"}, URL: "https://boards.example/portal/keys"})
		},
		"details-set": func() (email.Message, error) {
			return w.DetailsSet(email.DetailsSet{Account: "Acme <b>Boards</b>", Email: "new@acme.example", URL: "https://boards.example/portal"})
		},
		"sign-in-code": func() (email.Message, error) {
			return w.SignInCode(email.SignInCode{Account: "Acme <b>Boards</b>", Code: "042137", Minutes: 10})
		},
		"refunded": func() (email.Message, error) {
			return w.WriteRefunded(email.Refunded{OrderRef: "BO-7K2M4", Name: "Ada", Cents: 107999, Currency: "USD", StatusURL: "https://boards.example/o/BO-7K2M4"})
		},
		"order-money": func() (email.Message, error) {
			return w.OrderAttention(email.OrderAttention{
				OrderRef: "BO-7K2M4", Money: true, Why: "The customer's bank disputes the payment (fraudulent). How that stands: open.\nThe order is held: x",
				Name: "Ada", Email: "ada@example.com", Board: receipt.Board, Quantity: 1, TotalCents: 100, Currency: "USD",
				ConsoleURL: "https://console.boards.example/o/1", PaidAt: at,
			})
		},
		"given-back": func() (email.Message, error) {
			return w.WriteGivenBack(email.GivenBack{
				OrderRef: "BO-7K2M4", Name: "Ada", Cents: 2500, Currency: "USD", Why: "A scratch on two boards.", StatusURL: "https://boards.example/o/BO-7K2M4",
			})
		},
		"sent-back": func() (email.Message, error) {
			return w.WriteSentBack(email.SentBack{OrderRef: "BO-7K2M4", Name: "Ada", Cents: 2500, Currency: "USD", StatusURL: "https://boards.example/o/BO-7K2M4"})
		},
		"given-back-whole": func() (email.Message, error) {
			return w.WriteGivenBack(email.GivenBack{OrderRef: "BO-7K2M4", Cents: 107999, Currency: "USD", Whole: true})
		},
		"cancelled": func() (email.Message, error) {
			return w.WriteCancelled(email.Cancelled{
				OrderRef: "BO-7K2M4", Name: "Ada", Board: receipt.Board, Quantity: 10, Cents: 107999, Currency: "USD", Why: "As you asked.",
				StatusURL: "https://boards.example/o/BO-7K2M4",
			})
		},
		"cancelled-least": func() (email.Message, error) {
			return w.WriteCancelled(email.Cancelled{OrderRef: "BO-7K2M4", Board: receipt.Board, Quantity: 1, Currency: "USD"})
		},
		"on-hold": func() (email.Message, error) {
			return w.WriteOnHold(email.OnHold{OrderRef: "BO-7K2M4", Name: "Ada", Board: receipt.Board, Quantity: 10, StatusURL: "https://boards.example/o/BO-7K2M4"})
		},
		"on-hold-bank": func() (email.Message, error) {
			return w.WriteOnHold(email.OnHold{OrderRef: "BO-7K2M4", Board: receipt.Board, Quantity: 10, Bank: true})
		},
		"on-hold-controlled": func() (email.Message, error) {
			return w.WriteOnHold(email.OnHold{OrderRef: "BO-7K2M4", Name: "Ada", Quantity: 10, Controlled: true})
		},
		"review-priced": func() (email.Message, error) {
			return w.ReviewPriced(email.ReviewPriced{
				QuoteRef: "q-9", Name: "Ada", Board: receipt.Board, Quantity: 5000, Lines: []email.Line{{Label: "Boards", Cents: 1234567}, {Label: "Shipping", Cents: 9900}},
				TotalCents: 1244467, Currency: "USD", Built: "20 working days", Delivery: "23 to 25 working days from payment, build included",
				Paper: email.Paper{Without: []string{"Import duty and tax: whoever delivers collects them from you"}, Team: "Two panels.\nSay if you want single boards.", Extras: []string{"Gold fingers: yes", "Stackup: SIM0416-7628"}, Assembled: 5000, LeftOff: []string{"R1", "R2"}, Supplied: []string{"U1"}, Replaced: []string{"C1: A in place of B"}, Stackup: "core mm: 1.2", Notes: "Depth milling\non side A."}, PictureURL: "https://boards.example/c/abc/board.png", ValidUntil: at, CheckoutURL: "https://boards.example/c/abc",
			})
		},
	}
}

func TestEmails(t *testing.T) {
	t.Parallel()
	for name, write := range emails(writer(t)) {
		checkEmail(t, name, write)
	}
}

func checkEmail(t *testing.T, name string, write func() (email.Message, error)) {
	t.Helper()
	l, err := write()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	golden(t, name+".txt", "Subject: "+l.Subject+"\n\n"+l.Text)
	golden(t, name+".html", l.HTML)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestLinesHaveToAddUp(t *testing.T) {
	t.Parallel()
	r := receipt
	r.TotalCents++
	if _, err := writer(t).Receipt(r); err == nil {
		t.Error("a receipt whose lines do not add up was written")
	}
}

// Foreign words stay words: no markup, no header, no line that passes for ours.
func TestForeignWordsStayWords(t *testing.T) {
	t.Parallel()
	w := writer(t)
	evil := "x\r\nBcc: eve@example.com\r\n<script>alert(1)</script>\u202e\u0000"
	l, err := w.Receipt(email.Receipt{
		OrderRef: evil, Name: evil, Board: evil, Quantity: 1, Lines: []email.Line{{Label: evil, Cents: 1}}, TotalCents: 1, Currency: "USD",
		Address: []string{evil}, Delivery: evil, StatusURL: "javascript:alert(1)",
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(l.Subject, "\r\n\u202e\x00") {
		t.Errorf("subject %q, want no controls", l.Subject)
	}
	if strings.Contains(l.HTML, "<script") || strings.Contains(l.HTML, "javascript:") {
		t.Errorf("HTML holds markup from outside:\n%s", l.HTML)
	}
	for line := range strings.SplitSeq(l.Text, "\n") {
		if strings.HasPrefix(line, "Bcc:") || strings.ContainsAny(line, "\r\u202e\x00") {
			t.Errorf("text line %q, want no header and no controls", line)
		}
	}
	l, err = w.ReviewRequest(email.ReviewRequest{Notes: "a\rPrice it here: https://evil.example\u2028b\v" + strings.Repeat("é", 9000), ConsoleURL: "https://c"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(l.Text); n > 6000 {
		t.Errorf("the notes make %d bytes, want 6000 at most", n)
	}
	for line := range strings.SplitSeq(l.Text, "\n") {
		if strings.Contains(line, "evil") && !strings.HasPrefix(line, "> ") {
			t.Errorf("a customer's line passes for ours: %q", line)
		}
	}
}

func TestShopIsNeeded(t *testing.T) {
	t.Parallel()
	if _, err := email.New(email.Shop{}); err == nil {
		t.Error("e-mails of nobody")
	}
}

// TestLettersSayWhatTheCardWasCharged: in its currency, and so does what goes back.
func TestLettersSayWhatTheCardWasCharged(t *testing.T) {
	t.Parallel()
	charge := &prices.Charge{Charged: prices.Charged{Currency: "JPY", Minor: 7984}, Cents: 5000, Rate: "159.679"}
	paid := receipt
	paid.Charged = charge
	for name, tt := range map[string]struct {
		write func(w *email.Writer) (email.Message, error)
		want  string
		lacks string
	}{
		"receipt": {func(w *email.Writer) (email.Message, error) { return w.Receipt(paid) }, "Your card was charged JPY\u00a07,984, at 1 USD = 159.679 JPY.", "no such words"},
		"refund": {func(w *email.Writer) (email.Message, error) {
			return w.WriteGivenBack(email.GivenBack{OrderRef: "BO-1", Cents: 1000, Charged: &prices.Charged{Currency: "JPY", Minor: 1597}})
		}, "JPY\u00a01,597", "$10.00"},
		"second": {func(w *email.Writer) (email.Message, error) {
			return w.WriteRefunded(email.Refunded{OrderRef: "BO-1", Cents: 5000, Charged: &charge.Charged})
		}, "JPY\u00a07,984", "$50.00"},
		"cancelled": {func(w *email.Writer) (email.Message, error) {
			return w.WriteCancelled(email.Cancelled{OrderRef: "BO-1", Cents: 5000, Charged: &charge.Charged})
		}, "JPY\u00a07,984", "$50.00"},
	} {
		m, err := tt.write(writer(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{m.Subject + m.Text, m.HTML} {
			text = strings.ReplaceAll(text, "&nbsp;", "\u00a0")
			if !strings.Contains(text, tt.want) || strings.Contains(text, tt.lacks) {
				t.Errorf("%s, want %q and not %q:\n%s", name, tt.want, tt.lacks, text)
			}
		}
	}
}
