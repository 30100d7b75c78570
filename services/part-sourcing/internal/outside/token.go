package outside

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Tokens gets access tokens by client credentials and keeps each until shortly
// before its end.
type Tokens struct {
	Client *Client // for the call that gets one; without a quota
	URL    string
	ID     string
	Secret string
	Scope  string
	Early  time.Duration // how long before its end a token is given up
	Now    func() time.Time

	mu     sync.Mutex
	token  string
	until  time.Time
	flight singleflight.Group
}

// Get gives a token that holds; of those who ask at the same time one fetches it.
func (t *Tokens) Get(ctx context.Context) (string, error) {
	t.mu.Lock()
	token, until := t.token, t.until
	t.mu.Unlock()
	if token != "" && t.Now().Before(until) {
		return token, nil
	}
	flight := t.flight.DoChan("", func() (any, error) { return t.fetch(context.WithoutCancel(ctx)) })
	select {
	case r := <-flight:
		if r.Err != nil {
			return "", r.Err
		}
		return r.Val.(string), nil
	case <-ctx.Done():
		return "", t.Client.Fail(Unavailable, "no access token in time", ctx.Err())
	}
}

// Forget drops a token that was refused.
func (t *Tokens) Forget(token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.token == token {
		t.token = ""
	}
}

func (t *Tokens) fetch(ctx context.Context) (string, error) {
	form := url.Values{"client_id": {t.ID}, "client_secret": {t.Secret}, "grant_type": {"client_credentials"}}
	if t.Scope != "" {
		form.Set("scope", t.Scope)
	}
	req, err := http.NewRequest(http.MethodPost, t.URL, strings.NewReader(form.Encode()))
	if err != nil {
		return "", t.Client.Fail(Refused, "build the token request", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	var out struct {
		Token   string `json:"access_token"`
		Expires int64  `json:"expires_in"`
	}
	_, err = t.Client.Do(ctx, req, func(r Reply) error {
		switch {
		case r.Status == http.StatusBadRequest || r.Status == http.StatusForbidden:
			return t.Client.Fail(Refused, "our credentials are refused", nil)
		case r.Status != http.StatusOK:
			return t.Client.Fail(Unavailable, "no access token", nil)
		}
		if err := json.Unmarshal(r.Body, &out); err != nil || out.Token == "" || out.Expires <= 0 {
			return t.Client.Fail(InvalidAnswer, "an answer without an access token", nil)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.token, t.until = out.Token, t.Now().Add(max(time.Duration(min(out.Expires, 86400))*time.Second-t.Early, 0))
	return out.Token, nil
}

// CallWithToken makes a call with a token, and once more with a new one where the
// token is refused.
func (t *Tokens) CallWithToken(ctx context.Context, call func(token string) error) error {
	token, err := t.Get(ctx)
	if err != nil {
		return err
	}
	if err = call(token); KindOf(err) != Refused || err == nil {
		return err
	}
	t.Forget(token)
	if token, err = t.Get(ctx); err != nil {
		return err
	}
	return call(token)
}
