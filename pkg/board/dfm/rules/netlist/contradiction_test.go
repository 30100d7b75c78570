package netlist

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// drawJoinedPairs draws pairs of lands that a track joins, each of two nets.
func drawJoinedPairs(k *kit.Kit, n int, first func(i int) string) {
	for i := range n {
		x := int64(2 + 4*i)
		k.Land(x, 5, first(i), fmt.Sprint("R", i), "1")
		k.Land(x, 9, fmt.Sprint("B", i), fmt.Sprint("C", i), "1")
		k.Wire(x, 5, x, 9, first(i))
	}
}

func nameNet(i int) string { return fmt.Sprint("A", i) }

func TestNetsThatContradictTheCopper(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		draw    func(*kit.Kit)
		check   dfm.Name
		level   dfm.Level
		count   int
		says    string
		missing int // connections that are faults of their own
	}{
		{name: "one pair fewer than a bulk", draw: func(k *kit.Kit) { drawJoinedPairs(k, bulk-1, nameNet) }, check: dfm.Short, level: dfm.MustFix, count: bulk - 1, says: "7 shorts"},
		{name: "a bulk of pairs", draw: func(k *kit.Kit) { drawJoinedPairs(k, bulk, nameNet) }, check: dfm.NetsContradict, level: dfm.Warning, count: bulk, says: "joins 8 pairs of nets. So many"},
		{name: "and a net in pieces", draw: func(k *kit.Kit) {
			drawJoinedPairs(k, bulk, nameNet)
			k.Land(5, 20, "D", "U1", "1")
			k.Land(15, 20, "D", "U2", "1")
		}, check: dfm.NetsContradict, level: dfm.Warning, count: bulk, says: "1 connection is missing"},
		{name: "few pairs and a net in pieces", draw: func(k *kit.Kit) {
			drawJoinedPairs(k, 1, nameNet)
			k.Land(5, 20, "D", "U1", "1")
			k.Land(15, 20, "D", "U2", "1")
		}, check: dfm.Short, level: dfm.MustFix, count: 1, missing: 1},
		{name: "all joined to one net, as by an old fill", draw: func(k *kit.Kit) {
			drawJoinedPairs(k, bulk, func(int) string { return "GND" })
			k.Wire(2, 5, 30, 5, "GND")
		}, check: dfm.Short, level: dfm.MustFix, count: bulk},
		{name: "the tool's own board", draw: func(k *kit.Kit) {
			k.Top.Layer.File = "x.kicad_pcb"
			drawJoinedPairs(k, bulk, nameNet)
		}, check: dfm.Short, level: dfm.MustFix, count: bulk},
		{name: "by one inner layer", draw: func(k *kit.Kit) {
			in := artwork.NewSheet("in1", "in1.gbr", pcb.RoleCopper, pcb.Inner)
			in.Layer.Order, k.Bottom.Layer.Order = 2, 3
			k.Layers = append(k.Layers, in.Layer)
			for i := range int64(bulk) {
				for y, net := range map[int64]string{5: fmt.Sprint("A", i), 9: fmt.Sprint("B", i)} {
					k.AddVia(net, (2+4*i)*1000, y*1000, 600, 300)
				}
				in.Line(geom.Pt((2+4*i)*kit.Milli, 5*kit.Milli), geom.Pt((2+4*i)*kit.Milli, 9*kit.Milli), kit.Milli/2, artwork.Meta{})
			}
		}, check: dfm.NetsContradict, level: dfm.Warning, count: bulk, says: "without in1 there would be 0 instead of 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Hole(38*kit.Milli, 28*kit.Milli, kit.Milli/2, pcb.Plated) // layers may be joined
			c.draw(k)
			r := k.Judge(nets, nil)
			f := kit.Want(t, &r, c.check, c.level, c.count)
			if !strings.Contains(f.What, c.says) {
				t.Errorf("%q does not say %q", f.What, c.says)
			}
			other := dfm.Short
			if c.check == dfm.Short {
				other = dfm.NetsContradict
			}
			kit.Want(t, &r, other, dfm.MustFix, 0)
			kit.Want(t, &r, dfm.Open, dfm.MustFix, c.missing)
		})
	}
}
