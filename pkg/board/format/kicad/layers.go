package kicad

import (
	"strings"

	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// A pcbLayer is one line of the board's table of layers.
type pcbLayer struct {
	name  string // by which elements refer to it
	shown string // as the user named it
	role  pcb.Role
	side  pcb.Side
	order int // copper: from 1
	index int // in the table
	sheet *artwork.Sheet
	meter pcb.Meter
}

// A layerTable is the board's layers, copper from top to bottom first.
type layerTable struct {
	all    []*pcbLayer
	byName map[string]int         // into all
	others map[string]*pcbLayer   // of a board without a table
	lists  map[string][]*pcbLayer // by the words that name them, as written
	copper []*pcbLayer
}

// readLayers reads (layers (0 "F.Cu" signal "Top") …). KiCad up to 5 lets
// copper layers be renamed, so copper is told by its kind and its place; from 4
// on and before, the table runs from top to bottom.
func (r *pcbReader) readLayers(n sexpr.Node) {
	t := &r.layers
	t.all, t.copper, t.byName, t.lists = nil, nil, map[string]int{}, map[string][]*pcbLayer{}
	var rest []*pcbLayer
	for c := range n.Args() {
		l := &pcbLayer{name: c.Part(1).Text()}
		l.shown = l.name
		if v := c.Part(3); v.Exists() && v.Text() != "hide" {
			l.shown = v.Text()
		}
		if copperKind(c.Part(2).Text()) && !strings.HasSuffix(l.name, ".User") {
			t.copper = append(t.copper, l)
			continue
		}
		l.role, l.side = roleOf(l.name, l.shown)
		rest = append(rest, l)
	}
	t.sortCopper()
	for i, l := range t.copper {
		l.role, l.order, l.side = pcb.RoleCopper, i+1, pcb.Inner
		switch i {
		case 0:
			l.side = pcb.Top
		case len(t.copper) - 1:
			l.side = pcb.Bottom
		}
	}
	t.all = append(append(t.all, t.copper...), rest...)
	for i, l := range t.all {
		l.index = i
		l.sheet = artwork.NewSheet(l.shown, r.file, l.role, l.side).SetMeter(r.meter)
		l.sheet.Layer.Order = l.order
		t.byName[l.name] = i
	}
}

// blank is the same table with nothing drawn yet.
func (t *layerTable) blank(m pcb.Meter) layerTable {
	c := layerTable{byName: t.byName, lists: map[string][]*pcbLayer{}, all: make([]*pcbLayer, len(t.all))}
	layers := make([]pcbLayer, len(t.all))
	for i, l := range t.all {
		layers[i] = *l
		layers[i].sheet, layers[i].meter = nil, m
		c.all[i] = &layers[i]
	}
	c.copper = c.all[:len(t.copper):len(t.copper)]
	return c
}

// find gives the layer of that name; nil for none.
func (t *layerTable) find(name []byte) *pcbLayer {
	if i, ok := t.byName[string(name)]; ok {
		return t.all[i]
	}
	return t.others[string(name)]
}

// paper is what the layer is drawn on.
func (l *pcbLayer) paper() *artwork.Sheet {
	if l.sheet == nil {
		l.sheet = artwork.NewSheet(l.shown, "", l.role, l.side).SetMeter(l.meter)
	}
	return l.sheet
}

func copperKind(kind string) bool {
	switch kind {
	case "signal", "power", "mixed", "jumper":
		return true
	}
	return false
}

// sortCopper puts B.Cu last where the table lists it second, as other writers of
// the format do.
func (t *layerTable) sortCopper() {
	for i, l := range t.copper {
		if l.name == "B.Cu" {
			t.copper = append(append(t.copper[:i:i], t.copper[i+1:]...), l)
			return
		}
	}
}

var fixedRoles = map[string]pcb.Role{
	"Adhes": pcb.RoleGlue, "Paste": pcb.RolePaste, "SilkS": pcb.RoleSilk, "Mask": pcb.RoleMask,
	"CrtYd": pcb.RoleCourtyard, "Fab": pcb.RoleAssembly,
}

// roleOf tells what a layer that is not copper is for.
func roleOf(name, shown string) (pcb.Role, pcb.Side) {
	switch name {
	case "Edge.Cuts":
		return pcb.RoleOutline, pcb.NoSide
	case "Dwgs.User":
		return drawingRole(shown, pcb.RoleFabDrawing), pcb.NoSide
	case "Margin":
		return pcb.RoleOther, pcb.NoSide
	}
	side, kind, _ := strings.Cut(name, ".")
	if role, ok := fixedRoles[kind]; ok {
		if side == "B" {
			return role, pcb.Bottom
		}
		return role, pcb.Top
	}
	return drawingRole(shown, pcb.RoleMechanical), pcb.NoSide
}

// drawingRole recognises a user layer that someone renamed for V-scores.
func drawingRole(shown string, otherwise pcb.Role) pcb.Role {
	s := strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(strings.ToLower(shown))
	for _, word := range []string{"vcut", "vscore", "vgroove"} {
		if strings.Contains(s, word) {
			return pcb.RoleVCut
		}
	}
	return otherwise
}

// layer finds a layer by the name that elements use; nil, counted, where the
// board has none such.
func (r *pcbReader) layer(n sexpr.Node) *pcbLayer {
	name := n.Raw()
	if k := len(name); k > 1 && name[0] == '"' {
		name = name[1 : k-1]
	}
	if l := r.layers.find(name); l != nil {
		return l
	}
	if !n.Exists() {
		return nil
	}
	if l := r.layers.find([]byte(n.Text())); l != nil { // with escapes
		return l
	}
	return r.missingLayer(n.Text(), n.Line())
}

// missingLayer is for boards whose table of layers lacks one that is used. One
// that every board has is added; another, often one that was switched off, is
// not plotted.
func (r *pcbReader) missingLayer(name string, line int) *pcbLayer {
	if len(r.layers.all) > 0 {
		if !r.listing { // pads list layers that they would be on, too
			r.layerOff(name, line)
		}
		return nil
	}
	l := &pcbLayer{name: name, shown: name}
	if r.layers.others == nil {
		r.layers.others = map[string]*pcbLayer{}
	}
	if strings.HasSuffix(name, ".Cu") {
		return nil
	}
	l.role, l.side = roleOf(name, name)
	l.sheet = artwork.NewSheet(name, r.file, l.role, l.side).SetMeter(r.meter)
	r.layers.others[name] = l
	return l
}

// layersOf gives the layers that (layers …) or (layer …) of an element names,
// wildcards such as *.Cu and F&B.Cu resolved.
func (r *pcbReader) layersOf(n sexpr.Node) []*pcbLayer {
	return r.layersIn(n.Find("layers"), n.Find("layer"))
}

// layersIn gives the layers that a list of several names, or else a list of one.
func (r *pcbReader) layersIn(several, one sexpr.Node) []*pcbLayer {
	if several.Exists() {
		if out := r.listOf(several); len(out) > 0 {
			return out
		}
	}
	return r.listOf(one)
}

// listOf gives the layers that the words of a list name.
func (r *pcbReader) listOf(n sexpr.Node) []*pcbLayer {
	if n.Len() == 2 {
		return r.lookUpLayers(n.Part(1))
	}
	var out []*pcbLayer
	for a := range n.Args() {
		out = r.appendLayers(out, a)
	}
	return out
}

func (r *pcbReader) appendLayers(out []*pcbLayer, n sexpr.Node) []*pcbLayer {
	return append(out, r.lookUpLayers(n)...)
}

// lookUpLayers gives the layers that one word names. The slice is the table's own.
func (r *pcbReader) lookUpLayers(n sexpr.Node) []*pcbLayer {
	if list, ok := r.layers.lists[string(n.Raw())]; ok {
		return list
	}
	list := r.resolve(n)
	if len(list) > 0 && r.layers.lists != nil {
		r.layers.lists[string(n.Raw())] = list
	}
	return list
}

func (r *pcbReader) resolve(n sexpr.Node) (out []*pcbLayer) {
	text := n.Text()
	before, suffix, _ := strings.Cut(text, ".")
	switch {
	case text == "knockout":
	case before == "*" && suffix == "Cu":
		out = append(out, r.layers.copper...)
	case before == "F&B" && suffix == "Cu":
		if c := r.layers.copper; len(c) > 0 {
			out = append(out, c[0], c[len(c)-1])
		}
	case before == "*In" && suffix == "Cu" || before == "In*" && suffix == "Cu":
		if c := r.layers.copper; len(c) > 2 {
			out = append(out, c[1:len(c)-1]...)
		}
	case before == "*" || before == "F&B":
		for _, l := range r.layers.all {
			if l.role != pcb.RoleCopper && (l.name == "F."+suffix || l.name == "B."+suffix) {
				out = append(out, l)
			}
		}
	default:
		if l := r.layer(n); l != nil {
			out = append(out, l)
		}
	}
	return out
}

// side finds the layer of a role on a side; nil where the board has none.
func (t *layerTable) side(role pcb.Role, side pcb.Side) *pcbLayer {
	for _, l := range t.all {
		if l.role == role && l.side == side {
			return l
		}
	}
	return nil
}

// takeLayers hands the drawn layers to the board: all that a fabricator needs,
// and of the others those that hold something.
func (r *pcbReader) takeLayers() {
	if r.setup.subtractMask {
		r.subtractMask(pcb.Top)
		r.subtractMask(pcb.Bottom)
	}
	for _, l := range r.layers.all {
		switch l.role {
		case pcb.RoleCopper, pcb.RoleMask, pcb.RolePaste, pcb.RoleSilk, pcb.RoleOutline:
		default:
			if len(l.sheet.Layer.Features) == 0 {
				continue
			}
		}
		r.b.Layers = append(r.b.Layers, l.sheet.Layer)
	}
}

// subtractMask erases the silkscreen where the mask is open, as the plot setting
// says.
func (r *pcbReader) subtractMask(side pcb.Side) {
	silk, mask := r.layers.side(pcb.RoleSilk, side), r.layers.side(pcb.RoleMask, side)
	if silk == nil || mask == nil || len(silk.sheet.Layer.Features) == 0 {
		return
	}
	to, from := silk.sheet.Layer, mask.sheet.Layer
	if !r.meter.Spend(pcb.Drawn, len(from.Features)) {
		return
	}
	apertures, transforms := int32(len(to.Apertures)), int32(len(to.Transforms))
	arcs, regions := int32(len(to.Arcs)), int32(len(to.Regions))
	to.Apertures = append(to.Apertures, from.Apertures...)
	to.Transforms = append(to.Transforms, from.Transforms...)
	to.Arcs = append(to.Arcs, from.Arcs...)
	to.Regions = append(to.Regions, from.Regions...)
	for _, f := range from.Features {
		f.Clear = true
		f.Net, f.Pin, f.Attrs = 0, 0, 0
		if f.Kind == pcb.RegionFeature {
			f.Shape += regions
		} else {
			f.Shape += apertures
		}
		f.Transform += transforms
		f.Arc += arcs
		to.Features = append(to.Features, f)
	}
}
