package page

import (
	"net/http"

	"boardorder/pkg/language"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// ErrorPages makes the page that a browser shows of a problem: what is wrong, in words for
// people, and where to go on. The policy is for its Content-Security-Policy; name is what the
// service is called.
func ErrorPages(name string) func(l *language.Printer, p *problem.Problem, requestID string) (html []byte, policy string, err error) {
	return func(l *language.Printer, p *problem.Problem, requestID string) (html []byte, policy string, err error) {
		v := describe(l, p)
		v.Name, v.RequestID = name, requestID
		html, err = renderIn(l, "error.html", v)
		return html, landingPolicy, err
	}
}

type errorView struct {
	Name, Heading, Text, Advice, RequestID string
	English                                bool // Text is, on a page in another language
}

// describe puts a problem into the words of somebody who has opened an address in a
// browser: the sentences of refusals speak to programs where the address is theirs.
func describe(l *language.Printer, p *problem.Problem) errorView {
	v := errorView{Heading: l.Text("This did not work"), Text: p.Refusal.Message, English: l.Code != language.English}
	say := func(text string) { v.Text, v.English = text, false }
	switch {
	case p.Status == http.StatusNotFound:
		v.Heading, v.Advice = l.Text("There is nothing at this address"), l.Text("Please check that it is complete. If it came in a message, open it from there again.")
		if v.Text == web.NothingHere {
			v.Text = ""
		}
	case p.Status == http.StatusGone:
		v.Heading = l.Text("This link has ended")
	case p.Status == http.StatusMethodNotAllowed:
		v.Heading = l.Text("This address is for programs")
		say(l.Text("It takes what a program sends, such as design files, and has nothing to show. The API documentation says what to send."))
	case p.Status == http.StatusForbidden:
		v.Heading, v.Advice = l.Text("This address is not valid"), l.Text("If it came in a message, open it from there again.")
	case p.Status == http.StatusUnauthorized:
		v.Heading = l.Text("This address needs an API key")
	case p.Status == http.StatusTooManyRequests:
		v.Heading = l.Text("Too many requests")
	case p.Status >= http.StatusInternalServerError:
		v.Heading = l.Text("Please try again in a moment")
		say(l.Text("This cannot be shown just now. Nothing was changed, and nothing is lost."))
	}
	return v
}
