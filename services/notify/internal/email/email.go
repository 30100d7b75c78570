// Package email writes the service's mails: what each says, as a text and as
// a simple HTML page that says the same. It sends nothing.
//
// Words that came from customers, files or partners are cut to a length and
// freed of control and bidirectional characters before they are written.
package email

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	html "html/template"
	"strings"
	text "text/template"
	"time"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
)

//go:embed templates
var files embed.FS

// Mark is the shop's mark as a PNG, which the HTML shows as cid:mark.
//
//go:embed mark.png
var Mark []byte

// A Message is a mail's content, ready to be sent.
type Message struct {
	Subject string // one line
	Text    string
	HTML    string
}

// A Shop is whose e-mails they are.
type Shop struct {
	Name    string // "Board Ordering"
	Support string // where answers go: an e-mail address
	Links   []Link // at the foot: terms, imprint
}

// A Link leads somewhere.
type Link struct{ URL, Label string }

// A Line is one line of a price.
type Line struct {
	Label string
	Cents int64
}

// Paper is what was ordered beside board and price.
type Paper = quotes.Paper

// A Receipt goes to the customer once a payment is confirmed.
type Receipt struct {
	OrderRef   string // BO-…
	Name       string // of the customer
	Board      string // one line: "2 layers, 100 × 80 mm, 1.6 mm, green"
	Quantity   int
	Lines      []Line // add up to TotalCents
	TotalCents int64
	Currency   string // ISO 4217
	PaidAt     time.Time
	Card       string         // that paid: "Visa ending in 4242"; may be empty
	Charged    *prices.Charge // what the card was charged, if in another currency
	Address    []string       // of the delivery, one line each
	Delivery   string         // "about 8 to 11 working days"
	StatusURL  string         // where the order can be followed; may be empty
	PictureURL string         // of the board; may be empty
	InvoiceURL string         // may be empty
	Paper      Paper
	Later      string // what was chosen after the payment began, and is not ordered: "50 boards for $73.07"; may be empty
}

// A Shipped goes to the customer once the boards are on their way.
type Shipped struct {
	OrderRef    string
	Name        string
	Board       string
	Quantity    int
	Carrier     string
	Number      string // of the parcel
	TrackingURL string // may be empty
	Delivery    string // "about 3 to 5 working days"; may be empty
	Address     []string
	StatusURL   string
	PictureURL  string
}

// A ReviewRequest goes to the operator's team: somebody wants a price that has
// to be made by hand.
type ReviewRequest struct {
	QuoteRef   string
	Partner    string // the account that the request came through
	Name       string
	Email      string
	Company    string
	Board      string
	Quantity   int
	Reasons    []string // why it is no instant price
	Notes      string   // the customer's own words
	ConsoleURL string
	AskedAt    time.Time
}

// A ReviewReceived goes to the customer once the team has a request for a price.
type ReviewReceived struct {
	QuoteRef    string
	Name        string
	Board       string
	Quantity    int
	Notes       string    // the customer's own words; may be empty
	Address     []string  // of the delivery
	AnswerBy    time.Time // until when to expect the answer
	CheckoutURL string
	PictureURL  string
}

// A ReviewPriced goes to the customer once the team has priced the request.
type ReviewPriced struct {
	QuoteRef    string
	Name        string
	Board       string
	Quantity    int
	Lines       []Line
	TotalCents  int64
	Currency    string
	Built       string // "12 working days"; may be empty
	Delivery    string // to the door: "about 8 to 11 working days"; may be empty
	Paper       Paper
	ValidUntil  time.Time
	CheckoutURL string
	PictureURL  string
}

// A ReviewQuestion goes to the customer when the team wants to know something.
type ReviewQuestion struct {
	QuoteRef    string
	Name        string
	Board       string
	Quantity    int
	Question    string // the team's words
	CheckoutURL string
}

// A ReviewAnswered goes to the operator's team once the customer has answered.
type ReviewAnswered struct {
	QuoteRef   string
	Name       string
	Email      string
	Question   string
	Answer     string // the customer's words
	ConsoleURL string
}

