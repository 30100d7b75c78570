package report

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/render"
	"boardorder/pkg/contract"
	"boardorder/services/design-check/internal/overlay"
)

// Bounds of a page's drawing, in bytes.
const (
	mostVector  = 350 << 10  // of one layer as paths; beyond it is a picture
	mostDrawing = 4200 << 10 // in all
	pictureSide = 1600       // pixels
	mostLayers  = 40
)

// layerView is one layer that can be switched on and off.
type layerView struct {
	N          int
	Name, Role string
	Colour     string
	Kind       string // top, bottom, inner or both, and copper where it is: what presets go by
	On         bool
	layer      *board.Layer
}

// draw puts the board into the page: its shape, its layers, its holes.
func (v *view) draw(ctx context.Context, b *board.Board) {
	v.about(b)
	extent := render.Extent(b)
	if extent.Empty() {
		return
	}
	v.frame = extent.Grow(max(extent.Width(), extent.Height())/25 + geom.Millimetre)
	v.W, v.H = micron(v.frame.Width()), micron(v.frame.Height())
	var out bytes.Buffer
	if body := overlay.Body(b); len(body.Features) > 0 {
		v.layer(ctx, &out, "body-", body, overlay.BodyColour)
	}
	pictures := v.pictures(ctx, b, mostDrawing-out.Len())
	for i := range v.Layers {
		l, off := &v.Layers[i], " off"
		if l.On {
			off = ""
		}
		fmt.Fprintf(&out, `<g class="layer%s" data-of="%d" opacity=".82">%s</g>`, off, l.N, pictures[l.layer])
	}
	if holes := overlay.Holes(b); len(holes.Features) > 0 && out.Len() < mostDrawing {
		v.layer(ctx, &out, "holes-", holes, overlay.HoleColour)
	}
	slices.SortStableFunc(v.Layers, func(a, b layerView) int {
		return cmp.Or(slices.Index(listed, a.layer.Role)-slices.Index(listed, b.layer.Role), depth(a.layer)-depth(b.layer))
	})
	v.Drawing = template.HTML(out.String()) //nolint:gosec // numbers only: no word from the files is in a drawing
}

// pictures draws the layers that the page shows, of so many bytes at most: the
// most important first, and those that do not fit are named. The page's layers
// are set in the order in which they lie on each other.
func (v *view) pictures(ctx context.Context, b *board.Board, most int) map[*board.Layer][]byte {
	out := map[*board.Layer][]byte{}
	var left []string
	few := len(b.Copper()) <= 4
	for _, l := range v.byImportance(drawn(b)) {
		n := len(out) + 1
		var it bytes.Buffer
		if !v.layer(ctx, &it, "l"+strconv.Itoa(n)+"-", l, overlay.Colour(l)) {
			continue
		}
		if most -= it.Len(); most < 0 || n > mostLayers {
			left, most = append(left, l.Name), most+it.Len()
			continue
		}
		out[l] = it.Bytes()
	}
	v.LeftOut = cut(strings.Join(left, ", "), 500)
	for _, l := range drawn(b) {
		if out[l] != nil {
			c := overlay.Colour(l)
			v.Layers = append(v.Layers, layerView{
				N: len(v.Layers) + 1, Name: l.Name, Role: l.Role.String(), Colour: fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B),
				Kind: kindOf(l),
				On:   l.Role == board.RoleCopper && (few || l.Side != board.Inner), layer: l,
			})
		}
	}
	return out
}

// kindOf says by what a preset finds a layer.
func kindOf(l *board.Layer) string {
	kind := l.Side.String()
	if kind == "" {
		kind = "both"
	}
	if l.Role == board.RoleCopper {
		kind += " copper"
	}
	return kind
}

// byImportance puts those layers first that nobody wants to miss: outer copper,
// what findings are about, then the rest of the copper and what lies on it.
func (v *view) byImportance(layers []*board.Layer) []*board.Layer {
	found := map[string]bool{}
	for _, f := range v.DesignCheck.Findings {
		found[f.Layer] = true
	}
	rank := func(l *board.Layer) int {
		switch {
		case l.Role == board.RoleCopper && l.Side != board.Inner:
			return 0
		case found[l.Name]:
			return 1
		}
		return 2 + slices.Index(listed, l.Role)
	}
	out := slices.Clone(layers)
	slices.SortStableFunc(out, func(a, b *board.Layer) int { return rank(a) - rank(b) })
	return out
}

