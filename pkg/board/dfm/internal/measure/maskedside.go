package measure

import (
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/pcb"
)

// samples gives for each opening pads of up to two nets: enough to report whether it
// shows one that differs from another's. Vias do not count, as nothing is soldered
// to them.
func (s *MaskedSide) samples() [][]int32 {
	out := make([][]int32, len(s.Over))
	for k, over := range s.Over {
		for _, i := range over {
			if n := len(out[k]); s.IsVia(i) || n > 0 && !s.Differ(out[k][0], i) {
				continue
			}
			if out[k] = append(out[k], i); len(out[k]) == 2 {
				break
			}
		}
	}
	return out
}

// A MaskedSide is a side with the copper under it, so that it is known which pads are
// joined.
type MaskedSide struct {
	*Side
	board  *pcb.Board
	Layer  *copper.Layer
	Copper *copper.Copper
	At     int       // of layer in copper
	Node   []int32   // of each feature of the layer; -1 where nothing of it is left
	Nets   [][]int32 // of each opening, pads of up to two nets that it shows
}

// makeMaskedSides gives the copper under each side whose mask is one; an error when
// ctx ends.
func (in *Input) makeMaskedSides() ([]*MaskedSide, error) {
	c, err := in.Copper()
	if err != nil {
		return nil, err
	}
	var out []*MaskedSide
	for _, f := range in.Sides() {
		if !f.Doubtful {
			out = append(out, newMaskedSide(in.Board, c, f))
		}
	}
	return out, nil
}

func newMaskedSide(b *pcb.Board, c *copper.Copper, f *Side) *MaskedSide {
	i := slices.IndexFunc(c.Layers, func(l *copper.Layer) bool { return l.Layer == f.Copper })
	s := &MaskedSide{Side: f, board: b, Copper: c, Layer: c.Layers[i], At: i, Node: make([]int32, len(f.Copper.Features))}
	for k := range s.Node {
		s.Node[k] = -1
	}
	for k := range s.Layer.Items {
		if n := s.Layer.Items[k].Feature; n >= 0 {
			s.Node[n] = c.Node(i, k)
		}
	}
	s.Nets = s.samples()
	return s
}

// Differ reports whether pads i and j are of different nets: as the files state
// them, else by whether copper joins them.
func (s *MaskedSide) Differ(i, j int32) bool {
	p, q := s.Pads.Feature(int(i)), s.Pads.Feature(int(j))
	if p.Net > 0 && q.Net > 0 {
		return p.Net != q.Net
	}
	m, n := s.Node[s.Pads.Features[i]], s.Node[s.Pads.Features[j]]
	return m >= 0 && n >= 0 && m != n && p.A != q.A
}

// Words says what pad i is.
func (s *MaskedSide) Words(i int32) string { return s.PadWords(s.Pads.Feature(int(i))) }

// Net names the net of pad i; "" when the files do not.
func (s *MaskedSide) Net(i int32) string { return s.NetName(s.Pads.Feature(int(i)).Net) }

// NetName is the name of a net by its number; "" where there is none.
func (s *MaskedSide) NetName(i int32) string {
	if i <= 0 || int(i) >= len(s.board.Nets) {
		return ""
	}
	return s.board.Nets[i].Name
}
