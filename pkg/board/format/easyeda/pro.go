package easyeda

import (
	"context"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/strokefont"
	"boardorder/pkg/board/pcb"
)

// drawing draws a board of EasyEDA Pro.
type drawing struct {
	*builder
	project   *project
	table     layerTable
	mask      [4]float64 // how far the mask is open beyond pads above and below, and beyond vias
	paste     [2]float64
	spans     map[string][2]int // copper layers that vias join, by the rule's name
	pours     map[string]*pour
	instances []*instance
	byID      map[string]*instance
}

// A pour is an area to be filled with copper.
type pour struct {
	element
	pen    int64 // that runs along the border of what it was filled with
	filled bool
}

// A scope is where elements lie: a footprint is turned, mirrored and moved.
type scope struct {
	t    geom.Transform
	part *instance // nil: the board's own
}

// Numbers of layers of EasyEDA Pro with a fixed meaning.
const proMulti = 12

// build draws a board of the project.
func (p *project) build(ctx context.Context, d boardDocument) *pcb.Board {
	t := newLayerTable(d.rows)
	w := &drawing{
		builder: newBuilder(ctx, d.file, p.title(d.id), t.layers), project: p, table: t, spans: map[string][2]int{},
		mask: [4]float64{2, 2, -1000, -1000}, pours: map[string]*pour{}, byID: map[string]*instance{},
	}
	for _, name := range t.planes {
		w.finding(pcb.Problem, "plane_unread", "the copper layer %q is a plane, of which the file holds no copper: send the Gerbers and drill files that EasyEDA makes", name)
	}
	w.gather(d.rows)
	w.drawRows(d.rows, scope{})
	for key, rows := range p.poured {
		if board, pour, ok := strings.Cut(key, "_"); ok && board == d.id {
			for i := range rows {
				w.drawPoured(&rows[i], pour)
			}
		}
	}
	for _, x := range w.instances {
		w.footprint(x)
	}
	w.reportPours()
	for _, name := range p.damaged {
		w.finding(pcb.Problem, "file_damaged", "the project is damaged at %s: export it again, or send the Gerbers and drill files that EasyEDA makes", name)
	}
	t.state(w.b, w.src)
	return w.finish("EasyEDA Pro")
}

// reportPours tells of pours without copper. Where others have it all were filled, and
// nothing was left of these.
func (w *drawing) reportPours() {
	empty, some := 0, false
	for _, p := range w.pours {
		if some = some || p.filled; !p.filled {
			empty++
		}
	}
	switch {
	case empty == 0:
	case some:
		w.finding(pcb.Warning, "pours_empty", "pours without copper in the file: %d of %d; nothing was left of them when all were filled, or they were drawn since: rebuild all copper areas (Shift+B) and save it again if there should be copper", empty, len(w.pours))
	default:
		for _, p := range w.pours {
			w.missPour(p.element)
		}
	}
}

// gather reads what the elements of a board need: rules, parts and their nets.
func (w *drawing) gather(rows []row) {
	for i := range rows {
		r := &rows[i]
		switch r.kind() {
		case "RULE":
			w.rule(r)
		case "COMPONENT":
			w.component(r)
		}
	}
	for i := range rows {
		r := &rows[i]
		switch r.kind() {
		case "ATTR":
			if x := w.byID[r.text(3)]; x != nil {
				x.attributes = append(x.attributes, [2]string{r.text(7), r.text(8)})
			}
		case "PAD_NET":
			if x := w.byID[r.text(1)]; x != nil {
				x.nets[r.text(2)] = r.text(3)
				if id := r.text(4); id != "" {
					x.netsByID[id] = r.text(3)
				}
			}
		}
	}
	for _, x := range w.instances {
		x.resolve(w.project)
	}
}

