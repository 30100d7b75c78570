package projection

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Validate says what makes the document unfit to be put, if anything.
func (d Document) Validate() error {
	if err := ValidKind(d.Kind); err != nil {
		return err
	}
	if problem := d.problem(); problem != "" {
		return fmt.Errorf("document %s %q: %s", d.Kind, d.ID, problem)
	}
	return nil
}

// ValidKind says whether kind may name a collection.
func ValidKind(kind string) error {
	if !name(kind, '-') {
		return fmt.Errorf("kind %q is not [a-z0-9-]{1,64}", kind)
	}
	return nil
}

// ValidKey says whether key may name an entry of Keys or Unique.
func ValidKey(key string) error {
	if !name(key, '_') {
		return fmt.Errorf("key %q is not named [a-z0-9_]{1,64}", key)
	}
	return nil
}

func (d Document) problem() string {
	switch {
	case d.ID == "" || !value(d.ID):
		return fmt.Sprintf("id is not 1 to %d bytes of UTF-8 without NUL", MaxID)
	case d.Seq == 0 || d.Seq > math.MaxInt64:
		return fmt.Sprintf("sequence %d is not from 1 to 2^63-1", d.Seq)
	case !representable(d.At) || !representable(d.Until):
		return "time is not between 1678 and 2262"
	case len(d.Body) > MaxBody:
		return fmt.Sprintf("body has %d bytes, more than %d", len(d.Body), MaxBody)
	case !gjson.ValidBytes(d.Body) || !utf8.Valid(d.Body):
		return "body is not JSON"
	}
	if problem := termProblem(d.Terms); problem != "" {
		return problem
	}
	return keyProblem(d.Keys)
}

// What nanoseconds since 1970 can hold in 64 bits, in whole years.
var (
	earliest = time.Date(1678, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC)
)

func representable(t time.Time) bool {
	return t.IsZero() || !t.Before(earliest) && !t.After(latest)
}

func termProblem(terms []string) string {
	if len(terms) > MaxTerms {
		return fmt.Sprintf("%d terms are more than %d", len(terms), MaxTerms)
	}
	for _, t := range terms {
		if t == "" || len(t) > MaxTerm || !value(t) {
			return fmt.Sprintf("a term is not 1 to %d bytes of UTF-8 without NUL", MaxTerm)
		}
	}
	return ""
}

func keyProblem(keys map[string]string) string {
	if len(keys) > MaxKeys {
		return fmt.Sprintf("%d keys are more than %d", len(keys), MaxKeys)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if err := ValidKey(key); err != nil {
			return err.Error()
		}
		if !value(keys[key]) {
			return fmt.Sprintf("value of key %s is not UTF-8 without NUL of at most %d bytes", key, MaxID)
		}
	}
	return ""
}

func name(s string, punctuation byte) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != punctuation {
			return false
		}
	}
	return true
}

func value(s string) bool {
	if len(s) > MaxID || !utf8.ValidString(s) {
		return false
	}
	for i := range len(s) {
		if s[i] == 0 {
			return false
		}
	}
	return true
}
