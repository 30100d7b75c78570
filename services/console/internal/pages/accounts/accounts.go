package accounts

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"time"

	"boardorder/pkg/apikey"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

type accountsView struct {
	page.Frame
	Rows     []*accounts.Account
	Next     string
	Form     accountForm
	Problems map[string]string // by field
}

type accountForm struct{ ID, Name, Email string }

// List lists accounts, newest first.
func (s *Section) List(c *page.Call) error {
	v, err := s.accountsView(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "accounts", v)
}

func (s *Section) accountsView(c *page.Call) (accountsView, error) {
	rows, next, err := states.List[accounts.Account](c.R.Context(), s.Docs, contract.AccountAggregate, "", "",
		projection.Page{Limit: states.PerPage, Cursor: c.R.URL.Query().Get("cursor")})
	return accountsView{Frame: c.Frame("accounts", "Accounts and keys"), Rows: rows, Next: next}, err
}

var accountID = regexp.MustCompile(`^acc_[A-Za-z0-9]{1,60}$`)

// Open opens an account.
func (s *Section) Open(c *page.Call) error {
	v, err := s.accountsView(c)
	if err != nil {
		return err
	}
	v.Form = accountForm{c.R.PostFormValue("id"), untrusted.Line(c.R.PostFormValue("name"), 100), untrusted.Line(c.R.PostFormValue("email"), 254)}
	v.Problems = map[string]string{}
	if v.Form.Name == "" {
		v.Problems["name"] = "An account has a name."
	}
	if v.Form.ID != "" && !accountID.MatchString(v.Form.ID) {
		v.Problems["id"] = "acc_ and letters or digits; or leave it empty."
	}
	if len(v.Problems) > 0 {
		return c.Render(http.StatusUnprocessableEntity, templates, "accounts", v)
	}
	request := c.R.PostFormValue("request")
	account := v.Form.ID
	if account == "" { // the same form sent twice opens one account
		account = contract.AccountPrefix + contract.DeriveID("account", request)
	}
	err = c.Command(audits.Record{Action: "opened an account", Kind: "account", ID: account, After: map[string]string{"name": v.Form.Name, "e-mail": v.Form.Email}},
		accounts.Open, request, account, accounts.OpenData{ID: account, Name: v.Form.Name, Email: v.Form.Email, Operator: c.Session.Operator.Name})
	if refusal := contract.RefusalIn(err); refusal != nil {
		field := "id"
		if refusal.Code == contract.InvalidRequest {
			field = "email"
		}
		v.Problems[field] = refusal.Message
		return c.Render(http.StatusUnprocessableEntity, templates, "accounts", v)
	}
	return c.Finish(err, "/accounts/"+account, "opened")
}

// SetAddress says where a partner is written to.
func (s *Section) SetAddress(c *page.Call) error {
	v, err := s.accountView(c)
	if err != nil {
		return err
	}
	v.Address = untrusted.Line(c.R.PostFormValue("email"), 254)
	err = c.Command(audits.Record{
		Action: "set an account's address", Kind: "account", ID: v.ID,
		Before: map[string]string{"e-mail": v.Email}, After: map[string]string{"e-mail": v.Address},
	}, accounts.SetAddress, c.R.PostFormValue("request"), v.ID, accounts.SetAddressData{Account: v.ID, Email: v.Address, Operator: c.Session.Operator.Name})
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Problems = map[string]string{"email": refusal.Message}
		return c.Render(http.StatusUnprocessableEntity, templates, "account", v)
	}
	return c.Finish(err, "/accounts/"+v.ID, "saved")
}

type accountView struct {
	page.Frame
	*accounts.Account
	Rows     []keyRow
	Team     []memberRow
	Scopes   []string
	Form     apikey.Form
	Address  string // as it was typed
	Makers   fabricatorsForm
	Problems map[string]string
}

type keyRow struct {
	accounts.APIKey
	Usable   bool
	LastUsed string
	Leaked   string // when it was first sent in an address; "" = never
}

func (s *Section) accountView(c *page.Call) (accountView, error) {
	ctx := c.R.Context()
	a, err := states.Get[accounts.Account](ctx, s.Docs, contract.AccountAggregate, c.R.PathValue("id"))
	if err != nil {
		return accountView{}, err
	}
	if a == nil {
		return accountView{}, page.Missing("account")
	}
	v := accountView{Frame: c.Frame("accounts", "Account"), Account: a, Address: a.Email, Makers: formOf(*a), Scopes: accounts.DefaultScopes(),
		Form: apikey.Form{Live: true, Scopes: accounts.DefaultScopes()}}
	for _, k := range slices.Backward(a.Keys) {
		v.Rows = append(v.Rows, keyRow{
			APIKey: k, Usable: k.Usable(s.Now()), LastUsed: cmp.Or(noteTime(ctx, s.Uses, k.ID), "–"), Leaked: noteTime(ctx, s.Flags, k.ID),
		})
	}
	v.Team, err = s.listMembers(c, *a)
	return v, err
}

