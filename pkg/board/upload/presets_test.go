package upload

import (
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// TestStackCopper: a stackup states its copper only where its weight is somebody's choice.
func TestStackCopper(t *testing.T) {
	t.Parallel()
	src, other := board.Source{File: "x.xml", Line: 7}, board.Source{File: "readme.txt"}
	stated := func(oz float64, at board.Source) board.Fact[float64] { return board.State(oz, at, 0.9, "") }
	for _, c := range []struct {
		name         string
		outer, inner board.Fact[float64]
		want         [4]bool
	}{
		{"chosen", stated(1, src), stated(0.5, src), [4]bool{true, true, true, true}},
		{"as the tool began", board.Preset(1.0, src, ""), board.Preset(1.0, src, ""), [4]bool{}},
		{"by another file", board.Preset(1.0, other, ""), board.Preset(1.0, other, ""), [4]bool{true, true, true, true}},
		{"inner layers that another file states", board.Preset(1.0, src, ""), stated(0.5, other), [4]bool{false, true, true, false}},
		{"nothing known", board.Fact[float64]{}, board.Fact[float64]{}, [4]bool{true, true, true, true}},
	} {
		b := board.NewBoard("")
		for i := range c.want {
			b.Layers = append(b.Layers, &board.Layer{Role: board.RoleCopper, Order: i + 1})
			b.Stackup = append(b.Stackup, board.StackupLayer{Kind: board.StackCopper, Order: i + 1, Thickness: board.State(int64(35*geom.Micrometre), src, 0.9, "")},
				board.StackupLayer{Kind: board.StackCore, Thickness: board.State(int64(200*geom.Micrometre), src, 0.9, "")})
		}
		b.Facts.OuterCopper, b.Facts.InnerCopper = c.outer, c.inner
		markStackCopper(b)
		for i, want := range c.want {
			if f := b.Stackup[2*i].Thickness; f.IsStated() != want || !b.Stackup[2*i+1].Thickness.IsStated() {
				t.Errorf("%s: copper %d %+v, want stated %v", c.name, i+1, f, want)
			}
		}
	}
}
