package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
)

// An asker asks for quotes by a client that takes little of the machine that
// is being measured.
type asker struct {
	client   *fasthttp.HostClient
	url, key string
}

// requestTimeout is longer than anyone waits for a quote here.
const requestTimeout = 90 * time.Second

func newAsker(s *system, connections int) *asker {
	return &asker{
		client: &fasthttp.HostClient{
			Addr: strings.TrimPrefix(s.BaseURL, "http://"), MaxConns: connections, ReadTimeout: requestTimeout, NoDefaultUserAgentHeader: true,
		},
		url: s.BaseURL + "/v1/quotes?wait_s=60", key: s.APIKey,
	}
}

// quote asks for one quote and waits for its price.
func (a *asker) quote(body []byte) error {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.Header.SetMethod(http.MethodPost)
	req.SetRequestURI(a.url)
	req.Header.Set("X-API-Key", a.key)
	req.Header.SetContentType("application/json")
	req.SetBodyRaw(body)
	if err := a.client.Do(req, resp); err != nil {
		return fmt.Errorf("quote: %w", err)
	}
	if resp.StatusCode() != http.StatusCreated {
		return fmt.Errorf("quote: %d: %s", resp.StatusCode(), resp.Body())
	}
	return nil
}
