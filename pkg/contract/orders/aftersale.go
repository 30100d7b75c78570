package orders

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/prices"
)

// Commands of the payment service for what goes wrong after a payment.
var (
	IssueRefund = contract.CommandName{Service: "payment", Verb: "refund-order"} // the team gives money back
	Cancel      = contract.CommandName{Service: "payment", Verb: "cancel-order"} // the team calls the order off and gives all money back
	SettleMoney = contract.CommandName{Service: "payment", Verb: "settle-money"} // ask the processor about refunds and disputes of an order
)

// RefundStatus is how far a refund is.
type RefundStatus string

// The statuses of a refund.
const (
	RefundBegun   RefundStatus = "begun"   // not known at the processor yet
	RefundPending RefundStatus = "pending" // the processor is about it
	RefundDone    RefundStatus = "done"
	RefundFailed  RefundStatus = "failed"
)

// MoneyStatus says whether something about an order's payment is still open.
type MoneyStatus string

// MoneyOpen is the status while a refund is on its way or a dispute is undecided.
const MoneyOpen MoneyStatus = "open"

// Refund is a part of an order's payment that goes back to the customer.
type Refund struct {
	ID        string          `json:"id"`                  // ours; the processor's for one made there
	Processor string          `json:"processor,omitempty"` // the processor's, once it is known there
	Cents     int64           `json:"cents"`
	Charged   *prices.Charged `json:"charged,omitempty"` // what goes back to the card, of a payment in another currency
	Status    RefundStatus    `json:"status"`
	Operator  string          `json:"operator,omitempty"` // who began it; empty: somebody at the processor
	Why       string          `json:"why,omitempty"`      // the operator's words, or why it failed
	At        time.Time       `json:"at"`
}

// Dispute is the objection of the customer's bank.
type Dispute struct {
	ID      string          `json:"id"`     // the processor's
	Status  string          `json:"status"` // open, won, lost
	Reason  string          `json:"reason"` // the bank's word
	Cents   int64           `json:"cents"`
	Charged *prices.Charged `json:"charged,omitempty"` // of a payment in another currency
	At      time.Time       `json:"at"`                // of the status

	Opened   *time.Time `json:"opened,omitempty"`   // at the bank
	Due      *time.Time `json:"due,omitempty"`      // until when the bank takes evidence; nil: not known, or it takes none
	Answered bool       `json:"answered,omitempty"` // evidence has reached the bank, which decides now
}

// Cancellation is how an order was called off.
type Cancellation struct {
	Operator string    `json:"operator"`         // "customer": it was the customer
	Why      string    `json:"why,omitempty"`    // for the customer
	Refund   string    `json:"refund,omitempty"` // id of the refund that it led to
	At       time.Time `json:"at"`
}

// IssueRefundData is the team's decision to give money back.
type IssueRefundData struct {
	Quote    string `json:"quote"`
	Operator string `json:"operator"`
	Cents    int64  `json:"cents"` // 0: all that is left
	Why      string `json:"why,omitempty"`
}

// CancelData is the team's decision to call an order off.
type CancelData struct {
	Quote    string `json:"quote"`
	Operator string `json:"operator"`
	Customer bool   `json:"customer,omitempty"` // the customer's own decision: only before the order goes to the fabricator
	Why      string `json:"why,omitempty"`
}

// SettleMoneyData names the order, or the payment where the order is not known.
type SettleMoneyData struct {
	Quote  string `json:"quote,omitempty"`
	Intent string `json:"intent,omitempty"`
	Poll   int    `json:"poll,omitempty"` // how often the processor was asked
}
