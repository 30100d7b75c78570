package render

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"sync/atomic"

	"boardorder/pkg/board/paint"
)

// PNG writes a picture that this package made.
func PNG(w io.Writer, img image.Image) error {
	var s pngStream
	var pix []byte
	stride, line := 0, 0
	switch m := img.(type) {
	case *image.NRGBA:
		s = pngStream{w: m.Rect.Dx(), h: m.Rect.Dy(), kind: translucent}
		pix, stride, line = m.Pix, m.Stride, 4*s.w
	case *image.Paletted:
		s = pngStream{w: m.Rect.Dx(), h: m.Rect.Dy(), kind: indexed, palette: m.Palette}
		pix, stride, line = m.Pix, m.Stride, s.w
	default:
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, img); err != nil {
			return fmt.Errorf("draw: write PNG: %w", err)
		}
		return nil
	}
	s.rows = max(1, pieceBytes/line)
	return s.write(w, workers(Options{}), func(y0, y1 int) piece { return pack(pix[y0*stride:], y1-y0, stride, line) })
}

// MapPNG writes a map of package paint, marked as such.
func MapPNG(w io.Writer, img *image.Paletted) error {
	s := pngStream{w: img.Rect.Dx(), h: img.Rect.Dy(), kind: indexed, palette: img.Palette, mark: paint.Mark}
	s.rows = max(1, pieceBytes/s.w)
	return s.write(w, workers(Options{}), func(y0, y1 int) piece { return pack(img.Pix[y0*img.Stride:], y1-y0, img.Stride, s.w) })
}

// pieceBytes is how much of a picture is compressed in one piece.
const pieceBytes = 1 << 20

// colourType is a colour type of PNG, of one or four bytes a pixel.
type colourType byte

const (
	indexed     colourType = 3
	translucent colourType = 6 // red, green, blue, alpha
)

// pngStream writes a PNG of 8 bits a channel piece by piece: pieces of rows are
// made and compressed side by side and written in order, so that the picture
// never is in memory as a whole. A deflate stream of flushed pieces is one valid
// stream.
type pngStream struct {
	w, h    int
	kind    colourType
	palette color.Palette
	mark    string // a text beside the pixels, or ""
	rows    int    // of a piece
}

// write calls pack for every piece, several at once, which makes the rows y0 to y1.
func (s *pngStream) write(to io.Writer, workers int, pack func(y0, y1 int) piece) error {
	buf := bufio.NewWriterSize(to, 64<<10)
	c := chunker{w: buf}
	s.head(&c)
	n := (s.h + s.rows - 1) / s.rows
	made := make([]chan piece, n)
	for i := range made {
		made[i] = make(chan piece, 1)
	}
	workers = max(1, workers)
	slots := make(chan struct{}, 2*workers) // pieces under way or not yet written
	var g guard
	var begun atomic.Int64
	for range workers {
		go func() {
			for {
				slots <- struct{}{}
				i := int(begun.Add(1)) - 1
				if i >= n {
					return
				}
				var p piece
				g.run(func() { p = pack(i*s.rows, min((i+1)*s.rows, s.h)) })
				made[i] <- p
			}
		}()
	}
	sum := uint32(1)
	for i := range n {
		p := <-made[i]
		sum = joinAdler(sum, p.sum, p.length)
		c.chunk("IDAT", p.data)
		<-slots
	}
	g.check()
	c.chunk("IDAT", binary.BigEndian.AppendUint32([]byte{3, 0}, sum)) // the last block, empty
	c.chunk("IEND", nil)
	if err := errors.Join(c.err, buf.Flush()); err != nil {
		return fmt.Errorf("draw: write PNG: %w", err)
	}
	return nil
}

// head writes what comes before the pixels, the start of the zlib stream included.
func (s *pngStream) head(c *chunker) {
	c.raw([]byte("\x89PNG\r\n\x1a\n"))
	head := binary.BigEndian.AppendUint32(nil, uint32(s.w))
	head = binary.BigEndian.AppendUint32(head, uint32(s.h))
	c.chunk("IHDR", append(head, 8, byte(s.kind), 0, 0, 0))
	if s.mark != "" {
		c.chunk("tEXt", []byte(s.mark))
	}
	if s.palette != nil {
		plte, trns := paletteChunks(s.palette)
		c.chunk("PLTE", plte)
		c.chunk("tRNS", trns)
	}
	c.chunk("IDAT", []byte{0x78, 0x01}) // zlib, fastest
}

func paletteChunks(p color.Palette) (plte, trns []byte) {
	for _, c := range p {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		plte = append(plte, n.R, n.G, n.B)
		trns = append(trns, n.A)
	}
	return plte, trns
}

// chunker writes PNG chunks and remembers the first error.
type chunker struct {
	w   io.Writer
	err error
}

func (c *chunker) raw(b []byte) {
	if c.err == nil {
		_, c.err = c.w.Write(b)
	}
}

func (c *chunker) chunk(kind string, data []byte) {
	head := binary.BigEndian.AppendUint32(make([]byte, 0, 8), uint32(len(data)))
	head = append(head, kind...)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	c.raw(head)
	c.raw(data)
	c.raw(binary.BigEndian.AppendUint32(nil, sum))
}
