package check

import (
	"cmp"
	"slices"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
)

// join makes one report of what the rules say; the same for the same board,
// whichever rule ended first.
func join(in *measure.Input, results []rule.Result) *dfm.Report {
	r := &dfm.Report{Assumed: slices.Clone(in.Assumed)}
	for i := range results {
		res := &results[i]
		r.Findings = append(r.Findings, res.Findings...)
		r.Measures = append(r.Measures, res.Measures...)
		r.Assumed = append(r.Assumed, res.Assumed...)
		r.Unchecked = append(r.Unchecked, res.Unchecked...)
		if res.Fault != nil {
			r.Faults = append(r.Faults, res.Fault)
		}
	}
	r.Findings = append(r.Findings, fileFindings(in.Board.Findings, r.Findings)...)
	dropUnsureOpens(r)
	weigh(r)
	softenFlexible(in, r)
	slices.SortStableFunc(r.Findings, compareFindings)
	slices.SortFunc(r.Measures, func(a, b dfm.Measure) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), compareBool(a.Inner, b.Inner), rule.ComparePlaces(a.Place, b.Place))
	})
	r.Assumed, r.Unchecked = dropRepeats(sentences(r.Assumed)), dropRepeats(sentences(r.Unchecked))
	return r
}

// dropUnsureOpens leaves out open connections where copper layers are missing or too
// many: they follow from that, and say nothing about the design.
func dropUnsureOpens(r *dfm.Report) {
	if !slices.ContainsFunc(r.Findings, rule.IsMiscount) {
		return
	}
	n := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f dfm.Finding) bool { return f.Check == dfm.Open || f.Check == dfm.Unrouted })
	if len(r.Findings) < n {
		r.Unchecked = append(r.Unchecked, dfm.Open.Words()+": the copper layers are not those of the design")
	}
}

// compareFindings puts the worst first, then what makes the board useless, then
// what occurs most.
func compareFindings(a, b dfm.Finding) int {
	return cmp.Or(
		cmp.Compare(b.Level, a.Level), cmp.Compare(gravity(a.Check), gravity(b.Check)),
		cmp.Compare(b.Count, a.Count), cmp.Compare(a.Check, b.Check), cmp.Compare(a.What, b.What),
	)
}

// gravity ranks checks of one level: what cannot be seen and makes every board
// scrap before what costs yield.
func gravity(n dfm.Name) int {
	order := []dfm.Name{dfm.FilesUnreadable, dfm.TooComplex, dfm.ToolSizeMissing, dfm.OutlineMissing, dfm.OutlineOpen, dfm.LayerMissing, dfm.Short, dfm.Unrouted, dfm.Open}
	if i := slices.Index(order, n); i >= 0 {
		return i
	}
	return len(order)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// sentences makes each begin with a capital and end with a full stop.
func sentences(s []string) []string {
	for i, v := range s {
		if v = words.Capital(v); !strings.HasSuffix(v, ".") {
			v += "."
		}
		s[i] = v
	}
	return s
}

// dropRepeats drops what was said before.
func dropRepeats(s []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(s, func(v string) bool {
		again := seen[v]
		seen[v] = true
		return again
	})
}