// A ReviewRefused goes to the customer whom the team gives no price.
type ReviewRefused struct {
	QuoteRef string
	Name     string
	Board    string
	Quantity int
	Why      string // the team's words
}

// An OrderAttention goes to the operator's team: an order does not go on by itself.
type OrderAttention struct {
	OrderRef   string
	Held       bool   // it stands still
	ByHand     bool   // because the team is to place it
	Money      bool   // something is wrong with its payment; neither: the fabricator wants an answer
	Why        string // may be the fabricator's words
	Name       string
	Email      string
	Board      string
	Quantity   int
	TotalCents int64
	Currency   string
	Reference  string // at the fabricator; may be empty
	ConsoleURL string
	PaidAt     time.Time
}

// A Refunded goes to the customer whose second payment was given back.
type Refunded struct {
	OrderRef  string // may be empty
	Name      string
	Cents     int64
	Currency  string
	Charged   *prices.Charged // of a payment in another currency
	StatusURL string          // may be empty
}

// A GivenBack goes to the customer whose payment goes back, or a part of it.
type GivenBack struct {
	OrderRef  string
	Name      string
	Cents     int64
	Currency  string
	Charged   *prices.Charged // of a payment in another currency
	Whole     bool            // all of the payment
	Rest      bool            // all that was left of it
	Why       string          // the team's words; may be empty
	StatusURL string
}

// A SentBack goes to the customer whose refund did not arrive.
type SentBack struct {
	OrderRef  string
	Name      string
	Cents     int64
	Currency  string
	Charged   *prices.Charged // of a payment in another currency
	StatusURL string
}

// A Cancelled goes to the customer whose order is not built.
type Cancelled struct {
	OrderRef   string
	Name       string
	Board      string
	Quantity   int
	Cents      int64 // that go back; 0: none
	Currency   string
	Charged    *prices.Charged // of a payment in another currency
	Why        string          // the team's words; may be empty
	StatusURL  string
	PictureURL string
}

// An OnHold goes to the customer whose order somebody has to look at.
type OnHold struct {
	OrderRef   string
	Name       string
	Board      string
	Quantity   int
	Bank       bool // the customer's bank disputes the payment
	Controlled bool // its design was declared ITAR-controlled
	StatusURL  string
	PictureURL string
}

// A PaymentCode goes to the customer who is about to pay with a saved card. It
// says all that the code confirms.
type PaymentCode struct {
	Code     string // six digits
	Minutes  int    // that it is valid
	Name     string
	Board    string
	Quantity int
	Cents    int64
	Currency string
	Brand    string // of the card
	Last4    string
	Address  []string // of the delivery
	Paper    Paper
	Found    []string // in the design, which the code confirms to have seen; foreign names within
}

// A KeyRevoked goes to the account whose key was reported as leaked.
type KeyRevoked struct {
	Name   string // of the account
	Prefix string // what the key begins with
	Key    string // what the account calls it
	At     time.Time
}

// An EndpointDisabled goes to the account to whose webhook endpoint nothing is sent any more.
type EndpointDisabled struct {
	Name      string // of the account
	Endpoint  string // its id
	URL       string
	Gone      bool      // it said itself that it is no more
	Stopped   bool      // our team did it
	Since     time.Time // when deliveries began to fail
	At        time.Time
	Reference string // address of the API reference
}

// A Declared goes to the account whose files were declared ITAR-controlled.
type Declared struct {
	Name  string    // of the account
	Sent  time.Time // when the upload was made
	Files []string  // as they were sent
	Own   bool      // by a request with a key of the account's, which named an order
}

// A HistoryCode goes to the customer whose earlier orders somebody asks for.
type HistoryCode struct {
	Code    string
	Minutes int
}

// A SignInCode goes to a member of an account who signs in to the portal.
type SignInCode struct {
	Account string // its name
	Code    string
	Minutes int
}

