package stackup

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestStackCopper: a stackup states its copper only where its weight is somebody's choice.
func TestStackCopper(t *testing.T) {
	t.Parallel()
	src, other := pcb.Source{File: "x.xml", Line: 7}, pcb.Source{File: "readme.txt"}
	stated := func(oz float64, at pcb.Source) pcb.Fact[float64] { return pcb.State(oz, at, 0.9, "") }
	for _, c := range []struct {
		name         string
		outer, inner pcb.Fact[float64]
		want         [4]bool
	}{
		{"chosen", stated(1, src), stated(0.5, src), [4]bool{true, true, true, true}},
		{"as the tool began", pcb.Preset(1.0, src, ""), pcb.Preset(1.0, src, ""), [4]bool{}},
		{"by another file", pcb.Preset(1.0, other, ""), pcb.Preset(1.0, other, ""), [4]bool{true, true, true, true}},
		{"inner layers that another file states", pcb.Preset(1.0, src, ""), stated(0.5, other), [4]bool{false, true, true, false}},
		{"nothing known", pcb.Fact[float64]{}, pcb.Fact[float64]{}, [4]bool{true, true, true, true}},
	} {
		b := pcb.NewBoard("")
		for i := range c.want {
			b.Layers = append(b.Layers, &pcb.Layer{Role: pcb.RoleCopper, Order: i + 1})
			b.Stackup = append(b.Stackup, pcb.StackupLayer{Kind: pcb.StackCopper, Order: i + 1, Thickness: pcb.State(int64(35*geom.Micrometre), src, 0.9, "")},
				pcb.StackupLayer{Kind: pcb.StackCore, Thickness: pcb.State(int64(200*geom.Micrometre), src, 0.9, "")})
		}
		b.Facts.OuterCopper, b.Facts.InnerCopper = c.outer, c.inner
		MarkCopper(b)
		for i, want := range c.want {
			if f := b.Stackup[2*i].Thickness; f.IsStated() != want || !b.Stackup[2*i+1].Thickness.IsStated() {
				t.Errorf("%s: copper %d %+v, want stated %v", c.name, i+1, f, want)
			}
		}
	}
}
