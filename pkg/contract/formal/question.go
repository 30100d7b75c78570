package formal

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
)

// Commands of the central service about what the team has to know before it goes on.
var (
	Ask    = contract.CommandName{Service: "central", Verb: "ask"}
	Answer = contract.CommandName{Service: "central", Verb: "answer"}
)

// MaxQuestions is how many questions an order has at most.
const MaxQuestions = 20

// Question is one question of the team's to the customer of a formal order.
type Question struct {
	ID         string     `json:"id"`
	Operator   string     `json:"operator"`
	Text       string     `json:"text"`
	AskedAt    time.Time  `json:"asked_at"`
	Answer     string     `json:"answer,omitempty"`
	AnsweredAt *time.Time `json:"answered_at,omitempty"`
	// WrittenBy is the operator who wrote the answer down as the customer gave it; empty: it came
	// through the interface.
	WrittenBy string `json:"written_by,omitempty"`
}

// TakesWords tells whether there is still something to ask about.
func (o Order) TakesWords() bool { return o.Status != Delivered && o.Status != Cancelled }

// OpenQuestion is the question that the customer has not answered, or nil.
func (o Order) OpenQuestion() *Question {
	i := slices.IndexFunc(o.Questions, func(q Question) bool { return q.AnsweredAt == nil })
	if i < 0 || !o.TakesWords() {
		return nil
	}
	open := o.Questions[i]
	return &open
}

// AnswerToRead is the last question, once the customer has answered it and until the team has
// issued a quote since, or nil.
func (o Order) AnswerToRead() *Question {
	if len(o.Questions) == 0 || !o.TakesWords() || o.OpenQuestion() != nil {
		return nil
	}
	last := o.Questions[len(o.Questions)-1]
	if o.Quote != nil && o.Quote.IssuedAt.After(*last.AnsweredAt) {
		return nil
	}
	return &last
}

// AskData is a question of the team's.
type AskData struct {
	Order    string `json:"order"`
	ITAR     bool   `json:"itar,omitempty"`
	Operator string `json:"operator"`
	Text     string `json:"text"` // up to 5,000 characters
}

// AnswerData is the customer's answer to the question that is open.
type AnswerData struct {
	Order    string `json:"order"`
	ITAR     bool   `json:"itar,omitempty"`
	Question string `json:"question"` // its id
	Text     string `json:"text"`     // up to 5,000 characters
	Operator string `json:"operator,omitempty"`
}

// dropWords are the questions with their times and operators only.
func dropWords(all []Question) (kept []Question) {
	for _, q := range all {
		q.Text, q.Answer = "", ""
		kept = append(kept, q)
	}
	return kept
}
