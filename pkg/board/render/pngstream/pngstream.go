// Package pngstream writes PNG piece by piece: rows are filtered and compressed side by
// side as they are drawn, so that a picture never is in memory as a whole, and pictures
// that are drawn as runs of one colour are packed without making their pixels. Its
// output is what image/png reads.
package pngstream

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
	"runtime"
	"sync/atomic"

	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/paint"
)

// Encode writes a picture: those of packages image that pixels of one byte or four are
// kept in piece by piece, others as image/png does.
func Encode(w io.Writer, img image.Image) error {
	var s Stream
	var pix []byte
	stride, line := 0, 0
	switch m := img.(type) {
	case *image.NRGBA:
		s = Stream{W: m.Rect.Dx(), H: m.Rect.Dy(), Kind: Translucent}
		pix, stride, line = m.Pix, m.Stride, 4*s.W
	case *image.Paletted:
		s = Stream{W: m.Rect.Dx(), H: m.Rect.Dy(), Kind: Indexed, Palette: m.Palette}
		pix, stride, line = m.Pix, m.Stride, s.W
	default:
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, img); err != nil {
			return fmt.Errorf("draw: write PNG: %w", err)
		}
		return nil
	}
	s.Rows = max(1, pieceBytes/line)
	return s.Write(w, runtime.GOMAXPROCS(0), func(y0, y1 int) Piece { return Pack(pix[y0*stride:], y1-y0, stride, line) })
}

// EncodeMap writes a map of package paint, marked as such.
func EncodeMap(w io.Writer, img *image.Paletted) error {
	s := Stream{W: img.Rect.Dx(), H: img.Rect.Dy(), Kind: Indexed, Palette: img.Palette, mark: paint.Mark}
	s.Rows = max(1, pieceBytes/s.W)
	return s.Write(w, runtime.GOMAXPROCS(0), func(y0, y1 int) Piece { return Pack(img.Pix[y0*img.Stride:], y1-y0, img.Stride, s.W) })
}

// pieceBytes is how much of a picture is compressed in one piece.
const pieceBytes = 1 << 20

// colourType is a colour type of PNG, of one or four bytes a pixel.
type colourType byte

const (
	Indexed     colourType = 3
	Translucent colourType = 6 // red, green, blue, alpha
)

// Stream writes a PNG of 8 bits a channel piece by piece: pieces of rows are
// made and compressed side by side and written in order, so that the picture
// never is in memory as a whole. A deflate stream of flushed pieces is one valid
// stream.
type Stream struct {
	W, H    int
	Kind    colourType
	Palette color.Palette
	mark    string // a text beside the pixels, or ""
	Rows    int    // of a piece
}

// Write calls pack for every piece, several at once, which makes the rows y0 to y1.
func (s *Stream) Write(to io.Writer, workers int, pack func(y0, y1 int) Piece) error {
	buf := bufio.NewWriterSize(to, 64<<10)
	c := chunker{w: buf}
	s.head(&c)
	n := (s.H + s.Rows - 1) / s.Rows
	made := make([]chan Piece, n)
	for i := range made {
		made[i] = make(chan Piece, 1)
	}
	workers = max(1, workers)
	slots := make(chan struct{}, 2*workers) // pieces under way or not yet written
	var g parallel.Guard
	var begun atomic.Int64
	for range workers {
		go func() {
			for {
				slots <- struct{}{}
				i := int(begun.Add(1)) - 1
				if i >= n {
					return
				}
				var p Piece
				g.Run(func() { p = pack(i*s.Rows, min((i+1)*s.Rows, s.H)) })
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
	g.Check()
	c.chunk("IDAT", binary.BigEndian.AppendUint32([]byte{3, 0}, sum)) // the last block, empty
	c.chunk("IEND", nil)
	if err := errors.Join(c.err, buf.Flush()); err != nil {
		return fmt.Errorf("draw: write PNG: %w", err)
	}
	return nil
}

// head writes what comes before the pixels, the start of the zlib stream included.
func (s *Stream) head(c *chunker) {
	c.raw([]byte("\x89PNG\r\n\x1a\n"))
	head := binary.BigEndian.AppendUint32(nil, uint32(s.W))
	head = binary.BigEndian.AppendUint32(head, uint32(s.H))
	c.chunk("IHDR", append(head, 8, byte(s.Kind), 0, 0, 0))
	if s.mark != "" {
		c.chunk("tEXt", []byte(s.mark))
	}
	if s.Palette != nil {
		plte, trns := paletteChunks(s.Palette)
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
