// Package digikey looks parts up at the distributor DigiKey, by its Product
// Information API, version 4.
package digikey

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// Config says where the distributor is and who we are there.
type Config struct {
	URL          string // https://api.digikey.com
	ClientID     string
	ClientSecret string
	Name         string // public: "distributor_a"

	Quota     outside.Quota // nil: the standard one, 120 a minute and 1000 a day
	Timeout   time.Duration // of one call; 10 s
	Parallel  int           // calls at a time; 4
	Now       func() time.Time
	Transport http.RoundTripper
}

// A Client looks parts up. It is safe for concurrent use.
type Client struct {
	cfg    Config
	base   *url.URL
	http   *outside.Client
	tokens *outside.Tokens
}

// New makes a client. It calls nobody.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(cfg.URL, "/"))
	if err != nil || base.Host == "" || cfg.ClientID == "" || cfg.ClientSecret == "" {
		return nil, fmt.Errorf("%s: its address or our credentials are missing", cfg.Name)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Quota == nil {
		cfg.Quota = outside.NewWindows(cfg.Now, outside.Limit{Calls: 120, Period: time.Minute}, outside.Limit{Calls: 1000, Period: 24 * time.Hour})
	}
	call := outside.Config{Source: cfg.Name, Timeout: cfg.Timeout, Parallel: cfg.Parallel, Secrets: []string{cfg.ClientSecret}, Transport: cfg.Transport}
	login := call
	call.Quota = cfg.Quota
	return &Client{
		cfg: cfg, base: base, http: outside.New(call),
		tokens: &outside.Tokens{
			Client: outside.New(login), URL: base.JoinPath("/v1/oauth2/token").String(), ID: cfg.ClientID, Secret: cfg.ClientSecret, Early: time.Minute, Now: cfg.Now,
		},
	}, nil
}

// Name is the source's name.
func (c *Client) Name() string { return c.cfg.Name }

// Batch is how many parts one call looks up.
func (c *Client) Batch() int { return 1 }

// Takes reports whether the source knows numbers of that scheme.
func (c *Client) Takes(s part.Scheme) bool { return s == part.MPN || c.owns(s) }

// owns reports whether numbers of a scheme are the distributor's own.
func (c *Client) owns(s part.Scheme) bool { return s == part.DigiKey || s == part.Scheme(c.cfg.Name) }

// Lookup looks one part up, with a second call for what could stand in where it
// is out of stock or no longer made. An answer without offers says that the distributor
// does not have it.
func (c *Client) Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error) {
	answers := make([]part.Answer, len(queries))
	for i, q := range queries {
		products, near, err := c.find(ctx, q)
		if err != nil {
			return nil, err
		}
		if len(products) == 0 {
			answers[i].Similar = near
		}
		for _, p := range products {
			answers[i].Offers = append(answers[i].Offers, c.offers(p)...)
		}
		if scarce(answers[i].Offers) {
			// What could stand in is welcome, and no part of the answer proper.
			answers[i].Similar, _ = c.similar(ctx, products[0].ManufacturerProductNumber)
		}
	}
	return answers, nil
}

// scarce reports whether a part that is sold is out of stock or on its way out.
func scarce(offers []part.Offer) bool {
	stock, ending := int64(0), false
	for _, o := range offers {
		stock, ending = max(stock, o.Stock), ending || o.Lifecycle.Ending()
	}
	return len(offers) > 0 && (stock == 0 || ending)
}

// pageSize is how many products one page of a search holds, at most; maxPages how
// many pages are looked at for a number; longestKeyword what a search takes.
const pageSize, maxPages, longestKeyword = 50, 2, 250

// find gives the products that are the part asked for; searches give others, too,
// at times so many that the part stands on a later page. near are those of the others
// whose numbers are nearly the same.
func (c *Client) find(ctx context.Context, q part.Query) (found []product, near []part.Similar, err error) {
	if c.owns(q.Scheme) {
		found, err = c.details(ctx, q.Number)
		return found, nil, err
	}
	if len(q.Number) > longestKeyword {
		return nil, nil, nil
	}
	for page := range maxPages {
		list, all, err := c.search(ctx, q.Number, page*pageSize)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range list {
			switch {
			case mpn.Same(p.ManufacturerProductNumber, q.Number) && !has(found, p):
				found = append(found, p)
			case mpn.IsNear(p.ManufacturerProductNumber, q.Number):
				near = append(near, part.Similar{MPN: p.ManufacturerProductNumber, Manufacturer: p.Manufacturer.Name, Relation: part.Near})
			}
		}
		if len(found) > 0 || all <= (page+1)*pageSize {
			break
		}
	}
	return found, near, nil
}

