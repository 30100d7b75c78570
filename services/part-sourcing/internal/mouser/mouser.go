// Package mouser looks parts up at the distributor Mouser, by its Search API,
// version 2. Its prices are text in the manner of some country, and its exact
// searches give relatives, too: both are dealt with here.
package mouser

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

// Config says where the distributor is and who we are there.
type Config struct {
	URL    string // https://api.mouser.com
	APIKey string
	Name   string // public: "distributor_b"

	Quota     outside.Quota // nil: the standard one, 30 a minute and 1000 a day
	Timeout   time.Duration
	Parallel  int
	Now       func() time.Time
	Transport http.RoundTripper
}

// A Client looks parts up. It is safe for concurrent use.
type Client struct {
	cfg  Config
	url  string
	http *outside.Client
}

// batch is how many numbers one search takes.
const batch = 10

// New makes a client. It calls nobody.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(cfg.URL, "/"))
	if err != nil || base.Host == "" || cfg.APIKey == "" {
		return nil, fmt.Errorf("%s: its address or our key is missing", cfg.Name)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Quota == nil {
		cfg.Quota = outside.NewWindows(cfg.Now, outside.Limit{Calls: 30, Period: time.Minute}, outside.Limit{Calls: 1000, Period: 24 * time.Hour})
	}
	u := base.JoinPath("/api/v2/search/partnumber")
	u.RawQuery = url.Values{"apiKey": {cfg.APIKey}}.Encode()
	return &Client{cfg: cfg, url: u.String(), http: outside.New(outside.Config{
		Source: cfg.Name, Timeout: cfg.Timeout, Parallel: cfg.Parallel, Quota: cfg.Quota, Secrets: []string{cfg.APIKey}, Transport: cfg.Transport,
	})}, nil
}

// Name is the source's name.
func (c *Client) Name() string { return c.cfg.Name }

// Batch is how many parts one call looks up.
func (c *Client) Batch() int { return batch }

// Takes reports whether the source knows numbers of that scheme.
func (c *Client) Takes(s part.Scheme) bool { return s == part.MPN || c.owns(s) }

// owns reports whether numbers of a scheme are the distributor's own.
func (c *Client) owns(s part.Scheme) bool { return s == part.Mouser || s == part.Scheme(c.cfg.Name) }

// Lookup looks up to Batch parts up in one call.
func (c *Client) Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error) {
	var numbers []string
	for _, q := range queries {
		if searchable(q.Number) {
			numbers = append(numbers, q.Number)
		}
	}
	answers := make([]part.Answer, len(queries))
	if len(numbers) == 0 {
		return answers, nil
	}
	found, err := c.search(ctx, numbers)
	if err != nil {
		return nil, err
	}
	for i, q := range queries {
		for k := range found {
			p := &found[k]
			if !(q.Scheme == part.MPN && mpn.Same(p.ManufacturerPartNumber, q.Number) || c.owns(q.Scheme) && mpn.Same(p.MouserPartNumber, q.Number)) {
				continue
			}
			o, err := c.offer(p)
			if err != nil {
				return nil, err
			}
			answers[i].Offers = append(answers[i].Offers, o)
			answers[i].Similar = append(answers[i].Similar, p.similar()...)
		}
	}
	return answers, nil
}

// searchable reports whether a search takes the number: its separator must not
// be in it.
func searchable(number string) bool {
	return len(number) >= 3 && len(number) <= 40 && !strings.ContainsRune(number, '|')
}

