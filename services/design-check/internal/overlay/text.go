package overlay

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
	"sync"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// faces are read once; each drawing has its own, for they are not to be shared.
var faces = sync.OnceValues(func() ([2]*opentype.Font, error) {
	regular, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return [2]*opentype.Font{}, err
	}
	bold, err := opentype.Parse(gobold.TTF)
	return [2]*opentype.Font{regular, bold}, err
})

// text writes a line and gives where it ends.
func (c *canvas) text(s string, x, y int, size float64, bold bool, colour color.NRGBA) int {
	fonts, err := faces()
	if err != nil {
		c.err = err
		return x
	}
	f := fonts[0]
	if bold {
		f = fonts[1]
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		c.err = err
		return x
	}
	defer face.Close() //nolint:errcheck // it never fails
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(colour), Face: face, Dot: fixed.P(x, y)}
	d.DrawString(shorten(s, &d, Width-16-x))
	return d.Dot.X.Ceil()
}

// shorten cuts a text that is wider than so many pixels.
func shorten(s string, d *font.Drawer, width int) string {
	if d.MeasureString(s).Ceil() <= width {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && d.MeasureString(string(r)+"…").Ceil() > width {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// caption says below the drawing what it shows, and how large it is.
func (c *canvas) caption(f dfm.Finding) {
	fill(c.img, image.Rect(0, Height, Width, Height+caption), halo)
	fill(c.img, image.Rect(0, Height, Width, Height+1), color.NRGBA{0xd5, 0xda, 0xd6, 0xff})
	colour := MarkColour(f.Level)
	c.text(title(f), 16, Height+26, 17, true, colour)
	c.text(strings.Join(describePlaces(f), "   "), 16, Height+49, 14, false, soft)
	c.ruler()
}

// describePlaces describes where the places are, as far as that is one place.
func describePlaces(f dfm.Finding) []string {
	var out []string
	p := f.Places[0]
	if p.Layer != "" {
		out = append(out, p.Layer)
	}
	switch n := len(f.Places); {
	case n == 1:
		out = append(out, fmt.Sprintf("x %.3f  y %.3f mm", geom.Millimetres(p.At.X), geom.Millimetres(p.At.Y)))
	case f.Count > n:
		out = append(out, fmt.Sprintf("%d of %d places", n, f.Count))
	default:
		out = append(out, fmt.Sprintf("%d places", n))
	}
	return append(out, "seen from the top")
}

// title is the check with what was measured.
func title(f dfm.Finding) string {
	words := []rune(f.Check.Words())
	if len(words) > 0 && words[0] >= 'a' && words[0] <= 'z' {
		words[0] -= 'a' - 'A'
	}
	s := string(words)
	switch {
	case f.Limit == 0:
	case f.Check == dfm.AspectRatio:
		value, limit := distinct(f.Value, f.Limit, 1, 3, thousandths)
		s += fmt.Sprintf(": %s, limit %s", value, limit)
	default:
		value, limit := distinct(f.Value, f.Limit, 3, 6, length)
		s += fmt.Sprintf(": %s mm, limit %s mm", value, limit)
	}
	return s
}

// distinct writes a value and its limit with as many decimals as tell them apart.
func distinct(value, limit int64, least, most int, write func(v int64, decimals int) string) (v, l string) {
	for decimals := least; decimals <= most; decimals++ {
		if v, l = write(value, decimals), write(limit, decimals); v != l || value == limit {
			break
		}
	}
	return v, l
}

// length is a length in millimetres, without needless zeros.
func length(nm int64, decimals int) string {
	shift := math.Pow10(decimals)
	return strconv.FormatFloat(math.Round(geom.Millimetres(nm)*shift)/shift, 'f', -1, 64)
}

func thousandths(v int64, decimals int) string {
	return strconv.FormatFloat(float64(v)/1000, 'f', decimals, 64)
}

// ruler shows a round length.
func (c *canvas) ruler() {
	const target = 130 // pixels
	mm := c.scale * target / float64(geom.Millimetre)
	step := math.Pow(10, math.Floor(math.Log10(mm)))
	for _, m := range []float64{5, 2} {
		if step*m <= mm {
			step *= m
			break
		}
	}
	n := int(step * float64(geom.Millimetre) / c.scale)
	x, y := Width-16-n, Height+38
	for _, r := range []image.Rectangle{image.Rect(x, y, x+n, y+2), image.Rect(x, y-5, x+2, y+7), image.Rect(x+n-2, y-5, x+n, y+7)} {
		fill(c.img, r, ink)
	}
	label := strconv.FormatFloat(step, 'f', -1, 64) + " mm"
	c.text(label, x+4, y-8, 13, false, ink)
}