// A MemberAdded goes to whoever was made a member of an account.
type MemberAdded struct {
	Account string // its name
	By      string // who added them
	Role    string
	URL     string // of the portal
}

// A KeyMade goes to the owners of an account that has another live key.
type KeyMade struct {
	Account  string // its name
	Key      string // what the account calls it
	Prefix   string // what the key begins with
	By       string // who made it; "": the system itself
	At       time.Time
	Networks []string // from which it may be used; none: everywhere
	URL      string   // of the keys in the portal
}

// A DetailsSet goes to the owners of an account whose name and address were set.
type DetailsSet struct {
	Account string // its name
	Email   string // the address
	URL     string // of the portal
}

// A Writer writes e-mails in one language. It is safe for concurrent use.
type Writer struct {
	shop Shop
	text *text.Template
	html *html.Template
	all  map[string]*Writer // by language
	lang *language.Printer
}

// New reads the built-in e-mails. The writer writes in English, as the team and accounts
// are written to.
func New(shop Shop) (*Writer, error) {
	if shop.Name == "" || shop.Support == "" {
		return nil, errors.New("e-mails: the shop needs a name and an address for answers")
	}
	english := language.Find(language.English)
	t, err := text.New("").Funcs(textFuncs(english)).ParseFS(files, "templates/*.txt")
	if err != nil {
		return nil, fmt.Errorf("e-mails: %w", err)
	}
	h, err := html.New("").Funcs(htmlFuncs(english, shop.Name)).ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("e-mails: %w", err)
	}
	all := map[string]*Writer{}
	for _, p := range language.List() {
		ownText, err := t.Clone()
		if err != nil {
			return nil, fmt.Errorf("e-mails: %w", err)
		}
		ownHTML, err := h.Clone()
		if err != nil {
			return nil, fmt.Errorf("e-mails: %w", err)
		}
		all[p.Code] = &Writer{shop: shop, text: ownText.Funcs(textFuncs(p)), html: ownHTML.Funcs(htmlFuncs(p, shop.Name)), all: all, lang: p}
	}
	return all[language.English], nil
}

// Translate is the shop's writer in a customer's language, by its code.
func (w *Writer) Translate(code string) *Writer { return w.all[language.Find(code).Code] }

// Receipt writes a receipt.
func (w *Writer) Receipt(r Receipt) (Message, error) {
	return w.write("receipt", r, r.Lines, r.TotalCents)
}

// WriteShipped writes that the boards are on their way.
func (w *Writer) WriteShipped(r Shipped) (Message, error) { return w.write("shipped", r, nil, 0) }

// ReviewRequest writes to the team that a price is wanted.
func (w *Writer) ReviewRequest(r ReviewRequest) (Message, error) {
	return w.write("review-request", r, nil, 0)
}

// ReviewReceived writes to the customer that the team has the request.
func (w *Writer) ReviewReceived(r ReviewReceived) (Message, error) {
	return w.write("review-received", r, nil, 0)
}

// ReviewPriced writes to the customer that the price is there.
func (w *Writer) ReviewPriced(r ReviewPriced) (Message, error) {
	return w.write("review-priced", r, r.Lines, r.TotalCents)
}

// ReviewQuestion writes to the customer what the team wants to know.
func (w *Writer) ReviewQuestion(q ReviewQuestion) (Message, error) {
	return w.write("review-question", q, nil, 0)
}

// ReviewAnswered writes to the team what the customer answered.
func (w *Writer) ReviewAnswered(a ReviewAnswered) (Message, error) {
	return w.write("review-answered", a, nil, 0)
}

// ReviewRefused writes to the customer that there will be no price.
func (w *Writer) ReviewRefused(r ReviewRefused) (Message, error) {
	return w.write("review-refused", r, nil, 0)
}

// OrderAttention writes to the team that an order needs somebody.
func (w *Writer) OrderAttention(r OrderAttention) (Message, error) {
	return w.write("order-attention", r, nil, 0)
}

