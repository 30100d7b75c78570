// Package strokefont draws text as pen strokes for boards whose file holds the words
// but not the letters' shapes. The glyphs are our own and plain; their sizes
// follow the habit of PCB tools: capitals are as high as the stated height, a
// letter advances by about its height, lines lie 1.6 heights apart.
package strokefont

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"boardorder/pkg/board/geom"
)

// Align says which part of the text lies at its anchor.
type Align int8

// Alignments, for both directions: text begins at, is centred on or ends at the
// anchor. In the vertical, Start is the top of the first line, End the base of
// the last.
const (
	Start  Align = -1
	Centre Align = 0
	End    Align = 1
)

// Style is how text is set. Sizes are nanometres of a capital letter without
// the pen.
type Style struct {
	Width, Height int64
	Pen           int64
	Italic        bool
	H, V          Align
	Mirror        bool    // x becomes -x round the anchor, before turning
	Rotation      float64 // degrees counter-clockwise
	LineFactor    float64 // distance of lines in heights; 0 is 1.6
}

// MaxRunes is how much of a text is drawn.
const MaxRunes = 4000

// The glyph grid: rows from baseline to capital height, and columns that make
// a letter as wide as high.
const (
	capRows  = 9.0
	emCols   = 9.5
	gapCols  = 2.8
	slant    = 1.0 / 8
	lineStep = 1.6
)

// Lines gives the strokes of text anchored at at, each a path to be drawn with
// the pen.
func Lines(text string, at geom.Point, s Style) []geom.Path {
	return new(Writer).Lines(text, at, s)
}

// A Writer sets one text after another in the same memory.
type Writer struct {
	style   Style
	place   geom.Transform
	columns float64 // a column's width
	rows    float64 // a row's height
	points  []geom.Point
	paths   []geom.Path
}

// Lines is like the function Lines; what it gives holds until the next call.
func (w *Writer) Lines(text string, at geom.Point, s Style) []geom.Path {
	if len(text) > MaxRunes {
		if r := []rune(text); len(r) > MaxRunes {
			text = string(r[:MaxRunes])
		}
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	step := s.LineFactor
	if step == 0 {
		step = lineStep
	}
	h := float64(s.Height)
	rows := strings.Count(text, "\n")
	block := h + step*h*float64(rows)
	top := block // of the first line above the anchor
	switch s.V {
	case Start:
		top = 0
	case Centre:
		top = block / 2
	}
	w.begin(text, s, geom.Transform{Offset: at, Rotation: s.Rotation, Mirror: s.Mirror})
	for i := range rows + 1 {
		row, rest, _ := strings.Cut(text, "\n")
		w.row(row, top-h-step*h*float64(i))
		text = rest
	}
	return w.paths
}

// begin makes room for a text, so that its paths lie in one piece of memory.
func (w *Writer) begin(text string, s Style, place geom.Transform) {
	points, paths := 0, 0
	for _, r := range text {
		g := glyph(r)
		n := 1 + strings.Count(g, " ")
		paths += n
		points += len(g)/2 + n // a dot takes a point twice
	}
	w.style, w.place = s, place
	w.columns, w.rows = float64(s.Width)/emCols, float64(s.Height)/capRows
	w.points, w.paths = slices.Grow(w.points[:0], points), slices.Grow(w.paths[:0], paths)
}

// row sets one row of letters on a base line.
func (w *Writer) row(row string, base float64) {
	width := 0.0
	for _, r := range row {
		width += advance(glyph(r))
	}
	width = max(0, width-gapCols)
	x := 0.0
	switch w.style.H {
	case Centre:
		x = -width / 2
	case End:
		x = -width
	}
	for _, r := range row {
		g := glyph(r)
		w.glyph(g, x, base)
		x += advance(g)
	}
}

// glyph draws a letter, x columns from the anchor.
func (w *Writer) glyph(g string, x, base float64) {
	start := len(w.points)
	for i := 1; i+1 < len(g); {
		if g[i] == ' ' {
			w.end(start)
			start = len(w.points)
			i++
			continue
		}
		gx, gy := x+float64(g[i]-'0'), float64(int(g[i+1])-'d')
		px, py := gx*w.columns, base+gy*w.rows
		if w.style.Italic {
			px += gy * w.rows * slant
		}
		w.points = append(w.points, w.place.Apply(geom.Pt(int64(math.Round(px)), int64(math.Round(py)))))
		i += 2
	}
	w.end(start)
}

// end makes a path of the points from start on.
func (w *Writer) end(start int) {
	switch len(w.points) - start {
	case 0:
		return
	case 1:
		w.points = append(w.points, w.points[start])
	}
	w.paths = append(w.paths, geom.Path{Points: w.points[start:len(w.points):len(w.points)]})
}

func advance(g string) float64 { return float64(g[0]-'0') + gapCols }

// glyph is the drawing of a letter; one without a drawing of its own borrows
// that of its base letter, or is a box.
func glyph(r rune) string {
	if r >= 32 && r < 127 {
		return ascii[r-32]
	}
	if g, ok := others[r]; ok {
		return g
	}
	if b, ok := base()[r]; ok {
		return ascii[b-32]
	}
	if unicode.IsSpace(r) {
		return ascii[0]
	}
	if !unicode.IsPrint(r) {
		return "0"
	}
	return "60d0m6m6d0d"
}

// base maps letters with marks to the letter without.
var base = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{'“': '"', '”': '"', '‘': '\'', '’': '\'', '−': '-', '™': 'T', '®': 'R', '©': 'C'}
	for letter, marked := range map[rune]string{
		'A': "ÀÁÂÃÄÅĀĂĄ", 'C': "ÇĆČ", 'D': "ĎĐ", 'E': "ÈÉÊËĒĘĚ", 'G': "Ğ", 'I': "ÌÍÎÏİ", 'L': "Ł", 'N': "ÑŃŇ",
		'O': "ÒÓÔÕÖŐ", 'R': "Ř", 'S': "ŚŞŠ", 'T': "Ť", 'U': "ÙÚÛÜŰŮ", 'Y': "ÝŸ", 'Z': "ŹŻŽ",
		'a': "àáâãäåāăą", 'c': "çćč", 'd': "ďđ", 'e': "èéêëēęě", 'g': "ğ", 'i': "ìíîïı", 'l': "ł", 'n': "ñńň",
		'o': "òóôõöő", 'r': "ř", 's': "śşš", 't': "ť", 'u': "ùúûüűů", 'y': "ýÿ", 'z': "źżž",
	} {
		for _, r := range marked {
			m[r] = letter
		}
	}
	return m
})
