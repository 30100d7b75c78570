package dfm

import (
	"cmp"
	"slices"
	"strings"
)

// join makes one report of what the rules say; the same for the same board,
// whichever rule ended first.
func join(in *input, results []result) *Report {
	r := &Report{Assumed: slices.Clone(in.assumed)}
	for i := range results {
		res := &results[i]
		r.Findings = append(r.Findings, res.findings...)
		r.Measures = append(r.Measures, res.measures...)
		r.Assumed = append(r.Assumed, res.assumed...)
		r.Unchecked = append(r.Unchecked, res.unchecked...)
		if res.fault != nil {
			r.Faults = append(r.Faults, res.fault)
		}
	}
	r.Findings = append(r.Findings, fromFiles(in.board.Findings, r.Findings)...)
	r.withoutLayers()
	slices.SortStableFunc(r.Findings, compareFindings)
	slices.SortFunc(r.Measures, func(a, b Measure) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), compareBool(a.Inner, b.Inner), comparePlaces(a.Place, b.Place))
	})
	r.Assumed, r.Unchecked = once(sentences(r.Assumed)), once(sentences(r.Unchecked))
	return r
}

// withoutLayers leaves out open connections where copper layers are missing or too
// many: they follow from that, and say nothing about the design.
func (r *Report) withoutLayers() {
	if !slices.ContainsFunc(r.Findings, miscounted) {
		return
	}
	n := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool { return f.Check == Open || f.Check == Unrouted })
	if len(r.Findings) < n {
		r.Unchecked = append(r.Unchecked, Open.Words()+": the copper layers are not those of the design")
	}
}

// compareFindings puts the worst first, then what makes the board useless, then
// what occurs most.
func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(b.Level, a.Level), cmp.Compare(gravity(a.Check), gravity(b.Check)),
		cmp.Compare(b.Count, a.Count), cmp.Compare(a.Check, b.Check), cmp.Compare(a.What, b.What),
	)
}

// gravity ranks checks of one level: what cannot be seen and makes every board
// scrap before what costs yield.
func gravity(n Name) int {
	order := []Name{FilesUnreadable, TooComplex, OutlineMissing, OutlineOpen, LayerMissing, Short, Unrouted, Open}
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
		if v = capital(v); !strings.HasSuffix(v, ".") {
			v += "."
		}
		s[i] = v
	}
	return s
}

// once drops what was said before.
func once(s []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(s, func(v string) bool {
		again := seen[v]
		seen[v] = true
		return again
	})
}
