package kicadcli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/dfm"
)

// shorting are the types under which KiCad reports copper of two nets that touches.
var shorting = []string{"shorting_items", "tracks_crossing", "zones_intersect"}

// Join adds to our report of a KiCad board what KiCad found besides, and says where
// the two agree or not.
func Join(ours *dfm.Report, theirs Report) {
	shorts, rest := split(theirs.Violations)
	agree := []string{
		weigh(ours, dfm.Short, "shorts", shorts, theirs),
		weigh(ours, dfm.Unrouted, "unrouted connections", theirs.Unconnected, theirs),
	}
	if f, ok := designRuleFinding(rest, theirs); ok {
		ours.Findings = append(ours.Findings, f)
	}
	ours.Assumed = append(ours.Assumed, fmt.Sprintf("KiCad %s has checked the board as well: %s.", theirs.Version, strings.Join(agree, "; ")))
	slices.SortStableFunc(ours.Findings, func(a, b dfm.Finding) int { return cmp.Compare(b.Level, a.Level) })
}

func split(all []Violation) (shorts, rest []Violation) {
	for _, v := range all {
		if slices.Contains(shorting, v.Type) {
			shorts = append(shorts, v)
		} else if v.Severity == "error" {
			rest = append(rest, v)
		}
	}
	return shorts, rest
}

// weigh compares one kind of fault. What only KiCad found is added, for no board
// with one may be built unseen; what only we found stays.
func weigh(ours *dfm.Report, n dfm.Name, what string, theirs []Violation, r Report) string {
	i := slices.IndexFunc(ours.Findings, func(f dfm.Finding) bool { return f.Check == n })
	switch {
	case len(theirs) == 0 && i < 0:
		return "no " + what + " for both"
	case len(theirs) == 0:
		return "it does not see the " + what + " found here"
	case i >= 0:
		return fmt.Sprintf("it sees %s too, %d of them", what, len(theirs))
	}
	ours.Findings = append(ours.Findings, dfm.Finding{
		Check: n, Level: dfm.MustFix, Count: len(theirs), Places: places(theirs),
		What: fmt.Sprintf("KiCad %s finds %d %s: %s.", r.Version, len(theirs), what, describe(theirs)),
	})
	return fmt.Sprintf("it sees %d %s that were not found here", len(theirs), what)
}

// designRuleFinding makes one finding of what breaks the design's own rules in KiCad's eyes.
func designRuleFinding(rest []Violation, r Report) (dfm.Finding, bool) {
	if len(rest) == 0 {
		return dfm.Finding{}, false
	}
	counts := map[string]int{}
	for _, v := range rest {
		counts[strings.ReplaceAll(v.Type, "_", " ")]++
	}
	var kinds []string
	for kind, n := range counts {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, n))
	}
	slices.Sort(kinds)
	return dfm.Finding{
		Check: dfm.DesignRule, Level: dfm.Warning, Count: len(rest), Places: places(rest),
		What: fmt.Sprintf("KiCad %s reports %d errors by the design's own rules: %s.", r.Version, len(rest), strings.Join(kinds, ", ")),
	}, true
}

func places(all []Violation) []dfm.Place {
	var out []dfm.Place
	for _, v := range all {
		if len(v.Items) == 0 || len(out) == dfm.MaxPlaces {
			continue
		}
		p := dfm.Place{At: v.Items[0].At, To: v.Items[0].At}
		p.Objects[0] = v.Items[0].What
		if len(v.Items) > 1 {
			p.To, p.Objects[1] = v.Items[1].At, v.Items[1].What
		}
		out = append(out, p)
	}
	return out
}

// describe gives the first of many in KiCad's own words.
func describe(all []Violation) string {
	const most = 6
	var out []string
	for i, v := range all {
		if i == most {
			out = append(out, fmt.Sprintf("%d more", len(all)-most))
			break
		}
		words := v.Description
		for _, it := range v.Items {
			words += ", " + it.What
		}
		out = append(out, words)
	}
	return strings.Join(out, "; ")
}
