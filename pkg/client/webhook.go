package client

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
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
// while one replaces the other, or for signatures of the scheme v1a its public keys. What is wrong is a WebhookFault: answer 400.
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
		if v(body, header) {
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

// A verifier reports whether a delivery is signed by one key.
type verifier func(body []byte, header http.Header) bool

func readSecrets(secrets []string) ([]verifier, error) {
	if len(secrets) == 0 {
		return nil, fmt.Errorf("%w: there is none", FaultSecret)
	}
	var verifiers []verifier
	for _, s := range secrets {
		v, err := readSecret(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		verifiers = append(verifiers, v)
	}
	return verifiers, nil
}

func readSecret(text string) (verifier, error) {
	if public, is := strings.CutPrefix(text, "whpk_"); is {
		key, err := base64.StdEncoding.DecodeString(public)
		if err != nil || len(key) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("%w: a public key is whpk_ and %d bytes in base64", FaultSecret, ed25519.PublicKeySize)
		}
		return publicVerifier(key), nil
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
	if err != nil || len(key) < shortestSecret {
		return nil, fmt.Errorf("%w: one is like whsec_… and has at least %d bytes in base64", FaultSecret, shortestSecret)
	}
	v, err := webhooks.NewWebhookRaw(key)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", FaultSecret, err)
	}
	return func(body []byte, header http.Header) bool { return v.VerifyIgnoringTimestamp(body, header) == nil }, nil
}

// publicVerifier takes signatures of the scheme v1a, which the specification's library
// passes over.
func publicVerifier(key ed25519.PublicKey) verifier {
	return func(body []byte, header http.Header) bool {
		signed := slices.Concat([]byte(header.Get(webhooks.HeaderWebhookID)+"."+header.Get(webhooks.HeaderWebhookTimestamp)+"."), body)
		for _, s := range strings.Fields(header.Get(webhooks.HeaderWebhookSignature)) {
			encoded, is := strings.CutPrefix(s, "v1a,")
			signature, err := base64.StdEncoding.DecodeString(encoded)
			if is && err == nil && ed25519.Verify(key, signed, signature) {
				return true
			}
		}
		return false
	}
}
