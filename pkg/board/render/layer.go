package render

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// layerDrawer draws the features of one layer, several bands at once: nothing of
// it changes once it is made.
type layerDrawer struct {
	v       *view
	l       *pcb.Layer
	stamps  []*stamp // by aperture, with transform 0
	turned  map[[2]int32]*stamp
	regions []flatRegion
	rows    int       // of a band
	cuts    []bool    // whether something erases in each band
	bands   [][]int32 // the features that reach into each band, in order
	entries pcb.Tally // of bands
}

// flatRegion is a polygon in pixels and the rows it covers.
type flatRegion struct {
	outer    polygon
	holes    []polygon
	min, max float32
	corners  int
	around   float32 // lengths of the outlines, in pixels
}

func (v *view) flattenRegion(p *geom.Polygon) flatRegion {
	f := flatRegion{outer: v.flatten(p.Outer, v.pixelOf)}
	f.corners, f.around = len(f.outer.pts)/2, f.outer.perimeter()
	for _, h := range p.Holes {
		hole := v.flatten(h, v.pixelOf)
		f.corners, f.around = f.corners+len(hole.pts)/2, f.around+hole.perimeter()
		f.holes = append(f.holes, hole)
	}
	v.meter.Spend(pcb.Corners, 1+f.corners/4)
	for i := 1; i < len(f.outer.pts); i += 2 {
		y := f.outer.pts[i]
		if i == 1 {
			f.min, f.max = y, y
		}
		f.min, f.max = min(f.min, y), max(f.max, y)
	}
	return f
}

func (f *flatRegion) fill(r *raster) {
	r.fill(f.outer, 0, 0, 1)
	for _, h := range f.holes {
		r.fill(h, 0, 0, -1)
	}
}

func newLayerDrawer(v *view, l *pcb.Layer) *layerDrawer {
	own := *v
	own.meter = v.meter.FileMeter(l.File)
	v = &own
	rows := v.bandRows()
	d := &layerDrawer{v: v, l: l, stamps: make([]*stamp, len(l.Apertures)), turned: map[[2]int32]*stamp{}, entries: v.meter.Tally(pcb.Painted),
		rows: rows, bands: make([][]int32, (v.h+rows-1)/rows)}
	d.cuts = make([]bool, len(d.bands))
	for i := range l.Apertures {
		if v.meter.HasEnded() {
			return d
		}
		d.stamps[i] = newStamp(v, &l.Apertures[i], geom.Transform{})
	}
	d.regions = make([]flatRegion, len(l.Regions))
	for i := range l.Regions {
		if v.meter.HasEnded() {
			return d
		}
		d.regions[i] = v.flattenRegion(&l.Regions[i])
	}
	work := v.meter.Tally(pcb.Painted)
	for i := range l.Features {
		if !work.Add(d.sort(int32(i))) {
			break
		}
	}
	if work.Settle() {
		d.entries.Settle()
	}
	return d
}

// sort puts feature i into the bands that it reaches into; it gives how much work it
// is to paint it.
func (d *layerDrawer) sort(i int32) int {
	f := &d.l.Features[i]
	low, high := d.reach(f)
	cuts := f.Clear || f.Kind == pcb.FlashFeature && d.stamp(f).ordered != nil
	rows := float32(d.rows)
	if high < 0 || low > rows*float32(len(d.bands)) {
		return 1
	}
	n := 0
	for b := int(max(low, 0) / rows); b < len(d.bands) && float32(b)*rows <= high; b++ {
		if n++; !d.entries.Add(1) {
			return 1
		}
		d.bands[b] = append(d.bands[b], i)
		d.cuts[b] = d.cuts[b] || cuts
	}
	corners, pixels := d.work(f)
	return n*(1+corners) + pixels
}

// work is how many corners a feature has, to be looked at for each band, and the
// pixels that it touches, several at a time.
func (d *layerDrawer) work(f *pcb.Feature) (corners, pixels int) {
	const atOnce = 16 // pixels that cost as much as a corner
	if f.Kind == pcb.RegionFeature {
		r := &d.regions[f.Shape]
		return r.corners, int(r.around / atOnce)
	}
	s := d.stamp(f)
	around := s.around
	if f.Kind == pcb.FlashFeature && s.ordered != nil {
		size := min(2*s.reach, float32(d.v.w))
		around += size * min(2*s.reach, float32(d.v.h)) // the plane that it is put together in
	}
	if f.Kind != pcb.FlashFeature {
		around += 2 * float32(f.A.Sub(f.B).Len()*d.v.scale)
	}
	if f.Kind == pcb.ArcFeature {
		e := d.l.Edge(f)
		around += 2 * float32(e.Len()*d.v.scale)
		if s.radius == 0 {
			corners = s.corners * geom.Chords(e, flatness/d.v.scale)
		}
	}
	return corners + s.corners, int(min(around, 1e9) / atOnce)
}

// reach gives the rows that a feature may cover.
func (d *layerDrawer) reach(f *pcb.Feature) (low, high float32) {
	if f.Kind == pcb.RegionFeature {
		reg := &d.regions[f.Shape]
		return reg.min - 1, reg.max + 1
	}
	_, ay := d.v.pixelOf(f.A)
	by := ay
	r := d.stamp(f).reach + 1
	switch f.Kind {
	case pcb.LineFeature:
		_, by = d.v.pixelOf(f.B)
	case pcb.ArcFeature:
		e := d.l.Edge(f)
		_, cy := d.v.pixelOf(e.Centre)
		radius := float32(e.Radius() * d.v.scale)
		ay, by = min(ay, cy-radius), max(ay, cy+radius)
	}
	return min(ay, by) - r, max(ay, by) + r
}

