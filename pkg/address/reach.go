package address

import (
	"net/mail"
	"strings"
	"unicode"
)

// What is said of an e-mail address and a phone number that are none.
const (
	NoEmail = "This is not an e-mail address. One looks like name@example.com."
	NoPhone = "This is no phone number. It looks like +1 415 555 0100."
)

// minDigits is what the shortest phone numbers have.
const minDigits = 5

// IsEmail reports whether a text can be an e-mail address, without a name beside
// it. A letter goes to a named domain only: a number would lead it to a machine,
// perhaps of ours.
func IsEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	domain := s[strings.LastIndexByte(s, '@')+1:]
	return err == nil && a.Address == s && strings.Contains(domain, ".") && !strings.HasPrefix(domain, "[") && !strings.ContainsFunc(s, unicode.IsSpace)
}

// IsPhone reports whether a text can be a phone number, however it is written.
func IsPhone(s string) bool {
	n := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n >= minDigits
}
