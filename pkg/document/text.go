package document

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-pdf/fpdf"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"

	"boardorder/pkg/document/internal/fonts"
)

// em is what widths are counted in: a thousandth of the size of the type.
const em = 1000

const (
	noBreakSpace = '\u00a0'
	narrowSpace  = '\u202f'
)

const mmOfPoint = 25.4 / 72

// A setter sets texts in all scripts. What the Go font has is written with it. All
// else is drawn as the outlines of its glyphs, with the text itself over them,
// invisible, for who searches, copies or listens.
type setter struct {
	pdf    *fpdf.Fpdf
	fonts  *fonts.Set
	shaper shaping.HarfbuzzShaper
	parts  shaping.Segmenter
	wrap   shaping.LineWrapper

	style string
	size  float64 // points
	coded bool    // a character that no font has was written as its code
}

func newSetter(pdf *fpdf.Fpdf, language string) *setter {
	return &setter{pdf: pdf, fonts: fonts.NewSet(language)}
}

func (t *setter) use(style string, size float64) {
	t.style, t.size = style, size
	t.pdf.SetFont(goFont, style, size)
}

// isBase tells whether the font that the PDF has is all that a text needs.
func (t *setter) isBase(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !t.fonts.IsInBase(r) })
}

// width is how many mm a text takes on one line.
func (t *setter) width(text string) float64 {
	w := 0.0
	for _, line := range t.lines(t.replaceUnknown(text), 1e4) {
		for _, run := range line {
			w += t.mm(run.Advance)
		}
	}
	return w
}

// write writes a text on one line from x on.
func (t *setter) write(text string, x, h float64) {
	runes := t.replaceUnknown(text)
	for _, line := range t.lines(runes, 1e4) {
		t.line(runes, line, x, h)
	}
}

// block writes a text into a column of w mm from the current place on, each line h mm
// high, and goes below it. Lines break so that most mm hold them. What stands beside
// the last line is written by last, which then goes below it.
func (t *setter) block(w, most, h float64, text, border string, last func(border string)) {
	runes := t.replaceUnknown(text)
	x := t.pdf.GetX()
	lines := t.lines(runes, most)
	for n, line := range lines {
		if n == len(lines)-1 && last != nil {
			t.pdf.CellFormat(w, h, "", border, 0, "L", false, 0, "")
			t.line(runes, line, x+t.pdf.GetCellMargin(), h)
			last(border)
			return
		}
		t.pdf.CellFormat(w, h, "", border, 2, "L", false, 0, "")
		t.pdf.SetY(t.pdf.GetY() - h)
		t.line(runes, line, x+t.pdf.GetCellMargin(), h)
		t.pdf.SetXY(x, t.pdf.GetY()+h)
		border = ""
	}
	t.pdf.SetX(margin)
}

// replaceUnknown is a text in characters that some font has. One that none has, such as a
// picture, stands as its code in brackets.
func (t *setter) replaceUnknown(text string) []rune {
	var out []rune
	for _, r := range norm.NFC.String(text) {
		switch {
		case r == zwnj || r == zwj:
			out = append(out, r)
		case unicode.Is(unicode.Variation_Selector, r):
		case r == narrowSpace: // in the numbers of French; few fonts have it
			out = append(out, noBreakSpace)
		case r <= 0xffff && t.fonts.Has(r):
			out = append(out, r)
		default:
			out = append(out, []rune(fmt.Sprintf("[U+%04X]", r))...)
			t.coded = true
		}
	}
	return out
}

// lines breaks a text at the places that its script has, or anywhere in what is too
// long for a line.
func (t *setter) lines(text []rune, mm float64) []shaping.Line {
	if len(text) == 0 {
		return []shaping.Line{nil}
	}
	t.fonts.Begin(text, t.style == "B")
	direction := directionOf(text)
	var runs []shaping.Output
	for _, in := range t.parts.Split(shaping.Input{Text: text, RunEnd: len(text), Direction: direction, Size: fixed.I(em)}, t.fonts) {
		if t.fonts.IsBase(in.Face) {
			in.FontFeatures = []shaping.FontFeature{{Tag: opentype.MustNewTag("kern"), Value: 0}} // as the PDF's reader sets it
		}
		runs = append(runs, t.shaper.Shape(in))
	}
	lines, _ := t.wrap.WrapParagraphF(shaping.WrapConfig{Direction: direction}, fixed.Int26_6(mm/t.mm(1)), text, shaping.NewSliceIterator(runs))
	return lines
}

// directionOf is that of the first letter that has one.
func directionOf(text []rune) di.Direction {
	for _, r := range text {
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.L:
			return di.DirectionLTR
		case bidi.R, bidi.AL:
			return di.DirectionRTL
		}
	}
	return di.DirectionLTR
}

