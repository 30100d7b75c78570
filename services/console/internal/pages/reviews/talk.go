package reviews

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/page"
)

// readCustomerText reads what is written to a customer: of at most most characters, and not nothing.
func readCustomerText(c *page.Call, name string) (string, error) {
	text := strings.TrimSpace(untrusted.Block(c.R.PostFormValue(name), maxWords+1))
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return "", contract.Refuse(contract.InvalidRequest, "Please write to the customer what it is about.")
	case n > maxWords:
		return "", contract.Refuse(contract.InvalidRequest, "At most %d characters.", maxWords)
	}
	return text, nil
}

// maxWords bounds what is written to a customer, as the pricing service does.
const maxWords = 5000

// Ask sends the customer a question about a review.
func (s *Section) Ask(c *page.Call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	text, err := readCustomerText(c, "text")
	if err == nil {
		r := audits.Record{Action: "asked the customer", Kind: "quote", ID: v.Ref, After: map[string]string{"question": audits.DigestText(text)}}
		err = c.Command(r, quotes.AskCustomer, c.R.PostFormValue("request"), v.Account,
			quotes.AskCustomerData{Quote: v.Ref, Operator: c.Session.Operator.Name, Text: text})
	}
	return v.answer(c, err, "asked")
}

// Refuse tells the customer that there will be no price.
func (s *Section) Refuse(c *page.Call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	why, err := readCustomerText(c, "why")
	if err == nil && c.R.PostFormValue("sure") != "yes" {
		err = contract.Refuse(contract.InvalidRequest, "Nothing was done: please tick the box to confirm.")
	}
	if err == nil {
		r := audits.Record{Action: "refused a review", Kind: "quote", ID: v.Ref,
			Before: map[string]string{"status": string(v.DerivedStatus)}, After: map[string]string{"status": string(quotes.Expired), "why": audits.DigestText(why)}}
		err = c.Command(r, quotes.RefuseReview, c.R.PostFormValue("request"), v.Account,
			quotes.RefuseReviewData{Quote: v.Ref, Operator: c.Session.Operator.Name, Why: why})
	}
	return v.answer(c, err, "declined-review")
}

// answer shows the review again with what was refused, or goes on.
func (v *reviewView) answer(c *page.Call, err error, word string) error {
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong = refusal.Message
		return c.Render(http.StatusUnprocessableEntity, templates, "review", v)
	}
	return c.Finish(err, fmt.Sprintf("/reviews/%s", v.Ref), word)
}
