package dfm

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// maskPads judges the openings over pads: whether there is one, and by how much it
// is larger than its pad.
func maskPads(ctx context.Context, in *input) result {
	g := in.gauge(MaskExpansion, false).levels(Note, Note)
	var bare, unpasted places
	var r result
	for _, l := range in.board.Find(board.RoleMask, board.NoSide) {
		if l.Negative {
			r.unchecked = append(r.unchecked, fmt.Sprintf("the solder mask %s: its file is a negative, so what it opens is not certain", layerWords(l)))
		}
	}
	for _, f := range in.faces() {
		if ctx.Err() != nil {
			break
		}
		if f.doubtful {
			r.add(f.doubt())
			continue
		}
		f.expansions(g)
		f.missing(ctx, in.board, &bare, &unpasted)
	}
	r.add(g.result(func(j judged) string {
		if j.value < 0 {
			return fmt.Sprintf("The solder mask covers the rim of %s (by up to %s). That is right for pads defined by the mask only.", plural(j.count, "pad"), mm(-j.value))
		}
		return fmt.Sprintf("The solder mask leaves %s around %s; the fabricator wants %s for the mask to miss the pad.", mm(j.value), plural(j.count, "pad"), mm(j.limit))
	}))
	r.add(found(MaskMissing, MustFix, func(n int) string {
		return fmt.Sprintf("%s %s covered by solder mask though the stencil puts solder paste there: no part could be soldered to %s.",
			plural(n, "pad"), be(n), either(n, "it", "them"))
	}, &bare))
	r.add(found(MaskMissing, Note, func(n int) string {
		return fmt.Sprintf("%s %s no opening in the solder mask. That is right for pads that nothing is soldered to.", plural(n, "pad"), either(n, "has", "have"))
	}, &unpasted))
	return r
}

// doubt says that the mask covers most pads.
func (f *face) doubt() result {
	return say(MaskMissing, Warning, len(f.covered), []string{f.mask.Name},
		"The file taken as solder mask of the %s side, %s, leaves most pads covered (%d of %d): it may be another layer, or a negative.",
		f.side, layerWords(f.mask), len(f.covered), f.solderable)
}

// expansions measures openings that were put down on the very place of a pad.
func (f *face) expansions(g *gauge) {
	type key struct {
		at   geom.Point
		turn geom.Transform
	}
	pads := map[key]*board.Feature{}
	last := int32(-1)
	for _, i := range f.pads.features {
		p := &f.copper.Features[i]
		if i == last || p.Kind != board.FlashFeature || maskDefined(p) {
			continue
		}
		last = i
		pads[key{p.A, f.copper.Transforms[p.Transform]}] = p
	}
	seen := int32(-1)
	type match struct{ pad, opening int32 }
	known := map[match]int64{}
	for _, i := range f.openings.features {
		o := &f.mask.Features[i]
		if i == seen || o.Kind != board.FlashFeature {
			continue
		}
		seen = i
		p := pads[key{o.A, f.mask.Transforms[o.Transform]}]
		if p == nil {
			continue
		}
		m := match{p.Shape, o.Shape}
		v, ok := known[m]
		if !ok {
			v = expansion(&f.copper.Apertures[p.Shape], &f.mask.Apertures[o.Shape])
			known[m] = v
		}
		if v != unlike {
			g.add(Place{Layer: f.mask.Name, At: p.A, To: p.A, Value: f.copper.Transforms[p.Transform].Length(v),
				Objects: [2]string{f.padWords(p), "mask opening"}})
		}
	}
}

// maskDefined tells whether a pad's opening is meant to be smaller than its copper.
func maskDefined(p *board.Feature) bool {
	switch p.Function {
	case board.FuncSMDPadMask, board.FuncBGAPadMask, board.FuncHeatsinkPad, board.FuncWasherPad, board.FuncConnectorPad, board.FuncViaPad:
		return true
	}
	return false
}

// padWords says what a pad is.
func (f *face) padWords(p *board.Feature) string {
	switch {
	case p.Function == board.FuncViaPad:
		return "via"
	case p.Function == board.FuncFiducial || p.Function == board.FuncFiducialLocal:
		return "fiducial"
	case p.Function == board.FuncTestPad:
		return "test pad"
	}
	return "pad"
}

// missing collects pads that are wholly covered: those with paste on them, and
// those that the files state to be pads of parts.
func (f *face) missing(ctx context.Context, b *board.Board, pasted, others *places) {
	var paste *sheet
	for _, i := range f.covered {
		p := f.pads.feature(int(i))
		if paste == nil {
			paste = f.paste(ctx, b)
		}
		at := Place{Layer: f.mask.Name, At: p.A, To: p.A, Objects: [2]string{f.padWords(p)}}
		switch {
		case f.covers(paste, i):
			pasted.at(at)
		case soldered(p):
			others.at(at)
		}
	}
}

// soldered tells whether something is soldered to a pad, by what the files state.
func soldered(p *board.Feature) bool {
	switch p.Function {
	case board.FuncComponentPad, board.FuncSMDPad, board.FuncSMDPadMask, board.FuncBGAPad, board.FuncBGAPadMask:
		return true
	}
	return false
}

// paste is what the stencil of the side opens.
func (f *face) paste(ctx context.Context, b *board.Board) *sheet {
	for _, l := range b.Find(board.RolePaste, f.side) {
		if drawn(l) && !l.Negative {
			return newSheet(ctx, l, nil)
		}
	}
	return &sheet{}
}

// covers tells whether a sheet draws in the middle of a pad.
func (f *face) covers(s *sheet, pad int32) bool {
	if s.index == nil {
		return false
	}
	hit := false
	for i := pad; int(i) < len(f.pads.shapes) && f.pads.features[i] == f.pads.features[pad] && !hit; i++ {
		c := f.pads.shapes[i].At()
		s.index.Search(geom.Bound(c), func(j int) bool {
			hit = s.shapes[j].Contains(c)
			return !hit
		})
	}
	return hit
}
