package states

import (
	"boardorder/pkg/contract/search"
	"strings"
)

// MinTerm is how much has to be known of something that is looked for.
const MinTerm = 3

// Fits tells whether one of the texts begins with a term.
func Fits(term string, texts ...string) bool {
	for _, text := range texts {
		if strings.HasPrefix(search.Term(text), term) {
			return true
		}
	}
	return false
}

// FitsWords is Fits, also for the single words of a text.
func FitsWords(term string, texts ...string) bool {
	for _, text := range texts {
		if Fits(term, append(strings.Fields(text), text)...) {
			return true
		}
	}
	return false
}
