package ipc2581

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/internal/partfield"
	"boardorder/pkg/board/pcb"
)

// parts is what the file says about parts apart from where they are: the parts
// list, and the approved makers and numbers.
type parts struct {
	makers   map[string]string    // enterprise by id
	mpns     map[string][2]string // number and maker by the design's own number
	items    map[string]*item     // by reference
	unfitted map[string]bool      // references that are not populated
}

// An item is a line of the parts list.
type item struct {
	number string // the design's own
	fields [][2]string
}

func newParts() parts {
	return parts{makers: map[string]string{}, mpns: map[string][2]string{}, items: map[string]*item{}, unfitted: map[string]bool{}}
}

func (p *parts) logistics(in *markup.Reader) {
	for e := range in.Children() {
		if e.Name() == "Enterprise" {
			name := e.Attr("name")
			if name == "" {
				name = e.Attr("id")
			}
			p.makers[e.Attr("id")] = name
		}
	}
}

func (p *parts) bom(in *markup.Reader) {
	for e := range in.Children() {
		if e.Name() != "BomItem" {
			continue
		}
		base := &item{number: e.Attr("OEMDesignNumberRef")}
		for c := range in.Children() {
			switch c.Name() {
			case "RefDes":
				p.items[c.Attr("name")] = base
				if c.Attr("populate") == "false" {
					p.unfitted[c.Attr("name")] = true
				}
			case "Characteristics":
				for t := range in.Children() {
					if t.Name() == "Textual" {
						base.fields = append(base.fields, [2]string{
							t.Attr("textualCharacteristicName"), t.Attr("textualCharacteristicValue")})
					}
				}
			}
		}
	}
}

func (p *parts) avl(in *markup.Reader) {
	for e := range in.Children() {
		if e.Name() != "AvlItem" {
			continue
		}
		number := e.Attr("OEMDesignNumber")
		for v := range in.Children() {
			if v.Name() != "AvlVmpn" {
				continue
			}
			var mpn [2]string
			for c := range in.Children() {
				switch c.Name() {
				case "AvlMpn":
					mpn[0] = c.Attr("name")
				case "AvlVendor":
					mpn[1] = p.makers[c.Attr("enterpriseRef")]
				}
			}
			if _, ok := p.mpns[number]; !ok && mpn[0] != "" {
				p.mpns[number] = mpn
			}
		}
	}
}

// describe joins the parts list with the board's components.
func (p *parts) describe(b *pcb.Board) {
	for i := range b.Components {
		c := &b.Components[i]
		it := p.items[c.Ref]
		if it == nil {
			c.NoBOM = c.NoBOM || len(p.items) > 0
			continue
		}
		c.DNP = c.DNP || p.unfitted[c.Ref]
		for _, f := range it.fields {
			if strings.EqualFold(f[0], "value") && c.Value == "" {
				c.Value = f[1]
				continue
			}
			partfield.Set(c, f[0], f[1])
		}
		if m, ok := p.mpns[it.number]; ok && c.MPN == "" {
			c.MPN, c.Manufacturer = m[0], m[1]
		}
		if it.number != "" {
			partfield.Set(c, "OEM design number", it.number)
		}
	}
}

func (r *reader) component(s *step, e markup.Element) {
	i := s.b.Component(e.Attr("refDes"))
	c := pcb.Component{
		Ref: e.Attr("refDes"), Footprint: e.Attr("packageRef"), HasAt: true, Side: pcb.Top, Fields: map[string]string{},
		Line: int32(e.Line()),
	}
	if l := r.byName[e.Attr("layerRef")]; l != nil && l.side == pcb.Bottom {
		c.Side = pcb.Bottom
	}
	switch e.Attr("mountType") {
	case "SMT":
		c.Mount = pcb.SurfaceMount
	case "THMT":
		c.Mount = pcb.ThroughHole
	case "OTHER":
		c.Mount = pcb.MountOther
	}
	partfield.Set(&c, "part", e.Attr("part"))
	var t geom.Transform
	for x := range r.in.Children() {
		switch x.Name() {
		case "Xform":
			t = r.xform(x, t)
		case "Location":
			t.Offset = t.Offset.Add(r.point(x, "x", "y"))
		case "NonstandardAttribute":
			if strings.EqualFold(x.Attr("name"), "value") {
				c.Value = x.Attr("value")
			} else {
				partfield.Set(&c, x.Attr("name"), x.Attr("value"))
			}
		}
	}
	c.At, c.Rotation = t.Offset, t.Rotation
	if t.Mirror {
		c.Rotation = -t.Rotation // as the file states it
	}
	s.b.Components[i] = c
}
