package overlay

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
)

const mm = geom.Millimetre

func demo(t testing.TB) *pcb.Board {
	t.Helper()
	p := upload.Read(t.Context(), faulty.Base().KiCad(), upload.Options{})
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards, want one", len(p.Boards))
	}
	return p.Boards[0]
}

func findingAt(places ...dfm.Place) dfm.Finding {
	return dfm.Finding{Check: dfm.TrackClearance, Level: dfm.MustFix, What: "w", Limit: 127_000, Value: 90_000, Count: len(places), Places: places}
}

func gap(x, y int64) dfm.Place {
	return dfm.Place{Layer: "F.Cu", At: geom.Pt(x, y), To: geom.Pt(x+mm/10, y), Value: mm / 10, Distance: true}
}

// A place alone is shown close up; places far from each other with all of the
// board, and with a closer look at the worst.
func TestFrame(t *testing.T) {
	t.Parallel()
	extent := geom.Box{Max: geom.Pt(100*mm, 60*mm)}
	for name, tt := range map[string]struct {
		f    dfm.Finding
		all  bool
		wide int64 // at most
	}{
		"alone":    {findingAt(gap(10*mm, 10*mm)), false, 6 * mm},
		"together": {findingAt(gap(10*mm, 10*mm), gap(14*mm, 12*mm)), false, 12 * mm},
		"apart":    {findingAt(gap(10*mm, 10*mm), gap(90*mm, 50*mm)), true, 130 * mm},
		"outside":  {findingAt(gap(10*mm, 10*mm), gap(150*mm, 50*mm)), true, 200 * mm},
	} {
		window, all := frame(tt.f, extent)
		if all != tt.all || window.Width() > tt.wide {
			t.Errorf("%s: all %v, %.1f mm wide; want %v, %.1f at most", name, all, geom.Millimetres(window.Width()), tt.all, geom.Millimetres(tt.wide))
		}
		for _, p := range tt.f.Places {
			if !window.Contains(p.At) || !window.Contains(p.To) {
				t.Errorf("%s: %v is not in the picture", name, p.At)
			}
		}
		if r := float64(window.Width()) / float64(window.Height()); r < ratio*0.99 || r > ratio*1.01 {
			t.Errorf("%s: %.2f as wide as high, want %.2f", name, r, ratio)
		}
	}
}

// hasColourNear reports whether a colour stands close to a pixel.
func hasColourNear(img image.Image, x, y, reach int, want color.NRGBA) bool {
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			r, g, b, _ := img.At(x+dx, y+dy).RGBA()
			if channelDistance(r, want.R)+channelDistance(g, want.G)+channelDistance(b, want.B) < 40 {
				return true
			}
		}
	}
	return false
}

func channelDistance(got uint32, want uint8) int {
	d := int(got>>8) - int(want)
	return max(d, -d)
}

func TestDraw(t *testing.T) {
	t.Parallel()
	b := demo(t)
	a := New(b)
	for name, f := range map[string]dfm.Finding{
		"alone": findingAt(gap(20*mm, 15*mm)), "apart": findingAt(gap(5*mm, 5*mm), gap(35*mm, 25*mm)),
		"of no layer": {Check: dfm.HoleToHole, Level: dfm.Warning, Places: []dfm.Place{{At: geom.Pt(20*mm, 15*mm)}}},
		"unrouted":    {Check: dfm.Unrouted, Level: dfm.MustFix, Places: []dfm.Place{{At: geom.Pt(5*mm, 5*mm), To: geom.Pt(35*mm, 25*mm), Nets: [2]string{"N"}}}},
	} {
		img, err := a.Draw(t.Context(), f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := image.Rect(0, 0, Width, Height+caption); img.Rect != want {
			t.Errorf("%s is %v, want %v", name, img.Rect, want)
		}
		window, _ := frame(f, geom.Box{Max: geom.Pt(40*mm, 30*mm)})
		c := newCanvas(t.Context(), window, Width, Height)
		for _, p := range f.Places {
			if x, y := c.position(ends(p).Centre()); !HasEnd(p) && !hasColourNear(img, int(x), int(y), 45, MarkColour(f.Level)) {
				t.Errorf("%s: no mark near %.0f, %.0f", name, x, y)
			}
			if x, y := c.position(p.At); HasEnd(p) && !hasColourNear(img, int(x), int(y), 45, MarkColour(f.Level)) {
				t.Errorf("%s: no mark near %.0f, %.0f", name, x, y)
			}
		}
	}
	if _, err := a.Draw(t.Context(), dfm.Finding{Check: dfm.LayerEmpty}); !errors.Is(err, ErrNoPlace) {
		t.Errorf("a finding that is nowhere: %v", err)
	}
	if _, err := New(pcb.NewBoard("empty")).Draw(t.Context(), findingAt(gap(0, 0))); err != nil {
		t.Errorf("on a board of nothing: %v", err)
	}
}

func TestPNGIsSmallAndTrue(t *testing.T) {
	t.Parallel()
	img, err := New(demo(t)).Draw(t.Context(), findingAt(gap(20*mm, 15*mm)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := PNG(img)
	if err != nil || len(data) > 60<<10 {
		t.Errorf("the picture has %d bytes, %v; want %d at most", len(data), err, 60<<10)
	}
	back, err := png.Decode(bytes.NewReader(data))
	if err != nil || back.Bounds() != img.Rect {
		t.Fatalf("the picture read back is %v, %v; want %v", back, err, img.Rect)
	}
	for y := 0; y < Height; y += 7 {
		for x := 0; x < Width; x += 7 {
			want := img.NRGBAAt(x, y)
			r, g, b, _ := back.At(x, y).RGBA()
			if channelDistance(r, want.R) > 16 || channelDistance(g, want.G) > 16 || channelDistance(b, want.B) > 16 {
				t.Fatalf("at %d, %d: %v became %d %d %d", x, y, want, r>>8, g>>8, b>>8)
			}
		}
	}
}
