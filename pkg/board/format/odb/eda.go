package odb

import (
	"bytes"
	"fmt"
	"strings"

	"boardorder/pkg/board/pcb"
)

// An edaFile is what is known while eda/data is read: the nets, and which
// features and pins belong to them.
type edaFile struct {
	meter  pcb.Meter
	s      *step
	layers []string // folders, by the number that FID records use
	nets   []int32
	seen   map[int32]bool // that have a number
	pkgs   []string
	net    int32
	kind   string // of the subnet at hand: TOP, VIA, TRC, PLN
	pin    int32
	bare   []*pcb.Feature // those of a pin, under no net
}

// readEDA gives nets to features and pins; where a job has no eda/data, the
// netlist names the nets at least.
func (j *job) readEDA(s *step) {
	f, ok := j.open(s.dir + "/eda/data")
	if !ok {
		j.readNetlist(s)
		return
	}
	e := edaFile{s: s, meter: j.meter, seen: map[int32]bool{}}
	for raw := range bytes.Lines(f.Data) {
		if !j.meter.Spend(pcb.Named, 1) {
			return
		}
		e.line(bytes.TrimRight(raw, "\r\n "))
	}
	e.pinNets()
	e.namesakes()
	e.packages()
}

// namesakes takes the pin from pads without a net where the pin has one: Altium
// gives two pads of one name, such as S2-0, the record of the first.
func (e *edaFile) namesakes() {
	for _, f := range e.bare {
		if e.s.b.Pins[f.Pin].Net != 0 {
			f.Pin = 0
		}
	}
}

func (e *edaFile) line(raw []byte) {
	if len(raw) < 3 {
		return
	}
	w := fields{raw}
	switch string(w.next()) {
	case "LYR":
		for name := w.next(); len(name) > 0; name = w.next() {
			e.layers = append(e.layers, strings.ToLower(string(name)))
		}
	case "NET":
		name := strings.TrimSpace(string(w.rest))
		name, _, _ = strings.Cut(name, ";")
		e.net, e.kind, e.pin = e.netNamed(strings.TrimSpace(name)), "", 0
		e.nets = append(e.nets, e.net)
	case "SNT":
		e.subnet(&w)
	case "FID":
		e.feature(&w)
	case "PKG":
		name, _, _ := strings.Cut(string(w.next()), ";")
		e.pkgs = append(e.pkgs, name)
		e.kind = "" // FID records behind belong to no net
	}
}

// netNamed gives a net an index of its own: what counts is its number, and Altium
// writes two of one name.
func (e *edaFile) netNamed(name string) int32 {
	net := netIndex(e.s.b, name)
	for n := 2; net > 0 && e.seen[net] && e.meter.Spend(pcb.Lookups, n); n++ {
		net = netIndex(e.s.b, fmt.Sprintf("%s (%d)", name, n))
	}
	e.seen[net] = true
	return net
}

// netIndex: names for what has no net are none.
func netIndex(b *pcb.Board, name string) int32 {
	if name == "" || strings.EqualFold(name, "$NONE$") {
		return 0
	}
	return b.Net(name)
}

func (e *edaFile) subnet(w *fields) {
	e.kind, e.pin = string(w.next()), 0
	if e.kind != "TOP" {
		return
	}
	side := 0
	if string(w.next()) == "B" {
		side = 1
	}
	i, k := w.int(), w.int()
	if list := e.s.parts[side]; i >= 0 && i < len(list) && k >= 0 && k < len(list[i].pins) {
		e.pin = list[i].pins[k]
		e.s.b.Pins[e.pin].Net = e.net
	}
}

// feature reads FID type layer number: a feature that belongs to the subnet.
func (e *edaFile) feature(w *fields) {
	kind := string(w.next())
	l, n := w.int(), w.int()
	if l < 0 || l >= len(e.layers) || e.kind == "" {
		return
	}
	starts, sheet := e.s.starts[e.layers[l]], e.s.sheets[e.layers[l]]
	if sheet == nil || n < 0 || n+1 >= len(starts) {
		return
	}
	if kind == "H" || sheet.Layer.Role == pcb.RoleDrill {
		e.hole(e.layers[l], n)
	}
	copper := sheet.Layer.Role == pcb.RoleCopper
	if !e.meter.Spend(pcb.Lookups, int(starts[n+1]-starts[n])) {
		return
	}
	for i := starts[n]; i < starts[n+1]; i++ {
		f := &sheet.Layer.Features[i]
		if copper || kind == "H" {
			f.Net, f.Pin = e.net, e.pin
			if e.net == 0 && e.pin > 0 {
				e.bare = append(e.bare, f)
			}
		}
		if copper {
			f.Function = e.function(f)
		}
	}
}

func (e *edaFile) function(f *pcb.Feature) pcb.Function {
	switch {
	case f.Kind != pcb.FlashFeature:
		return f.Function
	case e.kind == "VIA":
		return pcb.FuncViaPad
	case e.kind == "TOP" && f.Function == pcb.FuncOther:
		return pcb.FuncComponentPad
	}
	return f.Function
}

// hole gives the net to the hole that record n of a drill layer made.
func (e *edaFile) hole(dir string, n int) {
	if list := e.s.holeOf[dir]; n < len(list) && list[n] >= 0 {
		h := &e.s.b.Holes[list[n]]
		h.Net, h.Pin = e.net, e.pin
	}
}

// pinNets gives pins that no subnet named the net of their own record.
func (e *edaFile) pinNets() {
	for _, list := range e.s.parts {
		for _, p := range list {
			for k, pin := range p.pins {
				if n := p.nets[k]; e.s.b.Pins[pin].Net == 0 && n >= 0 && n < len(e.nets) {
					e.s.b.Pins[pin].Net = e.nets[n]
				}
			}
		}
	}
}

// packages names the packages of components that have no other name for it.
func (e *edaFile) packages() {
	for _, list := range e.s.parts {
		for _, p := range list {
			c := &e.s.b.Components[p.component]
			if c.Footprint == "" && p.pkg >= 0 && p.pkg < len(e.pkgs) {
				c.Footprint = e.pkgs[p.pkg]
			}
		}
	}
}

// readNetlist reads the names of nets from the netlist of the CAD.
func (j *job) readNetlist(s *step) {
	f, ok := j.open(s.dir + "/netlists/cadnet/netlist")
	if !ok {
		return
	}
	for raw := range bytes.Lines(f.Data) {
		if len(raw) > 1 && raw[0] == '$' {
			w := fields{bytes.TrimRight(raw[1:], "\r\n ")}
			w.next()
			netIndex(s.b, string(w.next()))
		}
	}
}
