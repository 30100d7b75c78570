package client

import (
	"net/http"
	"testing"
	"time"
)

// FuzzParseMoney: what is read is written so that it is read as the same again.
func FuzzParseMoney(f *testing.F) {
	for _, text := range []string{"80EUR", "$1,234.56", "JPY 7", "1.234KWD", "", "9223372036854775807"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMoney(text)
		if err != nil {
			return
		}
		if again, err := ParseMoney(m.String()); err != nil || again != m || m.Minor < 0 {
			t.Errorf("%q is %+v, written %q and read as %+v, %v", text, m, m, again, err)
		}
	})
}

// FuzzError: whatever comes instead of a reply is an error with a class and words.
func FuzzError(f *testing.F) {
	f.Add(422, "3", []byte(`{"ok":false,"error":"needs_details","message":"x","questions":[{"option":"a"}]}`))
	f.Add(500, "", []byte(`{"detail":[{"loc":["body",1],"msg":"m","type":"t"}]}`))
	f.Add(502, "x", []byte("<html>"))
	f.Fuzz(func(t *testing.T, status int, retryAfter string, body []byte) {
		e := newError(status, http.Header{"Retry-After": {retryAfter}}, body)
		if _, again := retryDelay(http.MethodPost, false, 1, 2, e); e.Class == "" || e.Error() == "" || again {
			t.Errorf("%d %q: %+v, again %v; want a class, words, and nothing sent twice", status, body, e, again)
		}
	})
}

// FuzzVerifyWebhook: nothing that the secret did not sign is taken for an event.
func FuzzVerifyWebhook(f *testing.F) {
	f.Add([]byte(`{"id":"evt_1","type":"quote.priced"}`), "evt_1", "1764547200", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	f.Fuzz(func(t *testing.T, body []byte, id, at, signature string) {
		header := http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {at}, "Webhook-Signature": {signature}}
		if event, err := verifyWebhook(body, header, time.Unix(1764547200, 0), []string{"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}); err == nil {
			t.Errorf("%q with %v is taken for %+v", body, header, event)
		}
	})
}
