package netlist

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/naming"
)

// shorts finds copper that is said to be of two nets, and where they meet: where that
// is wrong, and where it is meant.
func (n *netting) shorts(ctx context.Context) (wrong, meant *shortList) {
	wrong, meant = &shortList{nets: map[int32]int{}}, &shortList{nets: map[int32]int{}}
	for node := range n.stated {
		if len(n.stated[node]) < 2 || ctx.Err() != nil {
			continue
		}
		s := newSpread(n, int32(node))
		s.run(ctx)
		for _, m := range s.meetings() {
			if m.meant || n.tiedAt(m.nets, m.at) {
				meant.add(n, m)
			} else {
				wrong.add(n, m)
			}
		}
	}
	return wrong, meant
}

func (n *netting) reportShorts(wrong, meant *shortList) rule.Result {
	level, hint := dfm.MustFix, ""
	if l := n.inDoubt(); l != "" {
		level, hint = dfm.Warning, " This may be otherwise if "+l+" is a plane given as a negative."
	}
	r := rule.Found(dfm.Short, level, func(int) string {
		if wrong.pours && n.project && !n.eagle {
			hint = " Where an area is involved, its fill may be older than what lies in it: fill all zones and save."
		}
		return fmt.Sprintf("%s: copper joins %s.%s", words.Plural(wrong.pairs, "short"), wrong.words(), hint)
	}, &wrong.at)
	r.Add(meant.asMeant())
	return r
}

// asMeant tells of nets that parts join on purpose.
func (l *shortList) asMeant() rule.Result {
	return rule.Found(dfm.Short, dfm.Warning, func(int) string {
		return fmt.Sprintf("Copper within parts joins nets, as closed jumpers and net ties do: %s.", l.words())
	}, &l.at)
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

func (l *shortList) add(n *netting, m meeting) {
	l.at.At(n.shortPlace(m))
	for _, at := range m.items {
		l.pours = l.pours || n.c.Layers[at.layer].Items[at.item].Function == board.FuncPour
	}
	if m.nets == l.last {
		return // another place of the same short
	}
	l.last = m.nets
	l.pairs++
	l.nets[m.nets[0]]++
	l.nets[m.nets[1]]++
	l.list = append(l.list, fmt.Sprintf("%s and %s%s", naming.Said(n.in.NetName(m.nets[0])), naming.Said(n.in.NetName(m.nets[1])), n.where(m)))
}

func (l *shortList) words() string {
	slices.Sort(l.list)
	return listed(l.list, "; ")
}

// listed joins words, the first dozen of them.
func listed(all []string, by string) string {
	const most = 12
	if len(all) > most {
		return strings.Join(all[:most], by) + fmt.Sprintf("%sand %d more", by, len(all)-most)
	}
	return strings.Join(all, by)
}

func (n *netting) where(m meeting) string {
	return fmt.Sprintf(" (%s, at %s)", naming.Said(n.c.Layers[m.layer].Layer.Name), position(m.at))
}

// position writes a place for people, in millimetres.
func position(p geom.Point) string {
	return fmt.Sprintf("%.2f, %.2f mm", geom.ToMM(p.X), geom.ToMM(p.Y))
}

func (n *netting) shortPlace(m meeting) dfm.Place {
	p := dfm.Place{Layer: n.c.Layers[m.layer].Layer.Name, At: m.at, To: m.at}
	for k := range 2 {
		p.Nets[k] = n.in.NetName(m.nets[k])
		p.Objects[k] = n.in.Object(n.c.Layers[m.items[k].layer], int(m.items[k].item))
	}
	return p
}
