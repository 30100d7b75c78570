package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/card/stripe/webhook"

	"github.com/google/go-cmp/cmp"
)

const secret = "whsec_test"

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const completed = `{"id":"evt_1","object":"event","type":"checkout.session.completed","created":1795262400,"livemode":false,
"data":{"object":{"id":"cs_test_1","object":"checkout.session","payment_intent":"pi_1","amount_total":1,"client_reference_id":"q-7","metadata":{"reference":"other"}}}}`

func sign(payload, secret string, at time.Time) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%d.%s", at.Unix(), payload)
	return hex.EncodeToString(mac.Sum(nil))
}

func header(payload, secret string, at time.Time) string {
	return fmt.Sprintf("t=%d,v1=%s", at.Unix(), sign(payload, secret, at))
}

func TestVerifyReturnsWhatTheEventPointsAt(t *testing.T) {
	t.Parallel()
	want := webhook.Event{
		ID: "evt_1", Type: "checkout.session.completed", Created: time.Unix(1795262400, 0).UTC(),
		Object: "checkout.session", ObjectID: "cs_test_1", PaymentIntent: "pi_1", Reference: "q-7",
	}
	intent := `{"id":"evt_2","object":"event","type":"payment_intent.succeeded","data":{"object":{"id":"pi_9","object":"payment_intent","metadata":{"reference":"q-8"}}}}`
	expanded := strings.Replace(completed, `"pi_1"`, `{"id":"pi_1","object":"payment_intent"}`, 1)
	for name, tt := range map[string]struct {
		payload string
		want    webhook.Event
	}{
		"id":       {completed, want},
		"expanded": {expanded, want},
		"intent": {intent, webhook.Event{
			ID: "evt_2", Type: "payment_intent.succeeded", Created: time.Unix(0, 0).UTC(),
			Object: "payment_intent", ObjectID: "pi_9", PaymentIntent: "pi_9", Reference: "q-8",
		}},
	} {
		got, err := webhook.Verify([]byte(tt.payload), header(tt.payload, secret, now), now, secret)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestVerifyAcceptsAndRefuses(t *testing.T) {
	t.Parallel()
	good := sign(completed, secret, now)
	other := sign(completed, "whsec_other", now)
	unix := now.Unix()
	for name, tt := range map[string]struct {
		header  string
		payload string
		secrets []string
		want    error
	}{
		"good":                      {fmt.Sprintf("t=%d,v1=%s", unix, good), completed, []string{secret}, nil},
		"second of two":             {fmt.Sprintf("t=%d,v1=%s,v1=%s", unix, other, good), completed, []string{secret}, nil},
		"new of two secrets":        {fmt.Sprintf("t=%d,v1=%s", unix, good), completed, []string{"whsec_old", secret}, nil},
		"unknown scheme beside":     {fmt.Sprintf("t=%d,v0=00,v1=%s", unix, good), completed, []string{secret}, nil},
		"edge of the tolerance":     {header(completed, secret, now.Add(-webhook.Tolerance)), completed, []string{secret}, nil},
		"too old":                   {header(completed, secret, now.Add(-webhook.Tolerance-time.Second)), completed, []string{secret}, webhook.ErrTooOld},
		"from the future":           {header(completed, secret, now.Add(webhook.Tolerance+time.Second)), completed, []string{secret}, webhook.ErrTooOld},
		"other secret":              {fmt.Sprintf("t=%d,v1=%s", unix, other), completed, []string{secret}, webhook.ErrSignature},
		"changed body":              {fmt.Sprintf("t=%d,v1=%s", unix, good), completed + " ", []string{secret}, webhook.ErrSignature},
		"changed time":              {fmt.Sprintf("t=%d,v1=%s", unix+1, good), completed, []string{secret}, webhook.ErrSignature},
		"secret never set":          {header(completed, "", now), completed, []string{""}, webhook.ErrSignature},
		"no secret":                 {fmt.Sprintf("t=%d,v1=%s", unix, good), completed, nil, webhook.ErrSignature},
		"only the weak scheme":      {fmt.Sprintf("t=%d,v0=%s", unix, good), completed, []string{secret}, webhook.ErrHeader},
		"no header":                 {"", completed, []string{secret}, webhook.ErrHeader},
		"no time":                   {"v1=" + good, completed, []string{secret}, webhook.ErrHeader},
		"two times":                 {fmt.Sprintf("t=%d,t=%d,v1=%s", unix, unix, good), completed, []string{secret}, webhook.ErrHeader},
		"half a signature":          {fmt.Sprintf("t=%d,v1=%s", unix, good[:32]), completed, []string{secret}, webhook.ErrHeader},
		"nonsense":                  {"hello", completed, []string{secret}, webhook.ErrHeader},
		"endless":                   {fmt.Sprintf("t=%d", unix) + strings.Repeat(",v1="+good, 100), completed, []string{secret}, webhook.ErrHeader},
		"signed, but not JSON":      {header("{", secret, now), "{", []string{secret}, webhook.ErrPayload},
		"signed, but no event":      {header("{}", secret, now), "{}", []string{secret}, webhook.ErrPayload},
		"signed, id not an id":      {header(strings.Replace(completed, "evt_1", "evt 1>", 1), secret, now), strings.Replace(completed, "evt_1", "evt 1>", 1), []string{secret}, webhook.ErrPayload},
		"too large to be looked at": {"t=1,v1=00", strings.Repeat(" ", webhook.MaxPayload+1), []string{secret}, webhook.ErrPayload},
	} {
		_, err := webhook.Verify([]byte(tt.payload), tt.header, now, tt.secrets...)
		if !errors.Is(err, tt.want) || (tt.want == nil) != (err == nil) {
			t.Errorf("%s: Verify = %v, want %v", name, err, tt.want)
		}
	}
}

// Whatever comes in, only what was signed with the secret is believed.
func FuzzVerify(f *testing.F) {
	f.Add([]byte(completed), header(completed, secret, now))
	f.Add([]byte(completed), fmt.Sprintf("t=%d,v1=,v1=zz", now.Unix()))
	f.Add([]byte("{}"), header("{}", secret, now))
	f.Fuzz(func(t *testing.T, payload []byte, head string) {
		e, err := webhook.Verify(payload, head, now, secret)
		if err == nil && (e.ID == "" || e.Type == "" || e.ObjectID == "") {
			t.Errorf("Verify(%q) = %+v, want its id, type and object", payload, e)
		}
		// The same payload, honestly signed, is refused for its content only.
		_, err = webhook.Verify(payload, header(string(payload), secret, now), now, secret)
		if err != nil && !errors.Is(err, webhook.ErrPayload) {
			t.Errorf("Verify(%q), signed: %v", payload, err)
		}
	})
}
