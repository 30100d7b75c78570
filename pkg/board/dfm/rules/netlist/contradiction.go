package netlist

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// bulk is from how many pairs of joined nets on something else than a design's faults
// explains them better: a plane that is a negative, a layer or a netlist of another
// version, parts that lie on each other to be fitted by choice. Tools do not let a
// design out with so many.
const bulk = 8

// contradicts reports whether nets and copper, which come from different files or were
// plotted layer by layer, are at odds as a whole. Many nets that are joined to one and
// the same are a fault of its own: a fill older than what lies in it. In a design
// tool's own file nets and copper are of one version, so that each short counts.
func (n *netting) contradicts(l *shortList) bool {
	if n.project || l.pairs < bulk {
		return false
	}
	most := 0
	for _, pairs := range l.nets {
		most = max(most, pairs)
	}
	return 2*most <= l.pairs
}

// contradiction says once that nets and copper do not belong together. Connections that
// seem to be missing are part of that.
func (n *netting) contradiction(f *shorted, opens rule.Result) rule.Result {
	wrong, apart := f.wrong, 0
	opens.Findings = slices.DeleteFunc(opens.Findings, func(f dfm.Finding) bool {
		if f.Level == dfm.MustFix {
			apart += f.Count
		}
		return f.Level == dfm.MustFix
	})
	r := rule.PlaceFinding(dfm.NetsContradict, dfm.Warning, func(int) string {
		s := fmt.Sprintf("The nets that the files state and the copper contradict each other: copper joins %s of nets", words.Plural(wrong.pairs, "pair"))
		if apart > 0 {
			s += fmt.Sprintf(", and %s missing", words.Plural(apart, "connection")+" "+words.Be(apart))
		}
		return s + fmt.Sprintf(". So many at once are seldom faults of the design: %s, or the nets may be of another version than the copper. Say which is right: %s.", n.culprit(), wrong.words())
	}, &wrong.at)
	r.Add(n.reportMeant(f))
	r.Add(opens)
	return r
}

// culprit names the one layer without which hardly any of the nets would be joined.
func (n *netting) culprit() string {
	const few = 10 // one in so many may be left
	all := n.countJoined(-1)
	best, least := -1, all/few
	for k, l := range n.c.Layers {
		if left := n.countJoined(k); !l.Outer && left <= least {
			best, least = k, left-1
		}
	}
	if best < 0 {
		return "a layer may be a negative, or of another board or version"
	}
	return fmt.Sprintf("without %s there would be %d instead of %d, so that it may be a negative, or of another board or version", measure.LayerWords(n.c.Layers[best].Layer), least+1, all)
}

// countJoined counts the nets that copper joins to others when a layer is left out; -1 leaves
// out none.
func (n *netting) countJoined(without int) int {
	root := make([]int32, len(n.c.Islands))
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for h := range n.in.Board.Holes {
		if n.c.Holes[h] < 0 || !n.in.Meter.Spend(pcb.Lookups, len(n.c.Layers)) {
			continue
		}
		first := int32(-1)
		n.visitHoleCopper(int32(h), func(at spotOn) {
			i := n.c.Layers[at.layer].Items[at.item].Island
			if int(at.layer) == without || i < 0 {
				return
			}
			if first < 0 {
				first = i
			}
			root[find(i)] = find(first)
		})
	}
	type stated struct{ piece, net int32 }
	seen, pieces := map[stated]bool{}, map[int32]bool{}
	for k, l := range n.c.Layers {
		for i, net := range n.labels[k] {
			if island := l.Items[i].Island; net != 0 && k != without && island >= 0 {
				seen[stated{find(island), net}] = true
				pieces[find(island)] = true
			}
		}
	}
	return len(seen) - len(pieces)
}
