package dfm

import (
	"slices"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
)

// A surface is a face with the copper under it, so that it is known which pads are
// joined.
type surface struct {
	*face
	board  *board.Board
	layer  *copper.Layer
	copper *copper.Copper
	at     int       // of layer in copper
	node   []int32   // of each feature of the layer; -1 where nothing of it is left
	nets   [][]int32 // of each opening, pads of up to two nets that it shows
}

// makeSurfaces gives the copper under each face whose mask is one; an error when
// ctx ends.
func (in *input) makeSurfaces() ([]*surface, error) {
	c, err := in.copper()
	if err != nil {
		return nil, err
	}
	var out []*surface
	for _, f := range in.faces() {
		if !f.doubtful {
			out = append(out, newSurface(in.board, c, f))
		}
	}
	return out, nil
}

func newSurface(b *board.Board, c *copper.Copper, f *face) *surface {
	i := slices.IndexFunc(c.Layers, func(l *copper.Layer) bool { return l.Layer == f.copper })
	s := &surface{face: f, board: b, copper: c, layer: c.Layers[i], at: i, node: make([]int32, len(f.copper.Features))}
	for k := range s.node {
		s.node[k] = -1
	}
	for k := range s.layer.Items {
		if n := s.layer.Items[k].Feature; n >= 0 {
			s.node[n] = c.Node(i, k)
		}
	}
	s.nets = s.samples()
	return s
}

// differ tells whether pads i and j are of different nets: as the files state
// them, else by whether copper joins them.
func (s *surface) differ(i, j int32) bool {
	p, q := s.pads.feature(int(i)), s.pads.feature(int(j))
	if p.Net > 0 && q.Net > 0 {
		return p.Net != q.Net
	}
	m, n := s.node[s.pads.features[i]], s.node[s.pads.features[j]]
	return m >= 0 && n >= 0 && m != n && p.A != q.A
}

// words says what pad i is.
func (s *surface) words(i int32) string { return s.padWords(s.pads.feature(int(i))) }

// net names the net of pad i; "" when the files do not.
func (s *surface) net(i int32) string { return s.netName(s.pads.feature(int(i)).Net) }

func (s *surface) netName(i int32) string {
	if i <= 0 || int(i) >= len(s.board.Nets) {
		return ""
	}
	return s.board.Nets[i].Name
}
