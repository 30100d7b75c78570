package outside_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/outside"
)

// tokens makes a source of tokens whose answers are given, with the forms that it sends.
func tokens(now func() time.Time, early time.Duration, answers ...http.Response) (_ *outside.Tokens, calls *int, forms *[]url.Values) {
	calls, forms = new(int), new([]url.Values)
	next := replies(calls, answers...)
	client := outside.New(outside.Config{Source: "supplier", Secrets: []string{"s"}, Transport: transport(func(r *http.Request) (*http.Response, error) {
		if err := r.ParseForm(); err != nil {
			return nil, err
		}
		*forms = append(*forms, r.PostForm)
		return next(r)
	})})
	return &outside.Tokens{Client: client, URL: "https://supplier.example/token", ID: "me", Secret: "s", Scope: "parts", Early: early, Now: now}, calls, forms
}

func token(name string, seconds int) http.Response {
	return http.Response{StatusCode: 200, Body: body(fmt.Sprintf(`{"access_token": %q, "expires_in": %d}`, name, seconds))}
}

// TestTokensExpire: a token is used until shortly before its end, and no longer; one that ends
// sooner than that is used once.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	s, calls, forms := tokens(func() time.Time { return now }, time.Minute, token("one", 600), token("two", 30), token("three", 1<<40), token("four", 600))
	for _, tt := range []struct {
		after time.Duration
		want  string
		calls int
	}{
		{0, "one", 1},
		{9*time.Minute - time.Nanosecond, "one", 1},
		{time.Nanosecond, "two", 2},
		{0, "three", 3},
		{24*time.Hour - time.Minute - time.Nanosecond, "three", 3}, // no token is kept for more than a day
		{time.Nanosecond, "four", 4},
	} {
		now = now.Add(tt.after)
		got, err := s.Get(t.Context())
		if got != tt.want || err != nil || *calls != tt.calls {
			t.Errorf("%s later: token %q, %v, after %d calls; want %q after %d", tt.after, got, err, *calls, tt.want, tt.calls)
		}
	}
	want := url.Values{"client_id": {"me"}, "client_secret": {"s"}, "grant_type": {"client_credentials"}, "scope": {"parts"}}
	if got := (*forms)[0]; got.Encode() != want.Encode() {
		t.Errorf("a token is asked for with %v, want %v", got, want)
	}
}

// TestTokenRefused: what gives no token is told by its kind.
func TestTokenRefused(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		answer http.Response
		kind   outside.Kind
	}{
		"wrong credentials":        {http.Response{StatusCode: 400}, outside.Refused},
		"unknown credentials":      {http.Response{StatusCode: 401}, outside.Refused},
		"forbidden":                {http.Response{StatusCode: 403}, outside.Refused},
		"an error":                 {http.Response{StatusCode: 500}, outside.Unavailable},
		"too many requests":        {http.Response{StatusCode: 429}, outside.OverQuota},
		"no token":                 {http.Response{StatusCode: 200, Body: body(`{"expires_in": 600}`)}, outside.InvalidAnswer},
		"a token that has expired": {token("one", 0), outside.InvalidAnswer},
		"a page":                   {http.Response{StatusCode: 200, Body: body(`<html>`)}, outside.InvalidAnswer},
	} {
		s, _, _ := tokens(time.Now, 0, tt.answer)
		if got, err := s.Get(t.Context()); got != "" || err == nil || outside.KindOf(err) != tt.kind {
			t.Errorf("%s: token %q, %v; want an error of kind %q", rule, got, err, tt.kind)
		}
	}
}

// TestCallWithToken: a call whose token is refused is made once more with a new one, and any
// other failure is left as it is.
func TestCallWithToken(t *testing.T) {
	t.Parallel()
	refused := &outside.Error{Kind: outside.Refused}
	unavailable := &outside.Error{Kind: outside.Unavailable}
	for rule, tt := range map[string]struct {
		errs []error // of the calls
		used string  // tokens
		want error
	}{
		"a token that is taken":           {[]error{nil}, "one", nil},
		"one that was revoked":            {[]error{refused, nil}, "one two", nil},
		"two that are refused":            {[]error{refused, refused}, "one two", refused},
		"a supplier that cannot be had":   {[]error{unavailable}, "one", unavailable},
		"cannot be had after the refusal": {[]error{refused, unavailable}, "one two", unavailable},
	} {
		s, _, _ := tokens(time.Now, 0, token("one", 600), token("two", 600), token("three", 600))
		used := ""
		call := func(token string) error {
			err := tt.errs[0]
			tt.errs = tt.errs[1:]
			if used != "" {
				used += " "
			}
			used += token
			return err
		}
		if err := s.CallWithToken(t.Context(), call); !errors.Is(err, tt.want) || used != tt.used {
			t.Errorf("%s: %v with tokens %q, want %v with %q", rule, err, used, tt.want, tt.used)
		}
	}
	s, calls, _ := tokens(time.Now, 0, token("one", 600), token("two", 600))
	if _, err := s.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Forget("of another")
	if got, err := s.Get(t.Context()); got != "one" || err != nil || *calls != 1 {
		t.Errorf("when another token was refused: %q, %v, after %d calls; want %q after 1", got, err, *calls, "one")
	}
}
