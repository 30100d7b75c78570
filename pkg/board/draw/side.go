package draw

import (
	"image"
	"image/color"
	"runtime"
	"sync"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// Side draws the finished top or bottom of a board, the bottom as one looks at
// it. What no board covers is transparent. The error is ErrNothing, or says that
// the side is neither.
func Side(b *board.Board, side board.Side, o Options) (*image.NRGBA, error) {
	v, err := newView(Extent(b), o, side == board.Bottom)
	if err != nil {
		return nil, err
	}
	p := sidePlanes(v, b, side, o)
	img := image.NewNRGBA(image.Rect(0, 0, v.w, v.h))
	p.compose(img, colours(b, o), workers(o))
	return img, nil
}

func workers(o Options) int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// planes is what a finished side is made of.
type planes struct {
	board, copper, opening, legend *plane
}

// sidePlanes draws them, several at once.
func sidePlanes(v view, b *board.Board, side board.Side, o Options) planes {
	var p planes
	n := workers(o)
	jobs := []func(){
		func() { p.copper = union(v, outer(b, side), n) },
		func() { p.opening = openings(v, b, side, n) },
		func() { p.legend = union(v, b.Find(board.RoleSilk, side), n) },
		func() {
			p.board = areaPlane(v, boardAreas(b), n)
			p.board.eraseHoles(v, b, n)
		},
	}
	slots := make(chan struct{}, n)
	var wg sync.WaitGroup
	for _, job := range jobs {
		slots <- struct{}{}
		wg.Go(func() {
			job()
			<-slots
		})
	}
	wg.Wait()
	return p
}

// boardAreas is the board's shape. An outline that does not close is drawn with a
// straight line over its gap when its longest chain spans the board; without any
// outline the board is a rectangle round all.
func boardAreas(b *board.Board) []geom.Polygon {
	whole := Extent(b)
	if len(b.Outline.Areas) > 0 && (b.Outline.Closed || spans(b.Outline.Areas[0].Bounds(), whole)) {
		return b.Outline.Areas
	}
	longest, length := geom.Path{}, 0.0
	for _, p := range b.Outline.Open {
		if l := p.Length(); l > length {
			longest, length = p, l
		}
	}
	if spans(longest.Bounds(), whole) {
		longest.Closed = true
		return append([]geom.Polygon{{Outer: longest}}, b.Outline.Areas...)
	}
	return []geom.Polygon{{Outer: geom.Rect(whole)}}
}

// spans tells whether a box is nearly as large as the whole.
func spans(box, whole geom.Box) bool {
	return box.Width() > whole.Width()/10*9 && box.Height() > whole.Height()/10*9
}

// outer gives the copper layers that one sees on a side.
func outer(b *board.Board, side board.Side) []*board.Layer {
	if found := b.Find(board.RoleCopper, side); len(found) > 0 {
		return found
	}
	copper := b.Copper()
	switch {
	case len(copper) < 2: // single-sided: its one layer has a side, or is on top
		return nil
	case side == board.Top:
		return copper[:1]
	}
	return copper[len(copper)-1:]
}

// maskLayers gives a side's solder mask layers. Tools that write them as negative
// images still draw the openings, so that is what their features mean.
func maskLayers(b *board.Board, side board.Side) []*board.Layer {
	found := b.Find(board.RoleMask, side)
	for i, l := range found {
		if l.Negative {
			plain := *l
			plain.Negative = false
			found[i] = &plain
		}
	}
	return found
}

// openings is where a side has no solder mask: everywhere when no file says.
func openings(v view, b *board.Board, side board.Side, n int) *plane {
	found := maskLayers(b, side)
	p := union(v, found, n)
	if len(found) == 0 && len(b.Find(board.RoleMask, board.NoSide)) == 0 {
		for i := range p.pix {
			p.pix[i] = 255
		}
	}
	return p
}

// union draws several layers into one plane.
func union(v view, layers []*board.Layer, n int) *plane {
	if len(layers) == 0 {
		return newPlane(v)
	}
	out := layerPlane(v, layers[0], n)
	for _, l := range layers[1:] {
		for i, c := range layerPlane(v, l, n).pix {
			if c > 0 {
				blend(&out.pix[i], uint32(c), false)
			}
		}
	}
	return out
}

// compose blends the planes into the picture.
func (p *planes) compose(img *image.NRGBA, s scheme, n int) {
	h := img.Rect.Dy()
	step := (h + n - 1) / n
	var wg sync.WaitGroup
	for y := 0; y < h; y += step {
		wg.Go(func() { p.composeRows(img, s, y, min(y+step, h)) })
	}
	wg.Wait()
}

func (p *planes) composeRows(img *image.NRGBA, s scheme, y0, y1 int) {
	w := img.Rect.Dx()
	var last [4]uint8
	lastColour := s.masked
	for i := y0 * w; i < y1*w; i++ {
		alpha := p.board.pix[i]
		if alpha == 0 {
			continue
		}
		key := [4]uint8{p.copper.pix[i], p.opening.pix[i], p.legend.pix[i], 1}
		if key != last {
			last, lastColour = key, s.at(key[0], key[1], key[2])
		}
		c := lastColour
		px := img.Pix[4*i : 4*i+4 : 4*i+4]
		px[0], px[1], px[2], px[3] = c.R, c.G, c.B, alpha
	}
}

// at is the colour where copper, mask opening and legend cover so much. The
// legend is not printed on openings.
func (s *scheme) at(copper, opening, legend uint8) color.NRGBA {
	c := mix(s.masked, s.overCopper, uint32(copper))
	if opening > 0 {
		c = mix(c, mix(s.substrate, s.finish, uint32(copper)), uint32(opening))
	}
	if legend > 0 {
		c = mix(c, s.legend, uint32(legend)*(255-uint32(opening))/255)
	}
	return c
}

func mix(a, b color.NRGBA, t uint32) color.NRGBA {
	f := func(x, y uint8) uint8 { return uint8((uint32(x)*(255-t) + uint32(y)*t + 127) / 255) }
	return color.NRGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), 255}
}
