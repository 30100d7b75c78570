package netlist

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
)

// shorted is copper that is said to be of two nets, and where they meet.
type shorted struct {
	wrong, meant *shortList
	sure, unsure *shortList // those of wrong that are there, and are not, without layers in doubt
	counterparts *shortList // where parts lie on each other's holes
	unused       *shortList // with pins that the schematic leaves open
	drawn        *shortList // by copper that is stated to be no conductor
	copies       *shortList // of one name, on boards of a panel
	grounds      *shortList // grounds, at one place
	edge         *shortList // by strokes of the outline
}

// shorts finds where copper joins nets.
func (n *netting) shorts(ctx context.Context) *shorted {
	out := &shorted{newShortList(), newShortList(), newShortList(), newShortList(), newShortList(), newShortList(), newShortList(), newShortList(), newShortList(), newShortList()}
	places := map[[2]int32]int{}
	doubted, _ := n.markDoubtful()
	for node := range n.stated {
		if len(n.stated[node]) < 2 || ctx.Err() != nil {
			continue
		}
		s := newSpread(n, int32(node))
		s.run(ctx)
		all := s.meetings()
		for _, m := range all {
			places[m.nets]++
		}
		sure := func([2]int32) bool { return true }
		if doubted != nil && len(all) > 0 {
			sure = n.joinsWithout(ctx, int32(node), doubted)
		}
		lone := len(all) > 0 && n.countConnected(n.stated[node]) == 1 // joined to nothing that was to be apart
		for _, m := range all {
			if m.counterparts {
				out.counterparts.add(n, m)
				continue
			}
			if m.meant || n.isTiedAt(m.nets, m.at) || n.isJumperAt(&m) {
				out.meant.add(n, m)
				continue
			}
			if m.edge {
				out.edge.add(n, m)
				continue
			}
			if m.drawn {
				out.drawn.add(n, m)
				continue
			}
			if lone && n.joinsOpenPin(m.nets) {
				out.unused.add(n, m)
				continue
			}
			if n.copiesOf(m.nets) {
				out.copies.add(n, m)
				continue
			}
			if n.starPoint(m.nets, places[m.nets]) {
				out.grounds.add(n, m)
				continue
			}
			out.wrong.add(n, m)
			if sure(m.nets) {
				out.sure.add(n, m)
			} else {
				out.unsure.add(n, m)
			}
		}
	}
	return out
}

// joinsWithout tells which nets the copper of a node joins where the marked layers are
// left out.
func (n *netting) joinsWithout(ctx context.Context, node int32, layers []bool) func(nets [2]int32) bool {
	s := newSpread(n, node)
	s.without = layers
	s.run(ctx)
	joined := map[[2]int32]bool{}
	for _, m := range s.meetings() {
		joined[m.nets] = true
	}
	return func(nets [2]int32) bool { return joined[nets] }
}

func (n *netting) reportShorts(f *shorted) rule.Result {
	r := rule.PlaceFinding(dfm.Short, dfm.MustFix, func(int) string {
		hint := ""
		if f.sure.pours && n.project && !n.eagle {
			hint = " Where an area is involved, its fill may be older than what lies in it: fill all zones and save."
		}
		return fmt.Sprintf("%s: copper joins %s.%s", words.Plural(f.sure.pairs, "short"), f.sure.words(), hint)
	}, &f.sure.at)
	r.Add(rule.PlaceFinding(dfm.Short, dfm.Warning, func(int) string {
		_, layer := n.markDoubtful()
		return fmt.Sprintf("Copper joins %s, unless %s is a plane given as a negative.", f.unsure.words(), layer)
	}, &f.unsure.at))
	r.Add(n.reportMeant(f))
	return r
}

