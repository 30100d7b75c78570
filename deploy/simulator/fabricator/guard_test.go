package fabricator_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	sim "boardorder/deploy/simulator/fabricator"
)

// sendSigned sends a correctly signed request, but for what change does to it.
func sendSigned(t *testing.T, b *bench, nonce string, at time.Time, change func(*http.Request)) int {
	t.Helper()
	const uri, body = "/overseas/openapi/pcb/order/detail", `{"batchNum":"BO-1"}`
	mac := hmac.New(sha256.New, []byte(sim.SecretKey))
	fmt.Fprintf(mac, "POST\n%s\n%d\n%s\n%s\n", uri, at.Unix(), nonce, body)
	req, err := http.NewRequest(http.MethodPost, b.url+uri, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", fmt.Sprintf(`JOP appid="%s",accesskey="%s",timestamp="%d",nonce="%s",signature="%s"`,
		sim.AppID, sim.AccessKey, at.Unix(), nonce, base64.StdEncoding.EncodeToString(mac.Sum(nil))))
	if change != nil {
		change(req)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	now := b.clock.Now()
	nonce := func(c string) string { return strings.Repeat(c, 32) }
	replace := func(old, new string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), old, new, 1))
		}
	}
	tests := []struct {
		name   string
		nonce  string
		at     time.Time
		change func(*http.Request)
		want   int
	}{
		{"right", nonce("a"), now, nil, 200},
		{"nonce used before", nonce("a"), now, nil, 401},
		{"short nonce", "abc", now, nil, 401},
		{"old", nonce("b"), now.Add(-6 * time.Minute), nil, 401},
		{"early", nonce("c"), now.Add(6 * time.Minute), nil, 401},
		{"a little early", nonce("d"), now.Add(time.Minute), nil, 200},
		{"another app", nonce("e"), now, replace(sim.AppID, "other"), 401},
		{"another key", nonce("f"), now, replace(sim.AccessKey, "other"), 401},
		{"time changed afterwards", nonce("g"), now, replace(fmt.Sprint(now.Unix()), fmt.Sprint(now.Unix()+1)), 401},
		{"no header", nonce("h"), now, func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"query not signed", nonce("i"), now, func(r *http.Request) { r.URL.RawQuery = "x=1" }, 401},
	}
	for _, tt := range tests {
		if got := sendSigned(t, b, tt.nonce, tt.at, tt.change); got != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, got, tt.want)
		}
	}
}
