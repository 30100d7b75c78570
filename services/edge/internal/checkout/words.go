package checkout

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return strconv.Itoa(n) + " " + unit + "s"
}

// span is a number of days, or a range of them.
func span(low, high int, unit string) string {
	if low == high {
		return plural(low, unit)
	}
	return fmt.Sprintf("%d to %s", low, plural(high, unit))
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// number writes a measure without needless digits.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// buildTime is a build time in words.
func buildTime(hours int) string {
	if hours <= 48 {
		return plural(hours, "hour")
	}
	return plural((hours+23)/24, "working day")
}

// basis lists why duty and tax are what they are, in a steady order.
func basis(words map[string]string) (lines []string, asOf string) {
	for _, key := range slices.Sorted(maps.Keys(words)) {
		if key == "as_of" {
			asOf = words[key]
			continue
		}
		lines = append(lines, words[key])
	}
	return lines, asOf
}

// safeURL is an address that may be linked to, or "".
func safeURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return u.String()
}
