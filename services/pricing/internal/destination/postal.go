package destination

import "strings"

// A postalRange is the postal codes that begin with from to to.
type postalRange struct{ country, from, to, region string }

func (b *Book) readPostal() error {
	t, err := open("postal.csv", "country", "from", "to", "region")
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		p := postalRange{r.Required("country"), r.Required("from"), r.Required("to"), r.Required("region")}
		if len(p.from) != len(p.to) || p.to < p.from {
			r.Fail("to", "is not the end of a range that begins with from")
		}
		if b.RegionName(p.country, p.region) == "" {
			r.Fail("region", "is not a region of the country")
		}
		for _, other := range b.postal {
			if other.country == p.country && other.from <= p.to && p.from <= other.to {
				r.Fail("from", "lies in the range of "+other.region)
			}
		}
		b.postal = append(b.postal, p)
	}
	return t.Err()
}

// regionOf tells the state or province from a postal code, or "" where the
// code does not tell.
func (b *Book) regionOf(country, postal string) string {
	code := strings.ToUpper(strings.Join(strings.Fields(postal), ""))
	for _, p := range b.postal {
		if n := len(p.from); p.country == country && len(code) >= 5 && code[:n] >= p.from && code[:n] <= p.to {
			return p.region
		}
	}
	return ""
}
