// Package document draws what customers keep, as PDF: one sheet layout for
// invoices, credit notes and formal quotes. What a document says is recorded
// elsewhere; drawn again it is the same, byte for byte.
package document

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/language"
	"boardorder/pkg/money"

	"github.com/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

const (
	goFont = "go"
	margin = 20.0 // mm
	width  = 170.0
)

// A Sheet is a document while it is drawn, from top to bottom, on as many A4
// pages as it takes.
type Sheet struct {
	pdf   *fpdf.Fpdf
	set   *setter
	words *language.Printer
	own   bool // it has the mark and colours of the house, as documents do since they have a language
}

// A Title says what a document is.
type Title struct {
	Kind     string // Invoice
	Name     string // its number
	Order    string // what people call the order
	At       time.Time
	Language string // that it is written in; "" of one from before there were several, in English
}

// Open begins a document. Its times are those of the title.
func Open(t Title) Sheet {
	d := fpdf.New("P", "mm", "A4", "")
	d.SetCatalogSort(true)
	d.SetCreationDate(t.At.UTC())
	d.SetModificationDate(t.At.UTC())
	p := language.Find(t.Language)
	d.SetLang(p.Code)
	d.SetTitle(t.Kind+" "+t.Name, true)
	d.SetProducer("boardorder", true)
	d.AddUTF8FontFromBytes(goFont, "", goregular.TTF)
	d.AddUTF8FontFromBytes(goFont, "B", gobold.TTF)
	d.SetMargins(margin, margin, margin)
	d.SetAutoPageBreak(true, margin)
	s := Sheet{d, newSetter(d, p.Code), p, t.Language != ""}
	d.SetFooterFunc(func() {
		d.SetY(-15)
		s.text("", 8)
		s.cell(width, 5, p.Text("%s · %s · page %d", t.Name, t.Order, d.PageNo()), "", 0, "C")
	})
	d.AddPage()
	if s.own {
		s.drawMark(margin+d.GetCellMargin(), 10, 10)
	}
	return s
}

// Bytes ends the document.
func (s Sheet) Bytes() ([]byte, error) {
	if s.set.coded {
		s.Gap(3)
		s.Notes(s.words.Text("In brackets, such as [U+1F600]: the Unicode number of a character that cannot be drawn here."))
	}
	var out bytes.Buffer
	if err := s.pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("draw document: %w", err)
	}
	return out.Bytes(), nil
}

func (s Sheet) text(style string, size float64) { s.set.use(style, size) }

// column writes words into w mm from the current place on.
func (s Sheet) column(w, h float64, words string) {
	s.set.block(w, w-2*s.pdf.GetCellMargin(), h, words, "", nil)
}

func (s Sheet) block(x, y, w float64, lines []string) float64 {
	s.pdf.SetXY(x, y)
	for _, line := range lines {
		s.pdf.SetX(x)
		s.column(w, 5, Line(line))
	}
	return s.pdf.GetY()
}

// Mark writes words in a frame above all else, such as that nothing of it is real.
func (s Sheet) Mark(words string) {
	x := margin
	if s.own {
		x += 14 // the mark is there
	}
	s.pdf.SetXY(x, 12)
	s.text("B", 12)
	if words = Line(words); s.set.isBase(words) {
		s.pdf.MultiCell(margin+width-x, 6, words, "1", "C", false)
		return
	}
	s.column(margin+width-x, 6, words)
	s.pdf.Rect(x, 12, margin+width-x, s.pdf.GetY()-12, "D")
}

// Parties writes whom the document is for at the left, and the seller at the right.
func (s Sheet) Parties(buyer, seller []string) {
	s.text("", 10)
	left := s.block(margin, 30, 80, buyer)
	right := s.block(margin+95, 30, 75, seller)
	s.pdf.SetXY(margin, max(left, right)+12)
}

