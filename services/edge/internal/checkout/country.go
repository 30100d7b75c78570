package checkout

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/language"
)

//go:embed countries.csv
var countryTable string

// A Country is one that boards are delivered to.
type Country struct {
	Code    string // ISO 3166-1 alpha-2
	Name    string
	TheName string // as in a sentence
	Region  bool   // an address needs its state or province
	TaxID   string // what customs there want of the recipient, or ""
}

// Countries is the list, in order of name.
type Countries []Country

// LoadCountries reads the list.
func LoadCountries() (Countries, error) {
	r := csv.NewReader(strings.NewReader(countryTable))
	r.Comment, r.FieldsPerRecord = '#', 5
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("countries: %w", err)
	}
	var out Countries
	for _, row := range rows[1:] {
		out = append(out, Country{Code: row[0], Name: row[1], TheName: row[2], Region: row[3] == "yes", TaxID: row[4]})
	}
	slices.SortFunc(out, func(a, b Country) int { return strings.Compare(sortName(a.Name), sortName(b.Name)) })
	return out, nil
}

// sortName puts names with a mark on a letter where people look for them.
func sortName(s string) string { return strings.NewReplacer("ü", "u").Replace(strings.ToLower(s)) }

// Translate gives the list with the names and the order of a language.
func (cs Countries) Translate(p *language.Printer) Countries {
	if p.Code == language.English {
		return cs
	}
	out, order := slices.Clone(cs), p.Order()
	for i := range out {
		out[i].Name = p.Country(out[i].Code)
		out[i].TheName = out[i].Name
	}
	slices.SortFunc(out, func(a, b Country) int { return order(a.Name, b.Name) })
	return out
}

// Lift puts the country of a code, if it is one of the list, before the others.
func (cs Countries) Lift(code string) (list Countries, lifted bool) {
	i := slices.IndexFunc(cs, func(c Country) bool { return c.Code == code })
	if i < 0 {
		return cs, false
	}
	return slices.Concat(Countries{cs[i]}, cs[:i], cs[i+1:]), true
}

// Find finds a country by its code.
func (cs Countries) Find(code string) (Country, bool) {
	i := slices.IndexFunc(cs, func(c Country) bool { return c.Code == code })
	if i < 0 {
		return Country{}, false
	}
	return cs[i], true
}

// Name is a country's name, or its code where it is not known.
func (cs Countries) Name(code string) string {
	if c, ok := cs.Find(code); ok {
		return c.Name
	}
	return code
}
