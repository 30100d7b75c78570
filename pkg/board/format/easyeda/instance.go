package easyeda

import (
	"maps"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// An instance is a part on a board of EasyEDA Pro.
type instance struct {
	ref, print     string // its footprint's number
	value          string
	at             geom.Point
	turn           float64
	bottom         bool
	attributes     [][2]string
	nets, netsByID map[string]string
	pads           []pad
}

func (w *drawing) component(r *row) {
	x := &instance{at: r.point(4), turn: r.numberOr(6, 0), bottom: r.int(3) == 2, nets: map[string]string{}, netsByID: map[string]string{}}
	if r.bad || w.byID[r.text(1)] != nil {
		r.bad = false
		w.misread("COMPONENT")
		return
	}
	if own, ok := r.value(7).(map[string]any); ok {
		for _, k := range slices.Sorted(maps.Keys(own)) {
			x.attributes = append(x.attributes, [2]string{k, textOf(own[k])})
		}
	}
	w.byID[r.text(1)] = x
	w.instances = append(w.instances, x)
}

// resolve gives the part what its device says where the board does not say it.
func (x *instance) resolve(p *project) {
	said := map[string]string{}
	for _, a := range x.attributes {
		if _, ok := said[a[0]]; !ok || said[a[0]] == "" {
			said[a[0]] = a[1]
		}
	}
	x.ref = said["Designator"]
	d := p.data.Devices[said["Device"]]
	for _, k := range slices.Sorted(maps.Keys(d.Attributes)) {
		if said[k] == "" {
			said[k] = textOf(d.Attributes[k])
			x.attributes = append(x.attributes, [2]string{k, said[k]})
		}
	}
	x.print = said["Footprint"]
	x.value = said["Value"]
	if x.value == "" {
		x.value = d.Title
	}
}

// netOf is the net of a pad, by its number in the footprint or by that of the pin.
func (x *instance) netOf(id, number string) string {
	if net, ok := x.netsByID[id]; ok {
		return net
	}
	return x.nets[number]
}

// transform puts a footprint on the board. One below is mirrored upside down first.
func (x *instance) transform() geom.Transform {
	if x.bottom {
		return geom.Transform{Offset: x.at, Mirror: true, Rotation: math.Mod(x.turn+180, 360)}
	}
	return geom.Transform{Offset: x.at, Rotation: math.Mod(x.turn, 360)}
}

// footprint draws a part, and lists it.
func (w *drawing) footprint(x *instance) {
	print := w.project.footprints[x.print]
	if print == nil {
		w.finding(pcb.Problem, "package_missing", "the package %q of part %q is not in the file: its pads are missing", x.print, x.ref)
	} else {
		w.drawRows(print.rows, scope{t: x.transform(), part: x})
	}
	c := pcb.Component{Ref: x.ref, Value: x.value, At: x.at, HasAt: true, Rotation: x.turn, Side: pcb.Top, Mount: mount(x.pads)}
	if x.bottom {
		c.Side = pcb.Bottom
	}
	if c.Footprint = w.project.data.Prints[x.print].Title; c.Footprint == "" {
		c.Footprint = x.print
	}
	c.NoBOM = c.Mount == pcb.MountOther
	for _, a := range x.attributes {
		if a[0] == "Add into BOM" && a[1] == "no" {
			c.NoBOM = true
		}
	}
	w.place(c, x.attributes)
}
