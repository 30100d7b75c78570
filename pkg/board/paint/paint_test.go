package paint

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// TestScheme: what is ordered is what is seen, in the words of options, of files
// and of tools.
func TestScheme(t *testing.T) {
	t.Parallel()
	const gold, tin, dull, silver, bare = 0xddb65a, 0xc4c8cc, 0xb9bec0, 0xdfe2e4, 0xc9804a
	for finish, want := range map[string]uint32{
		"": gold, "enig": gold, "ENIG": gold, "hard gold": gold, "Gold coating": gold, "hasl": tin, "hasl_lead_free": tin, "HAL lead-free": tin, "HAL SnPb": tin,
		"Lead-free HASL, tin": tin, "Immersion tin": dull, "ImmersionTin": dull, "immersion_tin": dull, "Immersion silver": silver, "OSP": bare, "osp": bare, "None": 0xc87a3e,
	} {
		if got := (Look{Finish: finish}).Scheme().Finish; got != rgb(want) {
			t.Errorf("finish %q is %v, want %v", finish, got, rgb(want))
		}
	}
	white, black := rgb(0xf4f5f2), rgb(0x16181a)
	for l, want := range map[Look]color.NRGBA{
		{}: white, {Mask: "White"}: black, {Mask: "Yellow"}: black, {Mask: "Yellow", Silkscreen: "White"}: white, {Mask: "Matte Black"}: white, {Silkscreen: "Black"}: black,
	} {
		if got := l.Scheme().Silkscreen; got != want {
			t.Errorf("the legend of %v is %v, want %v", l, got, want)
		}
	}
	seen := map[color.NRGBA]string{}
	for _, mask := range []string{"Green", "Red", "Blue", "White", "Black", "Yellow", "Purple", "Transparent"} {
		c := (Look{Mask: mask}).Scheme().Masked
		if other := seen[c]; other != "" {
			t.Errorf("%s and %s look alike: %v, want two colours", mask, other, c)
		}
		seen[c] = mask
	}
	if got := (Look{Mask: "Matte black"}).Scheme().Masked; got != rgb(0x121314) {
		t.Errorf("matte black is %v, want %v", got, rgb(0x121314))
	}
}

// TestPixel: a pixel of a map is nearly the colour that it stands for, whatever
// covers it.
func TestPixel(t *testing.T) {
	t.Parallel()
	if len(mixtures) > 256 {
		t.Fatalf("%d entries of the palette, want at most 256", len(mixtures))
	}
	s := Look{Mask: "Red"}.Scheme()
	p := s.Palette()
	for name, tt := range map[string]struct {
		copper, opening, print, body uint8
		want                         color.NRGBA
	}{
		"nothing": {255, 255, 255, 0, color.NRGBA{}}, "mask": {0, 0, 0, 255, s.Masked}, "track": {255, 0, 0, 255, s.OverCopper}, "pad": {255, 255, 0, 255, s.Finish},
		"gap": {0, 255, 0, 255, s.Substrate}, "legend": {0, 0, 255, 255, s.Silkscreen}, "no legend on pads": {255, 255, 255, 255, s.Finish},
		"half a track": {128, 0, 0, 255, half(s.Masked, s.OverCopper)}, "half a letter": {0, 0, 128, 255, half(s.Masked, s.Silkscreen)},
	} {
		if got := p[Pixel(tt.copper, tt.opening, tt.print, tt.body)].(color.NRGBA); !isNear(got, tt.want, 12) {
			t.Errorf("%s is %v, want %v", name, got, tt.want)
		}
	}
	if got := p[Pixel(0, 0, 0, 128)].(color.NRGBA); got.A < 110 || got.A > 145 {
		t.Errorf("the edge covers %d of 255, want about half", got.A)
	}
}

func half(a, b color.NRGBA) color.NRGBA {
	f := func(x, y uint8) uint8 { return uint8((int(x) + int(y)) / 2) }
	return color.NRGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), 255}
}

func isNear(a, b color.NRGBA, d int) bool {
	f := func(x, y uint8) bool { return int(x)-int(y) <= d && int(y)-int(x) <= d }
	return f(a.R, b.R) && f(a.G, b.G) && f(a.B, b.B) && f(a.A, b.A)
}

// plate is a map: mask, and a pad from a quarter to three quarters.
func plate(t *testing.T, w, h int) []byte {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, w, h), Look{}.Scheme().Palette())
	for y := range h {
		for x := range w {
			img.Pix[y*img.Stride+x] = Pixel(0, 0, 0, 255)
			if x >= w/4 && x < w*3/4 {
				img.Pix[y*img.Stride+x] = Pixel(255, 255, 0, 255)
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatalf("encode a map of %d by %d: %v", w, h, err)
	}
	return addMark(out.Bytes())
}

func pixelAt(t *testing.T, data []byte, x, y int) color.NRGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
}

