package quotes

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
)

// PickPart has the pricing service put a part that the team chose into a review:
// for a line that names none by number, where the customer left the choice to the
// team. Suppliers are asked about it first.
var PickPart = contract.CommandName{Service: "pricing", Verb: "pick-part"}

// PickPartData is the part that the team chose for a line.
type PickPartData struct {
	Quote        string `json:"quote"` // ref
	Operator     string `json:"operator"`
	Reference    string `json:"reference"` // of the line, as the quote's parts have it
	MPN          string `json:"mpn"`
	Manufacturer string `json:"manufacturer,omitempty"`
}

// Commands of the pricing service about a review between the customer's request
// and the team's price.
var (
	AskCustomer  = contract.CommandName{Service: "pricing", Verb: "ask-customer"}  // the team wants to know something of the customer
	AnswerReview = contract.CommandName{Service: "pricing", Verb: "answer-review"} // the customer answers
	RefuseReview = contract.CommandName{Service: "pricing", Verb: "refuse-review"} // the team will not price it
)

// Review is what the team and the customer wrote to each other about a quote that
// the team prices.
type Review struct {
	Questions []ReviewQuestion `json:"questions,omitempty"` // oldest first; at most one has no answer
	Refused   *ReviewRefusal   `json:"refused,omitempty"`
}

// ReviewQuestion is one question of the team's.
type ReviewQuestion struct {
	ID         string     `json:"id"`
	Operator   string     `json:"operator"`
	Text       string     `json:"text"`
	AskedAt    time.Time  `json:"asked_at"`
	Answer     string     `json:"answer,omitempty"`
	AnsweredAt *time.Time `json:"answered_at,omitempty"`
}

// ReviewRefusal is why the team does not price a quote.
type ReviewRefusal struct {
	Operator string    `json:"operator"`
	Why      string    `json:"why"` // for the customer
	At       time.Time `json:"at"`
}

// OpenQuestion is the question that the customer has not answered, or nil.
func (q Quote) OpenQuestion() *ReviewQuestion {
	if q.Review == nil || q.Status != SourcingRequested {
		return nil
	}
	i := slices.IndexFunc(q.Review.Questions, func(r ReviewQuestion) bool { return r.AnsweredAt == nil })
	if i < 0 {
		return nil
	}
	open := q.Review.Questions[i]
	return &open
}

// AnswerToRead is the last question, once the customer has answered it and until the team
// sets a price, or nil.
func (q Quote) AnswerToRead() *ReviewQuestion {
	if q.Review == nil || q.Status != SourcingRequested || len(q.Review.Questions) == 0 || q.OpenQuestion() != nil {
		return nil
	}
	last := q.Review.Questions[len(q.Review.Questions)-1]
	return &last
}

// TeamRefusal says why the team did not price the quote, or is nil.
func (q Quote) TeamRefusal() *ReviewRefusal {
	if q.Review == nil {
		return nil
	}
	return q.Review.Refused
}

// dropWords is the conversation with its times and operators only.
func (r *Review) dropWords() *Review {
	if r == nil {
		return nil
	}
	kept := &Review{}
	for _, q := range r.Questions {
		q.Text, q.Answer = "", ""
		kept.Questions = append(kept.Questions, q)
	}
	if r.Refused != nil {
		kept.Refused = &ReviewRefusal{Operator: r.Refused.Operator, At: r.Refused.At}
	}
	return kept
}

// AskCustomerData is a question of the team's about a review.
type AskCustomerData struct {
	Quote    string `json:"quote"` // ref
	Operator string `json:"operator"`
	Text     string `json:"text"` // up to 5,000 characters
}

// AnswerReviewData is the customer's answer to the question that is open.
type AnswerReviewData struct {
	Quote    string `json:"quote"`    // ref
	Question string `json:"question"` // its id
	Text     string `json:"text"`     // up to 5,000 characters
}

// RefuseReviewData is the team's decision that it will not price a quote.
type RefuseReviewData struct {
	Quote    string `json:"quote"` // ref
	Operator string `json:"operator"`
	Why      string `json:"why"` // for the customer, up to 5,000 characters
}
