package render

import (
	"bufio"
	"context"
	"fmt"
	"image/color"
	"io"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// SVG writes the finished top or bottom of a board, the bottom as one looks at
// it. Lengths are micrometres of the board; the picture's own size is in
// millimetres, or in pixels when the options ask for some. Options.ID starts all
// ids, so that several pictures can stand in one page.
func SVG(ctx context.Context, w io.Writer, b *pcb.Board, side pcb.Side, o Options) error {
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	s, err := newSVG(pcb.MeterOf(ctx), w, Extent(b), o, side == pcb.Bottom)
	if err != nil {
		return err
	}
	id := o.ID
	if id == "" {
		id = side.String() + "-"
	}
	s.id = id
	c := colours(b, o)
	s.text("<defs>")
	s.boardMask(b)
	s.layersMask("cu", outer(b, side))
	masks := maskLayers(b, side)
	s.layersMask("open", masks)
	s.silkscreenMask(b.Find(pcb.RoleSilk, side), masks)
	s.text("</defs>")
	s.text(`<g mask="url(#` + id + `board)">`)
	s.rect(c.Masked, "")
	s.rect(c.OverCopper, "cu")
	s.text(`<g mask="url(#` + id + `open)">`)
	s.rect(c.Substrate, "")
	s.rect(c.Finish, "cu")
	s.text("</g>")
	s.rect(c.Silkscreen, "silk")
	s.text("</g>")
	return s.end()
}

// LayerSVG writes one layer in one colour, seen from the top, framed like
// [Layer].
func LayerSVG(ctx context.Context, w io.Writer, b *pcb.Board, l *pcb.Layer, o Options) error {
	box := geom.EmptyBox()
	if b != nil {
		box = Extent(b)
	}
	if box.Empty() {
		box = l.Bounds()
	}
	ctx, end := pcb.WithBudget(ctx, pcb.Limits{})
	defer end()
	s, err := newSVG(pcb.MeterOf(pcb.FileContext(ctx, l.File)), w, box, o, false)
	if err != nil {
		return err
	}
	s.id = o.ID
	if s.id == "" {
		s.id = "layer-"
	}
	c := o.Colour
	if c == (color.NRGBA{}) {
		c = layerColour(l)
	}
	s.text("<defs>")
	s.layersMask("it", []*pcb.Layer{l})
	s.text("</defs>")
	s.rect(c, "it")
	return s.end()
}

// svg writes an SVG document.
type svg struct {
	w     *bufio.Writer
	box   geom.Box
	id    string
	buf   []byte
	defs  int
	meter pcb.Meter
	work  pcb.Tally
}

func newSVG(m pcb.Meter, w io.Writer, box geom.Box, o Options, mirror bool) (*svg, error) {
	if o.Window != (geom.Box{}) {
		box, o.Margin = o.Window, 0
	}
	if box.Empty() {
		return nil, ErrNothing
	}
	box = box.Grow(o.Margin)
	s := &svg{w: bufio.NewWriterSize(w, 64<<10), box: box, work: m.Tally(pcb.Painted), meter: m}
	width, height := micron(max(box.Width(), 1)), micron(max(box.Height(), 1))
	size := fmt.Sprintf(`width="%gmm" height="%gmm"`, geom.Millimetres(box.Width()), geom.Millimetres(box.Height()))
	if o.Width > 0 || o.Height > 0 || o.DPI > 0 {
		v, err := newView(m, box, o, mirror)
		if err != nil {
			return nil, err
		}
		size = fmt.Sprintf(`width="%d" height="%d"`, v.w, v.h)
	}
	x := -micron(box.Min.X)
	flip := "1"
	if mirror {
		x, flip = micron(box.Max.X), "-1"
	}
	fmt.Fprintf(s.w, `<svg xmlns="http://www.w3.org/2000/svg" %s viewBox="0 0 %d %d"><g transform="translate(%d %d) scale(%s -1)" stroke-linecap="round" stroke-linejoin="round">`,
		size, width, height, x, micron(box.Max.Y), flip)
	return s, nil
}

func (s *svg) end() error {
	s.text("</g></svg>\n")
	if !s.work.Settle() {
		return s.meter.Err()
	}
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("draw: write SVG: %w", err)
	}
	return nil
}