func TestIn(t *testing.T) {
	t.Parallel()
	data := plate(t, 40, 20)
	for _, l := range []Look{{}, {Mask: "Red", Finish: "hasl"}, {Mask: "White", Finish: "osp", Silkscreen: "Black"}} {
		got, s := Recolour(data, l), l.Scheme()
		if len(got) != len(data) {
			t.Errorf("%v: %d bytes became %d, want as many", l, len(data), len(got))
		}
		if pixelAt(t, got, 1, 1) != s.Masked || pixelAt(t, got, 20, 10) != s.Finish {
			t.Errorf("%v shows mask %v, pad %v; want %v, %v", l, pixelAt(t, got, 1, 1), pixelAt(t, got, 20, 10), s.Masked, s.Finish)
		}
		if again := Recolour(got, Look{}); !bytes.Equal(again, data) {
			t.Errorf("%v painted again without a look is another map than before", l)
		}
	}
	for _, other := range [][]byte{nil, []byte("no picture"), data[:60], bytes.Replace(data, []byte("materials 1"), []byte("materials 2"), 1), append([]byte(signature), 0xff, 0xff, 0xff, 0xff)} {
		if got := Recolour(other, Look{Mask: "Red"}); !bytes.Equal(got, other) {
			t.Errorf("%d bytes that are no map are changed", len(other))
		}
	}
}

func TestSmall(t *testing.T) {
	t.Parallel()
	data := plate(t, 1200, 900)
	small, isMap, err := Small(data, 480, 360)
	if err != nil || !isMap {
		t.Fatalf("Small of a map: a map %t, %v; want a map", isMap, err)
	}
	head, err := png.DecodeConfig(bytes.NewReader(small))
	if err != nil || head.Width != 480 || head.Height != 360 {
		t.Fatalf("Small at 480 by 360 is %d by %d, %v", head.Width, head.Height, err)
	}
	l := Look{Mask: "Blue", Finish: "hasl"}
	got, s := Recolour(small, l), l.Scheme()
	if pixelAt(t, got, 10, 10) != s.Masked || pixelAt(t, got, 240, 180) != s.Finish {
		t.Errorf("small it shows mask %v, pad %v; want %v, %v", pixelAt(t, got, 10, 10), pixelAt(t, got, 240, 180), s.Masked, s.Finish)
	}
	var plain bytes.Buffer
	if err := png.Encode(&plain, image.NewNRGBA(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	if _, isMap, err := Small(plain.Bytes(), 2, 2); isMap || err != nil {
		t.Errorf("another picture: %v, %v", isMap, err)
	}
	if _, isMap, err := Small(addMark(plain.Bytes()), 2, 2); !isMap || err == nil {
		t.Error("a picture that is only marked is taken")
	}
}

// BenchmarkIn: another look costs a copy.
func BenchmarkIn(b *testing.B) {
	img := image.NewPaletted(image.Rect(0, 0, 1200, 900), Look{}.Scheme().Palette())
	var out bytes.Buffer
	_ = png.Encode(&out, img)
	data := addMark(out.Bytes())
	for b.Loop() {
		Recolour(data, Look{Mask: "Red"})
	}
}

// TestSays: a word that begins somewhere in a text, after anything but letters of its own case.
func TestSays(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"tin": true, "Tin": true, "immersion tin": true, "immersion_tin": true, "ImmersionTin": true, "TIN": true, "tinned": true, "2tin": true, "(tin)": true,
		"coating": false, "satin": false, "SATIN": false, "ti": false, "": false, "t in": false,
	} {
		if got := says(in, "tin"); got != want {
			t.Errorf("says(%q, \"tin\") = %v, want %v", in, got, want)
		}
	}
}

// TestSubstrates: laminates by the words of orders and of files.
func TestSubstrates(t *testing.T) {
	t.Parallel()
	glass := rgb(0xc3b57f)
	for material, want := range map[string]color.NRGBA{
		"": glass, "FR4": glass, "FR-4 TG170": glass, "Aluminium": rgb(0xb9bdc0), "aluminum core": rgb(0xb9bdc0), "Polyimide": rgb(0xb8741c), "Flex": rgb(0xb8741c),
		"Rogers RO4350B": rgb(0xe6e2d3), "PTFE": rgb(0xe6e2d3), "Ceramic": rgb(0xeeece4), "Copper core": rgb(0xb97a45), "copper": glass, "reflex": glass,
	} {
		if got := (Look{Material: material}).Scheme().Substrate; got != want {
			t.Errorf("material %q is %v, want %v", material, got, want)
		}
	}
}
