// Package nexar looks parts up at the parts search engine Nexar (Octopart), which
// knows what many distributors have, by its GraphQL API. It bills every part that
// it returns, so as few as will do are asked for.
package nexar

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// Config says where the search engine is and who we are there.
type Config struct {
	URL          string // https://api.nexar.com
	IdentityURL  string // https://identity.nexar.com
	ClientID     string
	ClientSecret string
	Name         string // as sources go: "aggregator"
	Country      string // where parts are bought; "US"
	Similar      bool   // the plan includes similar parts
	Lifecycle    bool   // the plan includes lifecycles, lead times, data sheets and specifications

	Quota     outside.Quota // of calls; nil: none, since it bills parts
	Timeout   time.Duration
	Parallel  int
	Now       func() time.Time
	Transport http.RoundTripper
}

// A Client looks parts up. It is safe for concurrent use.
type Client struct {
	cfg    Config
	url    string
	query  string
	http   *outside.Client
	tokens *outside.Tokens
}

// batch is how many parts one query may match; parts is how many of each are
// returned, and billed.
const batch, parts = 20, 2

// New makes a client. It calls nobody.
func New(cfg Config) (*Client, error) {
	for _, u := range []string{cfg.URL, cfg.IdentityURL} {
		if parsed, err := url.Parse(u); err != nil || parsed.Host == "" {
			return nil, fmt.Errorf("%s: %q is no address", cfg.Name, u)
		}
	}
	if cfg.ClientID == "" || cfg.ClientSecret == "" {
		return nil, fmt.Errorf("%s: our credentials are missing", cfg.Name)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Country == "" {
		cfg.Country = "US"
	}
	call := outside.Config{Source: cfg.Name, Timeout: cfg.Timeout, Parallel: cfg.Parallel, Secrets: []string{cfg.ClientSecret}, Transport: cfg.Transport}
	login := call
	call.Quota = cfg.Quota
	return &Client{
		cfg: cfg, url: strings.TrimRight(cfg.URL, "/") + "/graphql", query: queryText(cfg), http: outside.New(call),
		tokens: &outside.Tokens{
			Client: outside.New(login), URL: strings.TrimRight(cfg.IdentityURL, "/") + "/connect/token", ID: cfg.ClientID, Secret: cfg.ClientSecret,
			Scope: "supply.domain", Early: 5 * time.Minute, Now: cfg.Now,
		},
	}, nil
}

// queryText asks for the fields that the plan includes; others are refused.
func queryText(cfg Config) string {
	extra := ""
	if cfg.Lifecycle {
		extra += " estimatedFactoryLeadDays bestDatasheet{url} specs{attribute{shortname} displayValue}"
	}
	if cfg.Similar {
		extra += " similarParts{mpn manufacturer{name}}"
	}
	return `query($queries:[SupPartMatchQuery!]!,$country:String!,$currency:String!){supMultiMatch(queries:$queries,country:$country,currency:$currency){reference hits parts{` +
		`mpn manufacturer{name} shortDescription` + extra + ` sellers(authorizedOnly:true){company{name} isAuthorized offers{sku inventoryLevel moq orderMultiple packaging ` +
		`factoryLeadDays updated clickUrl prices{quantity convertedPrice convertedCurrency}}}}}}`
}

// Name is the source's name.
func (c *Client) Name() string { return c.cfg.Name }

// Batch is how many parts one call looks up.
func (c *Client) Batch() int { return batch }

// Takes reports whether the source knows numbers of that scheme.
func (c *Client) Takes(s part.Scheme) bool { return s == part.MPN }

// match is one entry of the query's answer.
type match struct {
	Reference string     `json:"reference"`
	Parts     []wirePart `json:"parts"`
}

// Lookup looks up to Batch parts up in one call.
func (c *Client) Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error) {
	requested := make([]map[string]any, len(queries))
	for i, q := range queries {
		requested[i] = map[string]any{"reference": strconv.Itoa(i), "mpn": q.Number, "limit": parts}
	}
	body, err := json.Marshal(map[string]any{"query": c.query, "variables": map[string]any{"queries": requested, "country": c.cfg.Country, "currency": "USD"}})
	if err != nil {
		return nil, err
	}
	matches, err := c.call(ctx, body)
	if err != nil {
		return nil, err
	}
	answers := make([]part.Answer, len(queries))
	for _, m := range matches {
		i, err := strconv.Atoi(m.Reference)
		if err != nil || i < 0 || i >= len(queries) {
			return nil, c.http.Fail(outside.InvalidAnswer, "an answer to a question that was not asked", nil)
		}
		for k := range m.Parts {
			p := &m.Parts[k]
			if !mpn.Same(p.MPN, queries[i].Number) {
				continue
			}
			offers, err := c.offers(p)
			if err != nil {
				return nil, err
			}
			answers[i].Offers = append(answers[i].Offers, offers...)
			answers[i].Similar = append(answers[i].Similar, p.similar()...)
		}
	}
	return answers, nil
}

func (c *Client) call(ctx context.Context, body []byte) ([]match, error) {
	var out struct {
		Data struct {
			Matches []match `json:"supMultiMatch"`
		} `json:"data"`
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	err := c.tokens.CallWithToken(ctx, func(token string) error {
		req, err := http.NewRequest(http.MethodPost, c.url, bytes.NewReader(body))
		if err != nil {
			return c.http.Fail(outside.Refused, "build the request", err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		_, err = c.http.Do(ctx, req, func(r outside.Reply) error {
			bad := json.Unmarshal(r.Body, &out)
			switch {
			case len(out.Errors) > 0 && strings.Contains(out.Errors[0].Message, "exceeded your part limit"): // comes with status 500
				return c.http.RecordLimit(6*time.Hour, out.Errors[0].Message)
			case r.Status != http.StatusOK:
				return c.http.Status(r)
			case bad != nil:
				return c.http.Fail(outside.InvalidAnswer, "an answer of another form", nil)
			case len(out.Errors) > 0:
				return c.http.Fail(outside.Unavailable, fmt.Sprintf("%.200s", out.Errors[0].Message), nil)
			}
			return nil
		})
		return err
	})
	return out.Data.Matches, err
}
