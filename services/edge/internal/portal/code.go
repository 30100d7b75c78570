package portal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/session"
	"boardorder/services/edge/internal/web"
)

// errWrongCode says that a code is not good, for whatever reason.
var errWrongCode = errors.New("no such code")

// codeKey is where the code lies that a browser has asked for.
func codeKey(browser string) string { return contract.DeriveID("sign-in-code", browser) }

// askCode makes a code and has it mailed, unless too many were asked for: wait is how
// long until the next may be. The same is done for every address.
func (p *Portal) askCode(c *web.Call, email, of string) (wait time.Duration, err error) {
	ctx := c.Context()
	if wait, err = p.beginAsk(c, email); err != nil || wait > 0 {
		return wait, err
	}
	browser := session.NewID()
	key := codeKey(browser)
	code := accounts.SignInCode{Email: email, Nonce: rand.Text(), Language: c.Language().Code, At: p.Now().UTC(), Session: of}
	_, code.Hash = p.Secrets.Code(key, code.Nonce)
	value, err := json.Marshal(code)
	if err != nil {
		return 0, err
	}
	if _, err := p.Codes.Create(ctx, key, value); err != nil {
		return 0, fmt.Errorf("keep a sign-in code: %w", err)
	}
	cmd, err := contract.NewRootCommand(accounts.SendSignInCode, contract.NewID("sic_", p.Now()), "", p.Now(), accounts.SendSignInCodeData{Code: key, Email: email})
	if err != nil {
		return 0, err
	}
	if err := p.Send.Send(ctx, cmd); err != nil {
		return 0, err
	}
	p.setCookie(c, codeCookie, browser, p.Now().Add(accounts.SignInCodeTTL))
	return 0, nil
}

// readCode is the code that the browser has asked for; errWrongCode if there is none.
func (p *Portal) readCode(c *web.Call) (code accounts.SignInCode, key string, rev uint64, err error) {
	browser := p.cookie(c, codeCookie)
	if browser == "" {
		return code, "", 0, errWrongCode
	}
	key = codeKey(browser)
	value, rev, err := p.Codes.Get(c.Context(), key)
	if errors.Is(err, bus.ErrNoKey) {
		return code, key, 0, errWrongCode
	}
	if err == nil {
		err = json.Unmarshal(value, &code)
	}
	return code, key, rev, err
}

// takeCode looks at a code that was entered, once it is counted, and uses it up. of is the
// session that it is to prove; "" is a new one.
func (p *Portal) takeCode(c *web.Call, entered, of string) (accounts.SignInCode, error) {
	code, key, rev, err := p.readCode(c)
	if err != nil {
		return code, err
	}
	if !code.IsLive(p.Now()) || code.Session != of {
		return code, errWrongCode
	}
	wait, err := p.Hourly.Begin(c.Context(), p.tries(c, code.Email)...)
	if err != nil {
		return code, err
	}
	if wait > 0 {
		return code, errWrongCode
	}
	code.Tries++
	if rev, err = p.keepCode(c.Context(), key, code, rev); err != nil {
		return code, err
	}
	if !p.Secrets.IsCodeHash(code.Hash, key, code.Nonce, digits(entered)) {
		return code, errWrongCode
	}
	code.Used = true
	if _, err := p.keepCode(c.Context(), key, code, rev); err != nil {
		return code, err
	}
	p.setCookie(c, codeCookie, "", time.Time{})
	return code, nil
}

// keepCode writes a code down. Of two that enter it at the same moment one is told that it
// is wrong.
func (p *Portal) keepCode(ctx context.Context, key string, code accounts.SignInCode, rev uint64) (uint64, error) {
	value, err := json.Marshal(code)
	if err != nil {
		return 0, err
	}
	next, err := p.Codes.Update(ctx, key, value, rev)
	if errors.Is(err, bus.ErrWrongRevision) {
		return 0, errWrongCode
	}
	return next, err
}

// digits keeps what belongs to a code, however it was read out.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}
