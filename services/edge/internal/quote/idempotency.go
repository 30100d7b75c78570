package quote

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"boardorder/services/edge/internal/jsonbody"
)

const maxKey = 255

// idempotencyKey reads the header of that name, bare or quoted.
func idempotencyKey(header string, f *jsonbody.Fields) string {
	key := strings.TrimSpace(header)
	if n := len(key); n >= 2 && key[0] == '"' && key[n-1] == '"' {
		key = strings.ReplaceAll(key[1:n-1], `\"`, `"`)
	}
	printable := strings.IndexFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) < 0
	if header != "" && (key == "" || len(key) > maxKey || !printable) {
		f.Refuse("Idempotency-Key", jsonbody.Malformed, map[string]int{"max_length": maxKey}, "Idempotency-Key has 1 to %d printable characters.", maxKey)
		return ""
	}
	return key
}

// fingerprintOf is what a request is known by. A key of the client's stands for the
// content; the content's digest is kept to see when the key is used twice.
func fingerprintOf(endpoint, account string, body []byte, files, key string) fingerprint {
	if key == "" {
		return fingerprint{sum: digest(account, endpoint, body, files), window: sameWindow}
	}
	// Another digest of the same request must not depend on when its files came.
	content := digest(account, endpoint, body, "")
	return fingerprint{
		sum:    sha256.Sum256([]byte("key\x00" + account + "\x00" + endpoint + "\x00" + key)),
		window: keyWindow, body: hex.EncodeToString(content[:]),
	}
}
