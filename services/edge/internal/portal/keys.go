package portal

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/apikey"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/services/edge/internal/problem"
)

type keysView struct {
	frame
	Rows []keyRow
}

type keyRow struct {
	accounts.APIKey
	Usable   bool
	LastUsed string
}

// keysPage answers GET /portal/keys, the newest first.
func (p *Portal) keysPage(c *call) error {
	v := keysView{frame: p.frame("API keys", c)}
	for _, k := range slices.Backward(c.account.Keys) {
		v.Rows = append(v.Rows, keyRow{k, k.Usable(p.Now()), p.readUse(c.Context(), k.ID)})
	}
	return p.show(c.Call, http.StatusOK, "keys", v)
}

// readUse is when a key was last used; a hint, which may be missing.
func (p *Portal) readUse(ctx context.Context, key string) string {
	text, _, err := p.Uses.Get(ctx, key)
	if err != nil {
		return ""
	}
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return ""
	}
	return at.UTC().Format("2006-01-02 15:04") + " UTC"
}

type newKeyView struct {
	frame
	Form     apikey.Form
	Scopes   []string
	Problems map[string]string // by field
}

func (p *Portal) newKeyView(c *call, live bool) newKeyView {
	title := "Make a test key"
	if live {
		title = "Make a live key"
	}
	return newKeyView{frame: p.frame(title, c), Form: apikey.Form{Live: live, Scopes: accounts.DefaultScopes()}, Scopes: accounts.DefaultScopes()}
}

// newKeyPage answers GET /portal/keys/new-….
func (p *Portal) newKeyPage(live bool) func(*call) error {
	return func(c *call) error { return p.show(c.Call, http.StatusOK, "newkey", p.newKeyView(c, live)) }
}

// newKey answers POST /portal/keys/new-…: the key is made, and shown this once.
func (p *Portal) newKey(live bool) func(*call) error {
	return func(c *call) error {
		v := p.newKeyView(c, live)
		v.Form = apikey.ReadForm(c.form)
		v.Form.Live = live
		expires, networks, problems := v.Form.Parse(p.Now())
		if v.Problems = problems; len(problems) > 0 {
			return p.show(c.Call, http.StatusUnprocessableEntity, "newkey", v)
		}
		text, key := apikey.New(v.Form.Name, live, v.Form.Scopes, expires, p.Now())
		key.Networks = networks
		return p.makeKey(c, text, accounts.CreateOwnKeyData{By: p.author(c), Key: key})
	}
}

type keyView struct {
	frame
	Key  accounts.APIKey
	Text string // shown this once
	Slow bool
}

// makeKey has a key added to the account, and shows it.
func (p *Portal) makeKey(c *call, text string, data accounts.CreateOwnKeyData) error {
	before, err := p.readOutcome(c.Context(), c.request())
	if err != nil {
		return problem.Unavailable(err)
	}
	if before != nil {
		return p.refuse(c, "This form was sent before, and its key was shown then. If it is lost, revoke it and make another one.")
	}
	slow, err := p.command(c, accounts.CreateOwnKey, data)
	if refusal := contract.RefusalIn(err); refusal != nil {
		return p.refuse(c, refusal.Message)
	}
	if err != nil {
		return err
	}
	return p.show(c.Call, http.StatusCreated, "key", keyView{p.frame("Your new key", c), data.Key, text, slow})
}

type keyFormView struct {
	frame
	Key     accounts.APIKey
	Days    string
	Problem string
}

// findKey gives a key of the account that was not revoked; ok is false where there is none.
func (p *Portal) findKey(c *call, title string) (v keyFormView, ok bool) {
	for _, k := range c.account.Keys {
		if k.ID == c.Param("key") && k.RevokedAt == nil {
			return keyFormView{frame: p.frame(title, c), Key: k, Days: "7"}, true
		}
	}
	return v, false
}

// rotatePage answers GET /portal/keys/{key}/rotate.
func (p *Portal) rotatePage(c *call) error {
	v, ok := p.findKey(c, "Rotate a key")
	if !ok {
		return p.missing(c, "key")
	}
	return p.show(c.Call, http.StatusOK, "rotate", v)
}

// maxOverlap is for how many days an old key may stay good beside the new one.
const maxOverlap = 90

// rotate answers POST /portal/keys/{key}/rotate: another key may do the same, and the old
// one has until then to be replaced by it.
func (p *Portal) rotate(c *call) error {
	v, ok := p.findKey(c, "Rotate a key")
	if !ok {
		return p.missing(c, "key")
	}
	v.Days = strings.TrimSpace(c.form.Get("days"))
	days, err := strconv.Atoi(v.Days)
	if err != nil || days < 0 || days > maxOverlap {
		v.Problem = "A number of days, 0 to 90."
		return p.show(c.Call, http.StatusUnprocessableEntity, "rotate", v)
	}
	expires := v.Key.ExpiresAt
	if expires != nil && !expires.After(p.Now()) { // the end was the old one's
		expires = nil
	}
	text, key := apikey.New(v.Key.Name, v.Key.Live, v.Key.Scopes, expires, p.Now())
	key.Networks = v.Key.Networks
	until := p.Now().UTC().AddDate(0, 0, days)
	return p.makeKey(c, text, accounts.CreateOwnKeyData{By: p.author(c), Key: key, Replaces: v.Key.ID, Until: &until})
}

// revokePage answers GET /portal/keys/{key}/revoke.
func (p *Portal) revokePage(c *call) error {
	v, ok := p.findKey(c, "Revoke a key")
	if !ok {
		return p.missing(c, "key")
	}
	return p.show(c.Call, http.StatusOK, "revoke", v)
}

// revoke answers POST /portal/keys/{key}/revoke.
func (p *Portal) revoke(c *call) error {
	v, ok := p.findKey(c, "Revoke a key")
	if !ok {
		return p.missing(c, "key")
	}
	if c.form.Get("sure") != "yes" {
		v.Problem = "Nothing was done: please tick the box to confirm."
		return p.show(c.Call, http.StatusUnprocessableEntity, "revoke", v)
	}
	slow, err := p.command(c, accounts.RevokeOwnKey, accounts.RevokeOwnKeyData{By: p.author(c), KeyID: v.Key.ID})
	return p.finish(c, slow, err, root+"/keys", "revoked")
}
