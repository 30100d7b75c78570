package render

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board"
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
				same(t, &image.Paletted{Pix: pix[:size.X*size.Y], Stride: size.X, Rect: rect, Palette: shades(color.NRGBA{1, 2, 3, 255})})
			}
		}
	}
}

// same writes a picture and reads it again.
func same(t *testing.T, img image.Image) {
	t.Helper()
	var buf bytes.Buffer
	if err := PNG(&buf, img); err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(&buf)
	if err != nil {
		t.Fatalf("%v: %v", img.Bounds(), err)
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

func TestStreamsAreThePictures(t *testing.T) {
	t.Parallel()
	b := sample()
	for _, o := range []Options{{Width: 300}, {Width: 1500, Workers: 3}} {
		side, err := Side(t.Context(), b, board.Top, o)
		if err != nil {
			t.Fatal(err)
		}
		stack, err := Stack(t.Context(), b, o)
		if err != nil {
			t.Fatal(err)
		}
		var sidePNG, stackPNG bytes.Buffer
		if err := errors.Join(SidePNG(t.Context(), &sidePNG, b, board.Top, o), StackPNG(t.Context(), &stackPNG, b, o)); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name string
			want *image.NRGBA
			got  *bytes.Buffer
			most int // that a colour may be off by: half a step of the cube
		}{{"side", side, &sidePNG, 0}, {"stack", stack, &stackPNG, 26}} {
			got, err := png.Decode(c.got)
			if err != nil {
				t.Fatal(err)
			}
			if got.Bounds() != c.want.Rect {
				t.Fatalf("%s: %v, want %v", c.name, got.Bounds(), c.want.Rect)
			}
			for y := range c.want.Rect.Dy() {
				for x := range c.want.Rect.Dx() {
					if off(color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), c.want.NRGBAAt(x, y)) > c.most {
						t.Fatalf("%s: pixel %d,%d is %v, want %v", c.name, x, y, got.At(x, y), c.want.NRGBAAt(x, y))
					}
				}
			}
		}
	}
}

// off is how far apart two colours are in the channel that differs most.
func off(a, b color.NRGBA) int {
	apart := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(apart(a.R, b.R), apart(a.G, b.G), apart(a.B, b.B), apart(a.A, b.A))
}

// full is a writer that has no room left.
type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestStreamTellsOfAFullDisk(t *testing.T) {
	t.Parallel()
	if err := StackPNG(t.Context(), &full{left: 10}, sample(), Options{Width: 2000}); !errors.Is(err, errFull) {
		t.Errorf("got %v, want that the disk is full", err)
	}
}

func TestWhoWaitsBreaksDownToo(t *testing.T) {
	t.Parallel()
	broken := func(f func()) (v any) {
		defer func() { v = recover() }()
		f()
		return nil
	}
	v := view{w: 100, h: 100, scale: 1}
	for name, f := range map[string]func(){
		"each": func() { each(5, 2, func(i int) { panic(i) }) },
		"stream": func() {
			_ = v.stream(&bytes.Buffer{}, pngStream{kind: translucent}, 2, func(b *band) piece {
				if b.index == 3 {
					panic("band")
				}
				return piece{}
			})
		},
	} {
		if broken(f) == nil {
			t.Errorf("%s goes on as if nothing had happened", name)
		}
	}
}
