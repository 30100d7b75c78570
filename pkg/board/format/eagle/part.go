package eagle

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/internal/partfield"
	"boardorder/pkg/board/pcb"
)

// packageKey finds a package; libraries of one name may differ by their address.
type packageKey struct{ library, urn, name string }

type footprint struct{ items []item }

// An element is a part on the board.
type element struct {
	name, value string
	key         packageKey
	at          geom.Point
	rot         rotation
	smashed     bool
	unfitted    bool
	line        int
	attributes  []attribute
}

// An attribute is a property of a part, and where it is written.
type attribute struct {
	name, value string
	label       item
	shown       bool
}

// A signal is a net with what belongs to it.
type signal struct {
	name  string
	items []item
	pads  []contact
}

type contact struct{ element, pad string }

func (r *reader) libraries() {
	for l := range r.in.Children() {
		library, urn := l.Attr("name"), l.Attr("urn")
		for g := range r.in.Children() {
			if g.Name() != "packages" {
				continue
			}
			for p := range r.in.Children() {
				key := packageKey{library, urn, p.Attr("name")}
				r.packages[key] = &footprint{items: r.items()}
			}
		}
	}
}

func (r *reader) element(e markup.Element) *element {
	x := &element{
		name: e.Attr("name"), value: e.Attr("value"), key: packageKey{e.Attr("library"), e.Attr("library_urn"), e.Attr("package")},
		at: point(e, "x", "y"), rot: rotationOf(e.Attr("rot")), smashed: e.Bool("smashed"),
		unfitted: e.Attr("populate") == "no", line: e.Line(),
	}
	for a := range r.in.Children() {
		if a.Name() != "attribute" {
			continue
		}
		t := attribute{name: a.Attr("name"), value: a.Attr("value"), shown: a.Has("size") && a.Attr("display") != "off"}
		t.label = item{kind: "text", line: a.Line()}
		t.label.lettering(a)
		x.attributes = append(x.attributes, t)
	}
	return x
}

func (r *reader) signal(e markup.Element) *signal {
	s := &signal{name: e.Attr("name")}
	for c := range r.in.Children() {
		if c.Name() == "contactref" {
			s.pads = append(s.pads, contact{c.Attr("element"), c.Attr("pad")})
			continue
		}
		if it, ok := r.item(c); ok {
			s.items = append(s.items, it)
		}
	}
	return s
}

// component puts the element on the board's list of parts.
func (x *element) component(b *pcb.Board, p *footprint) {
	c := &b.Components[b.Component(x.name)]
	c.Value, c.Footprint, c.At, c.HasAt, c.Rotation = x.value, x.key.name, x.at, true, x.rot.degrees
	c.Side, c.DNP, c.Line = pcb.Top, x.unfitted, int32(x.line)
	if x.rot.mirror {
		c.Side = pcb.Bottom
	}
	c.Mount = p.mount()
	c.NoBOM = c.Mount == pcb.MountOther
	for _, a := range x.attributes {
		if a.name != "NAME" && a.name != "VALUE" {
			partfield.Set(c, a.name, a.value)
		}
	}
	if v, ok := c.Fields["POPULATE"]; ok && !partfield.MarksDNP(v) {
		c.DNP = true
	}
}

func (p *footprint) mount() pcb.Mount {
	m := pcb.MountOther
	if p == nil {
		return pcb.MountUnknown
	}
	for i := range p.items {
		switch p.items[i].kind {
		case "pad":
			return pcb.ThroughHole
		case "smd":
			m = pcb.SurfaceMount
		}
	}
	return m
}
