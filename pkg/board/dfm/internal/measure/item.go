package measure

import (
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// NetName is the name of a net; "" when there is none.
func (in *Input) NetName(n int32) string {
	if n <= 0 || int(n) >= len(in.Board.Nets) {
		return ""
	}
	return in.Board.Nets[n].Name
}

// NetOf is the net of an item, of its pin where the item states none. What is stated to be
// no conductor has none: tools leave the net of the object before in force for it.
func (in *Input) NetOf(it *copper.Item) int32 {
	switch it.Function {
	case pcb.FuncNonConductor, pcb.FuncBalancing, pcb.FuncBorder, pcb.FuncProfile:
		return 0
	}
	if it.Net == 0 && it.Pin > 0 && int(it.Pin) < len(in.Board.Pins) {
		p := &in.Board.Pins[it.Pin]
		if c := int(p.Component); c >= 0 && c < len(in.Board.Components) && pcb.Placeholder(in.Board.Components[c].Ref) {
			return 0 // of whichever part called so
		}
		return p.Net
	}
	return it.Net
}

// Object says what an item is: "pad U1-3", "track of GND", "via".
func (in *Input) Object(l *copper.Layer, i int) string {
	it := &l.Items[i]
	what := itemWords(l, i)
	if it.Pin > 0 && int(it.Pin) < len(in.Board.Pins) {
		p := &in.Board.Pins[it.Pin]
		if c := int(p.Component); c >= 0 && c < len(in.Board.Components) && in.Board.Components[c].Ref != "" {
			return what + " " + in.Board.Components[c].Ref + "-" + p.Number
		}
	}
	if n := in.NetName(in.NetOf(it)); n != "" {
		return what + " of " + n
	}
	return what
}

func itemWords(l *copper.Layer, i int) string {
	f := l.FeatureOf(i)
	switch {
	case f == nil:
		return "plane"
	case f.Function == pcb.FuncViaPad:
		return "via"
	case f.Function.Pad(), f.Kind == pcb.FlashFeature:
		return "pad"
	case f.Function == pcb.FuncNonConductor:
		return "copper text"
	case f.Function == pcb.FuncProfile:
		return "drawn line"
	case f.Kind == pcb.RegionFeature, f.Function == pcb.FuncPour:
		return "area"
	}
	return "track"
}

// IsPadItem reports whether an item is a pad, or part of one; vias' too.
func IsPadItem(l *copper.Layer, i int) bool {
	f := l.FeatureOf(i)
	return f != nil && (f.Kind == pcb.FlashFeature || f.Function.Pad() || f.Function == pcb.FuncViaPad)
}

// PlaceBetween is a place that lies between two items of a layer.
func (in *Input) PlaceBetween(l *copper.Layer, i, j int, p, q geom.Point, d float64) dfm.Place {
	return dfm.Place{
		Layer: l.Layer.Name, At: p, To: q, Value: Length(d), Distance: true,
		Objects: [2]string{in.Object(l, i), in.Object(l, j)},
		Nets:    [2]string{in.NetName(in.NetOf(&l.Items[i])), in.NetName(in.NetOf(&l.Items[j]))},
	}
}

// PlaceBeside is a place between an item and something that is no copper.
func (in *Input) PlaceBeside(l *copper.Layer, i int, what string, p, q geom.Point, d float64) dfm.Place {
	return dfm.Place{
		Layer: l.Layer.Name, At: p, To: q, Value: Length(d), Distance: true,
		Objects: [2]string{in.Object(l, i), what}, Nets: [2]string{in.NetName(in.NetOf(&l.Items[i]))},
	}
}