// stamp gives the flattened aperture of a feature.
func (d *layerDrawer) stamp(f *pcb.Feature) *stamp {
	if f.Transform == 0 {
		return d.stamps[f.Shape]
	}
	k := [2]int32{f.Shape, f.Transform}
	s := d.turned[k]
	if s == nil { // only while the drawer is made
		t := d.l.Transforms[f.Transform]
		t.Offset = geom.Point{}
		s = newStamp(d.v, &d.l.Apertures[f.Shape], t)
		d.turned[k] = s
	}
	return s
}

// paint draws a band of the layer.
func (d *layerDrawer) paint(b *band, mask []uint8) {
	clear := false
	work := d.v.meter.Tally(pcb.Painted)
	for _, i := range d.bands[b.index] {
		f := &d.l.Features[i]
		if !work.Add(1) {
			break
		}
		if f.Clear != clear {
			const atOnce = 8 // words of marks that cost as much as a corner
			work.Add(max(0, b.r.bot-b.r.top+1) * b.r.words / atOnce)
			b.r.settle(mask, clear)
			clear = f.Clear
		}
		d.feature(b, i, mask)
	}
	b.r.settle(mask, clear)
	if d.l.Negative {
		for i, c := range mask {
			mask[i] = 255 - c
		}
	}
}

// add adds the features of a band to its raster.
func (d *layerDrawer) add(b *band) {
	work := d.v.meter.Tally(pcb.Painted)
	for _, i := range d.bands[b.index] {
		if !work.Add(1) {
			return
		}
		d.feature(b, i, nil)
	}
}

// feature adds feature i to the band's raster; mask is where it goes at once if
// it erases parts of itself.
func (d *layerDrawer) feature(b *band, i int32, mask []uint8) {
	r, f := &b.r, &d.l.Features[i]
	switch f.Kind {
	case pcb.RegionFeature:
		d.regions[f.Shape].fill(r)
	case pcb.FlashFeature:
		d.flash(b, f, mask)
	case pcb.LineFeature:
		d.line(r, f, d.continuesLine(i))
	case pcb.ArcFeature:
		d.arc(r, f)
	}
}

func (d *layerDrawer) flash(b *band, f *pcb.Feature, mask []uint8) {
	r := &b.r
	s := d.stamp(f)
	x, y := d.v.pixelOf(f.A)
	if s.ordered != nil {
		s.composite(r, x, y, mask, f.Clear)
		return
	}
	for _, p := range s.dark {
		r.fill(p, x, y, 1)
	}
	for _, p := range s.clear {
		r.fill(p, x, y, -1)
	}
}

// continuesLine tells whether line i goes on from the line before it, drawn with the
// same aperture.
func (d *layerDrawer) continuesLine(i int32) bool {
	if i == 0 {
		return false
	}
	f, before := &d.l.Features[i], &d.l.Features[i-1]
	return before.Kind == pcb.LineFeature && before.B == f.A && before.Shape == f.Shape &&
		before.Transform == f.Transform && before.Clear == f.Clear
}

// line draws a line with the feature's aperture.
func (d *layerDrawer) line(r *raster, f *pcb.Feature, joined bool) {
	if d.l.Apertures[f.Shape].Kind == pcb.CircleShape {
		ax, ay := d.v.pixelOf(f.A)
		bx, by := d.v.pixelOf(f.B)
		r.capsule(ax, ay, bx, by, d.stamp(f).radius, joined)
		return
	}
	r.fill(d.sweep(d.corners(f), f.A, f.B), 0, 0, 1)
}

func (d *layerDrawer) arc(r *raster, f *pcb.Feature) {
	e := d.l.Edge(f)
	if d.l.Apertures[f.Shape].Kind == pcb.CircleShape {
		if rad := d.stamp(f).radius; rad > 0 {
			r.arcBand(d.v, e, rad)
		}
		return
	}
	from, corners := e.A, d.corners(f)
	for _, q := range e.AppendFlat(nil, flatness/d.v.scale) {
		r.fill(d.sweep(corners, from, q), 0, 0, 1)
		from = q
	}
}

// sweep is the area a straight move of any aperture covers: exact for convex ones.
func (d *layerDrawer) sweep(corners []geom.Point, from, to geom.Point) polygon {
	return d.v.flatten(sweepPath(corners, from, to), d.v.pixelOf)
}

// corners are those of a feature's aperture about its place, arcs as lines.
func (d *layerDrawer) corners(f *pcb.Feature) []geom.Point {
	t := d.l.Transforms[f.Transform]
	a := &d.l.Apertures[f.Shape]
	var out []geom.Point
	for i := range a.Primitives {
		if a.Primitives[i].Clear {
			continue
		}
		for _, p := range a.Primitives[i].Path().Flatten(flatness / d.v.scale) {
			out = append(out, t.Apply(p))
		}
	}
	return out
}

func sweepPath(corners []geom.Point, from, to geom.Point) geom.Path {
	pts := make([]geom.Point, 0, 2*len(corners))
	for _, q := range corners {
		pts = append(pts, from.Add(q), to.Add(q))
	}
	return geom.Path{Points: geom.Hull(pts), Closed: true}
}
