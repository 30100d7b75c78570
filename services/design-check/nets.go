package designcheck

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/services/design-check/internal/report"
)

// maxJoined bounds how many places of one kind a reading lists.
const maxJoined = 40

// listPlaces lists every place of a finding, for a client to go through.
func listPlaces(f dfm.Finding) []contract.Finding {
	whole := report.Finding(f).Finding
	if len(f.Places) < 2 {
		return []contract.Finding{whole}
	}
	var out []contract.Finding
	for i, p := range f.Places {
		if i == maxJoined {
			break
		}
		one := report.Finding(dfm.Finding{Check: f.Check, Level: f.Level, What: placeWords(f, p), Count: 1, Places: []dfm.Place{p}})
		out = append(out, one.Finding)
	}
	if more := f.Count - len(out); more > 0 {
		whole.What = fmt.Sprintf("%s (%d more than those listed)", strings.TrimSuffix(whole.What, "."), more)
		out = append(out, whole)
	}
	return out
}

// placeWords says what is wrong at one place.
func placeWords(f dfm.Finding, p dfm.Place) string {
	nets, things := pair(netNames(p.Nets)), pair(p.Objects)
	var what string
	switch f.Check {
	case dfm.Short:
		what = "The nets " + nets + " are joined"
	case dfm.Unrouted:
		what = "A connection of " + nets + " has no copper"
	default:
		what = "The net " + nets + " is in pieces"
	}
	if nets == "" {
		what = strings.TrimSuffix(f.What, ".")
	}
	if things != "" {
		what += ": " + things
	}
	return what + "."
}

// netNames names nets as a sentence does.
func netNames(nets [2]string) (out [2]string) {
	for i, n := range nets {
		if n != "" {
			out[i] = untrusted.Mention(n)
		}
	}
	return out
}

// pair writes one or two names; the same one once.
func pair(s [2]string) string {
	switch {
	case s[0] == "" || s[0] == s[1]:
		return s[1]
	case s[1] == "":
		return s[0]
	}
	return s[0] + " and " + s[1]
}