func (v *view) about(b *board.Board) {
	if w, h := b.Facts.Width, b.Facts.Height; w.Known && h.Known {
		v.About = append([]pair{{"Size", decimal(mm(w.Value)) + " × " + decimal(mm(h.Value)) + " mm"}}, v.About...)
	}
	if n := b.Facts.CopperLayers; n.Known {
		v.About = append(v.About, pair{"Copper layers", strconv.Itoa(n.Value)})
	}
	v.About = append(v.About, pair{"Holes", strconv.Itoa(len(b.Holes))})
}

// listed is the order in which layers are listed.
var listed = []board.Role{
	board.RoleCopper, board.RoleOutline, board.RoleMask, board.RoleSilk, board.RolePaste, board.RoleAssembly, board.RoleCourtyard,
	board.RoleMechanical, board.RoleOther,
}

// drawn are the layers of the page, the bottom ones first so that the top lies
// on top; what is for people to read comes last in importance and is drawn first.
func drawn(b *board.Board) []*board.Layer {
	roles := []board.Role{
		board.RoleMechanical, board.RoleOther, board.RoleCourtyard, board.RoleAssembly, board.RolePaste, board.RoleMask, board.RoleCopper,
		board.RoleSilk, board.RoleOutline,
	}
	var out []*board.Layer
	for _, l := range b.Layers {
		if slices.Contains(roles, l.Role) && (len(l.Features) > 0 || l.Negative) {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(x, y *board.Layer) int {
		if x.Role != y.Role {
			return slices.Index(roles, x.Role) - slices.Index(roles, y.Role)
		}
		return depth(y) - depth(x)
	})
	return out
}

// depth is how far below the top a layer lies.
func depth(l *board.Layer) int {
	switch {
	case l.Order > 0:
		return l.Order
	case l.Side == board.Bottom:
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

// layer draws one layer: as paths, or where those are too many as a picture. It
// reports whether there is anything to see.
func (v *view) layer(ctx context.Context, out *bytes.Buffer, id string, l *board.Layer, colour color.NRGBA) bool {
	paths := &bounded{left: mostVector}
	err := render.LayerSVG(ctx, paths, nil, l, render.Options{Window: v.frame, ID: id, Colour: colour})
	if err == nil {
		inner := paths.Bytes()
		inner = inner[bytes.IndexByte(inner, '>')+1:]
		out.Write(bytes.TrimSuffix(bytes.TrimSpace(inner), []byte("</svg>")))
		return true
	}
	if !errors.Is(err, errTooLong) {
		return false
	}
	img, err := render.Layer(ctx, nil, l, render.Options{Window: v.frame, Width: pictureSide, Height: pictureSide, Colour: colour})
	if err != nil {
		return false
	}
	var png bytes.Buffer
	if err := render.PNG(&png, img); err != nil {
		return false
	}
	fmt.Fprintf(out, `<image width="%s" height="%s" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`,
		v.W, v.H, base64.StdEncoding.EncodeToString(png.Bytes()))
	return true
}

// micron writes nanometres in the drawing's unit.
func micron(nm int64) string {
	return strconv.FormatFloat(float64(nm)/float64(geom.Micrometre), 'f', -1, 64)
}

// at is where a place is in the drawing.
func (v *view) at(p geom.Point) (x, y string) {
	return micron(p.X - v.frame.Min.X), micron(v.frame.Max.Y - p.Y)
}

func nanometres(mm []float64) geom.Point {
	return geom.Pt(int64(math.Round(mm[0]*float64(geom.Millimetre))), int64(math.Round(mm[1]*float64(geom.Millimetre))))
}

// mark makes the marks of each finding that is listed.
func (v *view) mark(d contract.DesignCheck) {
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
			m.X1, m.Y1 = v.at(a)
			m.X2, m.Y2 = v.at(b)
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
	r.X, r.Y = v.at(p)
	return r
}

// numbers are the page's layers that a finding is about.
func (v *view) numbers(f contract.CheckFinding) string {
	var out []string
	for _, l := range v.Layers {
		if slices.ContainsFunc(f.Places, func(p contract.CheckPlace) bool { return p.Layer == l.Name }) {
			out = append(out, strconv.Itoa(l.N))
		}
	}
	return strings.Join(out, " ")
}
