package render

import (
	"sync"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render/pngstream"
)

// bandPixels is how many pixels are drawn at once: small enough that a band's
// buffers stay in a processor's cache.
const bandPixels = 1 << 16

// A small picture is made of some bands all the same, so that all processors have
// work; bands of a wide one are not too low, for what is drawn reaches into many.
const (
	fewestBands = 12
	minRows     = 16
)

// bandRows is the height of the bands of a picture.
func (v *view) bandRows() int {
	return max(1, min(max(minRows, min(bandPixels/v.w, (v.h+fewestBands-1)/fewestBands)), v.h))
}

// band is some rows of the picture with what is needed to draw them.
type band struct {
	index, y0, y1 int
	w             int
	r             raster
	pile          pile
	runs          pngstream.Runs
	masks         [][]uint8
	pix           []byte
}

// takeBand gives the band of the rows y0 to y1, to be put back into the pool.
func takeBand(v *view, y0, y1 int) *band {
	b := bandPool.Get().(*band)
	b.index, b.y0, b.y1, b.w = y0/v.bandRows(), y0, y1, v.w
	b.r.reset(v.w, y1-y0, y0)
	return b
}

// pixels gives room for the band's pixels of four bytes, with what was there before.
func (b *band) pixels() []byte {
	n := 4 * b.w * (b.y1 - b.y0)
	if cap(b.pix) < n {
		b.pix = make([]byte, n)
	}
	return b.pix[:n]
}

// mask gives clean cover number i of the band: r.w by y1-y0 pixels.
func (b *band) mask(i int) []uint8 {
	for len(b.masks) <= i {
		b.masks = append(b.masks, nil)
	}
	n := b.w * (b.y1 - b.y0)
	if cap(b.masks[i]) < n {
		b.masks[i] = make([]uint8, n)
		return b.masks[i]
	}
	m := b.masks[i][:n]
	clear(m)
	return m
}

var bandPool = sync.Pool{New: func() any { return new(band) }}

// bands calls paint for every band of the picture, several at once.
func (v *view) bands(workers int, paint func(b *band)) {
	rows := v.bandRows()
	runEach((v.h+rows-1)/rows, workers, func(i int) {
		if v.meter.HasEnded() {
			return
		}
		b := takeBand(v, i*rows, min((i+1)*rows, v.h))
		paint(b)
		bandPool.Put(b)
	})
}

// runEach calls f for 0 to n-1, several at once. A call that panics makes each panic,
// so that whoever guards the caller guards the calls too.
func runEach(n, workers int, f func(i int)) {
	var g parallel.Guard
	slots := make(chan struct{}, max(1, workers))
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			g.Run(func() { f(i) })
		})
	}
	wg.Wait()
	g.Check()
}

// painter draws into a clean mask of a band.
type painter interface {
	paint(b *band, mask []uint8)
}

// union paints several layers as one.
type union []*layerDrawer

func newUnion(v *view, layers []*pcb.Layer) union {
	u := make(union, len(layers))
	for i, l := range layers {
		u[i] = newLayerDrawer(v, l)
	}
	return u
}

func (u union) paint(b *band, mask []uint8) {
	const spare = 7 // a mask that nothing else uses
	for i, d := range u {
		if d.v.meter.HasEnded() {
			return
		}
		if i == 0 {
			d.paint(b, mask)
			continue
		}
		other := b.mask(spare)
		d.paint(b, other)
		for j, c := range other {
			if c > 0 {
				blend(&mask[j], uint32(c), false)
			}
		}
	}
}

// body is the board itself: its areas without cutouts and holes.
type body struct {
	v     *view
	board *pcb.Board
	areas []flatRegion
}

func newBody(v *view, b *pcb.Board) *body {
	d := &body{v: v, board: b}
	bands := (v.h + v.bandRows() - 1) / v.bandRows()
	for i := range b.Holes {
		edges := 1
		if h := &b.Holes[i]; h.Kind == pcb.RoutedHole && int(h.Path) < len(b.Routes) {
			edges = len(b.Routes[h.Path].Points)
		}
		if !v.meter.SpendTimes(pcb.Painted, bands, edges) {
			return d
		}
	}
	for _, a := range boardAreas(b) {
		if !v.meter.SpendTimes(pcb.Painted, bands, len(a.Outer.Points)/runLength) {
			return d
		}
		d.areas = append(d.areas, v.flattenRegion(&a))
	}
	return d
}

func (d *body) paint(b *band, mask []uint8) {
	for i := range d.areas {
		d.areas[i].fill(&b.r)
	}
	b.r.settle(mask, false)
	for i := range d.board.Holes {
		if i%1024 == 0 && d.v.meter.HasEnded() {
			break
		}
		d.hole(b, &d.board.Holes[i])
	}
	b.r.settle(mask, true)
}

func (d *body) hole(b *band, h *pcb.Hole) {
	rad := d.v.length(h.Diameter) / 2
	d.board.HoleEdges(h, func(e geom.Edge) {
		if e.IsArc() {
			b.r.arcBand(d.v, e, rad)
			return
		}
		ax, ay := d.v.pixelOf(e.A)
		bx, by := d.v.pixelOf(e.B)
		if max(ay, by)+rad < float32(b.y0) || min(ay, by)-rad > float32(b.y1) {
			return
		}
		b.r.capsule(ax, ay, bx, by, rad, false)
	})
}
