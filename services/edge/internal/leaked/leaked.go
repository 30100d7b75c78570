// Package leaked takes reports of leaked API keys, from whoever found one. What it
// answers does not tell whether a key was one.
package leaked

import (
	"bytes"
	_ "embed" // the page
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/language"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const (
	path   = "/leaked-key"
	field  = "key" // of the form, and of JSON
	maxKey = 200   // characters
	policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

	// The states of the page.
	form, empty, done = "form", "empty", "done"
)

// message is the one answer, whatever was sent.
var message = language.Key("If this is an API key of ours, it is being revoked and opens nothing within 5 seconds. We write to its owner where we have an address.")

//go:embed leaked.html
var pageText string

// Reports takes reports.
type Reports struct {
	send    aggregate.Sender
	now     func() time.Time
	network func(*web.Call) (string, error)

	pages map[string]map[string][]byte // by language and state
}

// New makes it; network names where a call comes from, and house is the shop's name.
func New(send aggregate.Sender, network func(*web.Call) (string, error), shop string, now func() time.Time) (*Reports, error) {
	r := &Reports{send: send, now: now, network: network, pages: map[string]map[string][]byte{}}
	style, err := checkout.Stylesheet()
	if err != nil {
		return nil, err
	}
	for _, l := range language.List() {
		if r.pages[l.Code], err = draw(l, shop, style); err != nil {
			return nil, fmt.Errorf("page of leaked keys: %w", err)
		}
	}
	return r, nil
}

// draw makes the page in each of its states.
func draw(l *language.Printer, shop, style string) (map[string][]byte, error) {
	t, err := template.New("leaked.html").Funcs(template.FuncMap{"t": l.Text, "th": l.HTML, "lang": func() string { return l.Code }}).Parse(pageText)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, state := range []string{form, empty, done} {
		var page bytes.Buffer
		view := map[string]any{"Shop": shop, "Style": style, "Message": l.Text(message), "Max": maxKey, "Empty": state == empty, "Done": state == done}
		if err := t.Execute(&page, view); err != nil {
			return nil, err
		}
		out[state] = page.Bytes()
	}
	return out, nil
}

// Routes lists the page and what takes its form, or JSON.
func (r *Reports) Routes() []web.Route {
	return []web.Route{
		{Method: http.MethodGet, Path: path, Access: web.Public, Page: true, Limit: &limit.Pages, LimitBy: r.network, Handle: func(c *web.Call) error {
			return r.page(c, http.StatusOK, form)
		}},
		{Method: http.MethodPost, Path: path, Access: web.Public, Limit: &limit.LeakedKeys, LimitBy: r.network, Handle: r.take},
	}
}

func (r *Reports) page(c *web.Call, status int, state string) error {
	c.KeepLanguage()
	c.Set("Cache-Control", "no-store")
	c.Set("X-Robots-Tag", "noindex, nofollow")
	return c.HTML(status, policy, r.pages[c.Language().Code][state])
}

// take answers POST /leaked-key. Nothing is looked up: what is no key by its own
// checksum, as anybody can find out, ends here; all others go the same way.
func (r *Reports) take(c *web.Call) error {
	read, isForm := readObject, false
	if kind, _, _ := mime.ParseMediaType(c.Header("Content-Type")); kind == "application/x-www-form-urlencoded" {
		read, isForm = readForm, true
	}
	text, err := read(c)
	if err != nil {
		return err
	}
	if isForm && text == "" {
		return r.page(c, http.StatusUnprocessableEntity, empty)
	}
	if key, err := secret.ParseAPIKey(text); err == nil {
		if err := r.report(c, key); err != nil {
			return problem.Unavailable(err)
		}
	}
	if isForm {
		return r.page(c, http.StatusAccepted, done)
	}
	return c.JSON(http.StatusAccepted, map[string]any{"ok": true, "message": message})
}

func readForm(c *web.Call) (string, error) {
	values, err := c.Form()
	return strings.TrimSpace(values.Get(field)), err
}

func readObject(c *web.Call) (string, error) {
	body, err := c.Object()
	if err != nil {
		return "", err
	}
	f := jsonbody.NewFields(body)
	text := f.Text(field, maxKey, false)
	if text == nil && len(f.Problems()) == 0 {
		f.Refuse("key", jsonbody.Missing, nil, "Send the key.")
	}
	if p := f.Problems(); len(p) > 0 {
		return "", problem.Fields(p)
	}
	return strings.TrimSpace(*text), nil
}

// report sends what a key is known by, never the key.
func (r *Reports) report(c *web.Call, key secret.APIKey) error {
	cmd, err := contract.NewRootCommand(accounts.ReportKey, contract.NewID("lkr_", r.now()), "", r.now(), accounts.ReportKeyData{KeyID: key.ID, Hash: key.Hash()})
	if err != nil {
		return err
	}
	return r.send.Send(c.Context(), cmd)
}