// noteTime is when something was noted of a key; a hint only: it may be missing.
func noteTime(ctx context.Context, bucket Notes, key string) string {
	at, _, err := bucket.Get(ctx, key)
	if err != nil {
		return ""
	}
	t, err := time.Parse(time.RFC3339, string(at))
	if err != nil {
		return ""
	}
	return format.Time(t)
}

// Show shows one account with its keys.
func (s *Section) Show(c *page.Call) error {
	v, err := s.accountView(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "account", v)
}

type newKeyView struct {
	page.Frame
	*accounts.Account
	Key  accounts.APIKey
	Text string // shown this once
	Slow bool
}

// CreateKey makes a key and shows it once.
func (s *Section) CreateKey(c *page.Call) error {
	v, err := s.accountView(c)
	if err != nil {
		return err
	}
	v.Form = apikey.ReadForm(c.R.PostForm)
	expires, networks, problems := v.Form.Parse(s.Now())
	if v.Problems = problems; len(problems) > 0 {
		return c.Render(http.StatusUnprocessableEntity, templates, "account", v)
	}
	request := c.R.PostFormValue("request")
	if done, err := s.Ask.Outcome(c.R.Context(), request); done || err != nil {
		if err == nil {
			err = page.Problem{Status: http.StatusConflict, Message: "This form was sent before, and its key was shown then. If it is lost, revoke it and make another one."}
		}
		return err
	}
	text, key := apikey.New(v.Form.Name, v.Form.Live, v.Form.Scopes, expires, s.Now())
	key.Networks = networks
	err = c.Command(audits.Record{Action: "created a key", Kind: "key", ID: key.ID, Key: key.ID, After: apikey.Words(key)},
		accounts.CreateKey, request, v.ID, accounts.CreateKeyData{Account: v.ID, Key: key, Operator: c.Session.Operator.Name})
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Problems = map[string]string{"name": refusal.Message}
		return c.Render(http.StatusUnprocessableEntity, templates, "account", v)
	}
	slow := page.IsSlow(err)
	if err != nil && !slow {
		return err
	}
	return c.Render(http.StatusCreated, templates, "newkey", newKeyView{c.Frame("accounts", "New API key"), v.Account, key, text, slow})
}

type revokeView struct {
	page.Frame
	*accounts.Account
	Key    accounts.APIKey
	Unsure string
}

func (s *Section) revokeView(c *page.Call) (revokeView, error) {
	a, err := s.accountView(c)
	if err != nil {
		return revokeView{}, err
	}
	i := slices.IndexFunc(a.Keys, func(k accounts.APIKey) bool { return k.ID == c.R.PathValue("key") })
	if i < 0 {
		return revokeView{}, page.Missing("key")
	}
	return revokeView{Frame: c.Frame("accounts", "Revoke a key"), Account: a.Account, Key: a.Keys[i]}, nil
}

// RevokePage asks whether a key shall end.
func (s *Section) RevokePage(c *page.Call) error {
	v, err := s.revokeView(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "revoke", v)
}

// RevokeKey ends a key once the operator has confirmed it.
func (s *Section) RevokeKey(c *page.Call) error {
	v, err := s.revokeView(c)
	if err != nil {
		return err
	}
	if c.R.PostFormValue("sure") != "yes" {
		v.Unsure = "Nothing was done: please tick the box to confirm."
		return c.Render(http.StatusUnprocessableEntity, templates, "revoke", v)
	}
	request := c.R.PostFormValue("request")
	before := apikey.Words(v.Key)
	after := maps.Clone(before)
	after["revoked"] = "yes"
	err = c.Command(audits.Record{Action: "revoked a key", Kind: "key", ID: v.Key.ID, Key: v.Key.ID, Before: before, After: after},
		accounts.RevokeKey, request, v.ID, accounts.RevokeKeyData{Account: v.ID, KeyID: v.Key.ID, Operator: c.Session.Operator.Name})
	return c.Finish(err, fmt.Sprintf("/accounts/%s", v.ID), "revoked")
}
