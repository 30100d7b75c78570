package portal

import (
	"net/http"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
)

type detailsView struct {
	frame
	Name, Email, Problem string
}

// detailsPage answers GET /portal/details.
func (p *Portal) detailsPage(c *call) error {
	return p.show(c.Call, http.StatusOK, "details", detailsView{frame: p.frame("Name and address", c), Name: c.account.Name, Email: c.account.Email})
}

// setDetails answers POST /portal/details: what the account is called and where it is written to.
func (p *Portal) setDetails(c *call) error {
	v := detailsView{p.frame("Name and address", c), untrusted.CleanLine(c.form.Get("name")), strings.TrimSpace(c.form.Get("email")), ""}
	if v.Name == c.account.Name && v.Email == c.account.Email {
		return redirect(c.Call, root)
	}
	slow, err := p.command(c, accounts.SetOwnDetails, accounts.SetOwnDetailsData{By: p.author(c), Name: v.Name, Email: v.Email})
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Problem = refusal.Message
		return p.show(c.Call, http.StatusUnprocessableEntity, "details", v)
	}
	return p.finish(c, slow, err, root, "details")
}
