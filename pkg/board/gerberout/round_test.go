package gerberout_test

import (
	"image"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"boardorder/pkg/board/gerberout"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/render/pngstream"
	"boardorder/pkg/board/upload"
)

const mm = 1_000_000

// roundTrip plots a board and reads what was plotted. The files of a board that is
// plotted must make one board, and every one of them must be of use.
func roundTrip(t *testing.T, b *pcb.Board) *pcb.Board {
	t.Helper()
	files, err := gerberout.Files(b, gerberout.Options{Vendor: "Example", Application: "plot", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	var in []upload.File
	for _, f := range files {
		in = append(in, upload.File{Name: f.Name, Data: f.Data})
		if dir := os.Getenv("PLOT_DIR"); dir != "" {
			keep(t, filepath.Join(dir, f.Name), f.Data)
		}
	}
	p := upload.Read(t.Context(), in, upload.Options{})
	for _, f := range p.Files {
		if !f.Used {
			t.Errorf("%s is not used: %s", f.Name, f.Why)
		}
	}
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards came of one, want one; findings %+v", len(p.Boards), p.Findings)
	}
	return p.Boards[0]
}

func keep(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// same compares a board with what was read of its plot. In each picture most
// pixels may differ much. The rims of pads that a macro puts together of circles
// and an outline always differ a little, for pixels there are covered twice.
func same(t *testing.T, b, got *pcb.Board, most int) {
	t.Helper()
	if n, m := len(b.Copper()), len(got.Copper()); n != m {
		t.Errorf("%d copper layers became %d, want as many", n, m)
	}
	x, y := b.Outline.Bounds(), got.Outline.Bounds()
	const off = mm / 100
	if d := max(abs(x.Width()-y.Width()), abs(x.Height()-y.Height())); d > off {
		t.Errorf("size %d x %d nm became %d x %d, want the same within %d", x.Width(), x.Height(), y.Width(), y.Height(), int64(off))
	}
	for _, k := range kinds(b) {
		if n, m := count(b, k), count(got, k); n != m {
			t.Errorf("%d holes (%+v) became %d, want as many", n, k, m)
		}
	}
	if len(b.Holes) != len(got.Holes) {
		t.Errorf("%d holes became %d, want as many", len(b.Holes), len(got.Holes))
	}
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		samePicture(t, b, got, side, most)
	}
}

func abs(v int64) int64 { return max(v, -v) }

// A holeKind is what holes are counted by.
type holeKind struct {
	plating pcb.Plating
	slot    bool
	through bool
}

func kindOf(b *pcb.Board, h *pcb.Hole) holeKind {
	return holeKind{h.Plating, h.Kind != pcb.DrillHole, h.IsThrough(len(b.Copper()))}
}

func kinds(b *pcb.Board) []holeKind {
	var out []holeKind
	for i := range b.Holes {
		if k := kindOf(b, &b.Holes[i]); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func count(b *pcb.Board, k holeKind) int {
	n := 0
	for i := range b.Holes {
		if kindOf(b, &b.Holes[i]) == k {
			n++
		}
	}
	return n
}

// samePicture draws a side of both: hardly a pixel may differ by more than
// rounding does.
func samePicture(t *testing.T, b, got *pcb.Board, side pcb.Side, most int) {
	t.Helper()
	opt := render.Options{Width: 400, Height: 400}
	if l := b.Facts.MaskColour; l.Known {
		opt.Mask = l.Value
	}
	opt.Finish, opt.Silkscreen = "ENIG", "white"
	want, err := render.Side(t.Context(), b, side, opt)
	if err != nil {
		t.Logf("%s side: %v", side, err)
		return
	}
	have, err := render.Side(t.Context(), got, side, opt)
	if err != nil {
		t.Errorf("%s side: %v", side, err)
		return
	}
	if dir := os.Getenv("PLOT_DIR"); dir != "" {
		keepPicture(t, filepath.Join(dir, filepath.Base(b.Name)+"-"+side.String()+"-want.png"), want)
		keepPicture(t, filepath.Join(dir, filepath.Base(b.Name)+"-"+side.String()+"-got.png"), have)
	}
	if want.Rect != have.Rect {
		t.Errorf("%s side: %v became %v", side, want.Rect, have.Rect)
		return
	}
	rims, wrong := differing(want, have)
	if pixels := want.Rect.Dx() * want.Rect.Dy(); rims > pixels/25 || wrong > most {
		t.Errorf("%s side: of %d pixels %d differ a little, %d much", side, want.Rect.Dx()*want.Rect.Dy(), rims, wrong)
	}
}

// differing counts pixels of which a channel is off by more than an eighth, and
// by more than half.
func differing(a, b *image.NRGBA) (rims, wrong int) {
	for i := 0; i < len(a.Pix); i += 4 {
		most := 0
		for c := range 4 {
			most = max(most, int(a.Pix[i+c])-int(b.Pix[i+c]), int(b.Pix[i+c])-int(a.Pix[i+c]))
		}
		switch {
		case most > 128:
			wrong++
		case most > 32:
			rims++
		}
	}
	return rims, wrong
}

func keepPicture(t *testing.T, name string, img *image.NRGBA) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := pngstream.Encode(f, img); err != nil {
		t.Error(err)
	}
}
