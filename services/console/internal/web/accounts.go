package web

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/apikey"
	"boardorder/services/console/internal/plain"
)

type accountsView struct {
	page
	Rows     []*accounts.Account
	Next     string
	Form     accountForm
	Problems map[string]string // by field
}

type accountForm struct{ ID, Name, Email string }

// accounts lists accounts, newest first.
func (s *Server) accounts(c *call) error {
	v, err := s.accountsView(c)
	if err != nil {
		return err
	}
	return c.show("accounts", v)
}

func (s *Server) accountsView(c *call) (accountsView, error) {
	rows, next, err := list[accounts.Account](c.r.Context(), s.Docs, contract.AccountAggregate, "", "",
		projection.Page{Limit: perPage, Cursor: c.r.URL.Query().Get("cursor")})
	return accountsView{page: c.page("accounts", "Accounts and keys"), Rows: rows, Next: next}, err
}

var accountID = regexp.MustCompile(`^acc_[A-Za-z0-9]{1,60}$`)

// openAccount opens an account.
func (s *Server) openAccount(c *call) error {
	v, err := s.accountsView(c)
	if err != nil {
		return err
	}
	v.Form = accountForm{c.r.PostFormValue("id"), plain.Line(c.r.PostFormValue("name"), 100), plain.Line(c.r.PostFormValue("email"), 254)}
	v.Problems = map[string]string{}
	if v.Form.Name == "" {
		v.Problems["name"] = "An account has a name."
	}
	if v.Form.ID != "" && !accountID.MatchString(v.Form.ID) {
		v.Problems["id"] = "acc_ and letters or digits; or leave it empty."
	}
	if len(v.Problems) > 0 {
		return c.render(http.StatusUnprocessableEntity, "accounts", v)
	}
	request := c.r.PostFormValue("request")
	account := v.Form.ID
	if account == "" { // the same form sent twice opens one account
		account = contract.AccountPrefix + contract.DeriveID("account", request)
	}
	err = c.command(audits.Record{Action: "opened an account", Kind: "account", ID: account, After: map[string]string{"name": v.Form.Name, "e-mail": v.Form.Email}},
		accounts.Open, request, account, accounts.OpenData{ID: account, Name: v.Form.Name, Email: v.Form.Email, Operator: c.session.Operator.Name})
	if refusal := contract.RefusalIn(err); refusal != nil {
		field := "id"
		if refusal.Code == contract.InvalidRequest {
			field = "email"
		}
		v.Problems[field] = refusal.Message
		return c.render(http.StatusUnprocessableEntity, "accounts", v)
	}
	return c.finish(err, "/accounts/"+account, "opened")
}

// setAddress says where a partner is written to.
func (s *Server) setAddress(c *call) error {
	v, err := s.accountView(c)
	if err != nil {
		return err
	}
	v.Address = plain.Line(c.r.PostFormValue("email"), 254)
	err = c.command(audits.Record{
		Action: "set an account's address", Kind: "account", ID: v.ID,
		Before: map[string]string{"e-mail": v.Email}, After: map[string]string{"e-mail": v.Address},
	}, accounts.SetAddress, c.r.PostFormValue("request"), v.ID, accounts.SetAddressData{Account: v.ID, Email: v.Address, Operator: c.session.Operator.Name})
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Problems = map[string]string{"email": refusal.Message}
		return c.render(http.StatusUnprocessableEntity, "account", v)
	}
	return c.finish(err, "/accounts/"+v.ID, "saved")
}

type accountView struct {
	page
	*accounts.Account
	Rows     []keyRow
	Scopes   []string
	Form     keyForm
	Address  string // as it was typed
	Problems map[string]string
}

type keyRow struct {
	accounts.APIKey
	Usable   bool
	LastUsed string
	Leaked   string // when it was first sent in an address; "" = never
}

func (s *Server) accountView(c *call) (accountView, error) {
	ctx := c.r.Context()
	a, err := get[accounts.Account](ctx, s.Docs, contract.AccountAggregate, c.r.PathValue("id"))
	if err != nil {
		return accountView{}, err
	}
	if a == nil {
		return accountView{}, missing("account")
	}
	v := accountView{page: c.page("accounts", "Account"), Account: a, Address: a.Email, Scopes: accounts.DefaultScopes(),
		Form: keyForm{Live: true, Scopes: accounts.DefaultScopes()}}
	for _, k := range slices.Backward(a.Keys) {
		v.Rows = append(v.Rows, keyRow{
			APIKey: k, Usable: k.Usable(s.Now()), LastUsed: cmp.Or(noteTime(ctx, s.keyUses, k.ID), "–"), Leaked: noteTime(ctx, s.keyFlag, k.ID),
		})
	}
	return v, nil
}

