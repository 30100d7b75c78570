package altium

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/partfield"
	"boardorder/pkg/board/pcb"
)

// A part is a component.
type part struct {
	ref, comment, pattern string
	source                string // the designator in the schematic
	at                    geom.Point
	turn                  float64
	side                  pcb.Side
	showRef, showComment  bool
	kind                  int
	description           string
	library               string
	id                    string
	fields                [][2]string
	mount                 pcb.Mount
	number                int32 // on the board
}

// Kinds of parts.
const (
	mechanicalPart = 1
	graphicalPart  = 2
	tieInBOM       = 3
	tieNoBOM       = 4
	partNoBOM      = 5
)

func (r *reader) net(c *cursor) error {
	p := c.properties(r.meter)
	r.design.nets = append(r.design.nets, p.text("NAME"))
	return nil
}

func (r *reader) part(c *cursor) error {
	p := c.properties(r.meter)
	x := part{
		source: p.text("SOURCEDESIGNATOR"), pattern: p.text("PATTERN"), at: geom.Pt(p.length("X"), p.length("Y")), turn: p.float("ROTATION"),
		side: pcb.Top, showRef: !p.has("NAMEON") || p.is("NAMEON"), showComment: p.is("COMMENTON"), kind: p.number("COMPONENTKIND", 0),
		description: p.text("SOURCEDESCRIPTION"), library: p.text("SOURCELIBREFERENCE"), id: p["UNIQUEID"],
		mount: pcb.MountOther,
	}
	if layerOf(p["LAYER"]) == bottomLayer {
		x.side = pcb.Bottom
	}
	if x.turn < -3600 || x.turn > 3600 {
		x.turn = 0
	}
	for x.turn >= 360 {
		x.turn -= 360
	}
	r.design.parts = append(r.design.parts, x)
	return nil
}

// codes is text that is written as a list of character codes.
func (p properties) codes(name string) string {
	var out strings.Builder
	for f := range strings.SplitSeq(p[name], ",") {
		n, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil || n <= 0 || n > 0x10FFFF {
			return p[name]
		}
		out.WriteRune(rune(n))
	}
	return out.String()
}

// parameters reads the parameters of parts, which newer files hold: a record names the
// part, the next ones its parameters.
func (r *reader) parameters() error {
	at := -1
	return r.readUncounted("PrimitiveParameters", func(c *cursor) error {
		p := c.properties(r.meter)
		if id, ok := p["ID"]; ok {
			at = -1
			if n, ok := strings.CutPrefix(id, "Component#"); ok && p["VARIANTGUID"] == "" {
				if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(r.design.parts) {
					at = i
				}
			}
			return nil
		}
		if at >= 0 && p.has("NAME") {
			x := &r.design.parts[at]
			x.fields = append(x.fields, [2]string{p.text("NAME"), p.text("VALUE")})
		}
		return nil
	})
}

// components puts the parts on the board's list.
func (b *builder) components() {
	for i := range b.design.parts {
		x := &b.design.parts[i]
		if x.ref == "" {
			x.ref = x.source
		}
		if x.ref == "" {
			x.number = -1
			continue
		}
		x.number = b.b.Component(x.ref)
		c := &b.b.Components[x.number]
		if c.HasAt {
			continue // a second part of one name
		}
		c.Value, c.Footprint, c.At, c.HasAt, c.Rotation = x.comment, x.pattern, x.at.Sub(b.origin), true, x.turn
		c.Side, c.Description, c.Line = x.side, x.description, int32(i+1)
		switch x.kind {
		case mechanicalPart, graphicalPart, tieNoBOM, partNoBOM:
			c.NoBOM = true
		}
		if x.kind == tieInBOM || x.kind == tieNoBOM {
			partfield.Set(c, "net_tie_pad_groups", "all")
		}
		for _, f := range x.fields {
			partfield.Set(c, f[0], f[1])
		}
		if x.library != "" && !strings.EqualFold(x.library, x.comment) {
			partfield.Set(c, "Library reference", x.library)
		}
	}
}

// mounts says how parts are fitted, once their pads were drawn.
func (b *builder) mounts() {
	for i := range b.design.parts {
		x := &b.design.parts[i]
		if x.number < 0 {
			continue
		}
		c := &b.b.Components[x.number]
		c.Mount = x.mount
		c.NoBOM = c.NoBOM || x.mount == pcb.MountOther
	}
}