// WriteRefunded writes that a second payment was given back.
func (w *Writer) WriteRefunded(r Refunded) (Message, error) { return w.write("refunded", r, nil, 0) }

// WriteGivenBack writes that money goes back.
func (w *Writer) WriteGivenBack(g GivenBack) (Message, error) {
	return w.write("given-back", g, nil, 0)
}

// WriteSentBack writes that a refund did not arrive.
func (w *Writer) WriteSentBack(s SentBack) (Message, error) { return w.write("sent-back", s, nil, 0) }

// WriteCancelled writes that an order is not built.
func (w *Writer) WriteCancelled(c Cancelled) (Message, error) { return w.write("cancelled", c, nil, 0) }

// WriteOnHold writes that somebody looks at an order.
func (w *Writer) WriteOnHold(o OnHold) (Message, error) { return w.write("on-hold", o, nil, 0) }

// PaymentCode writes the code that confirms a payment.
func (w *Writer) PaymentCode(c PaymentCode) (Message, error) {
	return w.write("payment-code", c, nil, 0)
}

// KeyRevoked writes that a key was revoked.
func (w *Writer) KeyRevoked(k KeyRevoked) (Message, error) { return w.write("key-revoked", k, nil, 0) }

// EndpointDisabled writes that nothing is sent to a webhook endpoint any more.
func (w *Writer) EndpointDisabled(e EndpointDisabled) (Message, error) {
	return w.write("endpoint-disabled", e, nil, 0)
}

// WriteDeclared writes that files were declared ITAR-controlled.
func (w *Writer) WriteDeclared(d Declared) (Message, error) { return w.write("declared", d, nil, 0) }

// HistoryCode writes the code that shows earlier orders.
func (w *Writer) HistoryCode(c HistoryCode) (Message, error) {
	return w.write("history-code", c, nil, 0)
}

// SignInCode writes the code to sign in to the portal with.
func (w *Writer) SignInCode(c SignInCode) (Message, error) {
	return w.write("sign-in-code", c, nil, 0)
}

// MemberAdded writes how a new member signs in to the portal.
func (w *Writer) MemberAdded(m MemberAdded) (Message, error) {
	return w.write("member-added", m, nil, 0)
}

// KeyMade writes that an account has another live key.
func (w *Writer) KeyMade(k KeyMade) (Message, error) { return w.write("key-made", k, nil, 0) }

// DetailsSet writes what an account is called and where it is written to from now on.
func (w *Writer) DetailsSet(d DetailsSet) (Message, error) { return w.write("details-set", d, nil, 0) }

// sheet is what a template reads.
type sheet struct {
	Shop Shop
	L    any
}

// write fills in an e-mail's text and HTML. The text's first line is the
// subject. Lines that do not add up to their total are never sent to anybody.
func (w *Writer) write(name string, data any, lines []Line, total int64) (Message, error) {
	sum := int64(0)
	for _, l := range lines {
		sum += l.Cents
	}
	if sum != total {
		return Message{}, fmt.Errorf("e-mail %s: the lines add up to %d cents, not to %d", name, sum, total)
	}
	var t, h bytes.Buffer
	if err := w.text.ExecuteTemplate(&t, name+".txt", sheet{w.shop, data}); err != nil {
		return Message{}, fmt.Errorf("e-mail %s: %w", name, err)
	}
	if err := w.html.ExecuteTemplate(&h, name+".html", sheet{w.shop, data}); err != nil {
		return Message{}, fmt.Errorf("e-mail %s: %w", name, err)
	}
	subject, body, _ := strings.Cut(string(w.lang.Tighten(t.Bytes())), "\n")
	for strings.Contains(body, "\n\n\n") { // parts that were left out
		body = strings.ReplaceAll(body, "\n\n\n", "\n\n")
	}
	return Message{Subject: strings.TrimSpace(subject), Text: strings.TrimSpace(body) + "\n", HTML: string(w.lang.Tighten(h.Bytes()))}, nil
}
