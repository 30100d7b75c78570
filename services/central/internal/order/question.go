package order

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
)

// Ask is the order with a question of the team's; id names it for ever. A submitted order is
// in review by that.
func Ask(o formal.Order, data formal.AskData, id string, at time.Time) (formal.Order, contract.EventName, error) {
	text, err := contract.ReadText("text", "question", data.Text)
	switch {
	case data.Operator == "":
		return o, "", contract.Refuse(contract.InvalidRequest, "A question names the operator who asks it.")
	case err != nil:
		return o, "", err
	case !o.TakesWords():
		return o, "", contract.Refuse(contract.Conflict, "This order is %s.", words(o.Status))
	case o.OpenQuestion() != nil:
		return o, "", contract.Refuse(contract.Conflict, "The customer has not answered the last question yet.")
	case len(o.Questions) >= formal.MaxQuestions:
		return o, "", contract.Refuse(contract.Conflict, "An order has at most %d questions.", formal.MaxQuestions)
	}
	if o.Status == formal.Submitted {
		o.Status = formal.InReview
	}
	o.Questions = append(slices.Clone(o.Questions), formal.Question{ID: id, Operator: data.Operator, Text: text, AskedAt: at.UTC()})
	return recordMoment(o, formal.Moment{What: formal.EventAsked, At: at, By: data.Operator}), formal.EventAsked, nil
}

// Answer is the order with the customer's answer.
func Answer(o formal.Order, data formal.AnswerData, at time.Time) (formal.Order, contract.EventName, error) {
	open := o.OpenQuestion()
	if open == nil || open.ID != data.Question {
		return o, "", contract.Refuse(contract.Conflict, "This question has been answered already, or the order has none of that id.")
	}
	text, err := contract.ReadText("answer", "answer", data.Text)
	if err != nil {
		return o, "", err
	}
	o.Questions = slices.Clone(o.Questions)
	now := at.UTC()
	for i := range o.Questions {
		if q := &o.Questions[i]; q.ID == open.ID {
			q.Answer, q.AnsweredAt, q.WrittenBy = text, &now, data.Operator
		}
	}
	return recordMoment(o, formal.Moment{What: formal.EventAnswered, At: at, By: data.Operator}), formal.EventAnswered, nil
}
