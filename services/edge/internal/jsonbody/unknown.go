package jsonbody

import (
	"regexp"
	"slices"
	"strings"
)

var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// KeyNote says that an Idempotency-Key is of no effect, where one was sent.
func KeyNote(header string) []string {
	if header == "" {
		return nil
	}
	return []string{"Idempotency-Key was left aside: what is asked for here is the same request without one, as the reference says."}
}

// maxNamed is how many unknown properties a note names.
const maxNamed = 20

// UnknownNotes names properties that the service does not know. A name from
// outside stands in our sentence only if it is a plain word.
func UnknownNotes(unknown []string) []string {
	if len(unknown) == 0 {
		return nil
	}
	note := "The request has properties that this service does not know, which were left aside"
	known := slices.DeleteFunc(slices.Clone(unknown), func(n string) bool { return !plainName.MatchString(n) })
	if len(known) > 0 {
		note += ": " + strings.Join(known[:min(len(known), maxNamed)], ", ")
	}
	return []string{note + "."}
}
