package formal

import (
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/reviews"
)

// Talk is the conversation with the customer, as reviews show theirs.
func (v orderView) Talk() (all []quotes.ReviewQuestion) {
	for _, q := range v.Questions {
		all = append(all, quotes.ReviewQuestion{ID: q.ID, Operator: q.Operator, Text: q.Text, AskedAt: q.AskedAt, Answer: q.Answer, AnsweredAt: q.AnsweredAt})
	}
	return all
}

// describeTalk says how far the conversation about an order is; "" where there is none.
func describeTalk(o formal.Order) string {
	switch {
	case o.AnswerToRead() != nil:
		return "customer answered"
	case o.OpenQuestion() != nil:
		return "customer asked"
	}
	return ""
}

// Ask sends the customer a question about a formal order.
func (s *Section) Ask(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	if v.Asking = reviews.ReadCustomerText(c, "text"); v.Asking.Problem != "" {
		return v.refuse(c)
	}
	data := formal.AskData{Order: v.Key, ITAR: v.ITAR, Operator: c.Session.Operator.Name, Text: v.Asking.Value}
	return v.sendWords(c, "asked the customer", formal.Ask, data, &v.Asking, "asked-formal")
}

// WriteAnswer writes down what the customer has answered by other ways than the interface.
func (s *Section) WriteAnswer(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	if v.Answering = reviews.ReadCustomerText(c, "answer"); v.Answering.Problem != "" {
		v.Answering.Problem = "Please write down the answer: 1 to 5000 characters."
		return v.refuse(c)
	}
	data := formal.AnswerData{Order: v.Key, ITAR: v.ITAR, Question: c.R.PostFormValue("question"), Text: v.Answering.Value, Operator: c.Session.Operator.Name}
	return v.sendWords(c, "wrote down an answer", formal.Answer, data, &v.Answering, "answered-formal")
}

// sendWords sends what was written. A refusal stands at its field.
func (v *orderView) sendWords(c *page.Call, action string, name contract.CommandName, data any, at *page.Field, done string) error {
	err := c.Command(Subject(*v.Order).AuditRecord(action), name, c.R.PostFormValue("request"), v.Account, data)
	if refusal := contract.RefusalIn(err); refusal != nil {
		at.Problem = refusal.Message
		return v.refuse(c)
	}
	return c.Finish(err, "/central/"+v.Key, done)
}

func (v *orderView) refuse(c *page.Call) error {
	return c.Render(http.StatusUnprocessableEntity, templates, "central", v)
}
