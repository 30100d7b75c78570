package portal

import (
	"errors"
	"fmt"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/pkg/session"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// signInView is the pages before somebody is signed in.
type signInView struct {
	frame
	Token, Back, Email, Problem string
	Minutes                     int
}

// maxEmail is the longest address, in bytes.
const maxEmail = 254

// visit names a visitor who is not signed in, and gives them the name as a cookie.
func (p *Portal) visit(c *web.Call) string {
	v := p.cookie(c, visitCookie)
	if len(v) != len(session.NewID()) {
		v = session.NewID()
		p.setCookie(c, visitCookie, v, p.Now().Add(time.Hour))
	}
	return v
}

func (p *Portal) visitView(c *web.Call, title string) signInView {
	return signInView{
		frame: p.frame(title, nil), Token: p.Secrets.CodeHash("portal-visit", p.visit(c)), Minutes: int(accounts.SignInCodeTTL.Minutes()),
	}
}

// visitForm reads a form of a visitor's.
func (p *Portal) visitForm(c *web.Call) (url.Values, error) {
	if err := c.RefuseForeign(p.origin()); err != nil {
		return nil, err
	}
	form, err := c.Form()
	if err != nil {
		return nil, err
	}
	if !p.Secrets.IsCodeHash(form.Get("form_token"), "portal-visit", p.cookie(c, visitCookie)) {
		return nil, refuseForm()
	}
	return form, nil
}

func refuseForm() error {
	return problem.New(contract.Forbidden, "This form has expired or was not made here. Please open the page again.")
}

// signInPage answers GET /portal/sign-in.
func (p *Portal) signInPage(c *web.Call) error {
	v := p.visitView(c, "Sign in")
	back, _ := c.Query("back")
	v.Back = safeBack(back)
	return p.show(c, http.StatusOK, "signin", v)
}

// signIn answers POST /portal/sign-in: a code is asked for.
func (p *Portal) signIn(c *web.Call) error {
	form, err := p.visitForm(c)
	if err != nil {
		return err
	}
	v := p.visitView(c, "Sign in")
	v.Back, v.Email = safeBack(form.Get("back")), strings.TrimSpace(form.Get("email"))
	if a, err := mail.ParseAddress(v.Email); err != nil || a.Address != v.Email || len(v.Email) > maxEmail {
		v.Problem = "This is not an e-mail address; one looks like name@example.com."
		return p.show(c, http.StatusUnprocessableEntity, "signin", v)
	}
	wait, err := p.askCode(c, v.Email, "")
	if err != nil {
		return problem.Unavailable(err)
	}
	if wait > 0 {
		v.Problem = waitWords(wait)
		return p.show(c, http.StatusTooManyRequests, "signin", v)
	}
	return redirect(c, root+"/code?back="+url.QueryEscape(v.Back))
}

func waitWords(wait time.Duration) string {
	return fmt.Sprintf("Many codes were asked for with this address. The next one can be asked for in %d minutes.", int(wait.Minutes())+1)
}

// codePage answers GET /portal/code.
func (p *Portal) codePage(c *web.Call) error {
	v := p.visitView(c, "Enter your code")
	back, _ := c.Query("back")
	v.Back = safeBack(back)
	return p.show(c, http.StatusOK, "code", v)
}

// enterCode answers POST /portal/code: who has the code of an address that may sign in does.
func (p *Portal) enterCode(c *web.Call) error {
	form, err := p.visitForm(c)
	if err != nil {
		return err
	}
	code, err := p.takeCode(c, form.Get("code"), "")
	var found []accounts.Account
	if err == nil {
		found, err = p.accountsOf(c, code.Email)
	}
	if err == nil && len(found) == 0 {
		err = errWrongCode
	}
	if errors.Is(err, errWrongCode) {
		v := p.visitView(c, "Enter your code")
		v.Back, v.Problem = safeBack(form.Get("back")), wrongCode
		return p.show(c, http.StatusUnprocessableEntity, "code", v)
	}
	if err == nil {
		err = p.begin(c, found[0], code.Email, p.Now())
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	p.setCookie(c, visitCookie, "", time.Time{})
	p.rememberDevice(c, code.Email)
	return redirect(c, safeBack(form.Get("back")))
}

const wrongCode = "This is not the code, or it is no longer valid. A code can be entered five times, in the browser that asked for it."

// begin signs a member in, who proved at a time who they are.
func (p *Portal) begin(c *web.Call, a accounts.Account, email string, proved time.Time) error {
	m, _ := a.Member(accounts.MemberID(a.ID, email))
	name, bound := a.Session(m)
	cookie, expires, err := p.Sessions.Start(c.Context(), session.Start{
		Name: name, Bound: bindTo(c, bound), Agent: c.Header("User-Agent"), Address: p.Address(c), Proof: "code", Strong: true, ProvedAt: proved,
	})
	if err != nil {
		return err
	}
	p.setCookie(c, sessionCookie, cookie, expires)
	return nil
}

// accountsOf are those that an address is a member of, in the order of their names. The
// projection only says where to look.
func (p *Portal) accountsOf(c *web.Call, email string) ([]accounts.Account, error) {
	docs, _, err := p.Docs.List(c.Context(), accounts.MembershipDocumentKind, accounts.MembershipKey, contract.PersonRef(email), projection.Page{Limit: maxAccounts})
	if err != nil {
		return nil, err
	}
	var out []accounts.Account
	for _, doc := range docs {
		known, err := outcome.Decode[accounts.Membership](doc)
		if err != nil {
			return nil, err
		}
		a, err := p.load(c.Context(), known.Account)
		if err != nil {
			return nil, err
		}
		if _, ok := a.Member(known.Member); ok {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b accounts.Account) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	return out, nil
}

// maxAccounts bounds in how many accounts one address is looked for.
const maxAccounts = 50

// signOut answers POST /portal/sign-out.
func (p *Portal) signOut(c *call) error {
	if err := p.Sessions.End(c.Context(), c.session.ID); err != nil {
		return problem.Unavailable(err)
	}
	p.setCookie(c.Call, sessionCookie, "", time.Time{})
	return redirect(c.Call, root+"/sign-in")
}
