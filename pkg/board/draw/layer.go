package draw

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// layerDrawer draws the features of one layer, for several bands at once.
type layerDrawer struct {
	v       *view
	l       *board.Layer
	stamps  []*stamp // by aperture, with transform 0
	turned  map[[2]int32]*stamp
	regions []flatRegion
}

type flatRegion struct {
	outer    polygon
	holes    []polygon
	min, max float32 // rows
}

func newLayerDrawer(v *view, l *board.Layer) *layerDrawer {
	d := &layerDrawer{v: v, l: l, stamps: make([]*stamp, len(l.Apertures)), turned: map[[2]int32]*stamp{}}
	for i := range l.Apertures {
		d.stamps[i] = newStamp(v, &l.Apertures[i], l.Transforms[0])
	}
	for i := range l.Features {
		if f := &l.Features[i]; f.Transform != 0 && f.Kind != board.RegionFeature {
			d.turn(f)
		}
	}
	d.regions = make([]flatRegion, len(l.Regions))
	for i := range l.Regions {
		d.regions[i] = d.flattenRegion(&l.Regions[i])
	}
	return d
}

func (d *layerDrawer) flattenRegion(p *geom.Polygon) flatRegion {
	f := flatRegion{outer: d.v.flatten(p.Outer, d.v.at)}
	for _, h := range p.Holes {
		f.holes = append(f.holes, d.v.flatten(h, d.v.at))
	}
	for i := 1; i < len(f.outer.pts); i += 2 {
		y := f.outer.pts[i]
		if i == 1 {
			f.min, f.max = y, y
		}
		f.min, f.max = min(f.min, y), max(f.max, y)
	}
	return f
}

// paint draws the rows y0 to y1 into mask.
func (d *layerDrawer) paint(r *raster, mask []uint8, y0, y1 float32) {
	clear := false
	for i := range d.l.Features {
		f := &d.l.Features[i]
		if f.Clear != clear {
			r.settle(mask, clear)
			clear = f.Clear
		}
		d.feature(r, f, mask, y0, y1)
	}
	r.settle(mask, clear)
}

func (d *layerDrawer) feature(r *raster, f *board.Feature, mask []uint8, y0, y1 float32) {
	if f.Kind == board.RegionFeature {
		reg := &d.regions[f.Shape]
		if reg.max < y0 || reg.min > y1 {
			return
		}
		r.fill(reg.outer, 0, 0, 1)
		for _, h := range reg.holes {
			r.fill(h, 0, 0, -1)
		}
		return
	}
	s := d.stamp(f)
	ax, ay := d.v.at(f.A)
	bx, by := ax, ay
	if f.Kind != board.FlashFeature {
		bx, by = d.v.at(f.B)
	}
	if f.Kind != board.ArcFeature && (max(ay, by)+s.reach < y0 || min(ay, by)-s.reach > y1) {
		return
	}
	switch f.Kind {
	case board.FlashFeature:
		d.flash(r, s, ax, ay, mask, f.Clear)
	case board.LineFeature:
		d.stroke(r, f, ax, ay, bx, by)
	case board.ArcFeature:
		d.arc(r, f)
	}
}

// stamp gives the flattened aperture of a feature.
func (d *layerDrawer) stamp(f *board.Feature) *stamp {
	if f.Transform == 0 {
		return d.stamps[f.Shape]
	}
	return d.turned[[2]int32{f.Shape, f.Transform}]
}

// turn prepares the stamp of a feature whose aperture is mirrored, turned or scaled.
func (d *layerDrawer) turn(f *board.Feature) {
	k := [2]int32{f.Shape, f.Transform}
	if d.turned[k] != nil {
		return
	}
	t := d.l.Transforms[f.Transform]
	t.Offset = geom.Point{}
	d.turned[k] = newStamp(d.v, &d.l.Apertures[f.Shape], t)
}

func (d *layerDrawer) flash(r *raster, s *stamp, x, y float32, mask []uint8, clear bool) {
	if s.ordered != nil {
		d.composite(r, s, x, y, mask, clear)
		return
	}
	for _, p := range s.dark {
		r.fill(p, x, y, 1)
	}
	for _, p := range s.clear {
		r.fill(p, x, y, -1)
	}
}

// composite draws an aperture whose clear pieces erase dark ones into a small
// plane of its own first.
func (d *layerDrawer) composite(r *raster, s *stamp, x, y float32, mask []uint8, clear bool) {
	left, top := int(x-s.reach)-1, int(y-s.reach-r.y0)-1
	size := int(2*s.reach) + 4
	left0, top0 := max(left, 0), max(top, 0)
	w, h := min(left+size, r.w)-left0, min(top+size, r.h)-top0
	if w <= 0 || h <= 0 {
		return
	}
	small := rasters.Get().(*raster)
	defer rasters.Put(small)
	small.reset(w, h, 0)
	pix := make([]uint8, w*h)
	dx, dy := x-float32(left0), y-r.y0-float32(top0)
	for _, p := range s.ordered {
		small.fill(p.polygon, dx, dy, 1)
		small.settle(pix, p.clear)
	}
	for row := range h {
		dst := mask[(top0+row)*r.w+left0:]
		for col, c := range pix[row*w : (row+1)*w] {
			if c > 0 {
				blend(&dst[col], uint32(c), clear)
			}
		}
	}
}

// stroke draws a line with the feature's aperture.
func (d *layerDrawer) stroke(r *raster, f *board.Feature, ax, ay, bx, by float32) {
	a := &d.l.Apertures[f.Shape]
	if a.Kind == board.CircleShape {
		r.capsule(ax, ay, bx, by, d.v.length(d.l.Width(f))/2)
		return
	}
	r.fill(d.swept(f, f.A, f.B), 0, 0, 1)
}

// swept is the area a straight move of any aperture covers: exact for convex ones.
func (d *layerDrawer) swept(f *board.Feature, from, to geom.Point) polygon {
	return d.v.flatten(d.sweptPath(f, from, to), d.v.at)
}

func (d *layerDrawer) sweptPath(f *board.Feature, from, to geom.Point) geom.Path {
	t := d.l.Transforms[f.Transform]
	a := &d.l.Apertures[f.Shape]
	var pts []geom.Point
	for i := range a.Primitives {
		if a.Primitives[i].Clear {
			continue
		}
		for _, p := range a.Primitives[i].Path().Flatten(flatness / d.v.scale) {
			q := t.Apply(p)
			pts = append(pts, from.Add(q), to.Add(q))
		}
	}
	return geom.Path{Points: geom.Hull(pts), Closed: true}
}

func (d *layerDrawer) arc(r *raster, f *board.Feature) {
	e := d.l.Edge(f)
	if d.l.Apertures[f.Shape].Kind == board.CircleShape {
		if rad := d.v.length(d.l.Width(f)) / 2; rad > 0 {
			r.arcBand(d.v, e, rad)
		}
		return
	}
	from := e.A
	for _, q := range e.AppendFlat(nil, flatness/d.v.scale) {
		r.fill(d.swept(f, from, q), 0, 0, 1)
		from = q
	}
}
