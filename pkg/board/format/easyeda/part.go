package easyeda

import (
	"strings"

	"boardorder/pkg/board/internal/partfield"
	"boardorder/pkg/board/pcb"
)

// place puts a part on the board's list. Another of the same name is listed beside it.
func (b *builder) place(c pcb.Component, attributes [][2]string) {
	if c.Ref == "" || !b.meter.Spend(pcb.Named, 1+len(attributes)) {
		return
	}
	if i := b.b.Component(c.Ref); b.b.Components[i].HasAt {
		b.b.Components = append(b.b.Components, pcb.Component{})
		defer b.keep(len(b.b.Components)-1, &c)
	} else {
		defer b.keep(int(i), &c)
	}
	supplier := ""
	for _, a := range attributes {
		if attributeName(a[0]) == "Supplier" {
			supplier = a[1]
		}
	}
	for _, a := range attributes {
		switch name := attributeName(a[0]); {
		case name == "Supplier Part" && (supplier == "" || strings.EqualFold(supplier, "LCSC")):
			partfield.Set(&c, "LCSC", a[1])
		case !aboutDrawing[name]:
			partfield.Set(&c, name, a[1])
		}
	}
}

func (b *builder) keep(i int, c *pcb.Component) { b.b.Components[i] = *c }

// attributeName is how a property is called where it is not a column of EasyEDA's list.
func attributeName(s string) string { return strings.TrimPrefix(strings.TrimSpace(s), "BOM_") }

// aboutDrawing are the properties of a part's drawing, of its model and of where a library
// has it.
var aboutDrawing = map[string]bool{
	"package": true, "Contributor": true, "link": true, "3DModel": true, "spicePre": true, "spiceSymbolName": true, "timeStamp": true,
	"sourceId": true, "nameAlias": true, "image": true, "uuid": true, "puuid": true, "Symbol": true, "Device": true, "Footprint": true, "Designator": true,
	"3D Model": true, "3D Model Title": true, "3D Model Transform": true, "Origin Footprint": true, "Convert to PCB": true, "Add into BOM": true,
	"Unique ID": true, "Reuse Block": true, "Group ID": true, "Channel ID": true, "Name": true,
}

// mount tells how a part is fitted by the pads that it has.
func mount(pads []pad) pcb.Mount {
	m := pcb.MountOther
	for i := range pads {
		if pads[i].hole != nil && pads[i].hole.plated {
			return pcb.ThroughHole
		}
		if pads[i].side != pcb.NoSide {
			m = pcb.SurfaceMount
		}
	}
	return m
}
