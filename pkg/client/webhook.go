package client

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// tolerance is how far the clock of a delivery may be from this machine's.
const tolerance = 5 * time.Minute

// shortestSecret is what the specification of webhooks asks for, in bytes.
const shortestSecret = 24

// A WebhookFault is why a delivery is not to be believed.
type WebhookFault string

// The faults of deliveries.
const (
	FaultSecret    WebhookFault = "secret"    // what the receiver was given is no secret
	FaultHeaders   WebhookFault = "headers"   // one is missing
	FaultTimestamp WebhookFault = "timestamp" // too old, or ahead
	FaultSignature WebhookFault = "signature" // by none of the secrets
	FaultBody      WebhookFault = "body"      // rightly signed, and no event
)

func (f WebhookFault) Error() string { return "the webhook's " + string(f) + " is not right" }

// VerifyWebhook checks that a delivery is the service's and gives its event. body is what
// came, byte for byte, before anything parsed it; secrets are those of the endpoint, two
// while one replaces the other. What is wrong is a WebhookFault: answer 400.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*Event, error) {
	return verifyWebhook(body, header, time.Now(), secrets)
}

func verifyWebhook(body []byte, header http.Header, now time.Time, secrets []string) (*Event, error) {
	verifiers, err := readSecrets(secrets)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{webhooks.HeaderWebhookID, webhooks.HeaderWebhookTimestamp, webhooks.HeaderWebhookSignature} {
		if header.Get(name) == "" {
			return nil, fmt.Errorf("%w: %s is missing", FaultHeaders, name)
		}
	}
	at, err := strconv.ParseInt(header.Get(webhooks.HeaderWebhookTimestamp), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: it is no number", FaultTimestamp)
	}
	if off := now.Sub(time.Unix(at, 0)).Abs().Truncate(time.Second); off > tolerance {
		return nil, fmt.Errorf("%w: it is %v off; is this clock right?", FaultTimestamp, off)
	}
	for _, v := range verifiers {
		if v.VerifyIgnoringTimestamp(body, header) == nil {
			return readEvent(body)
		}
	}
	return nil, fmt.Errorf("%w: it is by none of the secrets, or the body is not as it came", FaultSignature)
}

func readEvent(body []byte) (*Event, error) {
	e := &Event{}
	if err := json.Unmarshal(body, e); err != nil {
		return nil, fmt.Errorf("%w: %w", FaultBody, err)
	}
	if e.ID == "" || e.Type == "" {
		return nil, fmt.Errorf("%w: it is no event", FaultBody)
	}
	return e, nil
}

func readSecrets(secrets []string) ([]*webhooks.Webhook, error) {
	if len(secrets) == 0 {
		return nil, fmt.Errorf("%w: there is none", FaultSecret)
	}
	var verifiers []*webhooks.Webhook
	for _, s := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(strings.TrimSpace(s), "whsec_"))
		if err != nil || len(key) < shortestSecret {
			return nil, fmt.Errorf("%w: one is like whsec_… and has at least %d bytes in base64", FaultSecret, shortestSecret)
		}
		v, err := webhooks.NewWebhookRaw(key)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", FaultSecret, err)
		}
		verifiers = append(verifiers, v)
	}
	return verifiers, nil
}
