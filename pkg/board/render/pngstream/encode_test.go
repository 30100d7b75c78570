package pngstream

import (
	"bytes"
	"errors"
	"hash/adler32"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// TestOtherPictures: pictures that are kept otherwise are written all the same.
func TestOtherPictures(t *testing.T) {
	t.Parallel()
	grey := image.NewGray(image.Rect(0, 0, 3, 2))
	grey.SetGray(2, 1, color.Gray{Y: 77})
	var buf bytes.Buffer
	if err := Encode(&buf, grey); err != nil {
		t.Fatalf("Encode of a grey picture: %v", err)
	}
	got, err := png.Decode(&buf)
	if err != nil || got.Bounds() != grey.Bounds() {
		t.Fatalf("a grey picture of %v is read as %v, %v", grey.Bounds(), got, err)
	}
	if y := color.GrayModel.Convert(got.At(2, 1)).(color.Gray).Y; y != 77 {
		t.Errorf("the last pixel is %d, want 77", y)
	}
}

// TestPartsOfPictures: a part of a larger picture is written without what lies round it.
func TestPartsOfPictures(t *testing.T) {
	t.Parallel()
	whole := image.NewPaletted(image.Rect(0, 0, 9, 9), greys())
	for i := range whole.Pix {
		whole.Pix[i] = uint8(i)
	}
	part := whole.SubImage(image.Rect(2, 3, 6, 8)).(*image.Paletted)
	var buf bytes.Buffer
	if err := Encode(&buf, part); err != nil {
		t.Fatalf("Encode of a part: %v", err)
	}
	got, err := png.Decode(&buf)
	if err != nil {
		t.Fatalf("a part of %v does not decode: %v", part.Rect, err)
	}
	for y := range 5 {
		for x := range 4 {
			if g, want := got.(*image.Paletted).ColorIndexAt(x, y), whole.ColorIndexAt(x+2, y+3); g != want {
				t.Errorf("pixel %d, %d of the part is %d, want %d", x, y, g, want)
			}
		}
	}
}

// TestManyPieces: pieces of a few rows make one picture, however many work on them.
func TestManyPieces(t *testing.T) {
	t.Parallel()
	const w, h = 31, 100
	pix := noise(3, w*h, 200, 5)
	for _, rows := range []int{1, 7, 99, 100, 1000} {
		for _, workers := range []int{0, 1, 8} {
			s := Stream{W: w, H: h, Kind: Indexed, Palette: greys(), Rows: rows}
			var buf bytes.Buffer
			err := s.Write(&buf, workers, func(y0, y1 int) Piece { return Pack(pix[y0*w:], y1-y0, w, w) })
			got, decoded := png.Decode(&buf)
			if err != nil || decoded != nil {
				t.Errorf("%d rows a piece, %d workers: written %v, read %v; want no error", rows, workers, err, decoded)
				continue
			}
			if !bytes.Equal(got.(*image.Paletted).Pix, pix) {
				t.Errorf("%d rows a piece, %d workers: other pixels than were written", rows, workers)
			}
		}
	}
}

var errFull = errors.New("disk full")

// fullDisk takes so many bytes and no more.
type fullDisk int

func (d *fullDisk) Write(b []byte) (int, error) {
	if *d -= fullDisk(len(b)); *d < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWriteErrors: what the writer says is said, wherever it says it.
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	img := &image.Paletted{Pix: noise(1, 300*300, 256, 1), Stride: 300, Rect: image.Rect(0, 0, 300, 300), Palette: greys()}
	for _, room := range []fullDisk{0, 10, 70_000} {
		left := room
		if err := Encode(&left, img); !errors.Is(err, errFull) {
			t.Errorf("Encode to a writer with room for %d bytes: %v, want %v", room, err, errFull)
		}
	}
}

// TestJoinAdler: the checksum of two runs of bytes from those of each.
func TestJoinAdler(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]int{{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1000, 3}, {3, 70_000}, {65_521, 65_521}} {
		a, b := noise(1, c[0], 256, 1), noise(2, c[1], 256, 3)
		got := joinAdler(adler32.Checksum(a), adler32.Checksum(b), len(b))
		if want := adler32.Checksum(append(bytes.Clone(a), b...)); got != want {
			t.Errorf("checksum of %d and %d bytes: %08x, want %08x", c[0], c[1], got, want)
		}
	}
}

// TestLengthSymbols: symbols and extra bits of lengths, after RFC 1951, section 3.2.5.
func TestLengthSymbols(t *testing.T) {
	t.Parallel()
	for l, want := range map[int][3]int{
		3: {257, 0, 0}, 10: {264, 0, 0}, 11: {265, 0, 1}, 12: {265, 1, 1}, 13: {266, 0, 1}, 18: {268, 1, 1}, 19: {269, 0, 2}, 34: {272, 3, 2}, 35: {273, 0, 3}, 66: {276, 7, 3},
		67: {277, 0, 4}, 130: {280, 15, 4}, 131: {281, 0, 5}, 257: {284, 30, 5}, 258: {285, 0, 0},
	} {
		symbol, extra, n := lengthSymbol(l)
		if got := [3]int{symbol, int(extra), int(n)}; got != want {
			t.Errorf("length %d has symbol, extra and bits %v, want %v", l, got, want)
		}
	}
}
