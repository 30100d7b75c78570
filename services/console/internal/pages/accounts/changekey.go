package accounts

import (
	"maps"
	"net/http"
	"strconv"
	"strings"

	"boardorder/pkg/apikey"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/page"
)

type changeKeyView struct {
	page.Frame
	*accounts.Account
	Key      accounts.APIKey
	Scopes   []string
	Form     apikey.Form
	Problems map[string]string
	Days     page.Field // that the old key stays good once another takes its place
}

func (s *Section) changeKeyView(c *page.Call) (changeKeyView, error) {
	r, err := s.revokeView(c)
	if err != nil {
		return changeKeyView{}, err
	}
	v := changeKeyView{Frame: c.Frame("accounts", "Change a key"), Account: r.Account, Key: r.Key, Scopes: accounts.DefaultScopes(), Days: page.Field{Value: "7"}}
	v.Form = apikey.FormOf(r.Key)
	if r.Key.RevokedAt != nil {
		return v, page.Problem{Status: http.StatusConflict, Message: "This key was revoked."}
	}
	return v, nil
}

// ChangeKeyPage shows what can be changed of a key.
func (s *Section) ChangeKeyPage(c *page.Call) error {
	v, err := s.changeKeyView(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "changekey", v)
}

// ChangeKey sets what a key may do, until when and from where.
func (s *Section) ChangeKey(c *page.Call) error {
	v, err := s.changeKeyView(c)
	if err != nil {
		return err
	}
	bound := v.Form.From
	v.Form = apikey.ReadForm(c.R.PostForm)
	v.Form.Name = v.Key.Name           // it stays
	if !c.R.PostForm.Has("networks") { // a form from before there were any must not unbind
		v.Form.From = bound
	}
	expires, networks, problems := v.Form.Parse(s.Now())
	if v.Problems = problems; len(problems) > 0 {
		return c.Render(http.StatusUnprocessableEntity, templates, "changekey", v)
	}
	after := v.Key
	after.Scopes, after.ExpiresAt, after.Networks = v.Form.Scopes, expires, networks
	err = alterKey(c, v.ID, v.Key, after, c.R.PostFormValue("request"))
	return c.Finish(err, "/accounts/"+v.ID, "changed")
}

func alterKey(c *page.Call, account string, key, after accounts.APIKey, request string) error {
	r := audits.Record{Action: "changed a key", Kind: "key", ID: key.ID, Key: key.ID, Before: apikey.Words(key), After: apikey.Words(after)}
	return c.Command(r, accounts.ChangeKey, request, account,
		accounts.ChangeKeyData{Account: account, KeyID: key.ID, Scopes: after.Scopes, ExpiresAt: after.ExpiresAt, Networks: &after.Networks, Operator: c.Session.Operator.Name})
}

// RotateKey makes another key that may do the same, and gives the old one an end:
// the partner has until then to put the new one in its place.
func (s *Section) RotateKey(c *page.Call) error {
	v, err := s.changeKeyView(c)
	if err != nil {
		return err
	}
	v.Days.Value = strings.TrimSpace(c.R.PostFormValue("days"))
	days, err := strconv.Atoi(v.Days.Value)
	if err != nil || days < 0 || days > 90 {
		v.Days.Problem = "A number of days, 0 to 90."
		return c.Render(http.StatusUnprocessableEntity, templates, "changekey", v)
	}
	request := c.R.PostFormValue("request")
	if done, err := s.Ask.Outcome(c.R.Context(), request); done || err != nil {
		if err == nil {
			err = page.Problem{Status: http.StatusConflict, Message: "This form was sent before, and its key was shown then. If it is lost, make another one."}
		}
		return err
	}
	text, key := apikey.New(v.Key.Name, v.Key.Live, v.Key.Scopes, v.Key.ExpiresAt, s.Now())
	key.Networks = v.Key.Networks
	r := audits.Record{Action: "created a key", Kind: "key", ID: key.ID, Key: key.ID, After: apikey.Words(key)}
	maps.Copy(r.After, map[string]string{"in place of": v.Key.ID})
	err = c.Command(r, accounts.CreateKey, request, v.ID, accounts.CreateKeyData{Account: v.ID, Key: key, Operator: c.Session.Operator.Name})
	if err != nil && !page.IsSlow(err) {
		return err
	}
	slow := page.IsSlow(err)
	end := s.Now().UTC().AddDate(0, 0, days)
	if v.Key.ExpiresAt == nil || v.Key.ExpiresAt.After(end) {
		after := v.Key
		after.ExpiresAt = &end
		if err := alterKey(c, v.ID, v.Key, after, request+"-end"); err != nil && !page.IsSlow(err) {
			return err
		}
	}
	return c.Render(http.StatusCreated, templates, "newkey", newKeyView{c.Frame("accounts", "New API key"), v.Account, key, text, slow})
}
