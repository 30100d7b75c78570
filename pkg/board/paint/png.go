package paint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
)

// Mark is the text in a PNG that says that it is a map. Another number is another
// order of the palette.
const Mark = "Comment\x00materials 1"

const (
	signature = "\x89PNG\r\n\x1a\n"
	maxBytes  = 32 << 20
	maxPixels = 64 << 20
)

// chunk is a part of a PNG: where it begins and ends, its length and checksum
// included.
type chunk struct {
	kind     string
	from, to int
	data     []byte
}

// head gives the chunks before the pixels, and whether the PNG is a map.
func head(data []byte) (chunks []chunk, marked bool) {
	if !bytes.HasPrefix(data, []byte(signature)) {
		return nil, false
	}
	for at := len(signature); at+12 <= len(data); {
		n := int(binary.BigEndian.Uint32(data[at:]))
		if n > len(data)-at-12 {
			return nil, false
		}
		c := chunk{string(data[at+4 : at+8]), at, at + 12 + n, data[at+8 : at+8+n]}
		if c.kind == "IDAT" {
			return chunks, marked
		}
		marked = marked || c.kind == "tEXt" && string(c.data) == Mark
		chunks, at = append(chunks, c), c.to
	}
	return nil, false
}

// Recolour gives a PNG in the colours of a look. A picture that is no map stays as it is.
func Recolour(data []byte, l Look) []byte {
	chunks, marked := head(data)
	if !marked {
		return data
	}
	colours, covers := make([]byte, 0, 3*len(mixtures)), make([]byte, 0, len(mixtures))
	for _, c := range l.Scheme().Palette() {
		n := c.(color.NRGBA)
		colours, covers = append(colours, n.R, n.G, n.B), append(covers, n.A)
	}
	out := make([]byte, 0, len(data))
	at := 0
	for _, c := range chunks {
		replacement := map[string][]byte{"PLTE": colours, "tRNS": covers}[c.kind]
		if len(replacement) != len(c.data) || replacement == nil {
			continue
		}
		out = append(out, data[at:c.from]...)
		out = appendChunk(out, c.kind, replacement)
		at = c.to
	}
	return append(out, data[at:]...)
}

func appendChunk(out []byte, kind string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	from := len(out)
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
}

// ErrTooLarge is returned for a picture that nobody here made.
var ErrTooLarge = errors.New("the picture is too large")

// Decode reads a PNG within bounds.
func Decode(data []byte) (image.Image, error) {
	if len(data) > maxBytes {
		return nil, ErrTooLarge
	}
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	if c.Width*c.Height > maxPixels {
		return nil, ErrTooLarge
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return img, nil
}

// Small gives a map that fits into w by h pixels, and whether the PNG is one.
func Small(data []byte, w, h int) ([]byte, bool, error) {
	if _, marked := head(data); !marked {
		return nil, false, nil
	}
	img, err := Decode(data)
	if err != nil {
		return nil, true, err
	}
	m, ok := img.(*image.Paletted)
	if !ok || !isMap(m) {
		return nil, true, errors.New("the picture is marked as a map and is none")
	}
	w, h = fits(m.Rect.Dx(), m.Rect.Dy(), w, h)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, shrink(m, w, h)); err != nil {
		return nil, true, fmt.Errorf("picture: %w", err)
	}
	return addMark(out.Bytes()), true, nil
}

// addMark gives a PNG with the mark after its header.
func addMark(data []byte) []byte {
	const header = len(signature) + 12 + 13
	out := append(make([]byte, 0, len(data)+len(Mark)+12), data[:header]...)
	return append(appendChunk(out, "tEXt", []byte(Mark)), data[header:]...)
}
