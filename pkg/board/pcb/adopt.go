package pcb

// Adopt puts a layer on the board: the net and pin names that its file used
// become the board's, and its features' indexes follow. An index outside its
// table becomes 0.
func (b *Board) Adopt(l *Layer) {
	nets := make([]int32, len(l.Nets))
	for i, n := range l.Nets {
		nets[i] = b.Net(n)
	}
	pins := make([]int32, len(l.Pins))
	for i, p := range l.Pins {
		pins[i] = b.Pin(p.Component, p.Pin)
		if pins[i] > 0 && p.Function != "" {
			b.Pins[pins[i]].Name = p.Function
		}
	}
	for i := range l.Features {
		f := &l.Features[i]
		f.Net, f.Pin = lookup(nets, f.Net), lookup(pins, f.Pin)
		if f.Pin > 0 && f.Net > 0 && b.Pins[f.Pin].Net == 0 {
			b.Pins[f.Pin].Net = f.Net
		}
	}
	l.Nets, l.Pins = nil, nil
	b.Layers = append(b.Layers, l)
}

func lookup(table []int32, i int32) int32 {
	if i < 0 || int(i) >= len(table) {
		return 0
	}
	return table[i]
}
