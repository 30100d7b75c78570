package upload_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board"
)

// lands gives n places of a row.
func lands(row, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%d,%d", 1+i, row))
	}
	return out
}

// TestOrderOfDrills: blind and buried holes end on lands, which tells the order of inner
// layers that nobody numbers.
func TestOrderOfDrills(t *testing.T) {
	t.Parallel()
	first, second, third := lands(2, 12), lands(4, 12), lands(6, 12)
	blind := func(from, to int, at []string) string {
		return drillFile(fmt.Sprintf("; #@! TF.FileFunction,Plated,%d,%d,Blind\n", from, to), at...)
	}
	layer := func(at ...[]string) string { return gerberFile("", slices.Concat(at...)...) }
	for _, c := range []struct {
		name  string
		files set
		want  string // inner layers from the top
		said  bool
	}{
		{"another order than the names say", set{"x-sig1.gbr": layer(second, third), "x-gnd1.gbr": layer(first, second),
			"x-top-in1.drl": blind(1, 2, first), "x-in1-in2.drl": blind(2, 3, second), "x-in2-bot.drl": blind(3, 4, third)}, "x-gnd1.gbr x-sig1.gbr", true},
		{"as the names say", set{"x-sig1.gbr": layer(first, second), "x-gnd1.gbr": layer(second, third),
			"x-top-in1.drl": blind(1, 2, first), "x-in1-in2.drl": blind(2, 3, second), "x-in2-bot.drl": blind(3, 4, third)}, "x-sig1.gbr x-gnd1.gbr", false},
		{"the order is stated", set{"x-sig1.gbr": function("Copper,L2,Inr") + layer(second, third), "x-gnd1.gbr": function("Copper,L3,Inr") + layer(first, second),
			"x-top-in1.drl": blind(1, 2, first), "x-in2-bot.drl": blind(3, 4, third)}, "x-sig1.gbr x-gnd1.gbr", false},
		{"either order", set{"x-sig1.gbr": layer(first, third), "x-gnd1.gbr": layer(first, third),
			"x-top-in1.drl": blind(1, 2, first), "x-in2-bot.drl": blind(3, 4, third)}, "", false},
		{"no order", set{"x-sig1.gbr": layer(second), "x-gnd1.gbr": layer(second),
			"x-top-in1.drl": blind(1, 2, first), "x-in2-bot.drl": blind(3, 4, third)}, "", false},
		{"too few holes", set{"x-sig1.gbr": layer(third), "x-gnd1.gbr": layer(first),
			"x-top-in1.drl": blind(1, 2, first[:6]), "x-in2-bot.drl": blind(3, 4, third[:6])}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := ordinary().with(set{"x-F_Cu.gbr": layer(first, []string{"5,5"}), "x-B_Cu.gbr": layer(third, []string{"5,5"})}).with(c.files).read(t)
			b := p.Boards[0]
			var names []string
			for i, l := range b.Copper() {
				if l.Order != i+1 {
					t.Errorf("%s is layer %d, not %d", l.Name, l.Order, i+1)
				}
				if l.Side == board.Inner {
					names = append(names, l.Name)
				}
			}
			if got := strings.Join(names, " "); c.want != "" && got != c.want {
				t.Errorf("order %q, want %q", got, c.want)
			}
			if said := slices.Contains(findings(p, board.Warning), "layer_order"); said != c.said {
				t.Errorf("said %v, want %v", said, c.said)
			}
		})
	}
}
