package page

import (
	"net/http"

	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// ErrorPage is the page that a browser shows of a problem: what is wrong, in words for
// people, and where to go on. The policy is for its Content-Security-Policy.
func ErrorPage(p *problem.Problem, requestID string) (html []byte, policy string, err error) {
	html, err = render("error.html", describe(p, requestID))
	return html, landingPolicy, err
}

type errorView struct{ Heading, Text, Advice, RequestID string }

// describe puts a problem into the words of somebody who has opened an address in a
// browser: the sentences of refusals speak to programs where the address is theirs.
func describe(p *problem.Problem, requestID string) errorView {
	v := errorView{Heading: "This did not work", Text: p.Refusal.Message, RequestID: requestID}
	switch {
	case p.Status == http.StatusNotFound:
		v.Heading, v.Advice = "There is nothing at this address", "Please check that it is complete. If it came in a message, open it from there again."
		if v.Text == web.NothingHere {
			v.Text = ""
		}
	case p.Status == http.StatusGone:
		v.Heading = "This link has ended"
	case p.Status == http.StatusMethodNotAllowed:
		v.Heading = "This address is for programs"
		v.Text = "It takes what a program sends, such as design files, and has nothing to show. The API documentation says what to send."
	case p.Status == http.StatusForbidden:
		v.Heading, v.Advice = "This address is not valid", "If it came in a message, open it from there again."
	case p.Status == http.StatusUnauthorized:
		v.Heading = "This address needs an API key"
	case p.Status == http.StatusTooManyRequests:
		v.Heading = "Too many requests"
	case p.Status >= http.StatusInternalServerError:
		v.Heading = "Please try again in a moment"
		v.Text = "This cannot be shown just now. Nothing was changed, and nothing is lost."
	}
	return v
}
