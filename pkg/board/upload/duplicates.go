package upload

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// duplicates tells boards that are there twice: the same files again, or two
// versions of one board.
func (r *reading) duplicates() {
	var keep []*board.Board
	for _, b := range r.project.Boards {
		twin := r.twin(keep, b)
		switch {
		case twin == nil:
			keep = append(keep, b)
		case r.identical(twin, b):
			r.find(board.Note, "board_twice", b.Layers[0].File, "the files of board %q are in the upload twice; they are read once", twin.Name)
			r.drop(b, twin)
		default:
			keep = append(keep, b)
			r.find(board.Warning, "board_versions", b.Layers[0].File,
				"%q and %q look like two versions of one board; say which one to build", twin.Name, b.Name)
		}
	}
	if len(keep) > 1 {
		r.find(board.Note, "several_boards", "", "there are %d boards in these files", len(keep))
	}
	r.project.Boards = keep
}

// twin finds a board of the same size and layer count.
func (r *reading) twin(others []*board.Board, b *board.Board) *board.Board {
	e, ok := r.extent(b)
	if len(b.Layers) == 0 || !ok {
		return nil
	}
	for _, o := range others {
		f, known := r.extent(o)
		if len(o.Layers) > 0 && o.Facts.CopperLayers.Value == b.Facts.CopperLayers.Value && known && e.near(f, 50*geom.Micrometre) {
			return o
		}
	}
	return nil
}

// identical tells whether two boards have the same drawings and holes, whatever
// else their files say, such as when they were plotted.
func (r *reading) identical(a, b *board.Board) bool {
	return len(a.Holes) == len(b.Holes) && fingerprint(a) == fingerprint(b)
}

// fingerprint sums up what a board's layers and holes draw, in whatever order
// they lie.
func fingerprint(b *board.Board) uint64 {
	sum := uint64(0)
	for _, l := range b.Layers {
		h := newHash(int64(l.Role), int64(l.Side), int64(l.Order), int64(len(l.Features)))
		for i := range l.Features {
			f := &l.Features[i]
			h.put(f.A.X, f.A.Y, f.B.X, f.B.Y, int64(f.Kind), int64(f.Shape))
		}
		sum += h.sum()
	}
	for i := range b.Holes {
		o := &b.Holes[i]
		h := newHash(o.A.X, o.A.Y, o.B.X, o.B.Y, o.Diameter)
		sum += h.sum()
	}
	return sum
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

func (r *reading) filesOf(b *board.Board) []int {
	var out []int
	for i, f := range r.set.Results {
		if f.Board == b.Name && f.Group >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// drop leaves a board's files aside for those of its twin.
func (r *reading) drop(b, twin *board.Board) {
	for _, i := range r.filesOf(b) {
		r.aside(i, "the same file is in the upload twice")
		r.result(i).Board = twin.Name
	}
}
