package upload

import (
	"context"
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/upload/outline"
)

// bestOutline picks among outline files the smallest shape that closes round
// all of the copper.
func (a *assembly) bestOutline(ws []*artwork) *artwork {
	content := geom.EmptyBox()
	for _, w := range a.art {
		if w.Layer.Role == board.RoleCopper {
			content = content.Union(centres(w.Layer))
		}
	}
	best, score := ws[0], -1.0
	for _, w := range ws {
		if v := outlineScore(a.ctx, w.Layer, content) + a.result(w.index).Confidence/10; v > score {
			best, score = w, v
		}
	}
	return best
}

// centres is the box of the places where a layer draws, widths left out.
func centres(l *board.Layer) geom.Box {
	b := geom.EmptyBox()
	for i := range l.Features {
		f := &l.Features[i]
		if f.Clear {
			continue
		}
		if f.Kind == board.RegionFeature {
			b = b.Union(l.Regions[f.Shape].Bounds())
			continue
		}
		b = b.Add(f.A)
		if f.Kind != board.FlashFeature {
			b = b.Add(f.B)
		}
	}
	return b
}

// outlineScore is 0 for a layer that closes nothing, and approaches 2 for one
// that closes tightly round the content.
func outlineScore(ctx context.Context, l *board.Layer, content geom.Box) float64 {
	edges := outline.Edges(l)
	if len(edges) == 0 || len(edges) > 200_000 {
		return 0
	}
	o := outline.Find(ctx, edges).Outline
	if len(o.Areas) == 0 {
		return 0.1
	}
	box := o.Bounds()
	if content.Empty() {
		return 1
	}
	if !box.Grow(geom.Millimetre / 2).ContainsBox(content) {
		return 0.3
	}
	area := func(b geom.Box) float64 { return float64(b.Width()) * float64(b.Height()) }
	return 1 + math.Min(1, area(content)/math.Max(1, area(box)))
}
