package conductor

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// maxStrokes is how many strokes hang together in the letters of a word, at most.
const maxStrokes = 400

// ornaments reports whether a line is of strokes that hang on one area of copper and on nothing
// else, such as letters that run into a pour: no pad, no hole, no net, no wider track, no second
// area and no opening of the mask, so that no current passes them.
func (w *widthLayer) ornaments(item int32) bool {
	met, known := w.strokes[item]
	if !known {
		met = w.followStrokes(item)
	}
	return met
}

// followStrokes walks from stroke to stroke, and notes of all of them what came out.
func (w *widthLayer) followStrokes(item int32) bool {
	seen, next := map[int32]bool{item: true}, []int32{item}
	area, idle := int32(-1), true
	for len(next) > 0 && idle {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		if idle = w.in.IsItemMasked(w.l, int(i)) && !w.meetsHole(i) && w.in.NetOf(&w.l.Items[i]) == 0 && w.in.Meter.Spend(pcb.Lookups, 1); !idle {
			break
		}
		w.l.VisitNear(&w.l.Items[i].Shape, 1, func(j int, _ float64, _, _ geom.Point) bool {
			k := int32(j)
			switch f := w.l.FeatureOf(j); {
			case seen[k] || w.l.Items[j].Island != w.l.Items[i].Island:
			case f == nil:
				idle = false
			case f.Kind == pcb.RegionFeature:
				idle = area < 0 || area == k
				area = k
			case f.Kind == pcb.FlashFeature || w.l.Layer.Width(f) > w.limit:
				idle = false
			default:
				seen[k] = true
				next = append(next, k)
				idle = len(seen) <= maxStrokes
			}
			return idle
		})
	}
	idle = idle && area >= 0
	if w.strokes == nil {
		w.strokes = map[int32]bool{}
	}
	for k := range seen {
		w.strokes[k] = idle
	}
	return idle
}

// meetsHole reports whether a hole goes through an item.
func (w *widthLayer) meetsHole(i int32) bool {
	d, met := w.in.Drills(), false
	s := &w.l.Items[i].Shape
	d.Index.Search(s.Bounds(), func(k int) bool {
		for n := range d.List[k].Barrels {
			if _, _, _, near := s.DistWithin(&d.List[k].Barrels[n], 0); near {
				met = true
			}
		}
		return !met
	})
	return met
}