func (c *Client) search(ctx context.Context, numbers []string) ([]wirePart, error) {
	body, err := json.Marshal(map[string]any{"SearchByPartRequest": map[string]any{"mouserPartNumber": strings.Join(numbers, "|"), "partSearchOptions": "Exact"}})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, c.http.Fail(outside.Refused, "build the request", err)
	}
	req.Header.Set("Content-Type", "application/json")
	var out struct {
		Errors        []wireError
		SearchResults *struct{ Parts []wirePart }
	}
	_, err = c.http.Do(ctx, req, func(r outside.Reply) error {
		if r.Status >= 500 {
			return c.http.Status(r)
		}
		if err := json.Unmarshal(r.Body, &out); err != nil {
			return c.http.Fail(outside.InvalidAnswer, fmt.Sprintf("an answer of another form, status %d", r.Status), nil)
		}
		if len(out.Errors) > 0 {
			return c.refusal(out.Errors[0])
		}
		if r.Status != http.StatusOK || out.SearchResults == nil {
			return c.http.Status(r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out.SearchResults.Parts, nil
}

type wireError struct{ Code, Message string }

// refusal tells what an error in an answer of any status means.
func (c *Client) refusal(e wireError) error {
	text := e.Code + " " + e.Message
	switch {
	case strings.Contains(e.Code, "TooManyRequests") && strings.Contains(e.Message, "day"):
		return c.http.RecordLimit(time.Hour, text)
	case strings.Contains(e.Code, "TooManyRequests"):
		return c.http.RecordLimit(20*time.Second, text)
	case strings.Contains(text, "identifier"), strings.Contains(text, "Forbidden"):
		return c.http.Fail(outside.Refused, text, nil)
	}
	return c.http.Fail(outside.Unavailable, text, nil)
}

// A wirePart is a part as the API describes it.
type wirePart struct {
	MouserPartNumber, ManufacturerPartNumber, Manufacturer, ActualMfrName string
	Description, Availability, LeadTime                                   string
	LifecycleStatus, SuggestedReplacement, ROHSStatus                     string
	AvailabilityInStock, Min, Mult, IsDiscontinued                        outside.Text
	ProductDetailURL                                                      string `json:"ProductDetailUrl"`
	DataSheetURL                                                          string `json:"DataSheetUrl"`
	PriceBreaks                                                           []struct {
		Quantity outside.Count
		Price    outside.Text
		Currency string
	}
	ProductAttributes []struct{ AttributeName, AttributeValue string }
	ProductCompliance []struct{ ComplianceName, ComplianceValue string }
}

func (p *wirePart) similar() []part.Similar {
	if mpn.Key(p.SuggestedReplacement) == "" {
		return nil
	}
	return []part.Similar{{MPN: p.SuggestedReplacement, Relation: "suggested replacement"}}
}

func (c *Client) offer(p *wirePart) (part.Offer, error) {
	o := part.Offer{
		Source: c.cfg.Name, Supplier: "Mouser", SKU: p.MouserPartNumber, MPN: p.ManufacturerPartNumber, Manufacturer: p.Manufacturer, Description: p.Description,
		Stock: p.stock(), At: c.cfg.Now(), Minimum: max(count(string(p.Min), 1), 1), Multiple: max(count(string(p.Mult), 1), 1), LeadDays: leadDays(p.LeadTime),
		Lifecycle: p.lifecycle(), RoHS: p.ROHSStatus, URL: p.ProductDetailURL, Authorized: true, Datasheet: part.Address(p.DataSheetURL),
	}
	for _, a := range p.ProductAttributes {
		if a.AttributeName == "Packaging" && o.Packaging == "" {
			o.Packaging = a.AttributeValue
		}
	}
	for _, a := range p.ProductCompliance {
		switch a.ComplianceName {
		case "ECCN":
			o.ECCN = a.ComplianceValue
		case "USHTS":
			o.HTS = a.ComplianceValue
		}
	}
	for _, b := range p.PriceBreaks {
		if b.Currency != "USD" {
			return o, c.http.Fail(outside.InvalidAnswer, fmt.Sprintf("prices in %.5q instead of USD", b.Currency), nil)
		}
	}
	o.Breaks = p.breaks()
	return o, nil
}

// stock is what lies there now. Some answers give it in words only, beside what is
// on order: "1,250 In Stock", "2500 On Order".
func (p *wirePart) stock() int64 {
	n := count(string(p.AvailabilityInStock), -1)
	if n < 0 && strings.Contains(strings.ToLower(p.Availability), "in stock") {
		n = count(p.Availability, 0)
	}
	return max(n, 0)
}

// breaks reads the prices; nil where one is none, such as "Quote".
func (p *wirePart) breaks() []part.Break {
	var out []part.Break
	for _, b := range p.PriceBreaks {
		price, err := localPrice(string(b.Price))
		if err != nil {
			return nil
		}
		out = append(out, part.Break{Quantity: int64(b.Quantity), Price: price})
	}
	return part.ValidBreaks(out)
}

// localPrice reads "$1,234.50", "1,40 €" and "0.012": of two kinds of separators the
// last is the decimal one. A single one before exactly three digits may be either;
// where the sign of the currency stands tells which: "$1,234" is English, "1,234 €"
// is not.
func localPrice(text string) (part.Price, error) {
	if strings.ContainsAny(text, "-(") {
		return 0, part.ErrPrice
	}
	last := decimalAt(text)
	var digits strings.Builder
	for i, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits.WriteRune(r)
		case i == last:
			digits.WriteByte('.')
		}
	}
	return part.ParsePrice(digits.String())
}

// decimalAt finds the decimal separator of a price; -1 for none.
func decimalAt(text string) int {
	last := strings.LastIndexAny(text, ".,")
	if last < 0 || strings.Count(text, text[last:last+1]) > 1 {
		return -1 // 1,234,567
	}
	first := strings.IndexAny(text, "0123456789")
	end := strings.LastIndexAny(text, "0123456789")
	single := strings.IndexAny(text, ".,") == last
	if !single || end-last != 3 || text[first] == '0' {
		return last
	}
	english := first > 0 || end == len(text)-1 // the sign stands before the number, or there is none
	if english == (text[last] == '.') {
		return last
	}
	return -1
}

// count reads a number that comes as text, "76,689" or "10 In Stock"; none gives
// what is said.
func count(text string, none int64) int64 {
	first, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(text, ",", "")), " ")
	n, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return none
	}
	return n
}

// leadDays reads "42 Days" and "6 Weeks".
func leadDays(text string) int {
	n := count(text, -1)
	if strings.Contains(strings.ToLower(text), "week") {
		n *= 7
	}
	if n < 0 || n > 2000 {
		return -1
	}
	return int(n)
}

func (p *wirePart) lifecycle() part.Lifecycle {
	switch s := strings.ToLower(p.LifecycleStatus); {
	case strings.EqualFold(string(p.IsDiscontinued), "true"), strings.Contains(s, "obsolete"):
		return part.Obsolete
	case strings.Contains(s, "end of life"):
		return part.EOL
	case strings.Contains(s, "not recommended"):
		return part.NRND
	case s == "", s == "active", s == "new product", s == "new at mouser":
		return part.Active
	}
	return part.Unstated
}
