package secret

import (
	"crypto/hmac"
	"encoding/base64"
	"strconv"
)

// ReturnToken is what the card processor gives back with the browser that has paid in one
// attempt to pay for a quote: it stands in the address that follows the payment. It is the
// same each time it is asked for while the key that made the quote is in the keyring.
func (k *Keyring) ReturnToken(request, ref string, attempt int) string {
	id := k.QuoteIDOf(request, ref)
	for _, key := range k.keys {
		if key.quoteID(request) == id {
			return key.returnToken(id, attempt)
		}
	}
	return k.keys[0].returnToken(id, attempt)
}

// IsReturnToken reports whether a token is the one that ReturnToken gives, in constant time.
func (k *Keyring) IsReturnToken(token, request, ref string, attempt int) bool {
	return hmac.Equal([]byte(token), []byte(k.ReturnToken(request, ref, attempt)))
}

func (k key) returnToken(quoteID string, attempt int) string {
	return base64.RawURLEncoding.EncodeToString(sum(k.link, "payment-returned", quoteID, strconv.Itoa(attempt)))
}
