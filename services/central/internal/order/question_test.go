package order_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/services/central/internal/order"
)

// TestTalk: one question after the other, each answered once, until there is nothing to ask
// about any more.
func TestTalk(t *testing.T) {
	t.Parallel()
	ask := formal.AskData{Operator: "ann", Text: " Which stackup?\u0000\n"}
	o, event, err := order.Ask(formal.Order{Status: formal.Submitted}, ask, "q1", at)
	if open := o.OpenQuestion(); err != nil || event != formal.EventAsked || o.Status != formal.InReview || open == nil || open.ID != "q1" || open.Text != "Which stackup?" || open.Operator != "ann" || o.AnswerToRead() != nil {
		t.Fatalf("asked: %+v, %s, %v; want q1 open in clean words, the order in review", o, event, err)
	}
	answered, event, err := order.Answer(o, formal.AnswerData{Question: "q1", Text: "That of the drawing."}, at.Add(time.Hour))
	if last := answered.AnswerToRead(); err != nil || event != formal.EventAnswered || answered.OpenQuestion() != nil || last == nil || last.Answer != "That of the drawing." || !last.AnsweredAt.Equal(at.Add(time.Hour)) || o.Questions[0].Answer != "" {
		t.Fatalf("answered: %+v, %s, %v; want the answer an hour later, and the order before it as it was", answered, event, err)
	}
	if n := len(answered.Timeline); n != 2 || answered.Timeline[0].What != formal.EventAsked || answered.Timeline[1].What != formal.EventAnswered {
		t.Errorf("the timeline is %+v, want the question and the answer", answered.Timeline)
	}
	quoted := answered
	quoted.Quote = &formal.Quote{IssuedAt: at.Add(2 * time.Hour)}
	if quoted.AnswerToRead() != nil {
		t.Error("an answer is new after the quote that followed it")
	}
	if erased := answered.Redact(); erased.Questions[0].Text+erased.Questions[0].Answer != "" || erased.Questions[0].Operator != "ann" {
		t.Errorf("an erased order has %+v, want no words", erased.Questions)
	}
	many := answered
	for len(many.Questions) < formal.MaxQuestions {
		many.Questions = append(many.Questions, answered.Questions[0])
	}
	long := strings.Repeat("x", contract.MaxText+1)
	for name, tt := range map[string]struct {
		of   formal.Order
		do   func(formal.Order) error
		code contract.Code
	}{
		"a second question": {o, asks(ask), contract.Conflict}, "one too many": {many, asks(ask), contract.Conflict},
		"by nobody": {answered, asks(formal.AskData{Text: "x"}), contract.InvalidRequest}, "nothing": {answered, asks(formal.AskData{Operator: "ann", Text: " "}), contract.InvalidRequest},
		"too much": {answered, asks(formal.AskData{Operator: "ann", Text: long}), contract.InvalidRequest}, "of what is cancelled": {formal.Order{Status: formal.Cancelled}, asks(ask), contract.Conflict},
		"of what is there": {formal.Order{Status: formal.Delivered}, asks(ask), contract.Conflict},
		"an answer again":  {answered, answers(formal.AnswerData{Question: "q1", Text: "x"}), contract.Conflict}, "an answer to another": {o, answers(formal.AnswerData{Question: "q2", Text: "x"}), contract.Conflict},
		"no answer": {o, answers(formal.AnswerData{Question: "q1"}), contract.InvalidRequest}, "a long answer": {o, answers(formal.AnswerData{Question: "q1", Text: long}), contract.InvalidRequest},
	} {
		if err := tt.do(tt.of); contract.RefusalIn(err) == nil || contract.RefusalIn(err).Code != tt.code {
			t.Errorf("%s: %v, want a refusal with %s", name, err, tt.code)
		}
	}
}

func asks(data formal.AskData) func(formal.Order) error {
	return func(o formal.Order) error { _, _, err := order.Ask(o, data, "q", at); return err }
}

func answers(data formal.AnswerData) func(formal.Order) error {
	return func(o formal.Order) error { _, _, err := order.Answer(o, data, at); return err }
}
