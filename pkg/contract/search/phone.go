package search

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// PhonePrefix begins the terms that are numbers of telephones, as [Phone] gives them.
const PhonePrefix = "tel:"

// Of how many digits a number of a telephone is, and how many it is looked for by: numbers
// of one place differ in them.
const (
	minPhone    = 6
	phoneSuffix = 7
)

// Phone is the number of a telephone however it is written: its digits from the last to the
// first, less what is dialled before the number from abroad or at home. So +49 (0)30 123456
// and 0049-30/123456 are the same, and 030 123456 is how they begin. It is "" of what is no
// number of at least 6 digits; an extension behind it is left off.
func Phone(text string) string {
	text = strings.ReplaceAll(width.Narrow.String(text), "(0)", "")
	var digits []byte
	for _, r := range strings.TrimPrefix(strings.TrimSpace(strings.ToLower(text)), "tel:") {
		if r >= '0' && r <= '9' {
			digits = append(digits, byte(r))
		} else if !unicode.IsSpace(r) && !unicode.Is(unicode.Dash, r) && !strings.ContainsRune("+()/.−", r) {
			break
		}
	}
	number := []byte(strings.TrimLeft(string(digits), "0"))
	if len(number) < minPhone {
		return ""
	}
	slices.Reverse(number)
	return string(number)
}

// PhoneTerm is what numbers that end as one does are looked for by.
func PhoneTerm(phone string) string { return PhonePrefix + phone[:min(len(phone), phoneSuffix)] }

// IsSamePhone tells whether two numbers are the same, with the code of a country or of a place
// before them or without.
func IsSamePhone(a, b string) bool {
	a, b = Phone(a), Phone(b)
	return a != "" && b != "" && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}
