package formal_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/services/edge/internal/edgetest"
	formalapi "boardorder/services/edge/internal/formal"
)

// TestQuestionsAreAnswered: an order shows what the team wants to know, and takes the answer.
func TestQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.put(makeAskedOrder())
	shown := edgetest.Decode[formalapi.Record](t, d.Do("GET", "/v1/orders/ord_1", ""))
	if len(shown.Questions) != 1 || shown.Questions[0].QuestionID != "q1" || shown.Questions[0].Question != "Which stackup?" || shown.Questions[0].Answer != nil || !strings.Contains(shown.Next, "/v1/orders/ord_1/answers") {
		t.Errorf("the order shows %+v and says %q, want the question, and where the answer goes", shown.Questions, shown.Next)
	}
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"nothing":       {`{}`, []string{"body.question_id missing", "body.answer missing"}},
		"a number":      {`{"question_id": "q1", "answer": 5}`, []string{"body.answer string_type"}},
		"a long answer": {`{"question_id": "q1", "answer": "` + strings.Repeat("x", 5001) + `"}`, []string{"body.answer string_too_long"}},
		"no object":     {`[]`, []string{"body model_attributes_type"}},
	} {
		if r := d.Do("POST", "/v1/orders/ord_1/answers", tt.body); r.Status != 422 || !slices.Equal(r.Details(), tt.want) || len(d.Commands()) != 0 {
			t.Errorf("%s: %d %v, want 422 %v and no command", name, r.Status, r.Details(), tt.want)
		}
	}
	const good = `{"question_id": "q1", "answer": "That of the drawing.", "mood": "fine"}`
	if r := d.Do("POST", "/v1/orders/ord_1/answers", good, edgetest.AccountHeader, "acc_2"); r.Code() != contract.OrderNotFound {
		t.Errorf("by another account: %d %s, want it not found", r.Status, r.Code())
	}
	r := d.Do("POST", "/central/orders/CO-1/answers", good)
	got := edgetest.Decode[formalapi.Record](t, r)
	if r.Status != 200 || *got.Questions[0].Answer != "That of the drawing." || !slices.Equal(got.LeftAside, []string{"mood"}) {
		t.Errorf("answered: %d %s, want 200 with the answer, and mood left aside", r.Status, r.Body)
	}
	if data := decode[formal.AnswerData](t, d.Commands()[0]); data != (formal.AnswerData{Order: "k1", Question: "q1", Text: "That of the drawing."}) {
		t.Errorf("sent %+v, want the answer to q1 of k1", data)
	}
	d.put(makeAskedOrder())
	d.refuse = contract.Refuse(contract.Conflict, "It was answered.")
	if r := d.Do("POST", "/v1/orders/ord_1/answers", good); r.Status != 409 || r.Code() != contract.Conflict {
		t.Errorf("answered before: %d %s, want 409 conflict", r.Status, r.Code())
	}
	d.refuse = nil
	d.fail(false, true)
	if r := d.Do("POST", "/v1/orders/ord_1/answers", good); r.Status != 502 || r.Code() != contract.FormalUnavailable {
		t.Errorf("without an outcome in time: %d %s, want 502 central_unavailable", r.Status, r.Code())
	}
}
