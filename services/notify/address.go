package notify

import (
	"errors"
	netmail "net/mail"
	"net/url"
	"strings"

	"boardorder/pkg/contract"
)

func webAddress(s *string) error {
	*s = strings.TrimRight(*s, "/")
	u, err := url.Parse(*s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("no address such as https://boards.example.com")
	}
	return nil
}

func mailAddress(s string) bool {
	a, err := netmail.ParseAddress(s)
	return err == nil && a.Address == s
}

// lines writes an address down as on a parcel.
func lines(to contract.ShipTo) []string {
	var out []string
	town := strings.Join(strings.Fields(to.City+" "+to.State+" "+to.PostalCode), " ")
	for _, line := range []string{to.Name, to.Company, to.Line1, to.Line2, town, to.Country} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
