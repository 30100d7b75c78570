package portal

import (
	"net/http"
	"strings"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/session"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
)

type homeView struct {
	frame
	Limits   []limit.Policy
	Others   []accounts.Account // that the member can change to
	Live     int                // keys that can be used
	Test     int
	Sessions []session.Listed
	Here     string // the session at hand
}

// home answers GET /portal: the account as it is.
func (p *Portal) home(c *call) error {
	v := homeView{frame: p.frame("Your account", c), Here: c.session.Ref()}
	for _, l := range limit.Policies() {
		v.Limits = append(v.Limits, p.Quota(c.account, l))
	}
	for _, k := range c.account.Keys {
		switch {
		case !k.Usable(p.Now()):
		case k.Live:
			v.Live++
		default:
			v.Test++
		}
	}
	all, err := p.accountsOf(c.Call, c.member.Email)
	if err != nil {
		return problem.Unavailable(err)
	}
	for _, a := range all {
		if a.ID != c.account.ID {
			v.Others = append(v.Others, a)
		}
	}
	if v.Sessions, err = p.Sessions.List(c.Context(), c.session.Name); err != nil {
		return problem.Unavailable(err)
	}
	return p.show(c.Call, http.StatusOK, "home", v)
}

// change answers POST /portal/change: the member goes on in another of their accounts. It
// proves nothing anew.
func (p *Portal) change(c *call) error {
	all, err := p.accountsOf(c.Call, c.member.Email)
	if err != nil {
		return problem.Unavailable(err)
	}
	for _, a := range all {
		if a.ID != c.form.Get("account") {
			continue
		}
		if err := p.begin(c.Call, a, c.member.Email, c.session.ProvedAt); err != nil {
			return problem.Unavailable(err)
		}
		if err := p.Sessions.End(c.Context(), c.session.ID); err != nil {
			return problem.Unavailable(err)
		}
		return redirect(c.Call, root)
	}
	return p.missing(c, "account")
}

// endSession answers POST /portal/sessions: another session of the member's own ends.
func (p *Portal) endSession(c *call) error {
	found, err := p.Sessions.EndListed(c.Context(), c.session.Name, c.form.Get("session"))
	if err != nil {
		return problem.Unavailable(err)
	}
	if !found {
		return p.missing(c, "session")
	}
	return redirect(c.Call, root+"?done=ended")
}

// ModeWords says in what modes the account works, by its keys.
func (v homeView) ModeWords() string {
	var modes []string
	if v.Live > 0 {
		modes = append(modes, "live")
	}
	if v.Test > 0 {
		modes = append(modes, "test")
	}
	if len(modes) == 0 {
		return "no usable keys yet"
	}
	return strings.Join(modes, " and ")
}
