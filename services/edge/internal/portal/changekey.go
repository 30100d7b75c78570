package portal

import (
	"net/http"

	"boardorder/pkg/apikey"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
)

type changeKeyView struct {
	newKeyView
	Key accounts.APIKey
}

// changeKeyView is of a key of the account that was not revoked; ok is false where there is none.
func (p *Portal) changeKeyView(c *call) (v changeKeyView, ok bool) {
	found, ok := p.findKey(c, "Change a key")
	v = changeKeyView{newKeyView{frame: found.frame, Form: apikey.FormOf(found.Key), Scopes: accounts.DefaultScopes()}, found.Key}
	return v, ok
}

// changeKeyPage answers GET /portal/keys/{key}/change.
func (p *Portal) changeKeyPage(c *call) error {
	v, ok := p.changeKeyView(c)
	if !ok {
		return p.missing(c, "key")
	}
	return p.show(c.Call, http.StatusOK, "changekey", v)
}

// changeKey answers POST /portal/keys/{key}/change.
func (p *Portal) changeKey(c *call) error {
	v, ok := p.changeKeyView(c)
	if !ok {
		return p.missing(c, "key")
	}
	v.Form = apikey.ReadForm(c.form)
	v.Form.Live = v.Key.Live
	expires, networks, problems := v.Form.Parse(p.Now())
	if v.Problems = problems; len(problems) > 0 {
		return p.show(c.Call, http.StatusUnprocessableEntity, "changekey", v)
	}
	slow, err := p.command(c, accounts.ChangeOwnKey, accounts.ChangeOwnKeyData{
		By: p.author(c), KeyID: v.Key.ID, Name: v.Form.Name, Scopes: v.Form.Scopes, ExpiresAt: expires, Networks: networks,
	})
	if refusal := contract.RefusalIn(err); refusal != nil && refusal.Code == contract.InvalidRequest {
		v.Problems = map[string]string{"name": refusal.Message}
		return p.show(c.Call, http.StatusUnprocessableEntity, "changekey", v)
	}
	return p.finish(c, slow, err, root+"/keys", "changed")
}
