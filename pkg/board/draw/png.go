package draw

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
	"runtime"
	"sync"
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
	compressed, err := deflate(r, bpp, row)
	if err != nil {
		return err
	}
	for _, part := range compressed {
		c.chunk("IDAT", part)
	}
	c.chunk("IEND", nil)
	return c.err
}

// pieceBytes is how much of a picture is compressed in one piece. Pieces are
// compressed side by side; a stream of flushed pieces is one valid stream.
const pieceBytes = 1 << 20

// deflate filters and compresses the rows into the parts of one zlib stream.
func deflate(r image.Rectangle, bpp int, row func(int) []byte) ([][]byte, error) {
	line := 1 + r.Dx()*bpp
	rows := max(1, pieceBytes/line)
	n := (r.Dy() + rows - 1) / rows
	parts := make([][]byte, n+2)
	sums := make([]uint32, n)
	errs := make([]error, n)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			y0, y1 := i*rows, min((i+1)*rows, r.Dy())
			p := pieces.Get().(*piece)
			p.filter(line, y0, y1, row)
			sums[i] = adler32.Checksum(p.filtered)
			parts[i+1], errs[i] = p.compress(i == n-1)
			pieces.Put(p)
			<-slots
		})
	}
	wg.Wait()
	sum := uint32(1)
	for i := range n {
		sum = joinAdler(sum, sums[i], (min((i+1)*rows, r.Dy())-i*rows)*line)
	}
	parts[0] = []byte{0x78, 0x01} // zlib, fastest
	parts[n+1] = binary.BigEndian.AppendUint32(nil, sum)
	return parts, errors.Join(errs...)
}

// piece is what compressing some rows takes: kept between pictures.
type piece struct {
	filtered []byte
	out      bytes.Buffer
	w        *flate.Writer
}

var pieces = sync.Pool{New: func() any { return new(piece) }}

// filter puts the Up filter on the rows y0 to y1.
func (p *piece) filter(line, y0, y1 int, row func(int) []byte) {
	if n := line * (y1 - y0); cap(p.filtered) < n {
		p.filtered = make([]byte, n)
	} else {
		p.filtered = p.filtered[:n]
	}
	var prev []byte
	if y0 > 0 {
		prev = row(y0 - 1)
	}
	for y := y0; y < y1; y++ {
		dst, cur := p.filtered[(y-y0)*line:(y-y0+1)*line], row(y)
		dst[0] = 2 // Up
		filterUp(dst[1:], cur, prev)
		prev = cur
	}
}

// compress compresses the piece so that another can follow, unless it is the last.
func (p *piece) compress(last bool) ([]byte, error) {
	p.out.Reset()
	if p.w == nil {
		w, err := flate.NewWriter(&p.out, flate.BestSpeed)
		if err != nil {
			return nil, err
		}
		p.w = w
	} else {
		p.w.Reset(&p.out)
	}
	if _, err := p.w.Write(p.filtered); err != nil {
		return nil, err
	}
	end := p.w.Flush
	if last {
		end = p.w.Close
	}
	err := end()
	return bytes.Clone(p.out.Bytes()), err
}

// joinAdler gives the Adler-32 of two runs of bytes from that of each and the
// second's length.
func joinAdler(a, b uint32, n int) uint32 {
	const mod = 65521
	a1, a2, b1, b2, l := a&0xffff, a>>16, b&0xffff, b>>16, uint32(n%mod)
	s1 := (a1 + b1 + mod - 1) % mod
	s2 := (a2 + b2 + uint32(uint64(l)*uint64(a1+mod-1)%mod)) % mod
	return s2<<16 | s1
}

// filterUp subtracts the row above from cur, eight bytes at a time.
func filterUp(dst, cur, prev []byte) {
	if prev == nil {
		copy(dst, cur)
		return
	}
	const high = 0x8080808080808080
	n := len(cur) &^ 7
	for i := 0; i < n; i += 8 {
		x, y := binary.LittleEndian.Uint64(cur[i:]), binary.LittleEndian.Uint64(prev[i:])
		binary.LittleEndian.PutUint64(dst[i:], (x|high)-(y&^high)^(x^^y)&high)
	}
	for i := n; i < len(cur); i++ {
		dst[i] = cur[i] - prev[i]
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