// text writes markup; errors stay in the writer until it is flushed.
func (s *svg) text(t string) { s.w.WriteString(t) }

// micron rounds nanometres to micrometres.
func micron(v int64) int64 {
	if v < 0 {
		return (v - 500) / 1000
	}
	return (v + 500) / 1000
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// frame is the position and size of the whole picture as attributes.
func (s *svg) frame() string {
	return fmt.Sprintf(`x="%d" y="%d" width="%d" height="%d"`, micron(s.box.Min.X), micron(s.box.Min.Y),
		micron(max(s.box.Width(), 1000)), micron(max(s.box.Height(), 1000)))
}

// rect fills the picture with a colour where a mask lets it through.
func (s *svg) rect(c color.NRGBA, mask string) {
	fmt.Fprintf(s.w, `<rect %s fill="%s"`, s.frame(), hex(c))
	if mask != "" {
		s.text(` mask="url(#` + s.id + mask + `)"`)
	}
	s.text("/>")
}

func (s *svg) openMask(name string) {
	fmt.Fprintf(s.w, `<mask id="%s%s" maskUnits="userSpaceOnUse" %s>`, s.id, name, s.frame())
}

// boardMask lets through what is board: its areas without cutouts and holes.
func (s *svg) boardMask(b *pcb.Board) {
	s.openMask("board")
	s.text(`<path fill="#fff" fill-rule="evenodd" d="`)
	for _, a := range boardAreas(b) {
		s.path(a.Outer)
		for _, h := range a.Holes {
			s.path(h)
		}
	}
	s.text(`"/>`)
	for i := range b.Holes {
		h := &b.Holes[i]
		if !s.work.Add(1) {
			break
		}
		s.text(`<path stroke="#000" fill="none" stroke-width="`)
		s.number(h.Diameter)
		s.text(`" d="`)
		b.HoleEdges(h, func(e geom.Edge) { s.path(geom.Path{Points: []geom.Point{e.A, e.B}, Bends: bend(e)}) })
		s.text(`"/>`)
	}
	s.text("</mask>")
}

func bend(e geom.Edge) []geom.Bend {
	if !e.IsArc() {
		return nil
	}
	return []geom.Bend{{Clockwise: e.Turn == geom.Clockwise, Centre: e.Centre}}
}

// layersMask lets through what the layers draw.
func (s *svg) layersMask(name string, layers []*pcb.Layer) {
	s.openMask(name)
	for _, l := range layers {
		s.layer(l, "#fff", "#000")
	}
	s.text("</mask>")
}

// silkscreenMask lets through the silkscreen where the solder mask has no openings.
func (s *svg) silkscreenMask(silk, masks []*pcb.Layer) {
	s.openMask("silk")
	for _, l := range silk {
		s.layer(l, "#fff", "#000")
	}
	if len(masks) > 0 {
		s.text(`<g mask="url(#` + s.id + `open)">`)
		s.rect(color.NRGBA{0, 0, 0, 255}, "")
		s.text("</g>")
	}
	s.text("</mask>")
}

// number writes a length in micrometres, to a tenth.
func (s *svg) number(nm int64) {
	s.buf = appendTenths(s.buf[:0], nm)
	s.w.Write(s.buf)
}

func appendTenths(b []byte, nm int64) []byte {
	if nm < 0 {
		b, nm = append(b, '-'), -nm
	}
	t := (nm + 50) / 100
	b = strconv.AppendInt(b, t/10, 10)
	if t%10 > 0 {
		b = append(b, '.', byte('0'+t%10))
	}
	return b
}
