package hole

import (
	"context"
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Spacing judges barrel to barrel.
var Spacing = rule.Rule{Judges: []dfm.Name{dfm.HoleToHole, dfm.ComponentHoleToHole}, Run: spacings}

// spacings judges the web of board left between the barrels of two holes.
func spacings(_ context.Context, in *measure.Input) rule.Result {
	t := in.Drills()
	s := holeSpacer{
		any:   rule.MinimumCheck(in, dfm.HoleToHole, false),
		leads: rule.MinimumCheck(in, dfm.ComponentHoleToHole, false),
		bare:  rule.MinimumCheck(in, dfm.HoleToHole, false).Levels(dfm.Warning, dfm.Note),
	}
	reach := max(in.Reach(dfm.HoleToHole, false), in.Reach(dfm.ComponentHoleToHole, false))
	row, unmade, breaks := rows(t.List, t.Index), in.Unmade(), in.Breaks()
	t.Index.Pairs(reach, func(i, j int) {
		a, b := &t.List[i], &t.List[j]
		if a.Twice || b.Twice || unmade[a.At] || unmade[b.At] || !a.Meets(b) {
			return
		}
		if d, p, q, ok := a.Dist(b, float64(reach)); ok {
			if d >= 0 && (row.same(i, j) || breaks[a.At] && breaks[b.At]) {
				return // what lies between them is drilled away, or meant to break
			}
			s.add(a, b, dfm.Place{At: p, To: q, Value: measure.Length(d), Distance: true,
				Objects: [2]string{measure.HoleWords(a.Hole), measure.HoleWords(b.Hole)}, Nets: [2]string{in.NetName(a.Net), in.NetName(b.Net)}})
		}
	})
	return s.result()
}

// A joined tells which holes are cut as one.
type joined []int

// rows finds the holes that overlap one another, directly or through others between
// them: how slots are drawn where a tool has none.
func rows(list []measure.Drilled, index *shape.Index) joined {
	u := make(joined, len(list))
	for i := range u {
		u[i] = i
	}
	index.Pairs(0, func(i, j int) {
		a, b := &list[i], &list[j]
		if !a.Meets(b) || a.Hole.A == b.Hole.A && a.Hole.B == b.Hole.B {
			return
		}
		if d, _, _, ok := a.Dist(b, 0); ok && d < 0 {
			u[u.root(i)] = u.root(j)
		}
	})
	return u
}

func (u joined) root(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

func (u joined) same(i, j int) bool { return u.root(i) == u.root(j) }

// A holeSpacer sorts pairs of holes by what holds for them.
type holeSpacer struct {
	any, leads, bare *rule.LimitCheck
	merged           rule.Places
}

func (s *holeSpacer) add(a, b *measure.Drilled, p dfm.Place) {
	switch {
	case a.Hole.A == b.Hole.A && a.Hole.B == b.Hole.B: // told by the rule about stray holes
	case p.Value < 0:
		// Tools draw slots as rows of hits that overlap, and some drill one hole in two
		// steps; the fabricator's own software joins them.
		s.merged.AddUnmeasured(p)
	case a.Plating == pcb.NonPlated && b.Plating == pcb.NonPlated:
		s.bare.Add(p) // rows of them are meant to break
	case a.Lead() && b.Lead() && s.leads.Limit != (dfm.Limit{}):
		s.leads.Add(p)
	default:
		s.any.Add(p)
	}
}

func (s *holeSpacer) result() rule.Result {
	say := func(what string) func(rule.Breach) string {
		return func(j rule.Breach) string {
			return fmt.Sprintf("%s %s with less than %s of board between them (the least is %s): the drill may break through.",
				words.Plural(j.Count, "pair")+" of "+what, words.Be(j.Count), words.MM(j.Limit), words.MM(j.Value))
		}
	}
	r := s.any.Result(say("holes"))
	r.Add(s.leads.Result(say("plated holes for leads")))
	bare := s.bare.Result(say("non-plated holes"))
	if !s.any.Seen {
		r.Measures = append(r.Measures, bare.Measures...)
	}
	bare.Measures = nil
	r.Add(bare)
	r.Add(rule.PlaceFinding(dfm.HoleToHole, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s of holes overlap: they will be drilled as one.", words.Plural(n, "pair"))
	}, &s.merged))
	return r
}
