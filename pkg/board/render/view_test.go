package render

import (
	"errors"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestPixelCounts: how many pixels a board of 20 by 10 mm has, and where its corner lies.
func TestPixelCounts(t *testing.T) {
	t.Parallel()
	board := geom.Box{Max: geom.Pt(20*mm, 10*mm)}
	for _, tt := range []struct {
		rule string
		o    Options
		w, h int
	}{
		{"nothing asked for", Options{}, 1200, 600},
		{"a width", Options{Width: 300}, 300, 150},
		{"a height", Options{Height: 300}, 600, 300},
		{"a width that is the tighter", Options{Width: 100, Height: 300}, 100, 50},
		{"a height that is the tighter", Options{Width: 900, Height: 100}, 200, 100},
		{"25.4 pixels per inch are one per millimetre", Options{DPI: 25.4}, 20, 10},
		{"254 over a width", Options{DPI: 254, Width: 5}, 200, 100},
		{"a margin of 5 mm all round", Options{Width: 300, Margin: 5 * mm}, 300, 200},
		{"a window, whose margin is none", Options{Width: 100, Margin: 5 * mm, Window: geom.Box{Max: geom.Pt(mm, 2*mm)}}, 100, 200},
		{"5,000 pixels in all", Options{Width: 1200, MaxPixels: 5_000}, 100, 50},
	} {
		v, err := newView(pcb.Meter{}, board, tt.o, false)
		if err != nil || v.w != tt.w || v.h != tt.h {
			t.Errorf("%s: %+v draws %d by %d pixels, %v; want %d by %d", tt.rule, tt.o, v.w, v.h, err, tt.w, tt.h)
		}
	}
	if v, err := newView(pcb.Meter{}, geom.EmptyBox(), Options{}, false); !errors.Is(err, ErrNothing) {
		t.Errorf("an empty box draws %d by %d pixels, %v; want %v", v.w, v.h, err, ErrNothing)
	}
}

// TestPixelPlaces: rows go down while Y goes up, and seen from below X runs to the left.
func TestPixelPlaces(t *testing.T) {
	t.Parallel()
	board := geom.Box{Min: geom.Pt(10*mm, 20*mm), Max: geom.Pt(30*mm, 30*mm)}
	for _, tt := range []struct {
		p      geom.Point
		mirror bool
		x, y   float32
	}{
		{geom.Pt(10*mm, 30*mm), false, 0, 0},
		{geom.Pt(30*mm, 20*mm), false, 200, 100},
		{geom.Pt(11*mm, 28*mm), false, 10, 20},
		{geom.Pt(30*mm, 30*mm), true, 0, 0},
		{geom.Pt(10*mm, 20*mm), true, 200, 100},
		{geom.Pt(11*mm, 28*mm), true, 190, 20},
		{geom.Pt(9*mm, 31*mm), false, -10, -10},
	} {
		v, err := newView(pcb.Meter{}, board, Options{Width: 200}, tt.mirror)
		x, y := v.pixelOf(tt.p)
		if err != nil || max(x-tt.x, tt.x-x, y-tt.y, tt.y-y) > 0.001 {
			t.Errorf("%v, from below %t: at pixel %v, %v, %v; want %v, %v", tt.p, tt.mirror, x, y, err, tt.x, tt.y)
		}
	}
}

// TestLayerColours: copper differs by its side, inner layers by their order.
func TestLayerColours(t *testing.T) {
	t.Parallel()
	seen := map[[3]uint8]string{}
	for name, l := range map[string]*pcb.Layer{
		"top copper":    {Role: pcb.RoleCopper, Side: pcb.Top},
		"bottom copper": {Role: pcb.RoleCopper, Side: pcb.Bottom},
		"inner 2":       {Role: pcb.RoleCopper, Order: 2},
		"inner 3":       {Role: pcb.RoleCopper, Order: 3},
		"inner 9":       {Role: pcb.RoleCopper, Order: 9},
		"mask":          {Role: pcb.RoleMask, Side: pcb.Top},
		"paste":         {Role: pcb.RolePaste, Side: pcb.Top},
		"silkscreen":    {Role: pcb.RoleSilk, Side: pcb.Top},
		"outline":       {Role: pcb.RoleOutline},
		"drill":         {Role: pcb.RoleDrill},
	} {
		c := layerColour(l)
		if other, twice := seen[[3]uint8{c.R, c.G, c.B}]; twice || c.A != 255 {
			t.Errorf("%s is drawn in %v, as %q is; want an opaque colour of its own", name, c, other)
		}
		seen[[3]uint8{c.R, c.G, c.B}] = name
	}
}
