package web

import (
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/apikey"
)

type changeKeyView struct {
	page
	*accounts.Account
	Key      accounts.APIKey
	Scopes   []string
	Form     keyForm
	Problems map[string]string
	Days     field // that the old key stays good once another takes its place
}

func (s *Server) changeKeyView(c *call) (changeKeyView, error) {
	r, err := s.revokeView(c)
	if err != nil {
		return changeKeyView{}, err
	}
	v := changeKeyView{page: c.page("accounts", "Change a key"), Account: r.Account, Key: r.Key, Scopes: accounts.DefaultScopes(), Days: field{Value: "7"}}
	v.Form = keyForm{Name: r.Key.Name, Live: r.Key.Live, Scopes: r.Key.Scopes, From: strings.Join(r.Key.Networks, ", ")}
	if end := r.Key.ExpiresAt; end != nil {
		v.Form.Expires = end.Add(-time.Second).UTC().Format(time.DateOnly) // its last day
	}
	if r.Key.RevokedAt != nil {
		return v, problem{http.StatusConflict, "This key was revoked."}
	}
	return v, nil
}

func (s *Server) changeKeyPage(c *call) error {
	v, err := s.changeKeyView(c)
	if err != nil {
		return err
	}
	return c.show("changekey", v)
}

// changeKey sets what a key may do, until when and from where.
func (s *Server) changeKey(c *call) error {
	v, err := s.changeKeyView(c)
	if err != nil {
		return err
	}
	bound := v.Form.From
	v.Form = readKeyForm(c.r)
	v.Form.Name = v.Key.Name           // it stays
	if !c.r.PostForm.Has("networks") { // a form from before there were any must not unbind
		v.Form.From = bound
	}
	expires, networks, problems := v.Form.parse(s.Now())
	if v.Problems = problems; len(problems) > 0 {
		return c.render(http.StatusUnprocessableEntity, "changekey", v)
	}
	after := v.Key
	after.Scopes, after.ExpiresAt, after.Networks = v.Form.Scopes, expires, networks
	err = c.alterKey(v.ID, v.Key, after, c.r.PostFormValue("request"))
	return c.finish(err, "/accounts/"+v.ID, "changed")
}

func (c *call) alterKey(account string, key, after accounts.APIKey, request string) error {
	r := audits.Record{Action: "changed a key", Kind: "key", ID: key.ID, Key: key.ID, Before: keyInWords(key), After: keyInWords(after)}
	return c.command(r, accounts.ChangeKey, request, account,
		accounts.ChangeKeyData{Account: account, KeyID: key.ID, Scopes: after.Scopes, ExpiresAt: after.ExpiresAt, Networks: &after.Networks, Operator: c.session.Operator.Name})
}

// rotateKey makes another key that may do the same, and gives the old one an end:
// the partner has until then to put the new one in its place.
func (s *Server) rotateKey(c *call) error {
	v, err := s.changeKeyView(c)
	if err != nil {
		return err
	}
	v.Days.Value = strings.TrimSpace(c.r.PostFormValue("days"))
	days, err := strconv.Atoi(v.Days.Value)
	if err != nil || days < 0 || days > 90 {
		v.Days.Problem = "A number of days, 0 to 90."
		return c.render(http.StatusUnprocessableEntity, "changekey", v)
	}
	request := c.r.PostFormValue("request")
	if done, err := s.Ask.Outcome(c.r.Context(), request); done || err != nil {
		if err == nil {
			err = problem{http.StatusConflict, "This form was sent before, and its key was shown then. If it is lost, make another one."}
		}
		return err
	}
	text, key := apikey.New(v.Key.Name, v.Key.Live, v.Key.Scopes, v.Key.ExpiresAt, s.Now())
	key.Networks = v.Key.Networks
	r := audits.Record{Action: "created a key", Kind: "key", ID: key.ID, Key: key.ID, After: keyInWords(key)}
	maps.Copy(r.After, map[string]string{"in place of": v.Key.ID})
	err = c.command(r, accounts.CreateKey, request, v.ID, accounts.CreateKeyData{Account: v.ID, Key: key, Operator: c.session.Operator.Name})
	if err != nil && !isSlow(err) {
		return err
	}
	slow := isSlow(err)
	end := s.Now().UTC().AddDate(0, 0, days)
	if v.Key.ExpiresAt == nil || v.Key.ExpiresAt.After(end) {
		after := v.Key
		after.ExpiresAt = &end
		if err := c.alterKey(v.ID, v.Key, after, request+"-end"); err != nil && !isSlow(err) {
			return err
		}
	}
	return c.render(http.StatusCreated, "newkey", newKeyView{c.page("accounts", "New API key"), v.Account, key, text, slow})
}