// orderRuns orders the runs of a line from left to right, by rule L2 of the Unicode
// bidirectional algorithm. The library's own order knows the direction of a run
// alone, and would put a number behind Hebrew words to their right.
func orderRuns(text []rune, line shaping.Line, paragraph di.Direction) []shaping.Output {
	levels := make([]int, len(line))
	for n, run := range line {
		words := text[run.Runes.Offset : run.Runes.Offset+run.Runes.Count]
		switch {
		case run.Direction == di.DirectionRTL:
			levels[n] = 1
		case paragraph == di.DirectionRTL, n > 0 && levels[n-1] > 0 && !slices.ContainsFunc(words, unicode.IsLetter):
			levels[n] = 2
		}
	}
	out := slices.Clone(line)
	for level := 2; level > 0; level-- {
		for from := 0; from < len(out); from++ {
			to := from
			for to < len(out) && levels[to] >= level {
				to++
			}
			slices.Reverse(out[from:to])
			slices.Reverse(levels[from:to])
			from = max(from, to-1)
		}
	}
	return out
}

// mm is a width in the size that is in use.
func (t *setter) mm(width fixed.Int26_6) float64 {
	return float64(width) / 64 / em * t.size * mmOfPoint
}

// line draws one line from x on, in the middle of h mm.
func (t *setter) line(text []rune, line shaping.Line, x, h float64) {
	baseline := t.pdf.GetY() + h/2 + 0.3*t.size*mmOfPoint
	for _, run := range orderRuns(text, line, directionOf(text)) {
		words := text[run.Runes.Offset : run.Runes.Offset+run.Runes.Count]
		if t.fonts.IsBase(run.Face) && run.Direction == di.DirectionLTR {
			t.pdf.Text(x, baseline, string(words))
		} else {
			t.outlines(run, x, baseline)
			t.invisible(words, run, x, baseline)
		}
		x += t.mm(run.Advance)
	}
}

// outlines fills the glyphs of a run. Bold is a line around them.
func (t *setter) outlines(run shaping.Output, x, y float64) {
	placeX, placeY := t.pdf.GetXY() // a path moves it
	defer t.pdf.SetXY(placeX, placeY)
	unit := t.size * mmOfPoint / float64(run.Face.Upem())
	for _, g := range run.Glyphs {
		if outline, ok := run.Face.GlyphData(g.GlyphID).(font.GlyphOutline); ok {
			t.path(outline, x+t.mm(g.XOffset), y-t.mm(g.YOffset), unit)
		}
		x += t.mm(g.Advance)
	}
	if t.style == "B" {
		before := t.pdf.GetLineWidth()
		t.pdf.SetLineJoinStyle("round")
		t.pdf.SetLineWidth(t.size * mmOfPoint / 30)
		t.pdf.DrawPath("FD")
		t.pdf.SetLineWidth(before)
		t.pdf.SetLineJoinStyle("miter")
		return
	}
	t.pdf.DrawPath("F")
}

func (t *setter) path(outline font.GlyphOutline, x0, y0, unit float64) {
	at := func(p opentype.SegmentPoint) (float64, float64) {
		return x0 + float64(p.X)*unit, y0 - float64(p.Y)*unit
	}
	var x, y float64
	for n, s := range outline.Segments {
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if n > 0 {
				t.pdf.ClosePath()
			}
			x, y = at(s.Args[0])
			t.pdf.MoveTo(x, y)
		case opentype.SegmentOpLineTo:
			x, y = at(s.Args[0])
			t.pdf.LineTo(x, y)
		case opentype.SegmentOpQuadTo:
			cx, cy := at(s.Args[0])
			ex, ey := at(s.Args[1])
			t.pdf.CurveBezierCubicTo(x+(cx-x)*2/3, y+(cy-y)*2/3, ex+(cx-ex)*2/3, ey+(cy-ey)*2/3, ex, ey)
			x, y = ex, ey
		case opentype.SegmentOpCubeTo:
			ax, ay := at(s.Args[0])
			bx, by := at(s.Args[1])
			x, y = at(s.Args[2])
			t.pdf.CurveBezierCubicTo(ax, ay, bx, by, x, y)
		}
	}
	if len(outline.Segments) > 0 {
		t.pdf.ClosePath()
	}
}

// invisible writes the text of a run over its glyphs, as wide as they are. Text that
// is read from the right stands as it is seen, as readers of PDFs expect it.
func (t *setter) invisible(words []rune, run shaping.Output, x, y float64) {
	text := string(words)
	if run.Direction == di.DirectionRTL {
		r := []rune(text)
		slices.Reverse(r)
		text = string(r)
	}
	own := t.pdf.GetStringWidth(text)
	if own == 0 {
		return
	}
	t.pdf.SetTextRenderingMode(3)
	t.pdf.RawWriteStr(fmt.Sprintf("%.2f Tz\n", 100*t.mm(run.Advance)/own))
	t.pdf.Text(x, y, text)
	t.pdf.RawWriteStr("100 Tz\n")
	t.pdf.SetTextRenderingMode(0)
}