// search gives the products of one page, and how many there are on all pages.
func (c *Client) search(ctx context.Context, number string, offset int) (found []product, all int, err error) {
	var out struct {
		ExactMatches     []product
		Products         []product
		ProductsCount    outside.Count
		SearchLocaleUsed struct{ Currency string }
	}
	body, err := json.Marshal(map[string]any{
		"Keywords": number, "Limit": pageSize, "Offset": offset, "FilterOptionsRequest": map[string]any{"MarketPlaceFilter": "ExcludeMarketPlace"},
	})
	if err != nil {
		return nil, 0, err
	}
	if err := c.call(ctx, http.MethodPost, "/products/v4/search/keyword", body, &out); err != nil {
		return nil, 0, err
	}
	if cur := out.SearchLocaleUsed.Currency; cur != "USD" && len(out.Products)+len(out.ExactMatches) > 0 {
		return nil, 0, c.http.Fail(outside.InvalidAnswer, fmt.Sprintf("prices in %.5q instead of USD", cur), nil)
	}
	return append(out.ExactMatches, out.Products...), int(out.ProductsCount), nil
}

func has(list []product, p product) bool {
	for _, f := range list {
		if f.ManufacturerProductNumber == p.ManufacturerProductNumber && f.Manufacturer.Name == p.Manufacturer.Name {
			return true
		}
	}
	return false
}

func (c *Client) details(ctx context.Context, number string) ([]product, error) {
	var out struct {
		Product          *product
		SearchLocaleUsed struct{ Currency string }
	}
	err := c.call(ctx, http.MethodGet, "/products/v4/search/"+url.PathEscape(number)+"/productdetails", nil, &out)
	if err != nil || out.Product == nil {
		return nil, err
	}
	if out.SearchLocaleUsed.Currency != "USD" {
		return nil, c.http.Fail(outside.InvalidAnswer, fmt.Sprintf("prices in %.5q instead of USD", out.SearchLocaleUsed.Currency), nil)
	}
	return []product{*out.Product}, nil
}

// similar gives what the distributor names in place of a part.
func (c *Client) similar(ctx context.Context, number string) ([]part.Similar, error) {
	var out struct {
		ProductSubstitutes []struct {
			SubstituteType            string
			ManufacturerProductNumber string
			Manufacturer              struct{ Name string }
		}
	}
	if err := c.call(ctx, http.MethodGet, "/products/v4/search/"+url.PathEscape(number)+"/substitutions", nil, &out); err != nil {
		return nil, err
	}
	var list []part.Similar
	for _, s := range out.ProductSubstitutes[:min(len(out.ProductSubstitutes), 20)] {
		if mpn.Key(s.ManufacturerProductNumber) != "" {
			list = append(list, part.Similar{MPN: s.ManufacturerProductNumber, Manufacturer: s.Manufacturer.Name, Relation: s.SubstituteType})
		}
	}
	return list, nil
}

// call makes one call; a part that is not there leaves out as it is.
func (c *Client) call(ctx context.Context, method, path string, body []byte, out any) error {
	return c.tokens.CallWithToken(ctx, func(token string) error {
		req, err := http.NewRequest(method, strings.TrimRight(c.base.String(), "/")+path, bytes.NewReader(body))
		if err != nil {
			return c.http.Fail(outside.InvalidAnswer, "a number that no address can hold", nil)
		}
		for name, value := range map[string]string{
			"Authorization": "Bearer " + token, "X-DIGIKEY-Client-Id": c.cfg.ClientID, "X-DIGIKEY-Locale-Site": "US", "X-DIGIKEY-Locale-Language": "en",
			"X-DIGIKEY-Locale-Currency": "USD", "X-DIGIKEY-Customer-Id": "0", "Accept": "application/json",
		} {
			req.Header.Set(name, value)
		}
		if body != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		_, err = c.http.Do(ctx, req, func(r outside.Reply) error {
			switch {
			case r.Status == http.StatusNotFound:
				return nil
			case r.Status != http.StatusOK:
				return c.http.Status(r)
			}
			if err := json.Unmarshal(r.Body, out); err != nil {
				return c.http.Fail(outside.InvalidAnswer, "an answer of another form", nil)
			}
			return nil
		})
		return err
	})
}
