package notify

import (
	"errors"
	netmail "net/mail"
	"net/url"
	"strings"
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
