package formal

import (
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// Question is one question of the team's, with the customer's answer.
type Question struct {
	QuestionID string  `json:"question_id"`
	Question   string  `json:"question"`
	AskedAt    string  `json:"asked_at"`
	Answer     *string `json:"answer"`
	AnsweredAt *string `json:"answered_at"`
}

func questionsOf(o formal.Order) []Question {
	out := make([]Question, len(o.Questions))
	for i, q := range o.Questions {
		out[i] = Question{q.ID, q.Text, moment(q.AskedAt), nilIfEmpty(q.Answer), momentOrNil(q.AnsweredAt)}
	}
	return out
}

const answerUnconfirmed = "Whether the answer was recorded is not known yet. Read the order; if the question is still open by then, send the same again: it is recorded once."

// Answer answers POST /v1/orders/{identifier}/answers: what the customer says to the question
// that is open.
func (k *Orders) Answer(c *web.Call) error {
	input, err := object(c)
	if err != nil {
		return err
	}
	o, err := k.callersOrder(c)
	if err != nil {
		return err
	}
	data := formal.AnswerData{Order: o.Key, ITAR: o.ITAR}
	var wrong []problem.Detail
	data.Question, wrong = readText(input, "question_id", maxWord, wrong)
	data.Text, wrong = readText(input, "answer", contract.MaxText, wrong)
	if len(wrong) > 0 {
		return refuse(wrong...)
	}
	r, err := k.Keys.Begin(c, outcome.Outcomes{Docs: k.Docs}, "POST /v1/orders/answers", o.Key, jsonbody.Text(input))
	if err != nil {
		return err
	}
	out, err := k.answerOnce(c, r, data)
	record, err := k.recordAfter(out, err, answerUnconfirmed)
	if err != nil {
		return err
	}
	record.LeftAside = unknownIn(input, "question_id", "answer")
	return c.JSON(http.StatusOK, record)
}

// answerOnce records an answer, or gives what came of the request that did.
func (k *Orders) answerOnce(c *web.Call, r *idempotency.Request, data formal.AnswerData) (*outcome.Outcome, error) {
	c.About = append(c.About, zap.String("request", r.ID), zap.String("order", data.Order))
	if err := r.Claim(c.Context()); err != nil {
		return nil, err
	}
	r.Mark(c)
	if !r.HasEnded() {
		return k.submit(c, formal.Answer, r.ID, data)
	}
	if r.Outcome.Refusal != nil {
		return nil, problem.NewFromRefusal(r.Outcome.Refusal)
	}
	return r.Outcome, nil
}
