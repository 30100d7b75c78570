package overlay

import (
	"context"
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

// TestTitlesTellApart: a value and its limit have as many digits as tell the two apart.
func TestTitlesTellApart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		check        dfm.Name
		value, limit int64
		end          string
	}{
		{dfm.TrackClearance, 90_000, 127_000, ": 0.09 mm, limit 0.127 mm"},
		{dfm.TrackClearance, 126_600, 127_000, ": 0.1266 mm, limit 0.127 mm"},
		{dfm.TrackClearance, 126_999, 127_000, ": 0.126999 mm, limit 0.127 mm"},
		{dfm.TrackClearance, 127_000, 127_000, ": 0.127 mm, limit 0.127 mm"},
		{dfm.TrackClearance, 0, 127_000, ": 0 mm, limit 0.127 mm"},
		{dfm.TrackClearance, 2_000_000, 3_000_000, ": 2 mm, limit 3 mm"},
		{dfm.AspectRatio, 12_500, 10_000, ": 12.5, limit 10.0"},
		{dfm.AspectRatio, 10_040, 10_000, ": 10.04, limit 10.00"},
		{dfm.AspectRatio, 10_001, 10_000, ": 10.001, limit 10.000"},
		{dfm.Unrouted, 0, 0, ""},
	} {
		got := title(dfm.Finding{Check: tt.check, Value: tt.value, Limit: tt.limit})
		first := got[:1]
		if words, end, limited := strings.Cut(got, ":"); words == "" || limited != (tt.limit > 0) || limited && ":"+end != tt.end || strings.ToUpper(first) != first {
			t.Errorf("%s, %d against %d, is titled %q, want a capital and %q at its end", tt.check, tt.value, tt.limit, got, tt.end)
		}
	}
}

// TestWindows: a point is shown with its surroundings; what lies in a window is drawn where it lies.
func TestWindows(t *testing.T) {
	t.Parallel()
	f := findingAt(dfm.Place{Layer: "F.Cu", At: geom.Pt(50*mm, 50*mm)})
	if window, all := frame(f, geom.EmptyBox()); all || window.Width() < nearest || window.Width() > 2*nearest {
		t.Errorf("a point on a board of no extent is shown %.1f mm wide, all %t; want %d mm of its surroundings", geom.Millimetres(window.Width()), all, nearest/mm)
	}
	c := newCanvas(t.Context(), geom.Box{Min: geom.Pt(10*mm, 20*mm), Max: geom.Pt(98*mm, 82*mm)}, Width, Height)
	for _, p := range []geom.Point{geom.Pt(10*mm, 82*mm), geom.Pt(98*mm, 20*mm), geom.Pt(33*mm, 44*mm)} {
		x, y := c.position(p)
		if back := c.point(x, y); back != p || x < 0 || y < 0 || x > Width || y > Height {
			t.Errorf("%v is drawn at %.2f, %.2f, which is %v; want the same within the picture", p, x, y, back)
		}
	}
	if x, y := c.position(geom.Pt(10*mm, 82*mm)); x != 0 || y != 0 {
		t.Errorf("the top left corner is drawn at %.2f, %.2f; want 0, 0: y goes down", x, y)
	}
}

// TestFill: rectangles are filled within the picture.
func TestFill(t *testing.T) {
	t.Parallel()
	red := color.NRGBA{200, 0, 0, 255}
	for rule, tt := range map[string]struct {
		r      image.Rectangle
		filled int
	}{"within": {image.Rect(1, 1, 3, 4), 6}, "over the edge": {image.Rect(-5, 8, 3, 20), 6}, "outside": {image.Rect(20, 20, 30, 30), 0}, "nothing": {image.Rect(3, 3, 3, 9), 0}, "all": {image.Rect(-1, -1, 99, 99), 100}} {
		img := image.NewNRGBA(image.Rect(0, 0, 10, 10))
		fill(img, tt.r, red)
		n := 0
		for i := 0; i < len(img.Pix); i += 4 {
			if img.Pix[i] == red.R && img.Pix[i+3] == 255 {
				n++
			}
		}
		if n != tt.filled {
			t.Errorf("%s: %v fills %d pixels of 100, want %d", rule, tt.r, n, tt.filled)
		}
	}
}

// TestCallerLeaves: a picture that nobody waits for is not drawn.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := New(demo(t)).Draw(ctx, findingAt(gap(20*mm, 15*mm))); !errors.Is(err, context.Canceled) {
		t.Errorf("Draw for nobody: %v, want %v", err, context.Canceled)
	}
}
