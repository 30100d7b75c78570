package overlay

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestTitles: a caption names the check as a sentence begins, and what was measured in the check's own unit.
func TestTitles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		f    dfm.Finding
		want string
	}{
		"a length":         {dfm.Finding{Check: dfm.TrackClearance, Value: 90_000, Limit: 127_000}, ": 0.09 mm, limit 0.127 mm"},
		"a ratio":          {dfm.Finding{Check: dfm.AspectRatio, Value: 12_340, Limit: 10_000}, ": 12.3, limit 10.0"},
		"nothing measured": {dfm.Finding{Check: dfm.Unrouted}, ""},
	} {
		got := title(tt.f)
		words := tt.f.Check.Words()
		if !strings.HasSuffix(got, tt.want) || !strings.EqualFold(got[:len(words)], words) || got[0] >= 'a' && got[0] <= 'z' || tt.want == "" && len(got) != len(words) {
			t.Errorf("%s: title of %+v: %q, want %q with a capital, then %q", name, tt.f, got, words, tt.want)
		}
	}
}

// TestPlacesInWords: where the places are, as far as that is one place, and that all is seen from the top.
func TestPlacesInWords(t *testing.T) {
	t.Parallel()
	place := dfm.Place{Layer: "F.Cu", At: geom.Pt(12_345_600, -1_000)}
	for name, tt := range map[string]struct {
		f    dfm.Finding
		want []string
	}{
		"one":             {dfm.Finding{Count: 1, Places: []dfm.Place{place}}, []string{"F.Cu", "x 12.346  y -0.001 mm", "seen from the top"}},
		"one of no layer": {dfm.Finding{Count: 1, Places: []dfm.Place{{At: geom.Pt(0, 0)}}}, []string{"x 0.000  y 0.000 mm", "seen from the top"}},
		"two of two":      {dfm.Finding{Count: 2, Places: []dfm.Place{place, place}}, []string{"F.Cu", "2 places", "seen from the top"}},
		"two of nine":     {dfm.Finding{Count: 9, Places: []dfm.Place{place, place}}, []string{"F.Cu", "2 of 9 places", "seen from the top"}},
	} {
		if got := describePlaces(tt.f); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestEnds: a place reaches from one point to another where it is a distance, or names a second
// point; the origin by itself is no second point.
func TestEnds(t *testing.T) {
	t.Parallel()
	a, b := geom.Pt(mm, mm), geom.Pt(3*mm, 2*mm)
	for name, tt := range map[string]struct {
		p      dfm.Place
		end    bool
		length int64
	}{
		"a point":                     {dfm.Place{At: a}, false, 0},
		"a distance":                  {dfm.Place{At: a, To: b, Distance: true}, true, 2 * mm},
		"a connection":                {dfm.Place{At: a, To: b}, true, 2 * mm},
		"a distance to the origin":    {dfm.Place{At: a, Distance: true}, true, mm},
		"a distance of nothing":       {dfm.Place{At: a, To: a, Distance: true}, false, 0},
		"upwards more than to a side": {dfm.Place{At: a, To: geom.Pt(mm, 9*mm), Distance: true}, true, 8 * mm},
	} {
		if got := HasEnd(tt.p); got != tt.end {
			t.Errorf("%s: %+v has an end: %t, want %t", name, tt.p, got, tt.end)
		}
		if got := findingLength(dfm.Finding{Places: []dfm.Place{tt.p}}); got != tt.length {
			t.Errorf("%s: a finding at %+v is about %d nm, want %d", name, tt.p, got, tt.length)
		}
		if box := ends(tt.p); !box.Contains(tt.p.At) || tt.end && !box.Contains(tt.p.To) {
			t.Errorf("%s: the box %v of %+v, want both ends in it", name, box, tt.p)
		}
	}
}

// TestProportions: a window takes the picture's proportions by growing, around the same centre.
func TestProportions(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]geom.Box{
		"wide": {Max: geom.Pt(100*mm, 10*mm)}, "high": {Max: geom.Pt(10*mm, 100*mm)}, "as it should be": {Max: geom.Pt(880, 620)}, "a point": geom.BoxOf(geom.Pt(5*mm, 5*mm)),
		"left of the origin": {Min: geom.Pt(-100*mm, -10*mm), Max: geom.Pt(-50*mm, 0)},
	} {
		got := fit(b)
		if r := float64(got.Width()) / float64(max(got.Height(), 1)); name != "a point" && (r < ratio*0.99 || r > ratio*1.01) {
			t.Errorf("%s: %v became %v, %.3f as wide as high; want %.3f", name, b, got, r, ratio)
		}
		if got.Width() < b.Width()-1 || got.Height() < b.Height()-1 {
			t.Errorf("%s: %v became %v, want it no smaller", name, b, got)
		}
		if c, was := got.Centre(), b.Centre(); max(c.X-was.X, was.X-c.X, c.Y-was.Y, was.Y-c.Y) > 1 {
			t.Errorf("%s: the centre of %v became %v, want %v", name, b, c, was)
		}
	}
}

// TestColours: each kind of layer, and each level, has a colour of its own; inner copper layers go
// through four.
func TestColours(t *testing.T) {
	t.Parallel()
	layer := func(role pcb.Role, side pcb.Side, order int) *pcb.Layer {
		l := pcb.NewLayer("l", "")
		l.Role, l.Side, l.Order = role, side, order
		return l
	}
	seen := map[color.NRGBA]string{}
	for name, c := range map[string]color.NRGBA{
		"top copper": Colour(layer(pcb.RoleCopper, pcb.Top, 1)), "bottom copper": Colour(layer(pcb.RoleCopper, pcb.Bottom, 4)), "inner 1": Colour(layer(pcb.RoleCopper, pcb.Inner, 2)), "inner 2": Colour(layer(pcb.RoleCopper, pcb.Inner, 3)),
		"inner 3": Colour(layer(pcb.RoleCopper, pcb.Inner, 4)), "inner 4": Colour(layer(pcb.RoleCopper, pcb.Inner, 5)), "mask": Colour(layer(pcb.RoleMask, pcb.Top, 0)), "paste": Colour(layer(pcb.RolePaste, pcb.Top, 0)),
		"legend": Colour(layer(pcb.RoleSilk, pcb.Top, 0)), "outline": Colour(layer(pcb.RoleOutline, pcb.NoSide, 0)), "drills": Colour(layer(pcb.RoleDrill, pcb.NoSide, 0)), "others": Colour(layer(pcb.RoleUnknown, pcb.NoSide, 0)),
		"must fix": MarkColour(dfm.MustFix), "warning": MarkColour(dfm.Warning), "note": MarkColour(dfm.Note),
	} {
		if other, twice := seen[c]; twice {
			t.Errorf("%s and %s are both %v, want a colour each", name, other, c)
		}
		if seen[c] = name; c.A != 0xff {
			t.Errorf("%s is %v, want no transparency", name, c)
		}
	}
	for order := 2; order < 12; order++ { // twelve copper layers are told apart
		name, c := fmt.Sprintf("inner layer %d", order), Colour(layer(pcb.RoleCopper, pcb.Inner, order))
		if other, twice := seen[c]; twice && !strings.HasPrefix(other, "inner") {
			t.Errorf("%s and %s are both %v, want a colour each", name, other, c)
		}
		for earlier := 2; earlier < order; earlier++ {
			if Colour(layer(pcb.RoleCopper, pcb.Inner, earlier)) == c {
				t.Errorf("%s and inner layer %d are both %v, want a colour each", name, earlier, c)
			}
		}
	}
	if got := Colour(layer(pcb.RoleCopper, pcb.Inner, 0)); got.A != 0xff {
		t.Errorf("an inner layer of no order is %v, want a colour", got)
	}
}

// TestLayersShown: the layers that a finding is about, two at most, over pale copper of their side where
// they are none themselves.
func TestLayersShown(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("b")
	add := func(name string, role pcb.Role, side pcb.Side, order int) {
		l := pcb.NewLayer(name, "")
		l.Role, l.Side, l.Order = role, side, order
		b.Layers = append(b.Layers, l)
	}
	add("top", pcb.RoleCopper, pcb.Top, 1)
	add("in1", pcb.RoleCopper, pcb.Inner, 2)
	add("bottom", pcb.RoleCopper, pcb.Bottom, 3)
	add("top mask", pcb.RoleMask, pcb.Top, 0)
	add("edge", pcb.RoleOutline, pcb.NoSide, 0)
	at := func(layers ...string) (f dfm.Finding) {
		for _, l := range layers {
			f.Places = append(f.Places, dfm.Place{Layer: l})
		}
		return f
	}
	for name, tt := range map[string]struct {
		f    dfm.Finding
		want []string
	}{
		"of copper":          {at("top"), []string{"top 0.8"}},
		"of an inner layer":  {at("in1"), []string{"in1 0.8"}},
		"of two layers":      {at("top", "bottom", "top"), []string{"top 0.8", "bottom 0.8"}},
		"of three layers":    {at("top", "bottom", "in1"), []string{"top 0.8", "bottom 0.8"}},
		"of mask":            {at("top mask"), []string{"top 0.3", "top mask 0.8"}},
		"of mask and copper": {at("top mask", "top"), []string{"top mask 0.8", "top 0.8"}},
		"of the edge":        {at("edge"), []string{"bottom 0.3", "top 0.3", "edge 0.8"}},
		"of no layer":        {at(""), []string{"bottom 0.3", "top 0.3"}},
		"of one that is not": {at("odd"), []string{"bottom 0.3", "top 0.3"}},
	} {
		var got []string
		for _, s := range New(b).findingLayers(tt.f) {
			strength := "0.8"
			if s.strength == 0.3 {
				strength = "0.3"
			}
			got = append(got, s.layer.Name+" "+strength)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: shown %q, want %q", name, got, tt.want)
		}
	}
}

// TestMix: a cover of nothing leaves what is under it, a whole one hides it, half is between.
func TestMix(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		under, over uint8
		a           uint32
		want        uint8
	}{{10, 200, 0, 10}, {10, 200, 255, 200}, {0, 255, 128, 128}, {255, 255, 100, 255}, {0, 0, 100, 0}, {100, 200, 51, 120}} {
		if got := mix(tt.under, tt.over, tt.a); got != tt.want {
			t.Errorf("mix(%d, %d, %d) = %d, want %d", tt.under, tt.over, tt.a, got, tt.want)
		}
	}
	img := image.NewNRGBA(image.Rect(0, 0, 4, 3))
	red := color.NRGBA{0xff, 0, 0, 0xff}
	fill(img, image.Rect(1, 1, 9, 9), red) // beyond the picture
	fill(img, image.Rect(3, 0, 3, 3), red) // nothing
	n := 0
	for y := range 3 {
		for x := range 4 {
			if img.NRGBAAt(x, y) == red {
				n++
			}
		}
	}
	if n != 6 || img.NRGBAAt(0, 0) == red {
		t.Errorf("filling what lies in the picture of a larger part painted %d pixels, want 6", n)
	}
}

// TestColoursAreReduced: a picture of few colours keeps them, one of many loses the least that
// leaves 256.
func TestColoursAreReduced(t *testing.T) {
	t.Parallel()
	of := func(colours int) *image.NRGBA {
		img := image.NewNRGBA(image.Rect(0, 0, colours, 1))
		for x := range colours {
			img.SetNRGBA(x, 0, color.NRGBA{uint8(x), uint8(x >> 8), 0, 0xff})
		}
		return img
	}
	for colours, drop := range map[int]int{1: 0, 256: 0, 257: 1, 512: 1, 513: 2} {
		img := of(colours)
		got, ok := reduceColours(img).(*image.Paletted)
		if !ok || len(got.Palette) > 256 {
			t.Errorf("%d colours became %T, want a palette of 256 at most", colours, reduceColours(img))
			continue
		}
		for x := range colours {
			want, r := int(img.NRGBAAt(x, 0).R), 0
			red, _, _, _ := got.At(x, 0).RGBA()
			if r = int(red >> 8); max(r-want, want-r) > 1<<drop {
				t.Errorf("%d colours: red %d became %d, want it within %d", colours, want, r, 1<<drop)
			}
		}
	}
}
