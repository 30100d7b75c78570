// Package factor is an operator's second factor: codes of an authenticator
// (RFC 6238) and recovery codes, each of which is good once. The codes are computed
// here, in fewer than 30 lines that the RFCs' vectors hold, because libraries say that a
// code matches and not of which period, without which it is good twice.
package factor

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238's usual hash, which authenticators expect; it is used as an HMAC
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"
)

const (
	// period is how long one code is shown.
	period = 30 * time.Second
	digits = 6
	// secretLen is that of the hash, as RFC 4226 wants it.
	secretLen = 20
	// drift is how many codes before and after the present one are taken: clocks
	// of telephones differ, and people type slowly.
	drift = 1
)

// step is the number of the period that a time lies in.
func step(at time.Time) uint64 { return uint64(at.Unix()) / uint64(period/time.Second) }

// code is RFC 4226's HOTP of a counter, of so many digits.
func code(secret []byte, counter uint64, digits int) string {
	var message [8]byte
	binary.BigEndian.PutUint64(message[:], counter)
	mac := hmac.New(sha1.New, secret)
	mac.Write(message[:])
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	value := binary.BigEndian.Uint32(sum[at:at+4]) & 0x7fffffff
	most := uint32(1)
	for range digits {
		most *= 10
	}
	return fmt.Sprintf("%0*d", digits, value%most)
}

// matching gives the period whose code was typed, among those near now and after
// last, the one of the last code that was taken: a code is good once.
func matching(secret []byte, typed string, now time.Time, last uint64) (uint64, bool) {
	found := uint64(0)
	for at := step(now) - drift; at <= step(now)+drift; at++ {
		same := subtle.ConstantTimeCompare([]byte(code(secret, at, digits)), []byte(typed)) == 1
		if same && at > last {
			found = at
		}
	}
	return found, found != 0
}

var text = base32.StdEncoding.WithPadding(base32.NoPadding)

// Address is what an authenticator reads from a picture.
func Address(operator, secret string) string {
	const issuer = "Board Ordering Console"
	return "otpauth://totp/" + url.PathEscape(issuer+":"+operator) + "?" + url.Values{
		"secret": {secret}, "issuer": {issuer}, "algorithm": {"SHA1"}, "digits": {fmt.Sprint(digits)}, "period": {fmt.Sprint(int(period.Seconds()))},
	}.Encode()
}
