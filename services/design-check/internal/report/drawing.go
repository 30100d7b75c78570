package report

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/designchecks"
	"boardorder/services/design-check/internal/overlay"
)

// Bounds of a page's drawing, in bytes. What counts is what they weigh as they are
// sent, packed: a report is opened on phones.
const (
	maxVector  = 350 << 10 // of one layer as paths, unpacked; beyond it is a picture
	light      = 10 << 10  // a layer whose paths weigh no more is drawn by them
	maxDrawing = 120 << 10 // in all
	maxBeside  = 6 << 20   // of the layers beside the page, unpacked
	maxLayers  = 40
)

// Pixels by which a layer's picture is wide or high: at first, and as far as there is
// room.
const smallSide = 600

var largeSides = []int{1400, 1000}

// layerView is one layer that can be switched on and off.
type layerView struct {
	N          int
	Name, Role string
	Colour     string
	Kind       string // top, bottom, inner or both, and copper where it is: what presets go by
	On         bool
	Late       bool // its drawing lies beside the page, and is fetched once it is wanted
	layer      *pcb.Layer
}

// draw puts the board into the page: its shape, its layers, its holes.
func (v *view) draw(ctx context.Context, b *pcb.Board) {
	v.describeBoard(b)
	extent := render.Extent(b)
	if extent.Empty() {
		return
	}
	v.frame = extent.Grow(max(extent.Width(), extent.Height())/25 + geom.Millimetre)
	v.W, v.H = micron(v.frame.Width()), micron(v.frame.Height())
	var out bytes.Buffer
	if body := overlay.Body(b); len(body.Features) > 0 {
		out.Write(v.layer(ctx, "body-", body, overlay.BodyColour))
	}
	pictures := v.pictures(ctx, b, maxDrawing-weight(out.Bytes()))
	for i := range v.Layers {
		l, off := &v.Layers[i], " off"
		if l.On {
			off = ""
		}
		if l.Late {
			continue
		}
		fmt.Fprintf(&out, `<g class="layer%s" data-of="%d" opacity=".82">%s</g>`, off, l.N, pictures[l.layer])
	}
	if holes := overlay.Holes(b); len(holes.Features) > 0 {
		out.Write(v.layer(ctx, "holes-", holes, overlay.HoleColour))
	}
	slices.SortStableFunc(v.Layers, func(a, b layerView) int {
		return cmp.Or(slices.Index(listed, a.layer.Role)-slices.Index(listed, b.layer.Role), depth(a.layer)-depth(b.layer))
	})
	v.Drawing = template.HTML(out.String()) //nolint:gosec // numbers only: no word from the files is in a drawing
}

// pictures draws the layers that the page shows, of so many bytes at most: the
// most important first. Those that do not fit lie beside it. The page's layers
// are set in the order in which they lie on each other.
func (v *view) pictures(ctx context.Context, b *pcb.Board, most int) map[*pcb.Layer][]byte {
	few := len(b.Copper()) <= 4
	layers := v.sortByImportance(pageLayers(b))
	out, left, most := v.fitting(ctx, layers, most)
	v.sharpen(ctx, layers, out, most)
	v.drawLate(ctx, layers, left)
	for _, l := range pageLayers(b) {
		if late := v.late[l] != nil; late || out[l] != nil {
			c := overlay.Colour(l)
			v.Layers = append(v.Layers, layerView{
				N: len(v.Layers) + 1, Name: l.Name, Role: l.Role.String(), Colour: fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B),
				Kind: kindOf(l), Late: late,
				On: !late && l.Role == pcb.RoleCopper && (few || l.Side != pcb.Inner), layer: l,
			})
		}
	}
	return out
}

// idOf is how a layer's drawing is called in the page.
func idOf(i int) string { return "l" + strconv.Itoa(i+1) + "-" }

// drawLate draws the layers that did not fit, to lie beside the page, and names those for which
// there is no room there either.
func (v *view) drawLate(ctx context.Context, layers, left []*pcb.Layer) {
	v.late = map[*pcb.Layer][]byte{}
	var none []string
	room := maxBeside
	for _, l := range left {
		i := slices.Index(layers, l)
		drawing, _ := v.drawPaths(ctx, idOf(i), l, overlay.Colour(l))
		if drawing == nil {
			drawing = v.picture(ctx, l, overlay.Colour(l), largeSides[0])
		}
		if drawing == nil || len(drawing) > room {
			none = append(none, l.Name)
			continue
		}
		room -= len(drawing)
		v.late[l] = drawing
	}
	v.LeftOut = untrusted.Shorten(strings.Join(none, ", "), 500)
}

// fitting draws layers as light as they can be, as long as they fit, and gives the
// others. It gives the bytes that are left over.
func (v *view) fitting(ctx context.Context, layers []*pcb.Layer, most int) (out map[*pcb.Layer][]byte, left []*pcb.Layer, rest int) {
	out = map[*pcb.Layer][]byte{}
	for i, l := range layers {
		it := v.layer(ctx, idOf(i), l, overlay.Colour(l))
		if it == nil {
			continue
		}
		heavy := weight(it)
		if heavy > most || len(out) == maxLayers {
			left = append(left, l)
			continue
		}
		most -= heavy
		out[l] = it
	}
	return out, left, most
}

