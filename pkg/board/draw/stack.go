package draw

import (
	"image"
	"image/color"
	"slices"
	"sync"

	"boardorder/pkg/board"
)

// Stack draws all layers of a board over each other, translucent, seen from the
// top: bottom layers first, on a dark ground.
func Stack(b *board.Board, o Options) (*image.NRGBA, error) {
	v, err := newView(Extent(b), o, false)
	if err != nil {
		return nil, err
	}
	planes := make([]*plane, len(b.Layers))
	slots := make(chan struct{}, workers(o))
	var wg sync.WaitGroup
	for i, l := range b.Layers {
		slots <- struct{}{}
		wg.Go(func() {
			planes[i] = layerPlane(v, l, workers(o))
			<-slots
		})
	}
	wg.Wait()
	slices.Reverse(planes)
	colours := make([]color.NRGBA, len(b.Layers))
	for i, l := range b.Layers {
		colours[len(colours)-1-i] = layerColour(l)
	}
	img := image.NewNRGBA(image.Rect(0, 0, v.w, v.h))
	step := (v.h + workers(o) - 1) / workers(o)
	for y := 0; y < v.h; y += step {
		wg.Go(func() { overlay(img, planes, colours, y, min(y+step, v.h)) })
	}
	wg.Wait()
	return img, nil
}

// ground is what a stack is drawn on.
var ground = color.NRGBA{0x16, 0x19, 0x1d, 0xff}

// overlay blends the planes, first to last, into the rows y0 to y1, row by row so
// that a row stays in the cache.
func overlay(img *image.NRGBA, planes []*plane, colours []color.NRGBA, y0, y1 int) {
	w := img.Rect.Dx()
	for y := y0; y < y1; y++ {
		row := img.Pix[y*img.Stride : y*img.Stride+4*w]
		for x := 0; x < len(row); x += 4 {
			row[x], row[x+1], row[x+2], row[x+3] = ground.R, ground.G, ground.B, ground.A
		}
		for i, p := range planes {
			tint(row, p.pix[y*w:(y+1)*w], colours[i])
		}
	}
}

// tint blends colour c over opaque pixels where cover says.
func tint(row, cover []uint8, c color.NRGBA) {
	const opacity = 180 // of 255
	r, g, b := int32(c.R), int32(c.G), int32(c.B)
	for x, m := range cover {
		if m == 0 {
			continue
		}
		a := int32(m) * opacity // of 255²
		px := row[4*x : 4*x+4 : 4*x+4]
		px[0] += uint8((r - int32(px[0])) * a >> 16)
		px[1] += uint8((g - int32(px[1])) * a >> 16)
		px[2] += uint8((b - int32(px[2])) * a >> 16)
	}
}