// rule reads the design rules that openings and spans of vias follow from, and states
// the least distance and width. Rules count from 0 to 1: unused and used.
func (w *drawing) rule(r *row) {
	list, _ := r.value(4).([]any)
	data := &row{list: list}
	inUse := r.text(3) == "1"
	switch r.text(1) {
	case "4":
		for _, v := range list {
			if s, ok := v.([]any); ok {
				s := &row{list: s}
				from, to := w.layers[s.int(1)], w.layers[s.int(2)]
				if !s.bad && from.order > 0 && to.order > 0 {
					w.spans[s.text(0)] = [2]int{min(from.order, to.order), max(from.order, to.order)}
				}
			}
		}
	case "8":
		if inUse {
			w.paste = [2]float64{data.numberOr(1, 0), data.numberOr(2, 0)}
		}
	case "9":
		if inUse {
			w.mask = [4]float64{data.numberOr(1, 2), data.numberOr(2, 2), data.numberOr(3, -1000), data.numberOr(4, -1000)}
		}
	case "3":
		if least := data.numberOr(1, 0); inUse && !data.bad && least > 0 {
			w.b.Rules.TrackWidth = mil.length(least)
		}
	case "1":
		rows, _ := data.value(1).([]any)
		for _, v := range rows {
			cells, _ := v.([]any)
			for _, c := range cells {
				if n, ok := numberOf(c); ok && inUse && n > 0 && (w.b.Rules.Clearance == 0 || mil.length(n) < w.b.Rules.Clearance) {
					w.b.Rules.Clearance = mil.length(n)
				}
			}
		}
	}
}

// quiet are the kinds of rows that draw nothing that is made.
var quiet = []string{
	"HEAD", "META", "ELE_PLACEHOLDER", "CANVAS", "LAYER", "LAYER_PHYS", "ACTIVE_LAYER", "NET", "RULE", "RULE_TEMPLATE", "RULE_SELECTOR", "PRIMITIVE", "SILK_OPTS", "CONNECT",
	"PREFERENCE", "PANELIZE", "PANELIZE_STAMP", "PANELIZE_SIDE", "COMPONENT", "PAD_NET", "REGION", "FONT", "PROP", "GROUP", "EQLEN_GRP", "EQLEN",
	"NETCLASS", "DIFF_PAIR", "REUSE_BLOCK", "PARTITION", "ITEM_ORDER", "TRANSFORM3D", "SHELL", "SHELL_ENTITY", "SHELLCUT", "BOSS", "CREASE", "BOARD",
}

// bytesPerShape is how much of a row costs as much as a shape does: footprints are read as
// often as they are placed.
const bytesPerShape = 16

func (w *drawing) drawRows(rows []row, s scope) {
	for i := range rows {
		r := &rows[i]
		if !w.meter.Spend(pcb.Shapes, 1+r.size/bytesPerShape) {
			return
		}
		if w.drawRow(r, s); r.bad {
			w.misread(r.kind())
		}
	}
}

func (w *drawing) drawRow(r *row, s scope) {
	switch kind := r.kind(); kind {
	case "LINE":
		e, a, b, width := w.element(r, 4, s), r.point(5), r.point(7), r.length(9)
		if !r.bad {
			w.strokeIn(e, geom.Path{Points: []geom.Point{a, b}}, width, s)
		}
	case "ARC":
		w.arcRow(r, s)
	case "POLY":
		e, width, paths := w.element(r, 4, s), r.length(5), r.contours(6, mil)
		if !r.bad {
			for _, p := range paths {
				w.strokeIn(e, p, width, s)
			}
		}
	case "FILL":
		w.fillRow(r, s)
	case "TEARDROP":
		e := element{kind: kind, layer: w.layerIn(r.int(3), s), net: r.text(2)}
		if paths := r.contours(4, mil); !r.bad {
			w.fill(e, place(s.t, paths))
		}
	case "POUR":
		w.pourRow(r, s)
	case "POURED":
		w.drawPoured(r, "")
	case "VIA":
		w.viaRow(r, s)
	case "PAD":
		w.padRow(r, s)
	case "STRING":
		w.stringRow(r, s)
	case "ATTR":
		w.attribute(r, s)
	case "IMAGE":
		w.imageRow(r, s)
	case "DIMENSION", "OBJ":
		if r.value(3) != nil && w.isMade(w.layerIn(r.int(3), s)) {
			r.bad = true
		}
	default:
		r.bad = !slices.Contains(quiet, kind)
	}
}

