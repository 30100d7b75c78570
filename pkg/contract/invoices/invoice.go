package invoices

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/prices"
)

// Issue is the payment service's command to number the documents that an
// order calls for and has not.
var Issue = contract.CommandName{Service: "payment", Verb: "issue-invoices"}

// Events of the invoice book.
const (
	EventNumbered contract.EventName = "numbered" // a number was given to a document
	EventFiled    contract.EventName = "filed"    // the document's order holds it
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventNumbered, EventFiled}

// BookID is the id of the invoice book of live.
const BookID = "invoices"

// BookOf is the invoice book that an owner's documents are numbered in: those of test
// keys have one of their own, so that live numbers have no gaps.
func BookOf(owner string) string {
	if contract.IsTest(owner) {
		return BookID + "-test"
	}
	return BookID
}

// Book gives numbers without gaps: a number that was given stays with its
// document until the order holds it, whatever happens in between.
type Book struct {
	Last  int64            `json:"last"`            // the last number given
	Given map[string]int64 `json:"given,omitempty"` // document -> its number, until its order holds it
}

// A Kind says what a document is.
type Kind string

// The kinds of documents.
const (
	OrderInvoice Kind = "invoice"
	CreditNote   Kind = "credit_note" // for money that was given back
	Reversal     Kind = "reversal"    // of a credit note whose refund failed after all
)

// Invoice is a numbered document of an order. What it says follows from it and
// from the order, and never changes.
type Invoice struct {
	Number   int64     `json:"number"`
	Test     bool      `json:"test,omitempty"` // of a test key's order: nobody owes or paid anything
	Kind     Kind      `json:"kind"`
	Refund   string    `json:"refund,omitempty"` // credit note, reversal: the refund's id
	Cents    int64     `json:"cents"`            // charged, given back, or charged again since that failed
	Seller   []string  `json:"seller"`           // who sells: name, address, tax numbers, as they were then
	IssuedAt time.Time `json:"issued_at"`
	// What it says besides, of those that were issued since it does.
	Card    string   `json:"card,omitempty"`    // that paid: "Visa ending in 4242"
	Without []string `json:"without,omitempty"` // what the price did not hold
	// Language is the customer's, as pkg/language has it; "" of a document from before it
	// was recorded, which is drawn in English and as documents were then.
	Language string `json:"language,omitempty"`
	Tax      *Tax   `json:"tax,omitempty"`
	// Quantities are how many each line of the order is for; 0 of what is not counted, such as duty.
	Quantities []int `json:"quantities,omitempty"`
	// OnceApart: what was charged once is counted once. Of a document from before it is divided
	// among the boards.
	OnceApart bool `json:"once_apart,omitempty"`
	// Charged is what a card was charged, or given back, in another currency.
	Charged *prices.Charged `json:"charged,omitempty"`
	Rate    *prices.Charge  `json:"charge_rate,omitempty"` // by which
}

// Tax is what of a document's amount is tax. What credit notes say of it, less what their
// reversals say, adds up to what the invoice says, once all was given back.
type Tax struct {
	Cents    int64       `json:"cents"`
	National *InCurrency `json:"national,omitempty"` // of a sale in the EU, as Article 230 of Directive 2006/112/EC wants it
}

// InCurrency is an amount in the currency of a country.
type InCurrency struct {
	Hundredths int64       `json:"hundredths"` // of the currency's unit
	Rate       prices.Rate `json:"rate"`
}

// Name is the number as it stands on the document.
func (i Invoice) Name() string {
	if i.Test {
		return fmt.Sprintf("TEST-%06d", i.Number)
	}
	return fmt.Sprintf("INV-%06d", i.Number)
}

// Seller is who sells as documents say it, line by line, of a text with | between.
// Of no text it is a sample that nobody takes for real.
func Seller(text string) []string {
	if SampleSeller(text) {
		text = "SAMPLE SELLER | set SELLER_DETAILS to who sells: name, address, tax numbers"
	}
	var lines []string
	for line := range strings.SplitSeq(text, "|") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// HasSampleSeller reports whether nobody had said who sells when it was issued.
func (i Invoice) HasSampleSeller() bool { return slices.Equal(i.Seller, Seller("")) }

// SampleSeller reports whether nobody has said who sells.
func SampleSeller(text string) bool { return strings.Trim(text, "| ") == "" }
