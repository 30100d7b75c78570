package destination

import (
	"strings"
)

// A postalRange is the postal codes that begin with from to to.
type postalRange struct{ country, from, to, region string }

// A sharedCode is the beginning of postal codes that several regions share.
type sharedCode struct {
	country, begins string
	regions         []string
}

func (b *Book) readPostal() error {
	t, err := open("postal.csv", "country", "from", "to", "region")
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		p := postalRange{r.RequireText("country"), r.RequireText("from"), r.RequireText("to"), r.RequireText("region")}
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

func (b *Book) readShared() error {
	t, err := open("shared.csv", "country", "begins", "regions")
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		s := sharedCode{r.RequireText("country"), r.RequireText("begins"), r.List("regions")}
		for _, region := range s.regions {
			if b.RegionName(s.country, region) == "" {
				r.Fail("regions", "holds what is not a region of the country")
			}
		}
		b.shared = append(b.shared, s)
	}
	return t.Err()
}

// regionsOf gives the states or provinces that a postal code of the right form
// may lie in; none where no region that is served has it.
func (b *Book) regionsOf(country, postal string) []string {
	code := strings.ToUpper(strings.Join(strings.Fields(postal), ""))
	for _, s := range b.shared {
		if s.country == country && strings.HasPrefix(code, s.begins) {
			return s.regions
		}
	}
	for _, p := range b.postal {
		if n := len(p.from); p.country == country && len(code) >= n && code[:n] >= p.from && code[:n] <= p.to {
			return []string{p.region}
		}
	}
	return nil
}