// isMade reports whether something is made of what is drawn on a layer.
func (w *drawing) isMade(n int) bool {
	switch w.layers[n].role {
	case pcb.RoleCopper, pcb.RoleMask, pcb.RolePaste, pcb.RoleOutline:
		return true
	}
	return false
}

// element is where a row draws: its layer is field i, its net the field before.
func (w *drawing) element(r *row, i int, s scope) element {
	return element{kind: r.kind(), layer: w.layerIn(r.int(i), s), net: r.text(i - 1)}
}

// layerIn is the layer of an element of a footprint, which may lie below the board.
func (w *drawing) layerIn(n int, s scope) int {
	if s.t.Mirror && n >= 1 && n <= 10 {
		return (n - 1) ^ 1 + 1
	}
	if s.t.Mirror && (n == w.table.stiffener[0] || n == w.table.stiffener[1]) && n != 0 {
		return w.table.stiffener[0] + w.table.stiffener[1] - n
	}
	return n
}

func place(t geom.Transform, paths []geom.Path) []geom.Path {
	if t.Identity() {
		return paths
	}
	out := make([]geom.Path, len(paths))
	for i, p := range paths {
		out[i] = t.Path(p)
	}
	return out
}

func (w *drawing) strokeIn(e element, p geom.Path, width int64, s scope) {
	if len(p.Points) == 2 && len(p.Bends) == 0 && p.Points[0] == p.Points[1] {
		p.Points = p.Points[:1]
	}
	w.stroke(e, s.t.Path(p), width)
}

func (w *drawing) arcRow(r *row, s scope) {
	e := w.element(r, 4, s)
	if _, list := r.value(6).([]any); list {
		width, paths := r.length(5), r.contours(6, mil)
		if !r.bad {
			for _, p := range paths {
				w.strokeIn(e, p, width, s)
			}
		}
		return
	}
	a, b, angle, width := r.point(5), r.point(7), r.number(9), r.length(10)
	if r.bad {
		return
	}
	var p geom.Path
	p.Add(arcOf(a, b, angle))
	w.strokeIn(e, p, width, s)
}

// fillRow fills an area. One through all layers is drilled where it is round, and cut out
// of the board elsewhere.
func (w *drawing) fillRow(r *row, s scope) {
	n := r.int(4)
	paths := r.contours(7, mil)
	if r.bad {
		return
	}
	if n != proMulti {
		e := w.element(r, 4, s)
		if r.text(6) != "0" && w.layers[e.layer].role == pcb.RoleCopper {
			r.bad = true
			return
		}
		w.fill(e, place(s.t, paths))
		return
	}
	for _, p := range place(s.t, paths) {
		if c, d, ok := circle(p); ok {
			w.drill(&bore{a: c, b: c, diameter: d}, artwork.Meta{})
			continue
		}
		w.cut("FILL", []geom.Path{p})
	}
}

// circle tells a path that is a full circle.
func circle(p geom.Path) (centre geom.Point, diameter int64, ok bool) {
	if len(p.Points) != 2 || len(p.Bends) != 1 || p.Points[0] != p.Points[1] {
		return geom.Point{}, 0, false
	}
	c := p.Bends[0].Centre
	return c, 2 * int64(math.Round(p.Points[0].Dist(c))), true
}

// filePen runs along what pours were filled with in files of their own, whatever the pour
// states: so EasyEDA plots them.
var filePen = mil.length(8)

