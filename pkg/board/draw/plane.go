package draw

import (
	"runtime"
	"sync"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// plane is the cover of one thing over the picture: 0 to 255 a pixel.
type plane struct {
	w, h int
	pix  []uint8
}

func newPlane(v view) *plane { return &plane{v.w, v.h, make([]uint8, v.w*v.h)} }

// band is how many pixels are accumulated at once: 4 MB of buffer.
const bandPixels = 1 << 20

var rasters = sync.Pool{New: func() any { return new(raster) }}

// bands calls paint for every band of rows, several at once.
func bands(v view, workers int, paint func(r *raster, y0, y1 int)) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rows := max(1, min(bandPixels/v.w, v.h))
	if rows == v.h || workers == 1 {
		r := rasters.Get().(*raster)
		for y := 0; y < v.h; y += rows {
			end := min(y+rows, v.h)
			r.reset(v.w, end-y, y)
			paint(r, y, end)
		}
		rasters.Put(r)
		return
	}
	slots := make(chan struct{}, workers)
	var wg sync.WaitGroup
	for y := 0; y < v.h; y += rows {
		slots <- struct{}{}
		wg.Go(func() {
			r := rasters.Get().(*raster)
			end := min(y+rows, v.h)
			r.reset(v.w, end-y, y)
			paint(r, y, end)
			rasters.Put(r)
			<-slots
		})
	}
	wg.Wait()
}

// layerPlane draws a layer's features in order.
func layerPlane(v view, l *board.Layer, workers int) *plane {
	out := newPlane(v)
	if l == nil {
		return out
	}
	d := newLayerDrawer(&v, l)
	bands(v, workers, func(r *raster, y0, y1 int) {
		d.paint(r, out.pix[y0*v.w:y1*v.w], float32(y0), float32(y1))
	})
	if l.Negative {
		for i := range out.pix {
			out.pix[i] = 255 - out.pix[i]
		}
	}
	return out
}

// areaPlane fills polygons with holes.
func areaPlane(v view, areas []geom.Polygon, workers int) *plane {
	out := newPlane(v)
	type flat struct {
		outer polygon
		holes []polygon
	}
	flats := make([]flat, len(areas))
	for i, a := range areas {
		flats[i].outer = v.flatten(a.Outer, v.at)
		for _, h := range a.Holes {
			flats[i].holes = append(flats[i].holes, v.flatten(h, v.at))
		}
	}
	bands(v, workers, func(r *raster, y0, y1 int) {
		for _, f := range flats {
			r.fill(f.outer, 0, 0, 1)
			for _, h := range f.holes {
				r.fill(h, 0, 0, -1)
			}
		}
		r.settle(out.pix[y0*v.w:y1*v.w], false)
	})
	return out
}

// erase takes the holes of the board out of a plane.
func (p *plane) eraseHoles(v view, b *board.Board, workers int) {
	if len(b.Holes) == 0 {
		return
	}
	bands(v, workers, func(r *raster, y0, y1 int) {
		for i := range b.Holes {
			h := &b.Holes[i]
			rad := v.length(h.Diameter) / 2
			b.HoleEdges(h, func(e geom.Edge) {
				if e.IsArc() {
					r.arcBand(&v, e, rad)
					return
				}
				ax, ay := v.at(e.A)
				bx, by := v.at(e.B)
				if max(ay, by)+rad < float32(y0) || min(ay, by)-rad > float32(y1) {
					return
				}
				r.capsule(ax, ay, bx, by, rad)
			})
		}
		r.settle(p.pix[y0*v.w:y1*v.w], true)
	})
}
