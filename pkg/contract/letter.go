package contract

// SendLetter sends one mail.
var SendLetter = CommandName{"notify", "send"}

// A LetterKind says what a mail is about and whom it goes to.
type LetterKind string

// The letters.
const (
	LetterReceipt       LetterKind = "receipt"        // customer: paid
	LetterShipped       LetterKind = "shipped"        // customer: on its way
	LetterOrderHeld     LetterKind = "order_held"     // team: an order stands still
	LetterOrderWaiting  LetterKind = "order_waiting"  // team: the fabricator waits for an answer
	LetterRefunded      LetterKind = "refunded"       // customer: a second payment was given back
	LetterOrderMoney    LetterKind = "order_money"    // team: a dispute, or a refund that failed
	LetterOnHold        LetterKind = "on_hold"        // customer: somebody looks at the order
	LetterGivenBack     LetterKind = "given_back"     // customer: a part of the payment, or all of it
	LetterCancelled     LetterKind = "cancelled"      // customer
	LetterReviewRequest LetterKind = "review_request" // team: a price is wanted
	LetterCentralQuote  LetterKind = "central_quote"  // customer: a formal quote is issued
	LetterCentralParcel LetterKind = "central_parcel" // customer: a formal order is on its way
	LetterCentralTeam   LetterKind = "central_team"   // team: a formal order came, or was accepted
	LetterReviewPriced  LetterKind = "review_priced"  // customer: the price is there

	LetterReviewQuestion LetterKind = "review_question" // customer: the team wants to know something
	LetterReviewAnswered LetterKind = "review_answered" // team: the customer has answered
	LetterReviewRefused  LetterKind = "review_refused"  // customer: there will be no price
	LetterCode           LetterKind = "code"            // customer: a code to confirm with
	LetterKeyRevoked     LetterKind = "key_revoked"     // partner: a key was reported as leaked
	LetterDeclared       LetterKind = "declared"        // partner: an upload of its was declared ITAR-controlled and is kept
)

// SendLetterData names a letter and what it is about; what it says is read when
// it is sent.
type SendLetterData struct {
	Letter LetterKind `json:"letter"`
	About  string     `json:"about"`          // quote ref; key of a formal order; id of the confirmation, for a code; account of a key; ref of an upload
	Item   string     `json:"item,omitempty"` // which refund, question, code, key or declaring account, where there are several
	ID     string     `json:"id"`             // names the mail for ever
}
