package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"boardorder/pkg/client"
)

var errNoKey = errors.New("no API key: set BOARD_API_KEY")

// An address is where the service is, and the key for it.
type address struct{ url, key string }

// findService gives the service that the environment names, or that `make run` has
// started beside this program. A key of the latter goes nowhere else.
func (s *session) findService() (address, error) {
	a := address{s.Getenv("BOARD_URL"), s.Getenv("BOARD_API_KEY")}
	if a.url == "" {
		local, err := readLocal(s.Program)
		if err != nil {
			return a, fmt.Errorf("no service: set BOARD_URL (%w)", err)
		}
		a.url = local.url
		if a.key == "" {
			a.key = local.key
		}
	}
	if a.key == "" {
		return a, errNoKey
	}
	return a, nil
}

// readLocal reads where the service runs whose programs lie beside this one.
func readLocal(program string) (address, error) {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(program)), "data", "ready.json"))
	if err != nil {
		return address{}, errors.New("and make run has started none beside this program")
	}
	var ready struct {
		BaseURL string `json:"base_url"`
		APIKey  string `json:"api_key"`
	}
	if err := json.Unmarshal(text, &ready); err != nil {
		return address{}, fmt.Errorf("what make run wrote cannot be read: %w", err)
	}
	return address{ready.BaseURL, ready.APIKey}, nil
}

func (s *session) connect() (*client.Client, error) {
	a, err := s.findService()
	if err != nil {
		return nil, err
	}
	return client.New(a.url, a.key, client.UserAgent("board"))
}

// checkLink takes an address for a browser: nothing but the web's.
func checkLink(link string) error {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return fmt.Errorf("%q is no address of the web", link)
	}
	return nil
}

// A bearer adds the key to requests of one host.
type bearer struct {
	key, host string
	next      http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == b.host {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.key)
	}
	return b.next.RoundTrip(r)
}
