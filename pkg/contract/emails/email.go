package emails

import (
	"boardorder/pkg/contract"
)

// Send sends one mail.
var Send = contract.CommandName{Service: "notify", Verb: "send"}

// A Kind says what a mail is about and whom it goes to.
type Kind string

// The e-mails.
const (
	Receipt       Kind = "receipt"        // customer: paid
	Shipped       Kind = "shipped"        // customer: on its way
	OrderHeld     Kind = "order_held"     // team: an order stands still
	OrderWaiting  Kind = "order_waiting"  // team: the fabricator waits for an answer
	Refunded      Kind = "refunded"       // customer: a second payment was given back
	OrderMoney    Kind = "order_money"    // team: a dispute, or a refund that failed
	OnHold        Kind = "on_hold"        // customer: somebody looks at the order
	GivenBack     Kind = "given_back"     // customer: a part of the payment, or all of it
	SentBack      Kind = "sent_back"      // customer: a refund that the bank did not take
	Cancelled     Kind = "cancelled"      // customer
	ReviewRequest Kind = "review_request" // team: a price is wanted
	FormalQuote   Kind = "central_quote"  // customer: a formal quote is issued
	FormalParcel  Kind = "central_parcel" // customer: a formal order is on its way
	FormalTeam    Kind = "central_team"   // team: a formal order came, or was accepted

	FormalQuestion Kind = "central_question" // customer: the team wants to know something about a formal order
	FormalAnswered Kind = "central_answered" // team: the customer has answered

	ReviewPriced Kind = "review_priced" // customer: the price is there

	ReviewQuestion Kind = "review_question"   // customer: the team wants to know something
	ReviewReceived Kind = "review_received"   // customer: the team has the request
	FormalReceived Kind = "central_received"  // customer: the team has the formal order
	ReviewAnswered Kind = "review_answered"   // team: the customer has answered
	ReviewRefused  Kind = "review_refused"    // customer: there will be no price
	Code           Kind = "code"              // customer: a code to confirm with
	KeyRevoked     Kind = "key_revoked"       // partner: a key was reported as leaked
	SignInCode     Kind = "sign_in_code"      // partner's member: a code for the portal
	EndpointOff    Kind = "endpoint_disabled" // partner: nothing is sent to a webhook endpoint any more
	MemberAdded    Kind = "member_added"      // partner's new member: how to sign in
	KeyMade        Kind = "key_made"          // partner's owner: there is another live key
	DetailsSet     Kind = "details_set"       // partner's owner: the account is written to elsewhere
	Declared       Kind = "declared"          // partner: an upload of its was declared ITAR-controlled and is kept
)

// SendData names an e-mail and what it is about; what it says is read when
// it is sent.
type SendData struct {
	Kind  Kind   `json:"kind"`
	About string `json:"about"`          // quote ref; key of a formal order; id of the confirmation, for a code; account of a key or of a member; ref of an upload; id of a webhook endpoint
	Item  string `json:"item,omitempty"` // which refund, question, code, key, member or declaring account, where there are several
	ID    string `json:"id"`             // names the mail for ever
}
