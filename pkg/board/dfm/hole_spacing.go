package dfm

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
)

// holeSpacing judges the web of board left between the walls of two holes.
func holeSpacing(_ context.Context, in *input) result {
	t := in.drills()
	s := holeSpacer{
		any:   in.gauge(HoleToHole, false),
		leads: in.gauge(ComponentHoleToHole, false),
		bare:  in.gauge(HoleToHole, false).levels(Warning, Note),
	}
	reach := max(in.reach(HoleToHole, false), in.reach(ComponentHoleToHole, false))
	t.index.Pairs(reach, func(i, j int) {
		a, b := &t.list[i], &t.list[j]
		if a.twice || b.twice || !a.meets(b) {
			return
		}
		if d, p, q, ok := a.dist(b, float64(reach)); ok {
			s.add(a, b, Place{At: p, To: q, Value: length(d), Distance: true,
				Objects: [2]string{holeWords(a.Hole), holeWords(b.Hole)}, Nets: [2]string{in.netName(a.Net), in.netName(b.Net)}})
		}
	})
	return s.result()
}

// A holeSpacer sorts pairs of holes by what holds for them.
type holeSpacer struct {
	any, leads, bare *gauge
	merged           places
}

func (s *holeSpacer) add(a, b *drilled, p Place) {
	switch {
	case a.Hole.A == b.Hole.A && a.Hole.B == b.Hole.B: // told by the rule about stray holes
	case p.Value < 0:
		// Tools draw slots as rows of hits that overlap, and some drill one hole in two
		// steps; the fabricator's own software joins them.
		s.merged.at(p)
	case a.Plating == board.NonPlated && b.Plating == board.NonPlated:
		s.bare.add(p) // rows of them are meant to break
	case a.lead() && b.lead() && s.leads.limit != (Limit{}):
		s.leads.add(p)
	default:
		s.any.add(p)
	}
}

func (s *holeSpacer) result() result {
	say := func(what string) func(judged) string {
		return func(j judged) string {
			return fmt.Sprintf("%s %s with less than %s of board between them (the least is %s): the drill may break through.",
				plural(j.count, "pair")+" of "+what, be(j.count), mm(j.limit), mm(j.value))
		}
	}
	r := s.any.result(say("holes"))
	r.add(s.leads.result(say("plated holes for leads")))
	bare := s.bare.result(say("non-plated holes"))
	if !s.any.seen {
		r.measures = append(r.measures, bare.measures...)
	}
	bare.measures = nil
	r.add(bare)
	r.add(found(HoleToHole, Note, func(n int) string {
		return fmt.Sprintf("%s of holes overlap: they will be drilled as one.", plural(n, "pair"))
	}, &s.merged))
	return r
}
