package portal

import (
	"errors"
	"net/http"
	"net/url"

	"boardorder/services/edge/internal/problem"
)

// confirmView asks a member to prove anew who they are.
type confirmView struct {
	frame
	Back, Problem string
	Minutes       int
}

func (p *Portal) confirmView(c *call, back string) confirmView {
	return confirmView{frame: p.frame("Confirm that it is you", c), Back: safeBack(back), Minutes: int(recent.Minutes())}
}

// confirmPage answers GET /portal/confirm.
func (p *Portal) confirmPage(c *call) error {
	back, _ := c.Query("back")
	return p.show(c.Call, http.StatusOK, "confirm", p.confirmView(c, back))
}

// sendConfirmation answers POST /portal/confirm: a code is asked for.
func (p *Portal) sendConfirmation(c *call) error {
	v := p.confirmView(c, c.form.Get("back"))
	wait, err := p.askCode(c.Call, c.member.Email, c.session.Ref())
	if err != nil {
		return problem.Unavailable(err)
	}
	if wait > 0 {
		v.Problem = waitWords(wait)
		return p.show(c.Call, http.StatusTooManyRequests, "confirm", v)
	}
	return redirect(c.Call, root+"/confirm/code?back="+url.QueryEscape(v.Back))
}

// confirmCodePage answers GET /portal/confirm/code.
func (p *Portal) confirmCodePage(c *call) error {
	back, _ := c.Query("back")
	return p.show(c.Call, http.StatusOK, "confirmcode", p.confirmView(c, back))
}

// confirmCode answers POST /portal/confirm/code.
func (p *Portal) confirmCode(c *call) error {
	_, err := p.takeCode(c.Call, c.form.Get("code"), c.session.Ref())
	if errors.Is(err, errWrongCode) {
		v := p.confirmView(c, c.form.Get("back"))
		v.Problem = wrongCode
		return p.show(c.Call, http.StatusUnprocessableEntity, "confirmcode", v)
	}
	if err == nil {
		err = p.Sessions.Prove(c.Context(), c.session)
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	return redirect(c.Call, safeBack(c.form.Get("back")))
}
