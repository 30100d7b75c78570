package address

import (
	"strings"
	"unicode"
)

// fits tells whether a text has one of the forms, which are set apart by |. In a
// form 9 is a digit, @ a letter of A to Z, # either; all else stands for itself.
func fits(forms, text string) bool {
	for form := range strings.SplitSeq(forms, "|") {
		if fitsOne(form, text) {
			return true
		}
	}
	return false
}

func fitsOne(form, text string) bool {
	if len(form) != len(text) {
		return false
	}
	for i := range len(form) {
		c := text[i]
		digit, letter := '0' <= c && c <= '9', 'A' <= c && c <= 'Z'
		switch form[i] {
		case '9':
			if !digit {
				return false
			}
		case '@':
			if !letter {
				return false
			}
		case '#':
			if !digit && !letter {
				return false
			}
		default:
			if c != form[i] {
				return false
			}
		}
	}
	return true
}

// compact is a number as registers hold it: capitals and digits alone. What is
// neither a separator nor one of these stays, and fits no form.
func compact(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune(".-/_", r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, s)
}
