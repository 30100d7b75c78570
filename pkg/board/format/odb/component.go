package odb

import (
	"bytes"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/partfield"
	"boardorder/pkg/board/pcb"
)

// A part is a component while its pins' nets are being found.
type part struct {
	component int32
	pkg       int     // number of its package
	pins      []int32 // by the order of its TOP records
	nets      []int   // the nets that those state
}

// readComponents reads the components of one side.
func (j *job) readComponents(s *step, l *layer, f File) {
	side, at := pcb.Top, 0
	if l.side == pcb.Bottom || l.side != pcb.Top && strings.Contains(l.dir, "bot") {
		side, at = pcb.Bottom, 1
	}
	r := componentFile{j: j, s: s, side: side, at: at, unit: j.unit, file: f.Name, attrs: map[int]string{}}
	line := 0
	for raw := range bytes.Lines(f.Data) {
		line++
		if !j.meter.Spend(pcb.Named, 1) {
			return
		}
		r.line(bytes.TrimRight(raw, "\r\n "), line)
	}
}

type componentFile struct {
	j     *job
	s     *step
	side  pcb.Side
	at    int
	unit  float64
	file  string
	attrs map[int]string
	now   *pcb.Component
}

func (r *componentFile) line(raw []byte, line int) {
	if len(raw) == 0 || raw[0] == '#' {
		return
	}
	if raw[0] == '@' {
		w := fields{raw[1:]}
		i := w.int()
		r.attrs[i] = strings.TrimSpace(string(w.rest))
		return
	}
	if v, ok := bytes.CutPrefix(raw, []byte("UNITS=")); ok {
		r.unit = unitOf(string(v), r.unit)
		return
	}
	w := fields{raw}
	switch string(w.next()) {
	case "U":
		r.unit = unitOf(string(w.next()), r.unit)
	case "CMP":
		r.component(w.rest, line)
	case "PRP":
		if r.now != nil {
			r.property(string(w.next()), unquote(w.rest))
		}
	case "TOP":
		r.toeprint(w.rest)
	}
}

func unquote(b []byte) string {
	s := strings.TrimSpace(string(b))
	s, _, _ = strings.Cut(s, "' ")
	return strings.Trim(s, "'")
}

// component reads CMP pkg x y rot mirror name part ;attributes.
func (r *componentFile) component(raw []byte, line int) {
	head, attrs, _ := bytes.Cut(raw, []byte(";"))
	w := fields{head}
	pkg := w.int()
	c := pcb.Component{At: w.point(r.unit), HasAt: true, Side: r.side, Line: int32(line), Fields: map[string]string{}}
	c.Rotation = normalizeAngle(-w.number())
	w.next() // mirror: told by the file
	c.Ref = string(w.next())
	if part := strings.TrimSpace(string(w.rest)); part != "" {
		c.Fields["part"] = part
	}
	r.mark(&c, attrs)
	b := r.s.b
	b.Components = append(b.Components, c)
	i := int32(len(b.Components) - 1)
	r.now = &b.Components[i]
	r.s.parts[r.at] = append(r.s.parts[r.at], part{component: i, pkg: pkg})
}

func normalizeAngle(deg float64) float64 {
	if !(deg > -1e6 && deg < 1e6) {
		return 0
	}
	for deg < 0 {
		deg += 360
	}
	for deg >= 360 {
		deg -= 360
	}
	return deg
}

// mark reads a component's attributes: how it is mounted, and whether.
func (r *componentFile) mark(c *pcb.Component, attrs []byte) {
	attrs, _, _ = bytes.Cut(attrs, []byte(";"))
	for one := range bytes.SplitSeq(attrs, []byte(",")) {
		key, value, _ := bytes.Cut(one, []byte("="))
		if len(key) == 0 {
			continue
		}
		switch r.attrs[int(number(key))] {
		case ".comp_mount_type":
			switch string(value) {
			case "1":
				c.Mount = pcb.SurfaceMount
			case "2":
				c.Mount = pcb.ThroughHole
			case "3":
				c.Mount = pcb.MountOther
			}
		case ".no_pop":
			c.DNP = true
		case ".comp_ignore":
			c.NoBOM, c.NoPlace = true, true
		}
	}
}

func (r *componentFile) property(name, value string) {
	switch strings.ToLower(name) {
	case "value":
		r.now.Value = value
		return
	case "footprint", "package":
		if r.now.Footprint == "" {
			r.now.Footprint = value
			return
		}
	}
	partfield.Set(r.now, name, value)
}

// toeprint reads TOP pin x y rot mirror net subnet name.
func (r *componentFile) toeprint(raw []byte) {
	list := r.s.parts[r.at]
	if len(list) == 0 || r.now == nil {
		return
	}
	p := &list[len(list)-1]
	w := fields{raw}
	number := string(w.next())
	at := w.point(r.unit)
	w.next() // rotation
	w.next() // mirror
	net := w.int()
	w.next() // subnet
	if name := strings.TrimSpace(string(w.rest)); name != "" {
		name, _, _ = strings.Cut(name, ";")
		number = strings.TrimSpace(strings.TrimPrefix(name, r.now.Ref+"-"))
	}
	p.pins = append(p.pins, r.s.addPin(p.component, number, at, r.side))
	p.nets = append(p.nets, net)
}

func (s *step) addPin(component int32, number string, at geom.Point, side pcb.Side) int32 {
	s.b.Pins = append(s.b.Pins, pcb.Pin{Component: component, Number: number, At: at, HasAt: true, Side: side})
	return int32(len(s.b.Pins) - 1)
}
