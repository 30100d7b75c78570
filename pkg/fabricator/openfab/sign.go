package openfab

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"time"
)

// A signer makes the Authorization header of a request.
type signer struct {
	app, key string
	secret   []byte
}

// header signs a request. uri is the path with its query; body is what is
// signed of the body: all of it, but nothing of an upload.
func (s signer) header(method, uri string, body []byte, at time.Time, nonce string) string {
	ts := strconv.FormatInt(at.Unix(), 10)
	return fmt.Sprintf(`JOP appid="%s",accesskey="%s",timestamp="%s",nonce="%s",signature="%s"`,
		s.app, s.key, ts, nonce, s.signature(method, uri, ts, nonce, body))
}

func (s signer) signature(method, uri, ts, nonce string, body []byte) string {
	m := hmac.New(sha256.New, s.secret)
	for _, line := range []string{method, uri, ts, nonce} {
		m.Write([]byte(line))
		m.Write([]byte{'\n'})
	}
	m.Write(body)
	m.Write([]byte{'\n'})
	return base64.StdEncoding.EncodeToString(m.Sum(nil))
}

// newNonce is 32 letters and digits that never come again.
func newNonce() string { return (rand.Text() + rand.Text())[:32] }
