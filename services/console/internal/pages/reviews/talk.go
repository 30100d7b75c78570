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

// ReadCustomerText reads what is written to a customer: not nothing, and of as many
// characters as services take.
func ReadCustomerText(c *page.Call, name string) page.Field {
	f := page.Field{Value: strings.TrimSpace(untrusted.Block(c.R.PostFormValue(name), 2*contract.MaxText))}
	switch n := utf8.RuneCountInString(f.Value); {
	case n == 0:
		f.Problem = "Please write to the customer what it is about."
	case n > contract.MaxText:
		f.Problem = fmt.Sprintf("At most %d characters; these are %d.", contract.MaxText, n)
	}
	return f
}

// Ask sends the customer a question about a review.
func (s *Section) Ask(c *page.Call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	if v.Asking = ReadCustomerText(c, "text"); v.Asking.Problem != "" {
		return v.refuse(c)
	}
	r := audits.Record{Action: "asked the customer", Kind: "quote", ID: v.Ref, After: map[string]string{"question": audits.DigestText(v.Asking.Value)}}
	err = c.Command(r, quotes.AskCustomer, c.R.PostFormValue("request"), v.Account,
		quotes.AskCustomerData{Quote: v.Ref, Operator: c.Session.Operator.Name, Text: v.Asking.Value})
	return v.answer(c, err, &v.Asking, "asked")
}

// Refuse tells the customer that there will be no price.
func (s *Section) Refuse(c *page.Call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	if v.Refusing.Why = ReadCustomerText(c, "why"); v.Refusing.Why.Problem == "" && c.R.PostFormValue("sure") != "yes" {
		v.Refusing.Sure = "Nothing was done: please tick the box to confirm."
	}
	if v.Refusing.Why.Problem+v.Refusing.Sure != "" {
		return v.refuse(c)
	}
	r := audits.Record{Action: "refused a review", Kind: "quote", ID: v.Ref,
		Before: map[string]string{"status": string(v.DerivedStatus)}, After: map[string]string{"status": string(quotes.Expired), "why": audits.DigestText(v.Refusing.Why.Value)}}
	err = c.Command(r, quotes.RefuseReview, c.R.PostFormValue("request"), v.Account,
		quotes.RefuseReviewData{Quote: v.Ref, Operator: c.Session.Operator.Name, Why: v.Refusing.Why.Value})
	return v.answer(c, err, &v.Refusing.Why, "declined-review")
}

// answer shows the review again with what was refused at its field, or goes on.
func (v *reviewView) answer(c *page.Call, err error, at *page.Field, word string) error {
	if refusal := contract.RefusalIn(err); refusal != nil {
		at.Problem = refusal.Message
		return v.refuse(c)
	}
	return c.Finish(err, "/reviews/"+v.Ref, word)
}

// refuse shows the review again, with what was filled in and what is wrong with it.
func (v *reviewView) refuse(c *page.Call) error {
	return c.Render(http.StatusUnprocessableEntity, templates, "review", v)
}
