package picture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"
	"sync"

	"boardorder/pkg/blob"
	"boardorder/pkg/board/paint"

	"golang.org/x/image/draw"
)

const (
	smallWidth  = 480 // pixels: pages show half of it, on dense displays all
	smallHeight = 360
	smallColors = 96
	smallKept   = 32 << 20 // bytes of small pictures that are kept
)

// smalls makes board pictures small, and keeps those that it made lately: a
// drawing of a board is ten times what a page needs.
type smalls struct {
	slots chan struct{}

	mu    sync.Mutex
	kept  map[string][]byte
	order []string // of kept, oldest first
	size  int
}

func newSmalls() *smalls {
	return &smalls{slots: make(chan struct{}, 2), kept: map[string][]byte{}}
}

// get gives the small picture of a blob. A map stays one: in all colours it is
// made once.
func (p *smalls) get(ctx context.Context, blobs blob.Store, key string) ([]byte, error) {
	if data := p.find(key); data != nil {
		return data, nil
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if data := p.find(key); data != nil { // made while we waited
		return data, nil
	}
	data, err := whole(ctx, blobs, key)
	if err == nil {
		data, err = shrink(data)
	}
	if errors.Is(err, blob.ErrNotFound) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("small picture of %s: %w", key, err)
	}
	p.keep(key, data)
	return data, nil
}

func (p *smalls) find(key string) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept[key]
}

func (p *smalls) keep(key string, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept[key] != nil {
		return
	}
	p.kept[key], p.order, p.size = data, append(p.order, key), p.size+len(data)
	for p.size > smallKept && len(p.order) > 1 {
		oldest := p.order[0]
		p.size -= len(p.kept[oldest])
		p.order = slices.Delete(p.order, 0, 1)
		delete(p.kept, oldest)
	}
}

// shrink makes a PNG fit into the small size: a map as such, any other with few
// colours.
func shrink(data []byte) ([]byte, error) {
	if small, isMap, err := paint.Small(data, smallWidth, smallHeight); isMap || err != nil {
		return small, err
	}
	img, err := paint.Decode(data)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, reduceColors(fit(img)))
	return out.Bytes(), err
}

func fit(img image.Image) *image.NRGBA {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	scale := min(1, float64(smallWidth)/float64(max(w, 1)), float64(smallHeight)/float64(max(h, 1)))
	to := image.NewNRGBA(image.Rect(0, 0, max(1, int(float64(w)*scale+.5)), max(1, int(float64(h)*scale+.5))))
	draw.BiLinear.Scale(to, to.Bounds(), img, b, draw.Src, nil)
	return to
}

// reduceColors draws with the colours that are seen most. A board has few, and shades
// between them; only what is not seen through is told apart finely.
func reduceColors(img *image.NRGBA) *image.Paletted {
	type tally struct{ n, r, g, b, a int }
	seen := map[[4]uint8]*tally{}
	for i := 0; i < len(img.Pix); i += 4 {
		k := bucket(img.Pix[i : i+4])
		t := seen[k]
		if t == nil {
			t = &tally{}
			seen[k] = t
		}
		t.n, t.r, t.g, t.b, t.a = t.n+1, t.r+int(img.Pix[i]), t.g+int(img.Pix[i+1]), t.b+int(img.Pix[i+2]), t.a+int(img.Pix[i+3])
	}
	keys := slices.SortedFunc(maps.Keys(seen), func(a, b [4]uint8) int {
		return cmp.Or(cmp.Compare(seen[b].n, seen[a].n), slices.Compare(a[:], b[:]))
	})
	pal := color.Palette{color.NRGBA{}}
	for _, k := range keys[:min(len(keys), smallColors)] {
		t := seen[k]
		pal = append(pal, color.NRGBA{uint8(t.r / t.n), uint8(t.g / t.n), uint8(t.b / t.n), uint8(t.a / t.n)})
	}
	to := image.NewPaletted(img.Rect, pal)
	index := map[[4]uint8]uint8{}
	for i := 0; i < len(img.Pix); i += 4 {
		k := bucket(img.Pix[i : i+4])
		n, ok := index[k]
		if !ok {
			n = uint8(pal.Index(color.NRGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3]}))
			index[k] = n
		}
		to.Pix[i/4] = n
	}
	return to
}

// bucket puts like colours together; all that cannot be seen is one.
func bucket(p []uint8) [4]uint8 {
	if p[3] < 8 {
		return [4]uint8{}
	}
	alpha := p[3] &^ 63
	if p[3] == 255 { // what is not seen through stays so
		alpha = 255
	}
	return [4]uint8{p[0] &^ 15, p[1] &^ 15, p[2] &^ 15, alpha}
}
