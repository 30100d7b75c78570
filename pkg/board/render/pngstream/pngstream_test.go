package pngstream

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// noise is bytes that come in runs of random length, from a few values to all.
func noise(seed uint64, n, values, run int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]byte, 0, n)
	for len(out) < n {
		c := byte(r.IntN(values))
		for range min(1+r.IntN(run), n-len(out)) {
			out = append(out, c)
		}
	}
	return out
}

func TestPNGIsWhatWasDrawn(t *testing.T) {
	t.Parallel()
	sizes := []image.Point{{1, 1}, {1, 700}, {700, 1}, {3, 5}, {257, 600}}
	for i, size := range sizes {
		for _, values := range []int{1, 2, 256} {
			for _, run := range []int{1, 5, 3000} {
				pix := noise(uint64(i), 4*size.X*size.Y, values, run)
				rect := image.Rectangle{Max: size}
				same(t, &image.NRGBA{Pix: pix, Stride: 4 * size.X, Rect: rect})
				same(t, &image.Paletted{Pix: pix[:size.X*size.Y], Stride: size.X, Rect: rect, Palette: greys()})
			}
		}
	}
}

// same writes a picture and reads it again.
func same(t *testing.T, img image.Image) {
	t.Helper()
	var buf bytes.Buffer
	if err := Encode(&buf, img); err != nil {
		t.Fatalf("Encode of a picture of %v: %v", img.Bounds(), err)
	}
	got, err := png.Decode(&buf)
	if err != nil {
		t.Fatalf("the picture of %v does not decode: %v", img.Bounds(), err)
	}
	switch m := img.(type) {
	case *image.NRGBA:
		if g, ok := got.(*image.NRGBA); !ok || !bytes.Equal(g.Pix, m.Pix) {
			t.Errorf("%v: other pixels than were written", m.Rect)
		}
	case *image.Paletted:
		if g, ok := got.(*image.Paletted); !ok || !bytes.Equal(g.Pix, m.Pix) {
			t.Errorf("%v: other indices than were written", m.Rect)
		}
	}
}

// greys are 256 colours, half of them translucent.
func greys() color.Palette {
	out := make(color.Palette, 256)
	for i := range out {
		out[i] = color.NRGBA{uint8(i), uint8(i), uint8(255 - i), uint8(255 - i%2*100)}
	}
	return out
}
