// Package webhook authenticates the card processor's webhooks. It believes
// nothing in them but who sent them: callers take the ids and ask the
// processor for the rest.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// HeaderName is the request header that carries the signature.
const HeaderName = "Stripe-Signature"

// Tolerance is how far a signature's time may lie from now, either way.
const Tolerance = 300 * time.Second

// MaxPayload is the largest webhook that is looked at, in bytes.
const MaxPayload = 1 << 20

// What is wrong with a webhook. All but ErrPayload mean that the sender is not
// known to be the processor; ErrPayload means that the processor signed
// something that is no event.
var (
	ErrHeader    = errors.New("the signature header is missing or malformed")
	ErrSignature = errors.New("no signature in the header fits the payload")
	ErrTooOld    = errors.New("the signature's time is too far from now")
	ErrPayload   = errors.New("the payload is not an event")
)

// An Event is what an authentic webhook points at. None of it is secret, and
// none of it is proof of anything but that the processor has news.
type Event struct {
	ID            string    // evt_…, the same in every repeat
	Type          string    // such as checkout.session.completed
	Created       time.Time // by the processor's clock
	Object        string    // kind of object: checkout.session, payment_intent, charge, …
	ObjectID      string    // its id
	PaymentIntent string    // the payment that the object belongs to, when it says so
	Reference     string    // what we called it: the client reference, or the reference in the metadata
	Livemode      bool
}

// Verify checks that payload, byte for byte as it came, was signed with one of
// the secrets at about now, and returns what it points at. More than one
// secret is given while the processor's signing secret is being changed.
func Verify(payload []byte, header string, now time.Time, secrets ...string) (Event, error) {
	if len(payload) > MaxPayload {
		return Event{}, fmt.Errorf("verify webhook: %w: %d bytes", ErrPayload, len(payload))
	}
	at, signatures, err := parseHeader(header)
	if err != nil {
		return Event{}, fmt.Errorf("verify webhook: %w", err)
	}
	if !isSigned(payload, at, signatures, secrets) {
		return Event{}, fmt.Errorf("verify webhook: %w", ErrSignature)
	}
	if age := now.Sub(time.Unix(at, 0)); age > Tolerance || age < -Tolerance {
		return Event{}, fmt.Errorf("verify webhook: %w: %s", ErrTooOld, age)
	}
	return parsePayload(payload)
}

// isSigned compares every signature with every secret in constant time. A secret
// that is empty was never set, and fits nothing.
func isSigned(payload []byte, at int64, signatures [][]byte, secrets []string) bool {
	fits := false
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(strconv.AppendInt(nil, at, 10))
		mac.Write([]byte{'.'})
		mac.Write(payload)
		want := mac.Sum(nil)
		for _, signature := range signatures {
			fits = hmac.Equal(want, signature) || fits
		}
	}
	return fits
}

const (
	maxHeader     = 2048
	maxSignatures = 10
)

// parseHeader reads "t=1700000000,v1=hex,v1=hex,v0=hex". Schemes other than v1
// are passed over: they are weaker.
func parseHeader(header string) (at int64, signatures [][]byte, err error) {
	if header == "" || len(header) > maxHeader {
		return 0, nil, ErrHeader
	}
	for pair := range strings.SplitSeq(header, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok {
			return 0, nil, ErrHeader
		}
		switch name {
		case "t":
			if at != 0 {
				return 0, nil, ErrHeader
			}
			if at, err = strconv.ParseInt(value, 10, 64); err != nil || at <= 0 {
				return 0, nil, ErrHeader
			}
		case "v1":
			signature, err := hex.DecodeString(value)
			if err != nil || len(signature) != sha256.Size {
				continue
			}
			signatures = append(signatures, signature)
		}
	}
	if at == 0 || len(signatures) == 0 || len(signatures) > maxSignatures {
		return 0, nil, ErrHeader
	}
	return at, signatures, nil
}

// wire is the part of the processor's event that is read.
type wire struct {
	ID       string `json:"id"`
	Object   string `json:"object"`
	Type     string `json:"type"`
	Created  int64  `json:"created"`
	Livemode bool   `json:"livemode"`
	Data     struct {
		Object struct {
			ID            string          `json:"id"`
			Object        string          `json:"object"`
			PaymentIntent json.RawMessage `json:"payment_intent"`
			Client        string          `json:"client_reference_id"`
			Metadata      struct {
				Reference string `json:"reference"`
			} `json:"metadata"`
		} `json:"object"`
	} `json:"data"`
}

func parsePayload(payload []byte) (Event, error) {
	var w wire
	if err := json.Unmarshal(payload, &w); err != nil {
		return Event{}, fmt.Errorf("verify webhook: %w: %w", ErrPayload, err)
	}
	if w.Object != "event" || !plain(w.ID) || !plain(w.Type) || !plain(w.Data.Object.ID) || !plain(w.Data.Object.Object) {
		return Event{}, fmt.Errorf("verify webhook: %w: an id or a type is missing", ErrPayload)
	}
	e := Event{
		ID: w.ID, Type: w.Type, Created: time.Unix(w.Created, 0).UTC(), Object: w.Data.Object.Object,
		ObjectID: w.Data.Object.ID, PaymentIntent: reference(w.Data.Object.PaymentIntent), Livemode: w.Livemode,
	}
	for _, name := range []string{w.Data.Object.Metadata.Reference, w.Data.Object.Client} {
		if plain(name) {
			e.Reference = name
		}
	}
	if e.Object == "payment_intent" {
		e.PaymentIntent = e.ObjectID
	}
	return e, nil
}

// reference reads an id that stands alone or as an object that was written out.
func reference(raw json.RawMessage) string {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		if plain(id) {
			return id
		}
		return ""
	}
	var object struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(raw, &object) == nil && plain(object.ID) {
		return object.ID
	}
	return ""
}

// plain says whether a text can be an id or a type: short, and fit for a
// subject, a URL and a log line.
func plain(text string) bool {
	if text == "" || len(text) > 255 {
		return false
	}
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.', r == '-':
		default:
			return false
		}
	}
	return true
}
