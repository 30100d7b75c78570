package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// drawPlate is something like one: a green plate with pads, on nothing.
func drawPlate(w, h int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for x := w / 10; x < w*9/10; x++ {
		for y := h / 10; y < h*9/10; y++ {
			c := color.NRGBA{20, uint8(90 + (x*7+y*3)%9), 60, 255}
			if x%50 > 38 && y%50 > 38 {
				c = color.NRGBA{205, 205, 200, 255}
			}
			img.Set(x, y, c)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func TestShrink(t *testing.T) {
	t.Parallel()
	large := drawPlate(1600, 1200)
	small, err := shrink(large)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Dx() != 480 || img.Bounds().Dy() != 360 || len(small) > 40_000 {
		t.Errorf("%v in %d bytes, of %d; want 480 by 360 in 40000 at most", img.Bounds(), len(small), len(large))
	}
	if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
		t.Error("the ground is not seen through")
	}
	if r, g, _, a := img.At(240, 180).RGBA(); a != 0xffff || g <= r {
		t.Errorf("the board is %v, want it opaque, more green than red", img.At(240, 180))
	}
	if same, err := shrink(drawPlate(100, 40)); err != nil {
		t.Error(err)
	} else if head, _ := png.DecodeConfig(bytes.NewReader(same)); head.Width != 100 || head.Height != 40 {
		t.Errorf("a small one became %d × %d, want 100 × 40", head.Width, head.Height)
	}
	for _, bad := range [][]byte{nil, []byte("no picture"), large[:200]} {
		if _, err := shrink(bad); err == nil {
			t.Errorf("%d bytes that are no picture are taken", len(bad))
		}
	}
}

func TestPicturesAreForgotten(t *testing.T) {
	t.Parallel()
	p := newSmalls()
	for _, key := range []string{"a", "b", "c"} {
		p.keep(key, make([]byte, smallKept/2))
	}
	if p.find("a") != nil || p.find("b") == nil || p.find("c") == nil || p.size != smallKept {
		t.Errorf("kept %v, %d bytes; want b and c, %d", p.order, p.size, smallKept)
	}
}
