package checkout

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"boardorder/pkg/language"
)

// workingDaySpan is a number of working days, or a range of them.
func workingDaySpan(p *language.Printer, low, high int) string {
	if low == high {
		return p.WorkingDays(low)
	}
	return p.Text("%s to %d working days", strconv.Itoa(low), high)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// BuildTime is a build time in words.
func BuildTime(p *language.Printer, hours int) string {
	if hours <= 48 {
		return p.Hours(hours)
	}
	return p.WorkingDays((hours + 23) / 24)
}

// basis lists why duty and tax are what they are, in a steady order.
func basis(words map[string]string) (lines []string, asOf string) {
	for _, key := range slices.Sorted(maps.Keys(words)) {
		if key == "as_of" {
			asOf = words[key]
			continue
		}
		lines = append(lines, explainToBuyer(words[key]))
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