// drawPoured draws a piece of what a pour was filled with: an area, or strokes. A file of
// its own is called by its pour, which the oldest do not name besides.
func (w *drawing) drawPoured(r *row, file string) {
	i, pour := 3, file
	if _, old := r.value(2).(float64); old {
		i = 2
	} else {
		pour = r.text(2)
	}
	area, ok := w.pours[pour]
	width, filled := r.number(i), r.text(i+1)
	paths := r.contours(i+2, poured)
	if r.bad || !ok {
		if r.bad {
			w.misread("POURED")
			r.bad = false
		}
		return
	}
	area.filled = true
	if filled == "true" || filled == "1" {
		pen := area.pen
		if file != "" && pen > 0 {
			pen = filePen
		}
		w.pour(area.element, paths, pen)
	}
	if width > 0 {
		for _, p := range paths {
			w.stroke(area.element, p, poured.length(width))
		}
	}
}

// pourRow reads an area to be filled. A solid one states how narrow its copper may be:
// what it was filled with is drawn along with a pen as wide.
func (w *drawing) pourRow(r *row, s scope) {
	p := &pour{element: w.element(r, 4, s)}
	if how, ok := r.value(9).([]any); ok {
		if h := (&row{list: how}); h.kind() == "SOLID" {
			p.pen = mil.length(h.numberOr(1, 0))
			r.bad = r.bad || h.bad
		}
	}
	if _, ok := w.layers[p.layer]; r.bad || !ok {
		r.bad = true
		return
	}
	w.pours[r.text(1)] = p
}

// growthOf is how far an opening reaches beyond a land, in nanometres.
func growthOf(v float64) float64 {
	if v <= -500 {
		return noOpening
	}
	return float64(mil.length(v))
}

func (w *drawing) viaRow(r *row, s scope) {
	at, drill, diameter := r.point(5), r.length(7), r.length(8)
	top, bottom := r.numberOr(10, w.mask[2]), r.numberOr(11, w.mask[3])
	first, last := 1, len(w.copper)
	if rule := r.text(4); rule != "" {
		span, ok := w.spans[rule]
		if !ok {
			r.bad = true
			return
		}
		first, last = span[0], span[1]
	}
	if !r.bad {
		w.drawVia(s.t.Apply(at), diameter, drill, r.text(3), first, last, [2]float64{growthOf(top), growthOf(bottom)})
	}
}

func (w *drawing) padRow(r *row, s scope) {
	n := r.int(4)
	p := pad{number: r.text(5), net: r.text(3)}
	turn := r.number(8)
	local := geom.Transform{Offset: r.point(6), Rotation: turn}
	t := local.Chain(s.t)
	p.at = t.Offset
	switch n {
	case 1, 2:
		p.side = w.layers[w.layerIn(n, s)].side
	case proMulti:
	default:
		r.bad = true
	}
	l, ok := landOf(r.value(10), t, s.t)
	r.bad = r.bad || !ok
	p.lands = map[int]land{0: l}
	w.special(r, &p, t, s)
	if list, ok := r.value(9).([]any); ok {
		w.padHole(r, &row{list: list}, &p, local, s)
	}
	for i, rule := range [2]int{0, 1} {
		p.mask[i], p.paste[i] = growthOf(r.numberOr(17+i, w.mask[rule])), growthOf(r.numberOr(19+i, w.paste[rule]))
	}
	if s.t.Mirror {
		p.mask[0], p.mask[1], p.paste[0], p.paste[1] = p.mask[1], p.mask[0], p.paste[1], p.paste[0]
	}
	switch r.text(16) {
	case "1":
		p.function = pcb.FuncTestPad
	case "2":
		p.function = pcb.FuncFiducialLocal
	}
	if r.bad {
		return
	}
	if x := s.part; x != nil {
		p.part = x.ref
		p.net = x.netOf(r.text(1), p.number)
		x.pads = append(x.pads, p)
	}
	w.drawPad(&p)
}

// special gives pads another land on some copper layers.
func (w *drawing) special(r *row, p *pad, t geom.Transform, s scope) {
	list, _ := r.value(11).([]any)
	for _, v := range list {
		entry, _ := v.([]any)
		c := &row{list: entry}
		from, to := w.layers[w.layerIn(c.int(0), s)].order, w.layers[w.layerIn(c.int(1), s)].order
		l, ok := landOf(c.value(2), t, s.t)
		if c.bad || !ok {
			r.bad = true
			return
		}
		for i, n := range w.copper {
			if i+1 >= min(from, to) && i+1 <= max(from, to) {
				p.lands[n] = l
			}
		}
	}
}

