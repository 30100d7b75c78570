package paint

import (
	"image"
	"image/color"
)

// The materials that a pixel shows, in the order of a weight's elements.
const (
	substrate = iota
	masked
	overCopper
	finish
	silkscreen
	materials
)

const (
	steps  = 13 // of a mixture of two materials, from all of one to all of the other
	alphas = 16 // of the edge of the board
)

// mixture is one entry of the palette: how much of a and b, and how much of the
// pixel the board covers at all.
type mixture struct {
	a, b   int
	of     int // of b: 0 to steps
	covers int // 0 to alphas
}

// mixtures are the entries: what the board does not cover, the materials alone,
// also at its edge, and two materials in each proportion.
var mixtures, mixtureOf = tables()

func tables() ([]mixture, [materials][materials][steps + 1]uint8) {
	list := []mixture{{}}
	var of [materials][materials][steps + 1]uint8
	for a := range materials {
		for covers := 1; covers <= alphas; covers++ {
			list = append(list, mixture{a: a, b: a, covers: covers})
		}
	}
	for a := range materials {
		for b := range materials {
			of[a][b][0], of[a][b][steps] = materialIndex(a, alphas), materialIndex(b, alphas)
		}
		for b := a + 1; b < materials; b++ {
			for k := 1; k < steps; k++ {
				of[a][b][k], of[b][a][steps-k] = uint8(len(list)), uint8(len(list))
				list = append(list, mixture{a: a, b: b, of: k, covers: alphas})
			}
		}
	}
	return list, of
}

// materialIndex is the index of one material at some cover.
func materialIndex(a, covers int) uint8 {
	if covers == 0 {
		return 0
	}
	return uint8(a*alphas + covers)
}

// Palette is what the pixels of a map look like in a scheme.
func (s Scheme) Palette() color.Palette {
	colours := [materials]color.NRGBA{s.Substrate, s.Masked, s.OverCopper, s.Finish, s.Silkscreen}
	out := make(color.Palette, len(mixtures))
	for i, m := range mixtures {
		c := blend(colours[m.a], colours[m.b], m.of)
		if c.A = uint8(m.covers * 255 / alphas); m.covers == 0 {
			c = color.NRGBA{}
		}
		out[i] = c
	}
	return out
}

func blend(a, b color.NRGBA, k int) color.NRGBA {
	f := func(x, y uint8) uint8 { return uint8((int(x)*(steps-k) + int(y)*k + steps/2) / steps) }
	return color.NRGBA{R: f(a.R, b.R), G: f(a.G, b.G), B: f(a.B, b.B)}
}

// weights is how much of each material a pixel shows, out of the sum of all.
type weights [materials]int32

// index is the mixture next to some weights of which the board covers part of
// the pixel, out of 255. The two greatest weights count.
func (w weights) index(covers int) uint8 {
	a, b := 0, -1
	for i := 1; i < materials; i++ {
		switch {
		case w[i] > w[a]:
			a, b = i, a
		case b < 0 || w[i] > w[b]:
			b = i
		}
	}
	if n := (covers*alphas + 127) / 255; n < alphas {
		return materialIndex(a, n)
	}
	sum := w[a] + w[b]
	if sum == 0 {
		return materialIndex(a, alphas)
	}
	return mixtureOf[a][b][(w[b]*steps+sum/2)/sum]
}

// Pixel is the index of a pixel of which copper, the openings of the mask, the
// silkscreen and the board each cover so much, 0 to 255. The silkscreen is not printed on
// openings.
func Pixel(copper, opening, print, body uint8) uint8 {
	if body == 0 {
		return 0
	}
	c, o := int32(copper), int32(opening)
	l := int32(print) * (255 - o) / 255
	w := weights{substrate: o * (255 - c), masked: (255 - o) * (255 - c), overCopper: (255 - o) * c, finish: o * c}
	for i := range w {
		w[i] = w[i] * (255 - l) / 255
	}
	w[silkscreen] = l * 255
	return w.index(int(body))
}

// isMap tells whether a picture is a map, so that its palette may be another.
func isMap(img *image.Paletted) bool { return len(img.Palette) == len(mixtures) }
