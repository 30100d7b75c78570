package checkout

import (
	"html/template"
	"net/http"
	"net/url"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// waitingPage is a review that the team works on, with what it asked the customer.
type waitingPage struct {
	boardPage
	Token       string
	Question    *quotes.ReviewQuestion // that waits for an answer, or nil
	Asked       []string               // its paragraphs
	Talk        []exchange             // questions that have their answer
	Answer      string                 // as typed
	AnswerError template.HTML
	Errors      []fieldError
}

// exchange is a question and its answer, by paragraph.
type exchange struct{ Asked, Answer []string }

func (p *Pages) waitingView(c *web.Call, s record) waitingPage {
	v := waitingPage{boardPage: p.boardOnly(c, s, s.lang.Text("We are pricing your board")), Token: p.token(s.quote), Question: s.quote.OpenQuestion()}
	if v.Question != nil {
		v.Script, v.Form, v.Posts = p.asset("checkout.js"), "order", true // keeps what is typed
		v.Title, v.Asked = s.lang.Text("A question about your board"), paragraphs(v.Question.Text)
	}
	if s.quote.Review == nil {
		return v
	}
	for _, q := range s.quote.Review.Questions {
		if q.AnsweredAt != nil {
			v.Talk = append(v.Talk, exchange{paragraphs(q.Text), paragraphs(q.Answer)})
		}
	}
	return v
}

// handleAnswer sends the customer's answer to the team.
func (p *Pages) handleAnswer(c *web.Call, s record, form url.Values) error {
	text := untrusted.Clean(form.Get("answer"))
	if err := p.countForm(c, s.ref); err != nil {
		return p.answerAgain(c, s, text, problem.Find(err))
	}
	if utf8.RuneCountInString(text) > maxNote {
		return p.answerAgain(c, s, text, problem.New(contract.InvalidRequest, "The answer has at most 5000 characters; please shorten it."))
	}
	data := quotes.AnswerReviewData{Quote: s.ref, Question: form.Get("question"), Text: text}
	if _, err := p.carryOut(c.Context(), quotes.AnswerReview, s.quote.Account, data); err != nil {
		return p.answerAgain(c, s, text, problem.Find(err))
	}
	return p.redirect(c, p.self(s.id, "answered=1"))
}

// answerAgain shows the question once more, with what was typed and what is wrong.
func (p *Pages) answerAgain(c *web.Call, s record, text string, failure *problem.Problem) error {
	if failure.Refusal.Code == contract.Conflict { // answered elsewhere, or priced meanwhile
		return p.redirect(c, p.self(s.id, ""))
	}
	v := p.waitingView(c, s)
	v.Answer, v.Title = text, errorTitle(s.lang, v.Title)
	if failure.Refusal.Code == contract.InvalidRequest {
		v.AnswerError = say(s.lang, failure.Refusal.Message)
		v.Errors = []fieldError{{"f-answer", v.AnswerError}}
	} else {
		v.Notices = []Notice{failureNotice(s.lang, p.failureWords(failure))}
	}
	for name, value := range failure.Headers() {
		c.Set(name, value)
	}
	return p.html(c, failure.Status, "waiting", v)
}

// showWaiting shows a review that the team works on.
func (p *Pages) showWaiting(c *web.Call, s record) error {
	v := p.waitingView(c, s)
	if _, answered := c.Query("answered"); answered && v.Question == nil {
		v.Notices = []Notice{{Kind: "good", Text: s.lang.Text("Thank you: your answer is with our team."), Focus: true}}
	}
	return p.html(c, http.StatusOK, "waiting", v)
}