// Heading writes the title and, under it, facts with their names.
func (s Sheet) Heading(title string, facts [][2]string) {
	s.text("B", 18)
	if s.own {
		s.ink(green)
	}
	s.cell(width, 9, title, "", 1, "L")
	if s.own {
		s.ink([3]int{})
	}
	s.text("", 10)
	names := 30.0
	for _, f := range facts {
		names = max(names, s.set.width(f[0])+4)
	}
	for _, f := range facts {
		s.cell(names, 5.5, f[0], "", 0, "L")
		s.column(width-names, 5.5, Line(f[1]))
	}
	s.pdf.Ln(6)
}

// cell writes words into one cell, as the PDF library does, in any script.
func (s Sheet) cell(w, h float64, words, border string, next int, align string) {
	if s.set.isBase(words) {
		s.pdf.CellFormat(w, h, words, border, next, align, false, 0, "")
		return
	}
	x, free := s.pdf.GetX(), w-2*s.pdf.GetCellMargin()-s.set.width(words)
	place := x + s.pdf.GetCellMargin() + map[string]float64{"C": free / 2, "R": free}[align]
	y := s.pdf.GetY()
	s.set.write(words, place, h)
	s.pdf.SetXY(x, y)
	s.pdf.CellFormat(w, h, "", border, next, align, false, 0, "")
}

// Section begins a part of the document, on the next page unless height mm of it
// fit on this one.
func (s Sheet) Section(title string, height float64) {
	if _, page := s.pdf.GetPageSize(); s.pdf.GetY()+height > page-margin {
		s.pdf.AddPage()
	}
	s.text("B", 12)
	s.column(width, 7, Line(title))
}

// Row writes what an amount is for, and the amount. A bold one has a line above.
func (s Sheet) Row(label, amount string, bold bool) {
	style, border := "", ""
	if bold {
		style, border = "B", "T"
	}
	s.text(style, 10)
	s.set.block(width-35, width-40, 6, Line(label), border, func(border string) {
		s.cell(35, 6, amount, border, 1, "R")
	})
}

// RowOfMany writes a row with what one costs and how many there are, before the amount of
// all; bold, it is the head of such rows.
func (s Sheet) RowOfMany(label, quantity, each, amount string, bold bool) {
	style, border := "", ""
	if bold {
		style, border = "B", "B"
	}
	s.text(style, 10)
	s.set.block(width-95, width-100, 6, Line(label), border, func(border string) {
		s.cell(25, 6, quantity, border, 0, "R")
		s.cell(35, 6, each, border, 0, "R")
		s.cell(35, 6, amount, border, 1, "R")
	})
}

// Amount writes money as the document's language does.
func (s Sheet) Amount(cents int64, currency string) string {
	if !s.own {
		return money.Amount(cents, currency)
	}
	return s.words.Amount(cents, currency)
}

// Gap leaves so many mm free.
func (s Sheet) Gap(mm float64) { s.pdf.Ln(mm) }

// Notes writes sentences in small type, each on lines of its own.
func (s Sheet) Notes(notes ...string) {
	s.text("", 9)
	for _, n := range notes {
		s.column(width, 4.8, Line(n))
	}
}

// Prose writes a text of somebody's own, with its line breaks.
func (s Sheet) Prose(text string) {
	s.text("", 10)
	for line := range strings.Lines(text) {
		s.column(width, 5, limitText(line, maxProse))
	}
}

const (
	maxLine  = 300
	maxProse = 2000
)

// Persian and the scripts of India write with these, which are seen by what they
// join or keep apart. They never show elsewhere (untrusted.IsHarmful), but here texts are shaped.
const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

// Line keeps words from outside on their line and to a length, without marks that
// turn the direction of writing.
func Line(s string) string { return limitText(s, maxLine) }

func limitText(s string, most int) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if untrusted.IsHarmful(r) && r != zwj && r != zwnj {
			return ' '
		}
		return r
	}, s)), " ")
	return untrusted.Shorten(s, most)
}
