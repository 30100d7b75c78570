package merge

import (
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// DropRepeats tells boards that are there twice: the same files again, all of them or
// some, another plot without what makes a board of it, or two versions of one board.
func (m *Merger) DropRepeats() {
	var keep []*pcb.Board
	for _, b := range m.Project.Boards {
		if i := slices.IndexFunc(keep, func(k *pcb.Board) bool { return m.isRepeat(b, k) || m.isRepeat(k, b) }); i >= 0 {
			counterpart := keep[i]
			if m.isRepeat(b, counterpart) {
				m.drop(b, counterpart)
			} else {
				m.drop(counterpart, b)
				keep[i] = b
			}
			continue
		}
		keep = append(keep, b)
	}
	keep = m.dropHolelessPlots(keep)
	m.askAboutVersions(keep)
	if len(keep) > 1 {
		m.Say(pcb.Note, "several_boards", "", "there are %d boards in these files", len(keep))
	}
	m.Project.Boards = keep
}

// isRepeat tells whether everything that b draws and drills is drawn and drilled by k too,
// and says so: the files are in the upload twice.
func (m *Merger) isRepeat(b, k *pcb.Board) bool {
	return m.Meter.Spend(pcb.Lookups, len(b.Layers)+len(k.Layers)) && len(b.Layers) > 0 && m.Fingerprint(b).isWithin(m.Fingerprint(k))
}

// askAboutVersions asks which of two boards to build that look like versions of one.
func (m *Merger) askAboutVersions(keep []*pcb.Board) {
	for i, b := range keep {
		if counterpart := m.counterpart(keep[:i], b); counterpart != nil {
			m.Say(pcb.Warning, "board_versions", b.Layers[0].File,
				"%q and %q look like two versions of one board; say which one to build", counterpart.Name, b.Name)
		}
	}
}

// counterpart finds a board of the same size and layer count.
func (m *Merger) counterpart(others []*pcb.Board, b *pcb.Board) *pcb.Board {
	e, ok := m.Sizes.Measure(b)
	if len(b.Layers) == 0 || !ok {
		return nil
	}
	for _, o := range others {
		f, known := m.Sizes.Measure(o)
		if len(o.Layers) > 0 && o.Facts.CopperLayers.Value == b.Facts.CopperLayers.Value && known && e.Matches(f, 50*geom.Micrometre) {
			return o
		}
	}
	return nil
}

// A fingerprint sums up what a board's layers and holes draw, in whatever order they
// lie. Two boards whose prints are equal have the same drawings and holes, whatever else
// their files say, such as when they were plotted.
type fingerprint struct {
	copper []uint64       // by the layer
	layers map[uint64]int // all that draw anything, and how many are alike
	holes  uint64
	drills bool
}

func (m *Merger) Fingerprint(b *pcb.Board) *fingerprint {
	if p := m.prints[b]; p != nil {
		return p
	}
	p := &fingerprint{layers: map[uint64]int{}, drills: len(b.Holes) > 0}
	for _, l := range b.Layers {
		if len(l.Features) == 0 {
			continue
		}
		h := newHash(int64(l.Role), int64(l.Side), int64(l.Order), int64(len(l.Features)))
		for i := range l.Features {
			f := &l.Features[i]
			h.put(f.A.X, f.A.Y, f.B.X, f.B.Y, int64(f.Kind), int64(f.Shape))
		}
		p.layers[h.sum()]++
		if l.Role == pcb.RoleCopper {
			p.copper = append(p.copper, h.sum())
		}
	}
	for i := range b.Holes {
		o := &b.Holes[i]
		h := newHash(o.A.X, o.A.Y, o.B.X, o.B.Y, o.Diameter)
		p.holes += h.sum()
	}
	m.prints[b] = p
	return p
}

// isWithin tells whether all of what one print is of is in another too, and the copper of
// both is the same.
func (p *fingerprint) isWithin(o *fingerprint) bool {
	if p.drills && p.holes != o.holes || !slices.Equal(p.copper, o.copper) {
		return false
	}
	for sum, n := range p.layers {
		if o.layers[sum] < n {
			return false
		}
	}
	return len(p.layers) > 0
}

// A hash mixes numbers, FNV-1a over whole words with a last stir.
type hash uint64

func newHash(vs ...int64) hash {
	h := hash(14695981039346656037)
	h.put(vs...)
	return h
}

func (h *hash) put(vs ...int64) {
	for _, v := range vs {
		*h = (*h ^ hash(v)) * 1099511628211
		*h ^= *h >> 29
	}
}

func (h hash) sum() uint64 { return uint64(h ^ h>>32) }

func (m *Merger) filesOf(b *pcb.Board) []int {
	var out []int
	for i, f := range m.Set.Results {
		if f.Board == b.Name && f.Group >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// drop leaves a board's files aside for those of its counterpart.
func (m *Merger) drop(b, counterpart *pcb.Board) {
	m.Say(pcb.Note, "board_twice", b.Layers[0].File, "the files of board %q are in the upload twice; they are read once", counterpart.Name)
	for _, i := range m.filesOf(b) {
		m.Set.Results[i].LeaveAside("the same file is in the upload twice")
		m.Set.Results[i].Board = counterpart.Name
	}
}
