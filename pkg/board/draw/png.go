package draw

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
)

// PNG writes a picture that this package made. It favours speed over the last
// few per cent of size: pictures of boards are flat areas, which compress well
// with any filter.
func PNG(w io.Writer, img image.Image) error {
	buf := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch m := img.(type) {
	case *image.NRGBA:
		err = encode(buf, m.Rect, 6, nil, nil, func(y int) []byte { return m.Pix[y*m.Stride : y*m.Stride+4*m.Rect.Dx()] }, 4)
	case *image.Paletted:
		plte, trns := palette(m.Palette)
		err = encode(buf, m.Rect, 3, plte, trns, func(y int) []byte { return m.Pix[y*m.Stride : y*m.Stride+m.Rect.Dx()] }, 1)
	default:
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(buf, img)
	}
	if err == nil {
		err = buf.Flush()
	}
	if err != nil {
		return fmt.Errorf("draw: write PNG: %w", err)
	}
	return nil
}

func palette(p color.Palette) (plte, trns []byte) {
	for _, c := range p {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		plte = append(plte, n.R, n.G, n.B)
		trns = append(trns, n.A)
	}
	return plte, trns
}

// encode writes the chunks of a PNG of 8 bits a channel. Rows equal to the one
// before, which boards are full of, become zeros by the Up filter.
func encode(w io.Writer, r image.Rectangle, kind byte, plte, trns []byte, row func(int) []byte, bpp int) error {
	c := chunker{w: w}
	c.raw([]byte("\x89PNG\r\n\x1a\n"))
	head := binary.BigEndian.AppendUint32(nil, uint32(r.Dx()))
	head = binary.BigEndian.AppendUint32(head, uint32(r.Dy()))
	c.chunk("IHDR", append(head, 8, kind, 0, 0, 0))
	if plte != nil {
		c.chunk("PLTE", plte)
		c.chunk("tRNS", trns)
	}
	data := bufio.NewWriterSize(idat{&c}, 32<<10)
	z, err := zlib.NewWriterLevel(data, zlib.BestSpeed)
	if err != nil {
		return err
	}
	line := make([]byte, 1+r.Dx()*bpp)
	line[0] = 2 // Up
	var prev []byte
	for y := range r.Dy() {
		cur := row(y)
		filterUp(line[1:], cur, prev)
		if _, err := z.Write(line); err != nil {
			return err
		}
		prev = cur
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := data.Flush(); err != nil {
		return err
	}
	c.chunk("IEND", nil)
	return c.err
}

func filterUp(dst, cur, prev []byte) {
	if prev == nil {
		copy(dst, cur)
		return
	}
	for i, c := range cur {
		dst[i] = c - prev[i]
	}
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

// idat writes each block as an image data chunk.
type idat struct{ c *chunker }

func (i idat) Write(b []byte) (int, error) {
	i.c.chunk("IDAT", b)
	return len(b), i.c.err
}
