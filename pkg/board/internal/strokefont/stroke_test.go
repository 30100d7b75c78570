package strokefont

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"boardorder/pkg/board/geom"
)

func bounds(paths []geom.Path) geom.Box {
	b := geom.EmptyBox()
	for _, p := range paths {
		b = b.Union(p.Bounds())
	}
	return b
}

func TestGlyphsAreWellFormed(t *testing.T) {
	t.Parallel()
	check := func(r rune, g string) {
		if len(g) == 0 || g[0] < '0' || g[0] > '9' {
			t.Errorf("glyph %q has no width: %q", r, g)
			return
		}
		for i := 1; i < len(g); {
			if g[i] == ' ' {
				i++
				continue
			}
			if i+1 >= len(g) || g[i] < '0' || g[i] > '8' || g[i+1] < 'a' || g[i+1] > 'n' {
				t.Errorf("glyph %q: %q at %d is no point", r, g, i)
				return
			}
			if g[i] > g[0] {
				t.Errorf("glyph %q leaves its width at %d of %q", r, i, g)
			}
			i += 2
		}
	}
	for i, g := range ascii {
		check(rune(32+i), g)
	}
	for r, g := range others {
		check(r, g)
	}
}

func TestAlignment(t *testing.T) {
	t.Parallel()
	const mm = 1_000_000
	for name, tt := range map[string]struct {
		style Style
		want  geom.Box // of a capital H, which fills 6 of 9.5 columns and the whole height
	}{
		"start":  {Style{Width: 95 * mm, Height: 90 * mm, H: Start, V: End}, geom.Box{Max: geom.Pt(60*mm, 90*mm)}},
		"centre": {Style{Width: 95 * mm, Height: 90 * mm}, geom.Box{Min: geom.Pt(-30*mm, -45*mm), Max: geom.Pt(30*mm, 45*mm)}},
		"end":    {Style{Width: 95 * mm, Height: 90 * mm, H: End, V: Start}, geom.Box{Min: geom.Pt(-60*mm, -90*mm)}},
		"mirror": {Style{Width: 95 * mm, Height: 90 * mm, H: Start, V: End, Mirror: true}, geom.Box{Min: geom.Pt(-60*mm, 0), Max: geom.Pt(0, 90*mm)}},
		"turned": {Style{Width: 95 * mm, Height: 90 * mm, H: Start, V: End, Rotation: 90}, geom.Box{Min: geom.Pt(-90*mm, 0), Max: geom.Pt(0, 60*mm)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := bounds(Lines("H", geom.Point{}, tt.style)); got != tt.want {
				t.Errorf("bounds of H = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestLinesGoDown(t *testing.T) {
	t.Parallel()
	s := Style{Width: 9_500_000, Height: 9_000_000, H: Start, V: Start}
	one, two := bounds(Lines("H", geom.Point{}, s)), bounds(Lines("H\nH", geom.Point{}, s))
	if one.Max.Y != two.Max.Y || two.Min.Y >= one.Min.Y {
		t.Errorf("one line spans %v, two span %v: the second must hang below", one, two)
	}
}

// TestWriter sets texts of several lengths with one writer.
func TestWriter(t *testing.T) {
	t.Parallel()
	var w Writer
	for _, text := range []string{"R1", "a longer text\r\nof two lines.", "", "i", "ä§Ω\n\n:"} {
		style := Style{Width: 1_000_000, Height: 1_200_000, Pen: 150_000, Italic: len(text) > 3, V: End, Rotation: 30}
		at := geom.Pt(5, 7)
		if d := cmp.Diff(Lines(text, at, style), w.Lines(text, at, style), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%q set after others (-alone +after):\n%s", text, d)
		}
	}
}
