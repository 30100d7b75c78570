// Package words writes counts, lengths and lists as the findings' sentences have them.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// List joins names and gives the verb that fits.
func List(names []string, one, many string) string {
	if len(names) == 1 {
		return names[0] + " " + one
	}
	s := ""
	for i, n := range names {
		switch {
		case i == len(names)-1:
			s += " and "
		case i > 0:
			s += ", "
		}
		s += n
	}
	return s + " " + many
}

// SubjectVerb is the subject with its verb for a count.
func SubjectVerb(n int) string {
	if n == 1 {
		return "it is"
	}
	return "they are"
}

// MM writes nanometres as millimetres: two decimals, three where those tell more.
func MM(v int64) string {
	s := strconv.FormatFloat(math.Round(float64(v)/1000)/1000, 'f', 3, 64)
	return strings.TrimSuffix(s, "0") + " mm"
}

// Plural writes a count with its noun: "1 hole", "3 holes".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	switch {
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"):
		return fmt.Sprint(n, " ", noun, "es")
	}
	return fmt.Sprint(n, " ", noun, "s")
}

// Inflect gives the words for one or for many.
func Inflect(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Be is the verb for a count.
func Be(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Capital makes a sentence's first letter a capital.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