// noteTime is when something was noted of a key; a hint only: it may be missing.
func noteTime(ctx context.Context, bucket *bus.Bucket, key string) string {
	at, _, err := bucket.Get(ctx, key)
	if err != nil {
		return ""
	}
	t, err := time.Parse(time.RFC3339, string(at))
	if err != nil {
		return ""
	}
	return formatTime(t)
}

func (s *Server) account(c *call) error {
	v, err := s.accountView(c)
	if err != nil {
		return err
	}
	return c.show("account", v)
}

type newKeyView struct {
	page
	*accounts.Account
	Key  accounts.APIKey
	Text string // shown this once
	Slow bool
}

// createKey makes a key and shows it once.
func (s *Server) createKey(c *call) error {
	v, err := s.accountView(c)
	if err != nil {
		return err
	}
	v.Form = readKeyForm(c.r)
	expires, networks, problems := v.Form.parse(s.Now())
	if v.Problems = problems; len(problems) > 0 {
		return c.render(http.StatusUnprocessableEntity, "account", v)
	}
	request := c.r.PostFormValue("request")
	if done, err := s.Ask.Outcome(c.r.Context(), request); done || err != nil {
		if err == nil {
			err = problem{http.StatusConflict, "This form was sent before, and its key was shown then. If it is lost, revoke it and make another one."}
		}
		return err
	}
	text, key := apikey.New(v.Form.Name, v.Form.Live, v.Form.Scopes, expires, s.Now())
	key.Networks = networks
	err = c.command(audits.Record{Action: "created a key", Kind: "key", ID: key.ID, Key: key.ID, After: keyInWords(key)},
		accounts.CreateKey, request, v.ID, accounts.CreateKeyData{Account: v.ID, Key: key, Operator: c.session.Operator.Name})
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Problems = map[string]string{"name": refusal.Message}
		return c.render(http.StatusUnprocessableEntity, "account", v)
	}
	slow := isSlow(err)
	if err != nil && !slow {
		return err
	}
	return c.render(http.StatusCreated, "newkey", newKeyView{c.page("accounts", "New API key"), v.Account, key, text, slow})
}

type revokeView struct {
	page
	*accounts.Account
	Key    accounts.APIKey
	Unsure string
}

func (s *Server) revokeView(c *call) (revokeView, error) {
	a, err := s.accountView(c)
	if err != nil {
		return revokeView{}, err
	}
	i := slices.IndexFunc(a.Keys, func(k accounts.APIKey) bool { return k.ID == c.r.PathValue("key") })
	if i < 0 {
		return revokeView{}, missing("key")
	}
	return revokeView{page: c.page("accounts", "Revoke a key"), Account: a.Account, Key: a.Keys[i]}, nil
}

func (s *Server) revokePage(c *call) error {
	v, err := s.revokeView(c)
	if err != nil {
		return err
	}
	return c.show("revoke", v)
}

// revokeKey ends a key once the operator has confirmed it.
func (s *Server) revokeKey(c *call) error {
	v, err := s.revokeView(c)
	if err != nil {
		return err
	}
	if c.r.PostFormValue("sure") != "yes" {
		v.Unsure = "Nothing was done: please tick the box to confirm."
		return c.render(http.StatusUnprocessableEntity, "revoke", v)
	}
	request := c.r.PostFormValue("request")
	before := keyInWords(v.Key)
	after := maps.Clone(before)
	after["revoked"] = "yes"
	err = c.command(audits.Record{Action: "revoked a key", Kind: "key", ID: v.Key.ID, Key: v.Key.ID, Before: before, After: after},
		accounts.RevokeKey, request, v.ID, accounts.RevokeKeyData{Account: v.ID, KeyID: v.Key.ID, Operator: c.session.Operator.Name})
	return c.finish(err, fmt.Sprintf("/accounts/%s", v.ID), "revoked")
}

// keyInWords is what the trail says of a key.
func keyInWords(k accounts.APIKey) map[string]string {
	words := map[string]string{"name": k.Name, "prefix": k.Prefix, "scopes": strings.Join(k.Scopes, " "), "revoked": "no"}
	if len(k.Networks) > 0 {
		words["networks"] = strings.Join(k.Networks, " ")
	}
	if k.ExpiresAt != nil {
		words["expires"] = formatTime(*k.ExpiresAt)
	}
	return words
}
