package kicad

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/partfield"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/internal/strokefont"
	"boardorder/pkg/board/pcb"
)

// A footprint is a part's place on the board while its items are read.
type footprint struct {
	frame                       geom.Transform
	component                   int32
	ref, value                  string
	fields                      map[string]string
	maskMargin, pasteMargin     int64
	hasMask, hasPaste, hasRatio bool
	pasteRatio                  float64
	clearance                   int64 // of its pads
	pins                        map[string]int32
	smd, through                int // pads of each kind
}

// footprint reads a part and everything drawn with it.
func (r *pcbReader) footprint(n sexpr.Node) {
	if !r.meter.Spend(pcb.Named, 1) {
		return
	}
	f := &footprint{pins: map[string]int32{}, fields: map[string]string{}}
	c := pcb.Component{Line: int32(n.Line()), Footprint: n.Part(1).Text(), Side: pcb.Top, Fields: f.fields}
	if l := r.layer(n.Value("layer")); l != nil && l.side == pcb.Bottom {
		c.Side = pcb.Bottom
	}
	if at := n.Find("at"); at.Exists() {
		c.At, c.HasAt = r.pt(at), true
		c.Rotation = at.Part(3).Float()
	}
	f.frame = geom.Transform{Offset: c.At, Rotation: c.Rotation}
	r.describe(n, f, &c)
	f.component = int32(len(r.b.Components))
	r.b.Components = append(r.b.Components, c)
	for item := range n.Args() {
		r.footprintItem(item, f)
	}
	r.inferMount(f)
}

// describe reads what the footprint says about the part: reference, value,
// fields, attributes, and the margins that its pads inherit.
func (r *pcbReader) describe(n sexpr.Node, f *footprint, c *pcb.Component) {
	attrs := false
	for item := range n.Args() {
		switch string(item.Name()) {
		case "fp_text":
			switch kind := item.Part(1); {
			case kind.Says("reference"):
				c.Ref = item.Part(2).Text()
			case kind.Says("value"):
				c.Value = item.Part(2).Text()
			}
		case "property":
			r.property(item, c)
		case "descr":
			c.Description = item.Part(1).Text()
		case "net_tie_pad_groups":
			c.Fields["net_tie_pad_groups"] = item.Part(1).Text()
		case "attr":
			attrs = true
			readAttributes(item, c)
		case "clearance":
			f.clearance = size(item.Part(1))
		case "solder_mask_margin":
			f.maskMargin, f.hasMask = size(item.Part(1)), true
		case "solder_paste_margin":
			f.pasteMargin, f.hasPaste = size(item.Part(1)), true
		case "solder_paste_ratio", "solder_paste_margin_ratio":
			f.pasteRatio, f.hasRatio = item.Part(1).Float(), true
		}
	}
	if !attrs && r.version < version6 {
		c.Mount = pcb.ThroughHole
	}
	f.ref, f.value = c.Ref, c.Value
	f.hasMask = f.hasMask && (r.version >= version8 || f.maskMargin != 0)
	f.hasPaste = f.hasPaste && (r.version >= version8 || f.pasteMargin != 0)
	f.hasRatio = f.hasRatio && (r.version >= version8 || f.pasteRatio != 0)
}

func (r *pcbReader) property(n sexpr.Node, c *pcb.Component) {
	name, value := n.Part(1).Text(), n.Part(2).Text()
	switch name {
	case "Reference":
		c.Ref = value
	case "Value":
		c.Value = value
	case "Footprint", "ki_fp_filters", "Sheetfile", "Sheetname":
	case "dnp", "DNP":
		if partfield.MarksDNP(value) {
			c.DNP = true
		}
		c.Fields[name] = value
	default:
		partfield.Set(c, name, value)
	}
}

func readAttributes(n sexpr.Node, c *pcb.Component) {
	for a := range n.Args() {
		switch a.Text() {
		case "smd":
			c.Mount = pcb.SurfaceMount
		case "through_hole":
			c.Mount = pcb.ThroughHole
		case "virtual": // up to KiCad 5: fiducials, logos, edge connectors
			c.Mount, c.NoBOM, c.NoPlace = pcb.MountOther, true, true
		case "exclude_from_bom":
			c.NoBOM = true
		case "exclude_from_pos_files":
			c.NoPlace = true
		case "dnp":
			c.DNP = true
		}
	}
}

func (r *pcbReader) footprintItem(n sexpr.Node, f *footprint) {
	switch name := n.Name(); string(name) {
	case "pad":
		r.pad(n, f)
	case "fp_line", "fp_arc", "fp_circle", "fp_rect", "fp_poly", "fp_curve":
		r.graphic(n, figureKind(name), f.frame, graphicContext{})
	case "fp_text", "property", "fp_text_box":
		r.footprintText(n, f)
	case "zone":
		r.zone(n, r.zoneFrame(f))
	case "dimension":
		r.dimension(n)
	case "barcode", "image", "table":
		r.passOver(string(name), n.Line())
	}
}

// zoneFrame: zones of footprints are stored at their place on the board.
func (r *pcbReader) zoneFrame(*footprint) geom.Transform { return geom.Transform{} }

// inferMount tells how a part is fitted by its pads where nothing states it.
func (r *pcbReader) inferMount(f *footprint) {
	c := &r.b.Components[f.component]
	if c.Mount != pcb.MountUnknown {
		return
	}
	switch {
	case f.through > 0:
		c.Mount = pcb.ThroughHole
	case f.smd > 0:
		c.Mount = pcb.SurfaceMount
	default:
		c.Mount = pcb.MountOther
	}
}

// pin finds or adds the pin of the footprint's component; pads that share a
// number are one pin. Pads without a number, and parts without a reference,
// have none.
func (r *pcbReader) pin(f *footprint, number, function string, net int32, at geom.Point, side pcb.Side) int32 {
	if number == "" || f.ref == "" {
		return 0
	}
	if i, ok := f.pins[number]; ok {
		return i
	}
	i := int32(len(r.b.Pins))
	f.pins[number] = i
	r.b.Pins = append(r.b.Pins, pcb.Pin{
		Component: f.component, Number: number, Name: function, Net: net, At: at, Side: side, HasAt: true,
	})
	return i
}

// expand puts values in place of the variables that KiCad knows in texts.
func (r *pcbReader) expand(text string, f *footprint) string {
	if f != nil && strings.Contains(text, "%") && r.version < version6 {
		text = strings.NewReplacer("%R", f.ref, "%V", f.value).Replace(text)
	}
	const longest = 4 * strokefont.MaxRunes
	for range 20 {
		if len(text) > longest || !r.meter.Spend(pcb.Named, len(text)/64) {
			return text
		}
		start := strings.Index(text, "${")
		if start < 0 {
			return text
		}
		end := strings.Index(text[start:], "}")
		if end < 0 {
			return text
		}
		name := text[start+2 : start+end]
		text = text[:start] + r.lookUp(name, f) + text[start+end+1:]
	}
	return text
}

func (r *pcbReader) lookUp(name string, f *footprint) string {
	if f != nil {
		c := &r.b.Components[f.component]
		switch strings.ToUpper(name) {
		case "REFERENCE":
			return f.ref
		case "VALUE":
			return f.value
		case "MPN":
			return c.MPN
		}
		if v, ok := c.Fields[name]; ok {
			return v
		}
	}
	return r.variable[name]
}
