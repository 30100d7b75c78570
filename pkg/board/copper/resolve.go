package copper

import (
	"context"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// An eraser is a piece of a clear feature.
type eraser struct {
	shape   shape.Shape
	feature int32
	rings   clip.Rings // made when first needed
	made    bool
}

// resolve gives the copper that a layer's features leave, in drawing order, and
// whether nothing was erased.
func resolve(ctx context.Context, l *pcb.Layer) ([]Item, bool, error) {
	items, erasers, err := shapes(ctx, l)
	if err != nil || len(erasers) == 0 {
		return items, true, err
	}
	cuts, err := cuts(ctx, items, erasers)
	if err != nil || len(cuts) == 0 {
		return items, true, err
	}
	out := make([]Item, 0, len(items))
	for i := range items {
		by := cuts[int32(i)]
		if len(by) == 0 {
			out = append(out, items[i])
			continue
		}
		c := carving{ctx: ctx, item: &items[i].Shape, erasers: erasers, by: by}
		left, err := c.carve()
		if err != nil {
			return nil, false, err
		}
		for _, s := range left {
			it := items[i]
			it.Shape, it.Cut = s, true
			out = append(out, it)
		}
	}
	return out, false, nil
}

// shapes are those of all features, dark ones as items.
func shapes(ctx context.Context, l *pcb.Layer) ([]Item, []eraser, error) {
	m := newImages(ctx, l)
	items := make([]Item, 0, len(l.Features))
	var erasers []eraser
	var buf []shape.Shape
	for i := range l.Features {
		if i%1024 == 0 && m.meter.HasEnded() {
			return nil, nil, m.meter.Err()
		}
		f := &l.Features[i]
		var err error
		if buf, err = m.appendFeature(buf[:0], f); err != nil {
			return nil, nil, err
		}
		for _, s := range buf {
			if f.Clear {
				if len(items) > 0 {
					erasers = append(erasers, eraser{shape: s, feature: int32(i)})
				}
				continue
			}
			items = append(items, Item{Shape: s, Feature: int32(i), Net: f.Net, Pin: f.Pin, Function: f.Function})
		}
	}
	return items, erasers, m.meter.Err()
}

// cuts tells by which erasers each item is touched that was drawn before them.
func cuts(ctx context.Context, items []Item, erasers []eraser) (map[int32][]int32, error) {
	boxes := make([]geom.Box, len(items))
	for i := range items {
		boxes[i] = items[i].Shape.Bounds()
	}
	index := shape.NewIndex(boxes).SetMeter(pcb.MeterOf(ctx))
	out := map[int32][]int32{}
	meter := pcb.MeterOf(ctx)
	looked, found := meter.Tally(pcb.Pairs), meter.Tally(pcb.Shapes)
	for k := range erasers {
		e := &erasers[k]
		index.Search(e.shape.Bounds(), func(i int) bool {
			if !looked.Add(1) {
				return false
			}
			if items[i].Feature < e.feature && found.Add(1) {
				if _, _, _, ok := e.shape.DistWithin(&items[i].Shape, 0); ok {
					out[int32(i)] = append(out[int32(i)], int32(k))
				}
			}
			return true
		})
		if !looked.Add(1) {
			return nil, meter.Err()
		}
	}
	return out, nil
}