// sharpen draws layers better that are small pictures, as far as there is room.
func (v *view) sharpen(ctx context.Context, layers []*pcb.Layer, out map[*pcb.Layer][]byte, most int) {
	for i, l := range layers {
		has := out[l]
		paths, _ := v.drawPaths(ctx, idOf(i), l, overlay.Colour(l))
		if has == nil || most < light || len(paths) == len(has) {
			continue
		}
		most += weight(has)
		for k := range 1 + len(largeSides) {
			better := paths
			if k > 0 {
				better = v.picture(ctx, l, overlay.Colour(l), largeSides[k-1])
			}
			if better != nil && weight(better) <= most {
				out[l] = better
				break
			}
		}
		most -= weight(out[l])
	}
}

// kindOf says by what a preset finds a layer.
func kindOf(l *pcb.Layer) string {
	kind := l.Side.String()
	if kind == "" {
		kind = "both"
	}
	if l.Role == pcb.RoleCopper {
		kind += " copper"
	}
	return kind
}

// sortByImportance puts those layers first that nobody wants to miss: outer copper,
// what findings are about, then the rest of the copper and what lies on it.
func (v *view) sortByImportance(layers []*pcb.Layer) []*pcb.Layer {
	found := map[string]bool{}
	for _, f := range v.DesignCheck.Findings {
		found[f.Layer] = true
	}
	rank := func(l *pcb.Layer) int {
		switch {
		case l.Role == pcb.RoleCopper && l.Side != pcb.Inner:
			return 0
		case found[l.Name]:
			return 1
		}
		return 2 + slices.Index(listed, l.Role)
	}
	out := slices.Clone(layers)
	slices.SortStableFunc(out, func(a, b *pcb.Layer) int { return rank(a) - rank(b) })
	return out
}

func (v *view) describeBoard(b *pcb.Board) {
	size := "not known: no file says it"
	if w, h := b.Facts.Width, b.Facts.Height; w.Known && h.Known {
		size = decimal(mm(w.Value)) + " × " + decimal(mm(h.Value)) + " mm"
	}
	v.About = append([]pair{{"Size", size}}, v.About...)
	if n := b.Facts.CopperLayers; n.Known {
		v.About = append(v.About, pair{"Copper layers", strconv.Itoa(n.Value)})
	}
	v.About = append(v.About, pair{"Holes", strconv.Itoa(len(b.Holes))})
}

// listed is the order in which layers are listed.
var listed = []pcb.Role{
	pcb.RoleCopper, pcb.RoleOutline, pcb.RoleMask, pcb.RoleSilk, pcb.RolePaste, pcb.RoleAssembly, pcb.RoleCourtyard,
	pcb.RoleMechanical, pcb.RoleOther,
}

// pageLayers are the layers of the page, the bottom ones first so that the top lies
// on top; what is for people to read comes last in importance and is drawn first.
func pageLayers(b *pcb.Board) []*pcb.Layer {
	roles := []pcb.Role{
		pcb.RoleMechanical, pcb.RoleOther, pcb.RoleCourtyard, pcb.RoleAssembly, pcb.RolePaste, pcb.RoleMask, pcb.RoleCopper,
		pcb.RoleSilk, pcb.RoleOutline,
	}
	var out []*pcb.Layer
	for _, l := range b.Layers {
		if slices.Contains(roles, l.Role) && (len(l.Features) > 0 || l.Negative) {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(x, y *pcb.Layer) int {
		if x.Role != y.Role {
			return slices.Index(roles, x.Role) - slices.Index(roles, y.Role)
		}
		return depth(y) - depth(x)
	})
	return out
}

// depth is how far below the top a layer lies.
func depth(l *pcb.Layer) int {
	switch {
	case l.Order > 0:
		return l.Order
	case l.Side == pcb.Bottom:
		return 1000
	}
	return 0
}

var errTooLong = errors.New("too long")

// bounded takes so many bytes.
type bounded struct {
	bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errTooLong
	}
	return b.Buffer.Write(p)
}

// layer draws one layer: as paths, or where a small picture weighs less as that; nil
// where there is nothing to see.
func (v *view) layer(ctx context.Context, id string, l *pcb.Layer, colour color.NRGBA) []byte {
	paths, ok := v.drawPaths(ctx, id, l, colour)
	if !ok || paths != nil && weight(paths) <= light {
		return paths
	}
	picture := v.picture(ctx, l, colour, smallSide)
	if picture == nil || paths != nil && weight(paths) <= weight(picture) {
		return paths
	}
	return picture
}

