package render

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render/pngstream"
)

func TestStreamsAreThePictures(t *testing.T) {
	t.Parallel()
	b := sample()
	for _, o := range []Options{{Width: 300}, {Width: 1500, Workers: 3}} {
		side, err := Side(t.Context(), b, pcb.Top, o)
		if err != nil {
			t.Fatal(err)
		}
		stack, err := Stack(t.Context(), b, o)
		if err != nil {
			t.Fatal(err)
		}
		var sidePNG, stackPNG bytes.Buffer
		if err := errors.Join(SidePNG(t.Context(), &sidePNG, b, pcb.Top, o), StackPNG(t.Context(), &stackPNG, b, o)); err != nil {
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
					if colourDistance(color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), c.want.NRGBAAt(x, y)) > c.most {
						t.Fatalf("%s: pixel %d,%d is %v, want %v", c.name, x, y, got.At(x, y), c.want.NRGBAAt(x, y))
					}
				}
			}
		}
	}
}

// colourDistance is how far apart two colours are in the channel that differs most.
func colourDistance(a, b color.NRGBA) int {
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
		"each": func() { runEach(5, 2, func(i int) { panic(i) }) },
		"stream": func() {
			_ = v.stream(&bytes.Buffer{}, pngstream.Stream{Kind: pngstream.Translucent}, 2, func(b *band) pngstream.Piece {
				if b.index == 3 {
					panic("band")
				}
				return pngstream.Piece{}
			})
		},
	} {
		if broken(f) == nil {
			t.Errorf("%s goes on as if nothing had happened", name)
		}
	}
}