// landOf is the land of a pad that t places; that of a polygon lies where its footprint,
// placed by whole, has it.
func landOf(v any, t, whole geom.Transform) (land, bool) {
	list, _ := v.([]any)
	r := &row{list: list}
	l := land{turn: t.Rotation, mirror: t.Mirror}
	switch r.kind() {
	case "RECT":
		l.x, l.y = r.length(1), r.length(2)
		l.corner = int64(float64(min(l.x, l.y)) / 2 * min(max(r.numberOr(3, 0), 0), 100) / 100)
	case "ELLIPSE", "OVAL", "ROUND":
		l.x, l.y = r.length(1), r.length(2)
		l.corner = min(l.x, l.y)/2 + 1
	case "NGON":
		l.x, l.sides = r.length(1), r.int(2)
		l.y = l.x
		r.bad = r.bad || l.sides < 3 || l.sides > 360
	case "POLY":
		l.area = place(whole, r.contours(1, mil))
		return l, !r.bad
	default:
		return l, false
	}
	return l, !r.bad && l.x > 0 && l.y > 0
}

// padHole reads a pad's hole, which may lie beside its middle and be turned by itself. One
// with square corners is not drilled.
func (w *drawing) padHole(r, h *row, p *pad, local geom.Transform, s scope) {
	x, y := h.length(1), h.length(1)
	if h.value(2) != nil {
		y = h.length(2)
	}
	t := geom.Transform{Offset: mil.point(r.numberOr(12, 0), r.numberOr(13, 0)), Rotation: r.numberOr(14, 0)}.Chain(local).Chain(s.t)
	switch h.kind() {
	case "ROUND", "SLOT":
	default:
		r.bad = true
	}
	if r.bad = r.bad || h.bad || x <= 0 || y <= 0; r.bad {
		return
	}
	d := min(x, y)
	way := geom.Pt((x-d)/2, (y-d)/2)
	if x+y-2*d <= roundSlot {
		way = geom.Point{}
	}
	p.hole = &bore{a: t.Apply(way.Neg()), b: t.Apply(way), diameter: d, plated: r.text(15) != "0" && r.text(15) != "false"}
}

func (w *drawing) stringRow(r *row, s scope) {
	const first = 3
	w.lettering(r, s, lettering{
		layer: r.int(first), at: r.point(first + 1), text: r.text(first + 3), font: r.text(first + 4), size: r.length(first + 5), pen: r.length(first + 6),
		align: r.int(first + 9), turn: r.numberOr(first+10, 0), inverted: r.text(first + 11), mirror: r.text(first + 13),
	})
}

// attribute draws a property of the board or of a part where it is shown.
func (w *drawing) attribute(r *row, s scope) {
	show := r.text(10)
	if s.part != nil || show != "1" && show != "true" || r.value(5) == nil || r.text(3) != "" && w.byID[r.text(3)] == nil {
		return
	}
	w.lettering(r, s, lettering{
		layer: r.int(4), at: r.point(5), text: r.text(8), font: r.text(11), size: r.length(12), pen: r.length(13),
		align: r.int(16), turn: r.numberOr(17, 0), inverted: r.text(18), mirror: r.text(20),
	})
}

// lettering is how a text is set.
type lettering struct {
	layer, align     int
	at               geom.Point
	text, font       string
	size, pen        int64
	turn             float64
	inverted, mirror string
}