// reportMeant tells of nets that parts join on purpose.
func (n *netting) reportMeant(f *shorted) rule.Result {
	r := rule.PlaceFinding(dfm.Short, dfm.Warning, func(int) string {
		return fmt.Sprintf("Copper within parts joins nets, as closed jumpers and net ties do: %s.", f.meant.words())
	}, &f.meant.at)
	r.Add(rule.PlaceFinding(dfm.Short, dfm.Warning, func(int) string {
		return fmt.Sprintf("Copper connects nets to pins that the schematic leaves unconnected: %s. Tell us if they must stay separate.", f.unused.words())
	}, &f.unused.at))
	r.Add(rule.PlaceFinding(dfm.Short, dfm.Warning, func(int) string {
		return fmt.Sprintf("Parts lie on the holes of others (%s), as for one or the other to be fitted, and join nets: %s.", n.counterpartWords(), f.counterparts.words())
	}, &f.counterparts.at))
	r.Add(rule.PlaceFinding(dfm.Short, dfm.Warning, func(int) string {
		return fmt.Sprintf("Copper joins nets of the same name of boards in a panel: %s.", f.copies.words())
	}, &f.copies.at))
	r.Add(rule.PlaceFinding(dfm.Short, dfm.Warning, func(int) string {
		return fmt.Sprintf("Copper joins grounds at one place: %s. Say if they are to stay apart.", f.grounds.words())
	}, &f.grounds.at))
	r.Add(rule.PlaceFinding(dfm.Short, dfm.Warning, func(int) string {
		return fmt.Sprintf("Strokes along the line that the board is cut out on are plotted on the copper and touch copper of several nets: %s. Take them off the copper; the cutter leaves half of their width.", f.edge.words())
	}, &f.edge.at))
	r.Add(rule.PlaceFinding(dfm.Short, dfm.Warning, func(int) string {
		return fmt.Sprintf("Copper drawn without a net joins nets, as antennas and net ties do: %s.", f.drawn.words())
	}, &f.drawn.at))
	return r
}

// A shortList gathers meetings and the words for them.
type shortList struct {
	at    rule.Places
	list  []string
	pairs int
	last  [2]int32
	pours bool          // one of them at least
	nets  map[int32]int // in how many pairs each net is
}

func newShortList() *shortList { return &shortList{nets: map[int32]int{}} }

func (l *shortList) add(n *netting, m meeting) {
	l.at.AddUnmeasured(n.shortPlace(m))
	for _, at := range m.items {
		l.pours = l.pours || n.c.Layers[at.layer].Items[at.item].Function == pcb.FuncPour
	}
	if m.nets == l.last {
		return // another place of the same short
	}
	l.last = m.nets
	l.pairs++
	l.nets[m.nets[0]]++
	l.nets[m.nets[1]]++
	l.list = append(l.list, fmt.Sprintf("%s and %s%s", untrusted.Mention(n.in.NetName(m.nets[0])), untrusted.Mention(n.in.NetName(m.nets[1])), n.describePlace(m)))
}

func (l *shortList) words() string {
	slices.Sort(l.list)
	return listWords(l.list, "; ")
}

// listWords joins words, the first dozen of them.
func listWords(all []string, by string) string {
	const most = 12
	if len(all) > most {
		return strings.Join(all[:most], by) + fmt.Sprintf("%sand %d more", by, len(all)-most)
	}
	return strings.Join(all, by)
}

func (n *netting) describePlace(m meeting) string {
	layer := untrusted.Mention(n.c.Layers[m.layer].Layer.Name)
	for _, at := range m.items {
		if at.layer != m.layer {
			layer += " with " + untrusted.Mention(n.c.Layers[at.layer].Layer.Name) + " by the wall of a hole"
		}
	}
	return fmt.Sprintf(" (%s, at %s)", layer, position(m.at))
}

// position writes a place for people, in millimetres.
func position(p geom.Point) string {
	return fmt.Sprintf("%.2f, %.2f mm", geom.Millimetres(p.X), geom.Millimetres(p.Y))
}

func (n *netting) shortPlace(m meeting) dfm.Place {
	p := dfm.Place{Layer: n.c.Layers[m.layer].Layer.Name, At: m.at, To: m.at}
	for k := range 2 {
		p.Nets[k] = n.in.NetName(m.nets[k])
		p.Objects[k] = n.in.Object(n.c.Layers[m.items[k].layer], int(m.items[k].item))
		p.Pieces[k] = dfm.Piece{Layer: m.items[k].layer + 1, Item: m.items[k].item}
	}
	return p
}
