package client

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"net/http"
	"testing"
	"time"
)

// Signatures by a private key are verified with the public one, and with nothing else.
func TestWebhooksByPublicKeys(t *testing.T) {
	t.Parallel()
	seed := make([]byte, ed25519.SeedSize)
	private := ed25519.NewKeyFromSeed(seed)
	seed[0] = 1
	other := ed25519.NewKeyFromSeed(seed)
	spell := func(key ed25519.PrivateKey) string {
		return "whpk_" + base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
	}
	body := `{"id":"evt_1","type":"quote.priced"}`
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(private, []byte("evt_1.1764547200."+body)))
	for name, tt := range map[string]struct {
		body, signature string
		keys            []string
		want            WebhookFault
	}{
		"good":                       {body, "v1a," + signature, []string{spell(private)}, ""},
		"two keys, two signatures":   {body, "v1,aGVsbG8= v1a,aGVsbG8= v1a," + signature, []string{spell(other), " " + spell(private) + "\n"}, ""},
		"another key":                {body, "v1a," + signature, []string{spell(other)}, FaultSignature},
		"an altered body":            {body + " ", "v1a," + signature, []string{spell(private)}, FaultSignature},
		"the scheme of secrets":      {body, "v1," + signature, []string{spell(private)}, FaultSignature},
		"a secret for a private key": {body, "v1a," + signature, []string{"whsec_" + spell(private)[5:]}, FaultSignature},
		"a key that is too short":    {body, "v1a," + signature, []string{"whpk_" + base64.StdEncoding.EncodeToString(seed[1:])}, FaultSecret},
	} {
		header := http.Header{"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {"1764547200"}, "Webhook-Signature": {tt.signature}}
		event, err := verifyWebhook([]byte(tt.body), header, time.Unix(1764547200, 0), tt.keys)
		var fault WebhookFault
		errors.As(err, &fault)
		if fault != tt.want || (event == nil) == (tt.want == "") {
			t.Errorf("%s: %+v, %v; want %q", name, event, err, tt.want)
		}
	}
}
