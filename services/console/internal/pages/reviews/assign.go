package reviews

import (
	"net/http"

	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/quotes"
)

// Assign makes the operator the one who has each of the chosen reviews. Each is a command
// and a record of its own; where one fails, those before it are assigned, and doing it again
// changes nothing about them.
func (s *Section) Assign(c *page.Call) error {
	_ = c.R.ParseForm() // was parsed before
	chosen := c.R.PostForm["review"]
	if len(chosen) == 0 || len(chosen) > maxQueue {
		return page.Problem{Status: http.StatusUnprocessableEntity, Message: "Nothing was done: choose the reviews first."}
	}
	for _, ref := range chosen {
		q, _, order, err := quotes.Read(c.R.Context(), s.Docs, ref)
		if err != nil {
			return err
		}
		if err := quotes.Take(c, s.Docs, quotes.SubjectOf(c, q, order), false, c.R.PostFormValue("request")+"-"+q.Ref); err != nil {
			return c.Finish(err, "/reviews", "taken")
		}
	}
	return c.Finish(nil, "/reviews", "taken")
}
