// Package fablib looks parts up in the primary fabricator's own library.
package fablib

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"boardorder/pkg/fabricator"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// Name is the source's name.
const Name = "fab"

// A Library details parts by their codes.
type Library interface {
	Components(ctx context.Context, codes []string) ([]fabricator.Component, error)
}

// batch is how many codes one call details.
const batch = 1000

// A Client looks parts up. It is safe for concurrent use.
type Client struct {
	library Library
	now     func() time.Time
	feeder  int64
	index   atomic.Pointer[Index]
}

// New makes a client that knows codes only, until it is given an index. feeder is
// what it costs, in cents, to load a part that is not always loaded.
func New(l Library, feeder int64, now func() time.Time) *Client {
	c := &Client{library: l, feeder: feeder, now: now}
	c.index.Store(&Index{})
	return c
}

// Use takes an index for manufacturers' numbers.
func (c *Client) Use(x *Index) { c.index.Store(x) }

// Name is the source's name.
func (c *Client) Name() string { return Name }

// Batch is how many parts one call looks up, however many codes each of them has.
func (c *Client) Batch() int { return batch / 2 }

// Takes reports whether the source knows numbers of that scheme: those of
// manufacturers only once there is an index, since until then it cannot say that
// the library lacks one.
func (c *Client) Takes(s part.Scheme) bool {
	return s == part.FabCode || s == part.MPN && c.index.Load().Len() > 0
}

// Lookup looks up to Batch parts up, as a rule in one call. Numbers that the index
// does not know cost nothing.
func (c *Client) Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error) {
	codes, all := c.codes(queries)
	found, err := c.details(ctx, all)
	if err != nil {
		return nil, err
	}
	answers := make([]part.Answer, len(queries))
	for i, q := range queries {
		for _, code := range codes[i] {
			switch p, ok := found[strings.ToUpper(code)]; {
			case !ok:
			case q.Scheme != part.MPN || mpn.Same(p.Model, q.Number):
				answers[i].Offers = append(answers[i].Offers, c.offer(p))
			case mpn.IsNear(p.Model, q.Number):
				answers[i].Similar = append(answers[i].Similar, part.Similar{MPN: p.Model, Relation: part.Near})
			}
		}
	}
	return answers, nil
}

// codes gives the codes of each query, and all of them once.
func (c *Client) codes(queries []part.Query) (of [][]string, all []string) {
	index, seen := c.index.Load(), map[string]bool{}
	of = make([][]string, len(queries))
	for i, q := range queries {
		if q.Scheme == part.FabCode {
			of[i] = []string{strings.ToUpper(q.Number)}
		} else {
			of[i] = index.Codes(q.Number)
		}
		if len(of[i]) == 0 && q.Scheme == part.MPN {
			of[i] = similarCodes(index, q.Number)
		}
		for _, code := range of[i] {
			if !seen[code] {
				seen[code] = true
				all = append(all, code)
			}
		}
	}
	return of, all
}

// maxNear is how many parts are looked at whose numbers are nearly one that the
// library lacks.
const maxNear = 4

// similarCodes gives codes of parts whose numbers are nearly one. Numbers of passive series are
// left out: each of their characters is a property.
func similarCodes(index *Index, number string) (codes []string) {
	if _, passive := passive.Read(number); passive || index.Len() == 0 {
		return nil
	}
	for _, v := range mpn.Variants(number) {
		for _, code := range index.Codes(v) {
			if len(codes) < maxNear && !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

func (c *Client) details(ctx context.Context, codes []string) (map[string]fabricator.Component, error) {
	found := map[string]fabricator.Component{}
	for len(codes) > 0 {
		n := min(len(codes), batch)
		list, err := c.library.Components(ctx, codes[:n])
		if err != nil {
			return nil, translate(err)
		}
		for _, p := range list {
			found[strings.ToUpper(p.Code)] = p
		}
		codes = codes[n:]
	}
	return found, nil
}

// translate says of a fabricator's error what it means here.
func translate(err error) error {
	kind := outside.Unavailable
	if fabricator.KindOf(err) == fabricator.Internal {
		kind = outside.Refused
	}
	return &outside.Error{Source: Name, Kind: kind, Message: "no answer about parts", Err: err}
}

// lifecycle reads the words for it that the library has where it states one.
func lifecycle(text string) part.Lifecycle {
	switch s := strings.ToLower(text); {
	case strings.Contains(s, "obsolete"), strings.Contains(s, "discontinued"):
		return part.Obsolete
	case strings.Contains(s, "last time"):
		return part.LastTimeBuy
	case strings.Contains(s, "end of life"), s == "eol":
		return part.EOL
	case strings.Contains(s, "not recommended"), strings.Contains(s, "not for new"), s == "nrnd":
		return part.NRND
	case s == "active", s == "in production":
		return part.Active
	}
	return part.Unstated
}

func (c *Client) offer(p fabricator.Component) part.Offer {
	o := part.Offer{
		Source: Name, Supplier: "fabricator", SKU: p.Code, MPN: p.Model, Description: p.Description, Package: p.Package, Stock: p.Stock, At: c.now(),
		Minimum: 1, Multiple: 1, LeadDays: -1, Lifecycle: lifecycle(p.Lifecycle), ECCN: p.ECCN, Authorized: true, Library: "extended", Handling: c.feeder, Joints: p.Joints,
		Manufacturer: cmp.Or(p.Manufacturer, c.index.Load().Maker(p.Model, p.Code)), Datasheet: part.Address(p.Datasheet), Data: part.Data(p.Package, p.Parameters),
	}
	if p.Basic {
		o.Library, o.Handling = "basic", 0
	}
	if !p.Assembly {
		o.Stock = 0
	}
	for _, b := range p.Prices {
		o.Breaks = append(o.Breaks, part.Break{Quantity: b.From, Price: part.Price(b.Unit)})
	}
	o.Breaks = part.ValidBreaks(o.Breaks)
	return o
}
