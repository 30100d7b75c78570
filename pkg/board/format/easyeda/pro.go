package easyeda

import (
	"context"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
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
