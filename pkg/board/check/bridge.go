package check

import (
	"context"
	"fmt"
	"math"
)

// bridges judges the mask that is left between openings over pads of different
// nets: solder runs across where it is too narrow to hold.
func bridges(ctx context.Context, in *input) result {
	g := in.gauge(MaskBridge, false).levels(Warning, Note)
	var gangs places
	reach := in.reach(MaskBridge, false)
	for _, f := range in.faces() {
		f.narrow(ctx, in, g, reach)
		f.gangs(in, &gangs)
	}
	r := g.result(func(j judged) string {
		return fmt.Sprintf("The solder mask between %s of different nets is narrower than %s (down to %s): it may not hold, and solder may bridge the pads.",
			pairs(j.count), mm(j.limit), mm(j.value))
	})
	if g.limit.Min > 0 {
		r.add(found(MaskBridge, Note, func(n int) string {
			return fmt.Sprintf("%s in the solder mask %s several pads of different nets without mask between them.", capital(plural(n, "opening")), show(n))
		}, &gangs))
	}
	return r
}

func pairs(n int) string {
	if n == 1 {
		return "two pads"
	}
	return fmt.Sprint(n, " pairs of pads")
}

func show(n int) string {
	if n == 1 {
		return "shows"
	}
	return "show"
}

// narrow measures between openings, once for each pair of them.
func (f *face) narrow(ctx context.Context, in *input, g *gauge, reach int64) {
	type pair struct{ a, b int32 }
	best := map[pair]Place{}
	n := 0
	f.openings.index.Pairs(reach, func(i, j int) {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return
		}
		a, b := f.opening[i], f.opening[j]
		if a == b || !f.apart(in, a, b) {
			return
		}
		if a > b {
			a, b = b, a
		}
		d, p, q, ok := f.openings.shapes[i].Within(&f.openings.shapes[j], float64(reach))
		v := int64(math.Round(d))
		if old, seen := best[pair{a, b}]; ok && (!seen || v < old.Value) {
			best[pair{a, b}] = Place{Layer: f.mask.Name, At: p, To: q, Value: v, Distance: true, Objects: [2]string{"mask opening", "mask opening"}}
		}
	})
	for k, p := range best {
		p.Nets = [2]string{f.netOf(in, k.a), f.netOf(in, k.b)}
		g.add(p)
	}
}

// apart tells whether two openings show pads of different nets. Where nets are not
// known, different pads count; vias do not, as nothing is soldered to them.
func (f *face) apart(in *input, a, b int32) bool {
	for _, i := range f.over[a] {
		if f.via(i) {
			continue
		}
		for _, j := range f.over[b] {
			if !f.via(j) && in.differ(f, i, j) {
				return true
			}
		}
	}
	return false
}

// differ tells whether pads i and j are of different nets.
func (in *input) differ(f *face, i, j int32) bool {
	p, q := f.pads.feature(int(i)), f.pads.feature(int(j))
	if p.Net > 0 && q.Net > 0 {
		return p.Net != q.Net
	}
	return p != q && p.A != q.A
}

func (f *face) netOf(in *input, opening int32) string {
	for _, i := range f.over[opening] {
		if n := f.pads.feature(int(i)).Net; n > 0 {
			return in.board.Nets[n].Name
		}
	}
	return ""
}

// gangs finds openings that show several pads at once.
func (f *face) gangs(in *input, out *places) {
	for _, over := range f.over {
		if len(over) < 2 {
			continue
		}
		var first int32 = -1
		for _, i := range over {
			p := f.pads.feature(int(i))
			if f.via(i) || p.Net == 0 {
				continue
			}
			if first < 0 {
				first = i
				continue
			}
			if in.differ(f, first, i) {
				a := f.pads.feature(int(first))
				out.at(Place{Layer: f.mask.Name, At: a.A, To: p.A, Objects: [2]string{"pad", "pad"},
					Nets: [2]string{in.board.Nets[a.Net].Name, in.board.Nets[p.Net].Name}})
				break
			}
		}
	}
}
