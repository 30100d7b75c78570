package address_test

import (
	"strings"
	"testing"

	"boardorder/pkg/address"
	"boardorder/pkg/contract/shipments"
)

func TestLines(t *testing.T) {
	t.Parallel()
	for want, to := range map[string]shipments.ShipTo{
		"Ada|1 Main St|San Francisco, CA 94105|United States": {Name: "Ada", Line1: "1 Main St", City: "San Francisco", State: "CA", PostalCode: "94105", Country: "US"},
		"Ada|Hof 3|10115 Berlin|Germany":                      {Name: "Ada", Line1: "Hof 3", City: "Berlin", PostalCode: "10115", Country: "DE"},
		"12 St James's Square|London SW1Y 4JH|United Kingdom": {Line1: "12 St James's Square", City: "London", PostalCode: "SW1Y 4JH", Country: "GB"},
		"00100 Roma, RM|Italy":                                {City: "Roma", State: "RM", PostalCode: "00100", Country: "IT"},
		"94105|United States":                                 {PostalCode: "94105", Country: "US"},
		"RM|Italy":                                            {State: "RM", Country: "IT"},
		"12345 Springfield|??":                                {City: "Springfield", PostalCode: "12345", Country: "??"},
		"":                                                    {},
	} {
		if got := strings.Join(address.Lines(to), "|"); got != want {
			t.Errorf("Lines(%+v) = %q, want %q", to, got, want)
		}
	}
}
