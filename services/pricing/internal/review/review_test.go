package review_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/review"
)

var now = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func quote(status quotes.Status, questions ...quotes.ReviewQuestion) quotes.Quote {
	q := quotes.Quote{Mode: quotes.ModeReview, Status: status, ExpiresAt: now.Add(time.Hour)}
	if questions != nil {
		q.Review = &quotes.Review{Questions: questions}
	}
	return q
}

func newQuestion(id string, answered bool) quotes.ReviewQuestion {
	q := quotes.ReviewQuestion{ID: id, Text: "Which side is up?"}
	if answered {
		q.Answer, q.AnsweredAt = "The one with the logo.", &now
	}
	return q
}

// TestConversation: who may say what when, and what is refused changes nothing.
func TestConversation(t *testing.T) {
	t.Parallel()
	const wanted, quoted = quotes.SourcingRequested, quotes.SourcingQuoted
	ask := func(text string) func(quotes.Quote) (quotes.Quote, error) {
		return func(q quotes.Quote) (quotes.Quote, error) {
			return review.Ask(q, quotes.AskCustomerData{Operator: "eve", Text: text}, "new", now)
		}
	}
	answer := func(id, text string) func(quotes.Quote) (quotes.Quote, error) {
		return func(q quotes.Quote) (quotes.Quote, error) {
			return review.Answer(q, quotes.AnswerReviewData{Question: id, Text: text}, now)
		}
	}
	refuse := func(why string) func(quotes.Quote) (quotes.Quote, error) {
		return func(q quotes.Quote) (quotes.Quote, error) {
			return review.Refuse(q, quotes.RefuseReviewData{Operator: "eve", Why: why}, now)
		}
	}
	instant := quote(quotes.Ready)
	instant.Mode = quotes.ModeInstant
	ended, err := review.Refuse(quote(wanted), quotes.RefuseReviewData{Why: "No flex here."}, now)
	if err != nil {
		t.Fatal(err)
	}
	many := make([]quotes.ReviewQuestion, review.MaxQuestions)
	for i := range many {
		many[i] = newQuestion("q", true)
	}
	for name, tt := range map[string]struct {
		q    quotes.Quote
		do   func(quotes.Quote) (quotes.Quote, error)
		code contract.Code
	}{
		"ask":                           {quote(wanted), ask("Which?"), ""},
		"ask again after the answer":    {quote(wanted, newQuestion("a", true)), ask("Which?"), ""},
		"ask while one is open":         {quote(wanted, newQuestion("a", false)), ask("Which?"), contract.Conflict},
		"ask too often":                 {quote(wanted, many...), ask("Which?"), contract.Conflict},
		"ask nothing":                   {quote(wanted), ask(" \u202e\n"), contract.InvalidRequest},
		"ask too much":                  {quote(wanted), ask(strings.Repeat("x", contract.MaxText+1)), contract.InvalidRequest},
		"ask before the request":        {quote(quotes.SourcingReady), ask("Which?"), contract.Conflict},
		"ask after the price":           {quote(quoted), ask("Which?"), contract.Conflict},
		"ask about an instant price":    {instant, ask("Which?"), contract.Conflict},
		"ask after refusing":            {ended, ask("Which?"), contract.Conflict},
		"answer":                        {quote(wanted, newQuestion("a", false)), answer("a", "This."), ""},
		"answer nothing":                {quote(wanted, newQuestion("a", false)), answer("a", ""), contract.InvalidRequest},
		"answer twice":                  {quote(wanted, newQuestion("a", true)), answer("a", "This."), contract.Conflict},
		"answer another":                {quote(wanted, newQuestion("a", false)), answer("b", "This."), contract.Conflict},
		"answer where nobody asked":     {quote(wanted), answer("a", "This."), contract.Conflict},
		"answer after the price":        {quote(quoted, newQuestion("a", false)), answer("a", "This."), contract.Conflict},
		"refuse":                        {quote(wanted), refuse("No flex here."), ""},
		"refuse while a question waits": {quote(wanted, newQuestion("a", false)), refuse("No flex here."), ""},
		"refuse without a word":         {quote(wanted), refuse(""), contract.InvalidRequest},
		"refuse twice":                  {ended, refuse("No."), contract.Conflict},
		"refuse after the price":        {quote(quoted), refuse("No."), contract.Conflict},
	} {
		before := len(questions(tt.q))
		got, err := tt.do(tt.q)
		refusal := contract.RefusalIn(err)
		if (tt.code == "") != (err == nil) || tt.code != "" && (refusal == nil || refusal.Code != tt.code) {
			t.Errorf("%s: %v, want code %q", name, err, tt.code)
		}
		if err != nil && (got.Status != tt.q.Status || len(questions(got)) != before) {
			t.Errorf("%s: refused, and changed to %+v", name, got)
		}
	}
}

func questions(q quotes.Quote) []quotes.ReviewQuestion {
	if q.Review == nil {
		return nil
	}
	return q.Review.Questions
}

func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	q, err := review.Ask(quote(quotes.SourcingRequested), quotes.AskCustomerData{Operator: "eve", Text: " Which\u202e side?\nTop? "}, "one", now)
	if err != nil {
		t.Fatal(err)
	}
	if open := q.OpenQuestion(); open == nil || open.ID != "one" || open.Text != "Which side?\nTop?" || open.Operator != "eve" || !open.AskedAt.Equal(now) {
		t.Errorf("asked: %+v, want the question one of eve, at %s", open, now)
	}
	q2, err := review.Answer(q, quotes.AnswerReviewData{Question: "one", Text: "Top."}, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if q2.OpenQuestion() != nil || q2.Review.Questions[0].Answer != "Top." || !q2.Review.Questions[0].AnsweredAt.Equal(now.Add(time.Hour)) {
		t.Errorf("answered: %+v, want no open question, and the answer \"Top.\" an hour later", q2.Review)
	}
	if q.OpenQuestion() == nil {
		t.Error("the answer changed the state before it")
	}
	q3, err := review.Refuse(q2, quotes.RefuseReviewData{Operator: "eve", Why: "Too thin."}, now)
	if err != nil {
		t.Fatal(err)
	}
	if r := q3.TeamRefusal(); r == nil || r.Why != "Too thin." || !q3.IsExpired(now) || orders.StatusOf(q3, nil, nil, now) != quotes.Expired {
		t.Errorf("refused: %+v, want it refused as too thin, and expired", q3)
	}
	if gone := q3.Redact(now).Review; gone.Questions[0].Text != "" || gone.Questions[0].Answer != "" || gone.Refused.Why != "" || gone.Refused.Operator != "eve" {
		t.Errorf("erased: %+v, want nobody's words, and by whom", gone)
	}
}
