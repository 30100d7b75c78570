// Package review decides what the team and a customer may say to each other about
// a quote that the team prices: questions, answers, and that there will be no price.
package review

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
)

// MaxQuestions is how many questions a review has at most.
const MaxQuestions = 20

// Ask is the quote with a question of the team's; id names it for ever.
func Ask(q quotes.Quote, data quotes.AskCustomerData, id string, now time.Time) (quotes.Quote, error) {
	if err := open(q); err != nil {
		return q, err
	}
	text, err := contract.ReadText("text", "question", data.Text)
	switch {
	case err != nil:
		return q, err
	case q.OpenQuestion() != nil:
		return q, contract.Refuse(contract.Conflict, "The customer has not answered the last question yet.")
	}
	r := conversation(q)
	if len(r.Questions) >= MaxQuestions {
		return q, contract.Refuse(contract.Conflict, "A review has at most %d questions.", MaxQuestions)
	}
	r.Questions = append(r.Questions, quotes.ReviewQuestion{ID: id, Operator: data.Operator, Text: text, AskedAt: now.UTC()})
	q.Review = &r
	return q, nil
}

// Answer is the quote with the customer's answer.
func Answer(q quotes.Quote, data quotes.AnswerReviewData, now time.Time) (quotes.Quote, error) {
	if err := open(q); err != nil {
		return q, err
	}
	question := q.OpenQuestion()
	if question == nil || question.ID != data.Question {
		return q, contract.Refuse(contract.Conflict, "This question has been answered already.")
	}
	text, err := contract.ReadText("answer", "answer", data.Text)
	if err != nil {
		return q, err
	}
	r, at := conversation(q), now.UTC()
	for i := range r.Questions {
		if r.Questions[i].ID == question.ID {
			r.Questions[i].Answer, r.Questions[i].AnsweredAt = text, &at
		}
	}
	q.Review = &r
	return q, nil
}

// Refuse is the quote that will have no price. It ends at once.
func Refuse(q quotes.Quote, data quotes.RefuseReviewData, now time.Time) (quotes.Quote, error) {
	if err := open(q); err != nil {
		return q, err
	}
	why, err := contract.ReadText("why", "reason", data.Why)
	if err != nil {
		return q, err
	}
	r, at := conversation(q), now.UTC()
	r.Refused = &quotes.ReviewRefusal{Operator: data.Operator, Why: why, At: at}
	q.Review, q.Status, q.ExpiresAt = &r, quotes.Expired, at
	return q, nil
}

// open refuses what comes when nobody is pricing the quote.
func open(q quotes.Quote) error {
	switch {
	case q.Mode != quotes.ModeReview:
		return contract.Refuse(contract.Conflict, "This quote has an instant price; there is nothing to review.")
	case q.TeamRefusal() != nil:
		return contract.Refuse(contract.Conflict, "This request was declined already.")
	case q.Status == quotes.SourcingReady:
		return contract.Refuse(contract.Conflict, "The customer has not asked for this review yet.")
	case q.Status != quotes.SourcingRequested:
		return contract.Refuse(contract.Conflict, "This quote has its price.")
	}
	return nil
}

// conversation is a copy to add to.
func conversation(q quotes.Quote) quotes.Review {
	if q.Review == nil {
		return quotes.Review{}
	}
	return quotes.Review{Questions: slices.Clone(q.Review.Questions), Refused: q.Review.Refused}
}
