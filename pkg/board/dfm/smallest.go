package dfm

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// WithSmallest asks for what [Report.Offer] tells as well: the narrowest track, gap
// and ring, measured without being judged. What is wider than any price or any limit of
// the primary fabricator asks about, for so many copper layers, stays unknown: heavy
// copper, which asks for most, is offered on one and two.
func (o Options) WithSmallest(layers int) Options {
	far := 200 * geom.Micrometre
	if layers <= 2 {
		far = 320 * geom.Micrometre
	}
	o.Only = append(slices.Clip(o.Only), TrackWidth, TrackClearance, AnnularRing)
	o.Reach = map[Name]int64{TrackWidth: far, TrackClearance: far, PadClearance: far}
	return o
}

// Offer gives the smallest track, gap and ring that were measured to a board's facts, how
// many inner layers carry nothing, and whether people have to look at a flexible board.
func (r *Report) Offer(f *pcb.Facts) {
	if r.BeyondRigid {
		f.Needs(pcb.State(pcb.FineFlex, f.Flex.Source, 0.9, "measured on the copper"))
	}
	for _, m := range r.Measures {
		var fact *pcb.Fact[int64]
		switch m.Check {
		case TrackWidth:
			fact = &f.MinTrack
		case TrackClearance, PadClearance:
			fact = &f.MinGap
		case AnnularRing, ViaRing:
			fact = &f.MinRing
		case LayerEmpty:
			f.EmptyInner.Offer(pcb.State(int(m.Place.Value), pcb.Source{}, 0.9, "inner copper layers were looked at"))
			continue
		default:
			continue
		}
		measured := pcb.State(m.Place.Value, pcb.Source{}, 0.9, "measured on the copper")
		if fact.Known && fact.How == measured.How && fact.Value <= m.Place.Value {
			continue
		}
		if fact.How == measured.How {
			*fact = measured
			continue
		}
		fact.Offer(measured)
	}
}
