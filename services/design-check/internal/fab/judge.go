package fab

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
)

// What a fabricator can do, as reports call it.
const (
	CanBuild        = "can_build"
	CannotBuild     = "cannot_build"
	NotFullyChecked = "not_fully_checked"
)

// Verdict is what one fabricator's published limits say of a board.
type Verdict struct {
	ID, Name  string
	Primary   bool
	Verdict   string
	Broken    []Break  // with cannot_build
	Unchecked []string // in words; what could not be judged, whatever the verdict
	Note      string
	Sources   []dfm.Source // sorted by title
}

// Break is a limit that the board does not keep.
type Break struct {
	Check           dfm.Name
	Measured, Limit int64  // nanometres; thousandths for aspect_ratio; counts and 0 for what is no length
	Layer           string // where the worst place is; "" when on no single layer
	What            string // in words
}

// essential are the checks without which nobody can say that a board is built.
var essential = []dfm.Name{
	dfm.TrackWidth, dfm.TrackClearance, dfm.DrillSize, dfm.ViaRing, dfm.AnnularRing, dfm.CopperToEdge,
}

// Judge holds what was measured on a board against every fabricator's limits.
// Without a report nothing of the copper counts as checked.
func (f *Fabs) Judge(report *dfm.Report, facts pcb.Facts, b Build) []Verdict {
	b = b.complete(facts)
	out := make([]Verdict, 0, len(f.all))
	for _, c := range f.all {
		j := judging{fab: c, build: b, facts: facts, limits: c.Limits(b.process())}
		j.offer()
		j.options()
		j.measures(report)
		v := j.verdict()
		v.Primary = c == f.primary
		out = append(out, v)
	}
	return out
}

// A judging is one fabricator's verdict in the making.
type judging struct {
	fab     *dfm.Capability
	build   Build
	facts   pcb.Facts
	limits  dfm.Limits
	broken  []Break
	unknown []string
}

func (j *judging) breaks(n dfm.Name, measured, limit int64, what string, args ...any) {
	j.broken = append(j.broken, Break{Check: n, Measured: measured, Limit: limit, What: fmt.Sprintf(what, args...)})
}

// unsure adds what could not be judged, once.
func (j *judging) unsure(what string) {
	if !slices.Contains(j.unknown, what) {
		j.unknown = append(j.unknown, what)
	}
}

func (j *judging) verdict() Verdict {
	v := Verdict{ID: j.fab.ID, Name: j.fab.Name, Note: j.fab.Note, Broken: j.broken, Unchecked: j.unknown, Verdict: CanBuild}
	switch {
	case len(j.broken) > 0:
		v.Verdict = CannotBuild
	case len(j.unknown) > 0:
		v.Verdict = NotFullyChecked
	}
	for _, s := range j.fab.Sources {
		v.Sources = append(v.Sources, s)
	}
	slices.SortFunc(v.Sources, func(a, b dfm.Source) int { return strings.Compare(a.Title, b.Title) })
	return v
}

// measures judges lengths. A check that the fabricator limits but that was not
// done leaves the verdict open; so does an essential one that it does not limit.
func (j *judging) measures(r *dfm.Report) {
	if r == nil {
		j.unsure("the board has not been measured")
		return
	}
	for _, m := range r.Measures {
		limit := j.limits.LimitOf(m.Check, m.Inner)
		switch {
		case limit.Min == 0 && slices.Contains(essential, m.Check):
			j.unsure(m.Check.Words() + ": no limit is published for this build")
		case limit.Min == 0 || m.Mild || !m.Check.Breaks(m.Place.Value, limit.Min):
		case m.Doubt != "":
			j.unsure(breakOf(m, limit.Min).What + " (" + strings.TrimSuffix(m.Doubt, ".") + ")")
		case m.Check.Tight(m.Place.Value, limit.Min):
			j.unsure(breakOf(m, limit.Min).What + "; the fabricator's own review decides")
		default:
			j.breach(m, limit.Min)
		}
	}
	for _, n := range j.checksWithLimits() {
		for _, u := range r.Unchecked {
			if strings.HasPrefix(u, n.Words()) {
				j.unsure(u)
			}
		}
	}
	for _, f := range r.Findings {
		if f.Check == dfm.OutlineMissing || f.Check == dfm.OutlineOpen || f.Check == dfm.LayerMissing || f.Check == dfm.FilesUnreadable {
			j.unsure("the files are incomplete: " + f.What)
		}
	}
}

// checksWithLimits gives the checks that the fabricator has limits for, sorted.
func (j *judging) checksWithLimits() []dfm.Name {
	seen := map[dfm.Name]bool{}
	for _, side := range []map[dfm.Name]dfm.Limit{j.limits.Outer, j.limits.Inner} {
		for n, l := range side {
			seen[n] = seen[n] || l.Min > 0
		}
	}
	var out []dfm.Name
	for n, ok := range seen {
		if ok {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// breach adds a broken limit, once for each check and kind of layer: the worst.
func (j *judging) breach(m dfm.Measure, limit int64) {
	b := breakOf(m, limit)
	i := slices.IndexFunc(j.broken, func(o Break) bool { return o.Check == b.Check && o.Limit == b.Limit })
	switch {
	case i < 0:
		j.broken = append(j.broken, b)
	case b.Measured < j.broken[i].Measured != b.Check.Maximum():
		j.broken[i] = b
	}
}

func breakOf(m dfm.Measure, limit int64) Break {
	b := Break{Check: m.Check, Measured: m.Place.Value, Limit: limit, Layer: m.Place.Layer}
	side, where := "below", ""
	if m.Check.Maximum() {
		side = "above"
	}
	if m.Place.Layer != "" {
		where = " on " + m.Place.Layer
	}
	b.What = fmt.Sprintf("%s: %s%s is %s the limit of %s", m.Check.Words(), amount(m.Check, m.Place.Value), where, side, amount(m.Check, limit))
	return b
}
