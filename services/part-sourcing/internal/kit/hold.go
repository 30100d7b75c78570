package kit

import (
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/design"
	"boardorder/services/part-sourcing/internal/pads"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// place takes the placements of files, held against the pads of the board, or where there
// are none those of the design.
func (k *Kit) place(b *pcb.Board, places []placement.List, meant string) {
	if len(places) == 0 {
		if design.Has(b) {
			k.Places = []placement.List{design.Placements(b)}
			k.markOffBoard(0)
		}
		return
	}
	p, cases := pads.Gather(b, k.Frame), casesOf(k.List)
	places, open := settleByPads(places, p, cases)
	k.Places, k.NoUnit = settleUnits(places, open, b, k.Frame)
	for i := range k.Places {
		if k.NoUnit || k.hold(p, i, cases, meant) {
			k.markOffBoard(i)
		}
	}
}

// hold holds a list of placements against the pads; false where it has to be asked about as
// a whole.
func (k *Kit) hold(p *pads.Pads, i int, cases map[string]string, meant string) bool {
	elsewhere := isElsewhere(k.Places[i].Parts, k.Frame)
	if meant == answers.AsListed {
		if !elsewhere {
			k.measureLands(p, &k.Places[i], asListed)
		}
		return true
	}
	v := p.Judge(k.Places[i], cases, elsewhere)
	switch {
	case meant == answers.ByPads && v.ByPads != nil:
		k.Places[i] = *v.ByPads
		k.measureLands(p, &k.Places[i], asListed)
	case v.Doubt != nil:
		k.Doubts = append(k.Doubts, *v.Doubt)
		return false
	default:
		k.Misplaced = append(k.Misplaced, v.Misplaced...)
		if v.Moved != nil {
			k.Offset = v.Moved
		}
		k.measureLands(p, &k.Places[i], v.Readings)
	}
	return true
}

// asListed is how lists are meant that the customer takes as they are, or that are made by the
// pads. Nothing is said of their bottom, which may be mirrored as some tools write it.
var asListed = map[placement.Side]pads.Reading{placement.Top: {}}

// measureLands keeps what lies round the places of parts of which nothing says the pads.
func (k *Kit) measureLands(p *pads.Pads, l *placement.List, readings map[placement.Side]pads.Reading) {
	asked := map[string]bool{}
	for _, m := range k.Misplaced {
		asked[m.Ref] = true
	}
	for _, q := range l.Parts {
		r, clear := readings[q.Side]
		f := k.Fits[q.Ref]
		if !clear || asked[q.Ref] || f.Pins > 0 {
			continue
		}
		if f.Land = p.Measure(r.Apply(q)); f.Land != nil {
			k.Fits[q.Ref] = f
		}
	}
}

func (k *Kit) markOffBoard(i int) {
	var moved bool
	k.Places[i], moved = markOffBoard(k.Places[i], k.Frame)
	k.Moved = k.Moved || moved
}

// casesOf are names of cases and land patterns by folded designator, as a list has them or
// its numbers tell.
func casesOf(l bom.List) map[string]string {
	out := map[string]string{}
	for i := range l.Lines {
		line := &l.Lines[i]
		name := line.Footprint
		if n, known := passive.Read(line.MPN); known && passive.Size(name) == "" && n.Spec.Size != "" {
			name = n.Spec.Size
		}
		for _, ref := range line.Refs {
			out[refdes.Fold(ref)] = name
		}
	}
	return out
}

// settleByPads gives the lists that do not say their unit in the one in which they lie on
// the pads, where that is one only; open are those of which that does not tell it.
func settleByPads(lists []placement.List, p *pads.Pads, cases map[string]string) (out []placement.List, open []int) {
	out = slices.Clone(lists)
	for i := range out {
		if out[i].Stated || len(out[i].Parts) == 0 {
			continue
		}
		var fit []placement.List
		for _, u := range unitsOf {
			if l := changeUnit(lists[i], u); p.Fits(l, cases) {
				fit = append(fit, l)
			}
		}
		if len(fit) != 1 {
			open = append(open, i)
			continue
		}
		out[i] = fit[0]
	}
	return out, open
}
