package invoices

import (
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/contract"
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
)

// Invoice is a numbered document of an order. What it says follows from it and
// from the order, and never changes.
type Invoice struct {
	Number   int64     `json:"number"`
	Test     bool      `json:"test,omitempty"` // of a test key's order: nobody owes or paid anything
	Kind     Kind      `json:"kind"`
	Refund   string    `json:"refund,omitempty"` // credit note: the refund's id
	Cents    int64     `json:"cents"`            // charged, or given back
	Seller   []string  `json:"seller"`           // who sells: name, address, tax numbers, as they were then
	IssuedAt time.Time `json:"issued_at"`
	// What it says besides, of those that were issued since it does.
	Card    string   `json:"card,omitempty"`    // that paid: "Visa ending in 4242"
	Without []string `json:"without,omitempty"` // what the price did not hold
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

// SampleSeller reports whether nobody has said who sells.
func SampleSeller(text string) bool { return strings.Trim(text, "| ") == "" }
