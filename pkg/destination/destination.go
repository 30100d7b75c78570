// Package destination knows the places that boards are delivered to: it turns
// what a customer writes as country and state into codes, or says what is wrong
// with it. It knows nothing of taxes and carriers.
package destination

import (
	"embed"
	"errors"
	"fmt"
	"strings"

	"boardorder/pkg/dated"
)

//go:embed countries.csv regions.csv territories.csv postal.csv shared.csv outside.csv
var tables embed.FS

// A Country is one that boards are delivered to.
type Country struct {
	Code        string // ISO 3166-1 alpha-2
	Name        string // "Netherlands"
	TheName     string // as in a sentence: "to the Netherlands"
	Union       string // customs union, such as EU, or ""
	Currency    string // ISO 4217
	NeedsRegion bool   // the tax depends on the state or province
	TaxIDName   string // what customs wants of the recipient, or ""
}

// A Place is as much of an address as a delivered price depends on.
type Place struct {
	Country    string `json:"country"`          // ISO 3166-1 alpha-2
	Region     string `json:"region,omitempty"` // state or province code, where NeedsRegion
	PostalCode string `json:"postal_code,omitempty"`
	Business   bool   `json:"business,omitempty"` // the recipient gave a business' tax number
	Assumed    bool   `json:"assumed,omitempty"`  // nobody named it: the operator's usual destination
}

// A Book is the list of countries and their regions.
type Book struct {
	countries map[string]Country // by code
	byName    map[string]string  // folded name, alias or code3 -> code
	regions   map[string]map[string]string
	names     map[string]string // "US/CA" -> California
	codes     []string
	parts     map[string]part // folded name or code of a territory
	postal    []postalRange
	shared    []sharedCode
	outside   map[string][]outer // by country
}

// A part is a territory that is delivered to as a region of a country.
type part struct{ country, region string }

// Load reads the built-in list.
func Load() (*Book, error) {
	b := &Book{
		countries: map[string]Country{}, byName: map[string]string{},
		regions: map[string]map[string]string{}, names: map[string]string{}, parts: map[string]part{},
		outside: map[string][]outer{},
	}
	return b, errors.Join(b.readCountries(), b.readRegions(), b.readTerritories(), b.readPostal(), b.readShared(), b.readOutside())
}

func (b *Book) readCountries() error {
	t, err := open("countries.csv", "code", "code3", "name", "the_name", "union", "currency", "region", "tax_id", "aliases")
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		c := Country{
			Code: r.RequireText("code"), Name: r.RequireText("name"), TheName: r.RequireText("the_name"), Union: r.Text("union"),
			Currency: r.RequireText("currency"), NeedsRegion: r.Choice("region", "yes", "no") == "yes", TaxIDName: r.Text("tax_id"),
		}
		if _, twice := b.countries[c.Code]; twice || len(c.Code) != 2 {
			r.Fail("code", "is not a new code of two letters")
		}
		b.countries[c.Code] = c
		b.codes = append(b.codes, c.Code)
		for _, name := range append(strings.Split(r.Text("aliases"), "|"), c.Code, r.RequireText("code3"), c.Name, c.TheName) {
			if name == "" {
				continue
			}
			if other := b.byName[fold(name)]; other != "" && other != c.Code {
				r.Fail("aliases", "already means "+other)
			}
			b.byName[fold(name)] = c.Code
		}
	}
	return t.Err()
}

func (b *Book) readRegions() error {
	t, err := open("regions.csv", "country", "code", "name")
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		country, code, name := r.RequireText("country"), r.RequireText("code"), r.RequireText("name")
		if !b.countries[country].NeedsRegion {
			r.Fail("country", "is not a country with regions")
		}
		if b.regions[country] == nil {
			b.regions[country] = map[string]string{}
		}
		b.regions[country][fold(code)], b.regions[country][fold(name)] = code, code
		b.names[country+"/"+code] = name
	}
	return t.Err()
}

func (b *Book) readTerritories() error {
	t, err := open("territories.csv", "code", "code3", "name", "country", "region")
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		p := part{r.RequireText("country"), r.RequireText("region")}
		if b.RegionName(p.country, p.region) == "" {
			r.Fail("region", "is not a region of the country")
		}
		for _, name := range []string{r.RequireText("code"), r.RequireText("code3"), r.RequireText("name")} {
			b.parts[fold(name)] = p
		}
	}
	return t.Err()
}

func open(name string, columns ...string) (*dated.Table, error) {
	f, err := tables.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer f.Close()
	return dated.ReadPlain(name, f, columns...)
}

// fold makes names comparable: lower case, without dots and doubled spaces.
func fold(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(punctuation.Replace(s))), " ")
}

// punctuation is made once: making it costs many times what it does to a name.
var punctuation = strings.NewReplacer(".", "", ",", " ")
