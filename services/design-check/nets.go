package designcheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/contract"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
)

// mostJoined bounds how many places of one kind a reading lists.
const mostJoined = 40

// nets finds shorts and connections without copper: no board with one is built
// unasked, so they are looked for as soon as the files are there. What prices depend
// on, the narrowest track, gap and ring, is measured along and put with the facts.
func (m *maker) nets(ctx context.Context, b *board.Board) []contract.Finding {
	only := []dfm.Name{dfm.Short, dfm.Open, dfm.Unrouted}
	found, err := dfm.Run(ctx, b, dfm.Options{Only: only}.WithSmallest())
	if err != nil {
		m.log.Warn("nets were not checked to the end", zap.Error(err))
	}
	for _, fault := range found.Faults {
		m.log.Error("a rule broke down", zap.Error(fault))
	}
	found.Offer(&b.Facts)
	var out []contract.Finding
	for _, f := range found.Findings {
		if f.Level == dfm.MustFix && (slices.Contains(only, f.Check) || f.Check == dfm.TooComplex) {
			out = append(out, listed(f)...)
		}
	}
	return out
}

// listed lists every place of a finding, for a client to go through.
func listed(f dfm.Finding) []contract.Finding {
	whole := report.Finding(f).Finding
	if len(f.Places) < 2 {
		return []contract.Finding{whole}
	}
	var out []contract.Finding
	for i, p := range f.Places {
		if i == mostJoined {
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
	nets, things := pair(p.Nets), pair(p.Objects)
	var what string
	switch f.Check {
	case dfm.Short:
		what = "The nets " + nets + " are joined"
	case dfm.Unrouted:
		what = "A connection of " + nets + " has no copper"
	default:
		what = nets + " is in pieces"
	}
	if nets == "" {
		what = strings.TrimSuffix(f.What, ".")
	}
	if things != "" {
		what += ": " + things
	}
	return what + "."
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
