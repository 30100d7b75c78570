// Package findings sorts what reading and checking a board found: what cannot be
// priced at all, what stops a quote until the customer says otherwise, and what the
// customer should see before paying.
package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// A Build is what a board is to be built as; limits depend on it.
type Build struct {
	Layers            int
	CopperOz, InnerOz float64
	Other             bool // than what the files state, or the standard, which the findings were held against
	Flexible          bool // no limits of such boards are published
}

// Sorted are findings by what they lead to, each list worst first.
type Sorted struct {
	Unreadable []contract.Finding // the files were not read to their end: nothing can be priced
	Missing    []contract.Finding // copper or holes that the design has are not among the files: what is there is another board
	Stop       []contract.Finding // the boards would not work, or cannot be built
	Doubtful   []contract.Finding // warnings and notes
	FineFlex   bool               // of a flexible board some go beyond limits, which are those of rigid ones
}

const (
	mustFix = "must_fix"
	warning = "warning"

	// drillMissing asks whether a board has holes; without answers that much is evident.
	drillMissing = "drill_missing"
)

// unread are the checks that say that a file holds more than was read of it.
var unread = []string{
	"files_unreadable", "file_damaged", "unreadable_file", "truncated", "archive_unread", "file_empty", "time_out", "unread",
	"region_not_ended", "block_not_ended",
}

// Sort sorts the findings of an upload and of one of its boards, for one build.
// The board's measures decide about limits: those that its findings were held
// against were for what the files state.
func Sort(upload []contract.Finding, b boards.Board, build Build, primary *dfm.Capability) Sorted {
	own, fine := b.Findings, false
	if len(b.Measures) > 0 {
		limits := primary.Limits(dfm.Build{Layers: build.Layers, CopperOz: build.CopperOz, InnerOz: build.InnerOz}, checksOf(b.Measures)...)
		if own = adjustToBuild(own, b.Measures, limits, build.Other); build.Flexible {
			own, fine = soften(own, b.Measures, limits)
		}
	}
	s := Sorted{FineFlex: fine}
	for _, f := range slices.Concat(upload, own) {
		switch {
		case f.Level == mustFix && slices.Contains(unread, f.Check):
			s.Unreadable = append(s.Unreadable, f)
		case f.Level == mustFix && (f.Check == string(dfm.LayerMissing) || f.Check == drillMissing && len(f.Answers) == 0):
			s.Missing = append(s.Missing, f)
		case f.Level == mustFix:
			s.Stop = append(s.Stop, f)
		default:
			s.Doubtful = append(s.Doubtful, f)
		}
	}
	slices.SortStableFunc(s.Doubtful, compareSeverity)
	return s
}

// soften makes warnings of what goes beyond limits on a flexible board; what is less than none at
// all, such as copper that the edge cuts, is no matter of a limit.
func soften(own []contract.Finding, measures []boards.Measure, limits dfm.Limits) (out []contract.Finding, softened bool) {
	beyond := map[string]bool{}
	for _, m := range measures {
		if n := dfm.Name(m.Check); m.Value > 0 && n.Breaks(m.Value, limits.LimitOf(n, m.Inner).Min) {
			beyond[m.Check] = true
		}
	}
	for _, m := range measures {
		beyond[m.Check] = beyond[m.Check] && m.Value > 0
	}
	out = slices.Clone(own)
	for i := range out {
		if f := &out[i]; f.Level == mustFix && beyond[f.Check] {
			f.Level, softened = warning, true
			f.What += " " + dfm.BeyondRigidWords
		}
	}
	return out, softened
}

// checksOf are the checks of a board's measures, each once.
func checksOf(measures []boards.Measure) []dfm.Name {
	out := make([]dfm.Name, 0, len(measures))
	for _, m := range measures {
		if n := dfm.Name(m.Check); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

func compareSeverity(a, b contract.Finding) int {
	rank := func(level string) int { return slices.Index([]string{mustFix, warning, "note"}, level) }
	return cmp.Compare(rank(a.Level), rank(b.Level))
}

// adjustToBuild adds the limits that this build breaks. Where it is another than the
// findings were held against, those are taken out that it does not break.
func adjustToBuild(own []contract.Finding, measures []boards.Measure, limits dfm.Limits, other bool) []contract.Finding {
	measured, broken := map[string]bool{}, map[string]bool{}
	var added []contract.Finding
	for _, m := range measures {
		n := dfm.Name(m.Check)
		limit := limits.LimitOf(n, m.Inner).Min
		measured[m.Check] = true
		if limit == 0 || !n.Breaks(m.Value, limit) || n.Tight(m.Value, limit) {
			continue
		}
		if !broken[m.Check] && !slices.ContainsFunc(own, func(f contract.Finding) bool { return f.Check == m.Check && f.Level == mustFix }) {
			added = append(added, contract.Finding{Level: mustFix, Check: m.Check, What: words(m, limit), Layer: m.Layer})
		}
		broken[m.Check] = true
	}
	kept := slices.DeleteFunc(slices.Clone(own), func(f contract.Finding) bool {
		return other && f.Level == mustFix && measured[f.Check] && !broken[f.Check] && isLimitCheck(f.Check, limits)
	})
	return append(added, kept...)
}

// isLimitCheck reports whether a fabricator's limit, and nothing else, is what a check
// is held against.
func isLimitCheck(check string, l dfm.Limits) bool {
	n := dfm.Name(check)
	return l.LimitOf(n, false).Min > 0 || l.LimitOf(n, true).Min > 0
}

// words say that a measured value is beyond what this build allows.
func words(m boards.Measure, limit int64) string {
	n := dfm.Name(m.Check)
	side := "below"
	if n.Maximum() {
		side = "above"
	}
	name := n.Words()
	return fmt.Sprintf("%s: %s is %s what is built with this copper, %s.", strings.ToUpper(name[:1])+name[1:], amount(n, m.Value), side, amount(n, limit))
}

func amount(n dfm.Name, v int64) string {
	if n == dfm.AspectRatio {
		return strconv.FormatFloat(float64(v)/1000, 'f', 1, 64) + " : 1"
	}
	return strconv.FormatFloat(float64(v/1000)/1000, 'f', -1, 64) + " mm"
}