// drawPaths draws a layer once; nil where its paths are too long, and not ok where
// there is nothing to see.
func (v *view) drawPaths(ctx context.Context, id string, l *pcb.Layer, colour color.NRGBA) (paths []byte, ok bool) {
	if p, known := v.paths[l]; known {
		return p, true
	}
	text := &bounded{left: maxVector}
	err := render.LayerSVG(ctx, text, nil, l, render.Options{Window: v.frame, ID: id, Colour: colour})
	switch {
	case err == nil:
		paths = text.Bytes()
		paths = bytes.TrimSuffix(bytes.TrimSpace(paths[bytes.IndexByte(paths, '>')+1:]), []byte("</svg>"))
	case !errors.Is(err, errTooLong):
		return nil, false
	}
	if v.paths == nil {
		v.paths = map[*pcb.Layer][]byte{}
	}
	v.paths[l] = paths
	return paths, true
}

// picture draws one layer as an image; nil where it cannot.
func (v *view) picture(ctx context.Context, l *pcb.Layer, colour color.NRGBA, side int) []byte {
	img, err := render.Layer(ctx, nil, l, render.Options{Window: v.frame, Width: side, Height: side, Colour: colour})
	if err != nil {
		return nil
	}
	var data, out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&data, flat(img, colour)); err != nil {
		return nil
	}
	fmt.Fprintf(&out, `<image width="%s" height="%s" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`,
		v.W, v.H, base64.StdEncoding.EncodeToString(data.Bytes()))
	return out.Bytes()
}

// shades is how many steps of opacity a layer's picture has: enough for smooth
// edges of one colour, and two bits a pixel.
const shades = 4

// flat is a picture of one colour with few steps of opacity.
func flat(img image.Image, c color.NRGBA) *image.Paletted {
	palette := make(color.Palette, shades)
	for i := range palette {
		palette[i] = color.NRGBA{R: c.R, G: c.G, B: c.B, A: uint8(255 * i / (shades - 1))}
	}
	r := img.Bounds()
	out := image.NewPaletted(r, palette)
	drawn, ok := img.(*image.NRGBA)
	if !ok {
		draw.Draw(out, r, img, r.Min, draw.Src)
		return out
	}
	for y := range r.Dy() {
		row := drawn.Pix[y*drawn.Stride:]
		for x := range r.Dx() {
			out.Pix[y*out.Stride+x] = uint8((int(row[4*x+3])*(shades-1) + 127) / 255)
		}
	}
	return out
}

// weight is about what something weighs as it is sent: pages are packed quickly.
func weight(b []byte) int {
	var n counted
	z, err := gzip.NewWriterLevel(&n, gzip.BestSpeed)
	if err != nil {
		return len(b)
	}
	if _, err := z.Write(b); err != nil || z.Close() != nil {
		return len(b)
	}
	return int(n)
}

// counted counts what is written to it.
type counted int

func (c *counted) Write(p []byte) (int, error) {
	*c += counted(len(p))
	return len(p), nil
}

// micron writes nanometres in the drawing's unit.
func micron(nm int64) string {
	return strconv.FormatFloat(float64(nm)/float64(geom.Micrometre), 'f', -1, 64)
}

// coordinates is where a place is in the drawing.
func (v *view) coordinates(p geom.Point) (x, y string) {
	return micron(p.X - v.frame.Min.X), micron(v.frame.Max.Y - p.Y)
}

func nanometres(mm []float64) geom.Point {
	return geom.Pt(int64(math.Round(mm[0]*float64(geom.Millimetre))), int64(math.Round(mm[1]*float64(geom.Millimetre))))
}

// mark makes the marks of each finding that is listed.
func (v *view) mark(d designchecks.DesignCheck) {
	v.marks = make([][]markView, len(d.Findings))
	if v.Drawing == "" {
		return
	}
	usual := micron(max(v.frame.Width(), v.frame.Height()) / 90)
	long := float64(max(v.frame.Width(), v.frame.Height())) / 25
	for i, f := range d.Findings {
		for _, p := range f.Places {
			a, b := nanometres(p.AtMM), nanometres(p.AtMM)
			if len(p.ToMM) == 2 {
				b = nanometres(p.ToMM)
			}
			half := math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)) / 2
			m := markView{R: usual, Line: a != b}
			m.X1, m.Y1 = v.coordinates(a)
			m.X2, m.Y2 = v.coordinates(b)
			if half <= long {
				m.Rings = []ring{v.ring(a.Mid(b), half)}
			} else {
				m.Rings = []ring{v.ring(a, 0), v.ring(b, 0)} // what is long has a ring at either end
			}
			v.marks[i] = append(v.marks[i], m)
		}
	}
}

func (v *view) ring(p geom.Point, span float64) ring {
	r := ring{Span: micron(int64(span))}
	r.X, r.Y = v.coordinates(p)
	return r
}

// numbers are the page's layers that a finding is about.
func (v *view) numbers(f designchecks.Finding) string {
	var out []string
	for _, l := range v.Layers {
		if slices.ContainsFunc(f.Places, func(p designchecks.Place) bool { return p.Layer == l.Name }) {
			out = append(out, strconv.Itoa(l.N))
		}
	}
	return strings.Join(out, " ")
}