// lettering draws a text with plain strokes. Below the board it reads from below, unless it
// says that it is mirrored.
func (w *drawing) lettering(r *row, s scope, l lettering) {
	if r.bad || strings.TrimSpace(l.text) == "" {
		return
	}
	e := element{kind: r.kind(), layer: w.layerIn(l.layer, s)}
	if w.target(e) == nil {
		return
	}
	mirrored := l.mirror == "1" || l.mirror == "true"
	t := geom.Transform{Offset: l.at, Rotation: l.turn, Mirror: mirrored != (w.layers[l.layer].side == pcb.Bottom)}
	t.Rotation = math.Mod(t.Rotation, 360)
	if t.Mirror {
		t.Rotation = -t.Rotation
	}
	t = t.Chain(s.t)
	const capital = 0.62 // of the size that EasyEDA states
	height := int64(float64(l.size) * capital)
	st := strokefont.Style{Width: height * 7 / 6, Height: height, Pen: l.pen, Mirror: t.Mirror, Rotation: t.Rotation}
	if l.align >= 1 && l.align <= 9 {
		st.H, st.V = strokefont.Align((l.align-1)/3-1), strokefont.Align((l.align-1)%3-1)
	}
	w.texts++
	plain := l.font == "" || l.font == "default"
	if inverted := l.inverted == "1" || l.inverted == "true"; (inverted || !plain) && w.isMade(e.layer) {
		w.fonts = append(w.fonts, l.text)
	}
	w.write(e, pcb.Text{Text: l.text, At: t.Offset, Height: height, Mirrored: t.Mirror}, strokefont.Lines(l.text, t.Offset, st), l.pen)
}

// imageRow fills a picture's areas, stretched to its size from its upper left corner.
func (w *drawing) imageRow(r *row, s scope) {
	e := element{kind: r.kind(), layer: w.layerIn(r.int(3), s)}
	at, width, height, turn, paths := r.point(4), r.length(6), r.length(7), r.numberOr(8, 0), r.contours(10, mil)
	if r.bad || len(paths) == 0 {
		return
	}
	box := geom.EmptyBox()
	for _, p := range paths {
		box = box.Union(p.Bounds())
	}
	if box.Width() <= 0 || box.Height() <= 0 || width <= 0 || height <= 0 {
		r.bad = true
		return
	}
	kx, ky := float64(width)/float64(box.Width()), float64(height)/float64(box.Height())
	if math.Abs(kx/ky-1) > 0.01 { // arcs stay arcs only where both sides grow alike
		for i := range paths {
			paths[i] = flatten(paths[i])
		}
	}
	mirror := r.text(9) == "1" || r.text(9) == "true"
	t := geom.Transform{Offset: at, Rotation: math.Mod(turn, 360)}
	for i := range paths {
		p := &paths[i]
		move := func(q geom.Point) geom.Point {
			x := float64(q.X-box.Min.X) * kx
			if mirror {
				x = float64(width) - x
			}
			return t.Apply(geom.Pt(int64(math.Round(x)), int64(math.Round(float64(q.Y-box.Max.Y)*ky))))
		}
		for k := range p.Points {
			p.Points[k] = move(p.Points[k])
		}
		for k := range p.Bends {
			p.Bends[k].Centre, p.Bends[k].Clockwise = move(p.Bends[k].Centre), p.Bends[k].Clockwise != mirror
		}
	}
	w.fill(e, place(s.t, paths))
}

// flatten makes chords of a path's arcs.
func flatten(p geom.Path) geom.Path {
	out := geom.Path{Closed: p.Closed}
	for e := range p.Edges() {
		if len(out.Points) == 0 {
			out.LineTo(e.A)
		}
		if e.IsArc() {
			const chords = 10 // for each radian
			from, sweep, r := e.A.Sub(e.Centre).Angle(), e.Sweep(), e.Radius()
			n := max(curveSteps(geom.Millimetres(int64(e.Len()))), int(math.Abs(sweep)*chords))
			for i := 1; i < n; i++ {
				out.LineTo(e.Centre.Polar(r, from+sweep*float64(i)/float64(n)))
			}
		}
		out.LineTo(e.B)
	}
	if n := len(out.Points); p.Closed && n > 1 && out.Points[0] == out.Points[n-1] {
		out.Points = out.Points[:n-1]
	}
	return out
}
