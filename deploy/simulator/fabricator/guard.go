package fabricator

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A guard remembers which nonces were used lately.
type guard struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

// signatureAge is how far a request's time may be from ours.
const signatureAge = 5 * time.Minute

var authForm = regexp.MustCompile(`^JOP appid="([^"]*)",\s*accesskey="([^"]*)",\s*timestamp="(\d+)",\s*nonce="([A-Za-z0-9]{32})",\s*signature="([^"]*)"$`)

// authorise checks a request's signature over body, which is empty for uploads.
func (s *Server) authorise(r *http.Request, body []byte) error {
	m := authForm.FindStringSubmatch(r.Header.Get("Authorization"))
	if m == nil {
		return errors.New("the Authorization header is missing or malformed")
	}
	if m[1] != s.cfg.AppID || m[2] != s.cfg.AccessKey {
		return errors.New("unknown app")
	}
	uri := r.URL.Path
	if i := strings.Index(uri, apiRoot); i > 0 { // where the mount point was not stripped
		uri = uri[i:]
	}
	if r.URL.RawQuery != "" {
		uri += "?" + r.URL.RawQuery
	}
	mac := hmac.New(sha256.New, []byte(s.cfg.SecretKey))
	fmt.Fprintf(mac, "%s\n%s\n%s\n%s\n%s\n", r.Method, uri, m[3], m[4], body)
	if !hmac.Equal([]byte(m[5]), []byte(base64.StdEncoding.EncodeToString(mac.Sum(nil)))) {
		return errors.New("signature verify failed")
	}
	sec, err := strconv.ParseInt(m[3], 10, 64)
	now := s.cfg.Now()
	if err != nil || now.Sub(time.Unix(sec, 0)).Abs() > signatureAge {
		return errors.New("the timestamp is too far from now")
	}
	return s.auth.use(m[4], now)
}

// use refuses a nonce that was there before.
func (g *guard) use(nonce string, now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.seen) > 100_000 {
		for n, at := range g.seen {
			if now.Sub(at) > 2*signatureAge {
				delete(g.seen, n)
			}
		}
	}
	if _, ok := g.seen[nonce]; ok {
		return errors.New("the nonce was used before")
	}
	g.seen[nonce] = now
	return nil
}

func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()) }
