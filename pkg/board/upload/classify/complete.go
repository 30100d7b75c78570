package classify

import (
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/pcb"
)

// complete settles what only a board's files together can tell.
func (s *Set) complete(g *Group) {
	var files []*Result
	for _, i := range g.Members {
		files = append(files, s.Results[i])
	}
	missingSides(files)
	chooseOutline(files)
	g.Layers = orderCopper(files)
	s.pairSpans(g, files)
	settleSpans(files, g.Layers)
}

// settleSpans gives spans down to the bottom its number, and drops spans that
// were read from numbers in names only and fit nothing else: board-1-2.drl may be a version.
func settleSpans(files []*Result, layers int) {
	spans := map[[2]int]bool{}
	for _, r := range files {
		if r.Role == pcb.RoleDrill {
			if r.ToLayer == toBottom {
				r.ToLayer = layers
			}
			spans[[2]int{r.FromLayer, r.ToLayer}] = true
		}
	}
	for _, r := range files {
		if r.spanByNumbers && !statesSpan(r) && len(spans) == 1 && r.ToLayer != layers {
			r.FromLayer, r.ToLayer = 0, 0
		}
	}
}

// statesSpan tells whether more than the name gives the span.
func statesSpan(r *Result) bool {
	return slices.ContainsFunc(r.Evidence, func(w Evidence) bool { return w.To > 0 && w.Weight > weightName })
}

// missingSides gives a layer without a side the one its counterpart leaves free.
func missingSides(files []*Result) {
	for _, role := range []pcb.Role{pcb.RoleMask, pcb.RoleSilk, pcb.RolePaste, pcb.RoleCopper} {
		var top, bottom, open []*Result
		for _, r := range files {
			switch {
			case r.Role != role:
			case r.Side == pcb.Top:
				top = append(top, r)
			case r.Side == pcb.Bottom:
				bottom = append(bottom, r)
			case r.Side == pcb.NoSide && r.Order == 0:
				open = append(open, r)
			}
		}
		switch {
		case len(open) != 1:
		case len(bottom) == 0 && len(top) == 1:
			open[0].giveSide(pcb.Bottom)
		case len(top) == 0 && (len(bottom) == 1 || role == pcb.RoleSilk):
			open[0].giveSide(pcb.Top)
		}
	}
}

func (r *Result) giveSide(s pcb.Side) {
	r.Side = s
	r.Why += "; the side is the one left over"
	r.Confidence *= 0.8
}

// chooseOutline makes a mechanical or keep-out layer the outline where no file
// is one: the lowest numbered, as drawn by habit.
func chooseOutline(files []*Result) {
	var candidates []*Result
	for _, r := range files {
		switch r.Role {
		case pcb.RoleOutline:
			return
		case pcb.RoleMechanical, pcb.RoleKeepOut:
			if r.extDesc != "" || len(r.ext) > 2 && r.ext[:2] == "gm" || r.Role == pcb.RoleKeepOut || hasWord(r.words, "mill", "mechanical", "mech") {
				candidates = append(candidates, r)
			}
		}
	}
	if len(candidates) == 0 {
		return
	}
	slices.SortFunc(candidates, func(a, b *Result) int { return compareNatural(a.ext+" "+a.base, b.ext+" "+b.base) })
	c := candidates[0]
	c.Role, c.Side = pcb.RoleOutline, pcb.NoSide
	c.Why += "; no other file can be the outline"
	c.LastResort = true
	c.Confidence = 0.6
}

func hasWord(words []string, any ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
}

// orderCopper numbers the copper files from top to bottom and gives the number
// of layers, which is larger than that of the files when some are missing.
func orderCopper(files []*Result) int {
	var copper []*Result
	for _, r := range files {
		if r.Role == pcb.RoleCopper {
			copper = append(copper, r)
		}
	}
	if len(copper) == 0 {
		return 0
	}
	copper, doubles := separateDoubles(copper)
	defer func() {
		for d, first := range doubles {
			d.Layer, d.Side = first.Layer, first.Side
		}
	}()
	innerNumbers(copper)
	eagleNumbers(copper)
	orderByNumber(copper)
	n := placeNumbered(copper)
	n += placeRest(copper, n)
	for _, r := range copper {
		if r.Layer > 1 && r.Side == pcb.Top && r.isPlacedBelow() && holder(copper, 1) != nil {
			r.Side = pcb.Inner
		}
		if r.Layer == 1 && r.Side != pcb.Bottom {
			r.Side = pcb.Top
		} else if r.Layer == n && n > 1 && r.Side == pcb.Inner && !hasSide(copper, pcb.Bottom) {
			r.Side = pcb.Bottom
		}
	}
	return n
}

// isPlacedBelow reports whether a file says of itself, or a report of it, that it is a layer
// below the first, while nothing but its name calls it the top: L1 is the first inner layer
// to some.
func (r *Result) isPlacedBelow() bool {
	heaviest := func(of func(Evidence) bool) (most float64) {
		for _, w := range r.Evidence {
			if w.Role == pcb.RoleCopper && of(w) {
				most = max(most, w.Weight)
			}
		}
		return most
	}
	return heaviest(func(w Evidence) bool { return w.Order > 1 }) > heaviest(func(w Evidence) bool { return w.Side == pcb.Top || w.Order == 1 })
}

// separateDoubles takes out the files that state, in the file itself, the layer that another
// one states too: one of them is an older plot, and not a layer more. Where that is
// so of half of the layers, and not of outer ones alone, they are of two boards, and stay.
func separateDoubles(copper []*Result) (once []*Result, doubles map[*Result]*Result) {
	first := map[int]*Result{}
	doubles = map[*Result]*Result{}
	for _, r := range copper {
		n := r.attributeOrder()
		if n > 0 && first[n] != nil {
			doubles[r] = first[n]
			continue
		}
		once = append(once, r)
		if n > 0 {
			first[n] = r
		}
	}
	if n := 2 * len(doubles); n > len(first) || n == len(first) && slices.ContainsFunc(slices.Collect(maps.Keys(doubles)), (*Result).isInner) {
		return copper, nil
	}
	return once, doubles
}

// isInner tells whether a file is an inner layer.
func (r *Result) isInner() bool { return r.Side == pcb.Inner }

// attributeOrder is the copper layer that the file states as an attribute of itself; 0 for none.
func (r *Result) attributeOrder() int {
	i := slices.IndexFunc(r.Evidence, func(w Evidence) bool { return w.Weight >= weightAttribute && w.Role == pcb.RoleCopper && w.Order > 0 })
	if i < 0 {
		return 0
	}
	return r.Evidence[i].Order
}

// innerNumbers takes numbers in names for those of inner layers where a file
// called top is there beside a layer 1 that is called by its number alone.
func innerNumbers(copper []*Result) {
	top := false
	for _, r := range copper {
		top = top || r.Side == pcb.Top && r.Order == 0
	}
	first := holder(copper, 1)
	if !top || first == nil || first.isFirstAndTop() || first.Confidence >= 0.999 && first.Evidence[0].Weight >= weightJob {
		return
	}
	for _, r := range copper {
		if r.Order > 0 {
			r.rank, r.Order = float64(r.Order), 0
			if r.Side == pcb.Top && r == first {
				r.Side = pcb.Inner
			}
		}
	}
}

// isFirstAndTop reports whether the file says in one breath that it is the first layer and the
// top, as the comment Layer01Top does.
func (r *Result) isFirstAndTop() bool {
	return slices.ContainsFunc(r.Evidence, func(w Evidence) bool {
		return w.Role == pcb.RoleCopper && w.Order == 1 && w.Side == pcb.Top && w.SideSaid && w.Weight > weightName
	})
}

// eagleNumbers closes the gap in EAGLE's numbers: it has places for 16 layers,
// fills them from both sides, and calls the bottom 16 whatever there are.
func eagleNumbers(copper []*Result) {
	const bottom = 16
	var upper, lower []*Result // counted from the top, and from the bottom
	for n := 2; holder(copper, n) != nil && n < bottom; n++ {
		upper = append(upper, holder(copper, n))
	}
	for n := bottom - 1; holder(copper, n) != nil && n > 1; n-- {
		lower = append(lower, holder(copper, n))
	}
	inner := len(copper) - 2
	if len(upper)+len(lower) != inner || len(lower) == 0 || !hasSide(copper, pcb.Top) || !hasSide(copper, pcb.Bottom) {
		return
	}
	for _, r := range copper {
		if r.Order >= bottom-len(lower) {
			r.Order += len(copper) - bottom
		}
	}
}

func hasSide(files []*Result, s pcb.Side) bool {
	return slices.ContainsFunc(files, func(r *Result) bool { return r.Side == s })
}

// placeNumbered trusts the numbers that files carry unless they collide, and
// gives the number of layers they imply.
func placeNumbered(copper []*Result) int {
	n := len(copper)
	seen := map[int]int{}
	for _, r := range copper {
		if r.Order > 0 {
			seen[r.Order]++
			n = max(n, r.Order)
		}
	}
	bottom := 0 // room for a bottom layer that carries no number
	for _, r := range copper {
		if r.Side == pcb.Bottom && r.Order == 0 {
			bottom = 1
		}
	}
	if bottom == 1 && seen[n] > 0 && n >= len(copper) {
		if last := holder(copper, n); last != nil && last.Side == pcb.Inner {
			n++
		}
	}
	for _, r := range copper {
		switch {
		case r.Order > 0 && seen[r.Order] == 1:
			r.Layer = r.Order
		case r.Side == pcb.Top && seen[1] == 0:
			r.Layer = 1
		case r.Side == pcb.Bottom && seen[n] == 0 && n > 1:
			r.Layer = n
		}
	}
	return n
}

func holder(copper []*Result, order int) *Result {
	for _, r := range copper {
		if r.Order == order {
			return r
		}
	}
	return nil
}

// placeRest puts the others, sorted, into the free places between, and gives how
// many layers their numbers skip.
func placeRest(copper []*Result, n int) (missing int) {
	taken, numbered := map[int]bool{}, map[int]bool{}
	var rest []*Result
	for _, r := range copper {
		if r.Layer > 0 && !taken[r.Layer] {
			taken[r.Layer] = true
			numbered[r.Layer] = r.Order > 0
		} else {
			r.Layer = 0
			rest = append(rest, r)
		}
	}
	slices.SortStableFunc(rest, compareRanks)
	missing = countSkipped(rest, numbered)
	if missing > 0 { // the bottom makes room
		for _, r := range copper {
			if r.Layer == n && n > 1 && r.Side == pcb.Bottom && r.Order == 0 {
				delete(taken, n)
				r.Layer += missing
				taken[r.Layer] = true
			}
		}
	}
	guessed := len(rest) > 1 && !isFamily(rest) && slices.ContainsFunc(rest, func(r *Result) bool { return !r.numbered })
	place := 1
	if n > 2 && (hasSide(copper, pcb.Top) || n == len(rest)) {
		place = 2
	}
	for i, r := range rest {
		if i > 0 && missing > 0 {
			place += int(r.rank-rest[i-1].rank) - 1
		}
		for taken[place] {
			place++
		}
		r.Layer = place
		if r.Guessed = guessed && r.Side == pcb.Inner; r.Guessed {
			r.Confidence = min(r.Confidence, 0.5)
			r.Why += "; nothing states its place among the inner layers"
		}
		taken[place] = true
		place++
	}
	return missing
}

// isFamily tells whether names differ by their numbers only, as In1 and In2 do: these
// state their order.
func isFamily(rest []*Result) bool {
	stem := func(r *Result) string {
		return strings.Trim(strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return -1
			}
			return c
		}, strings.ToLower(r.base)), " ")
	}
	seen := map[float64]bool{}
	for _, r := range rest {
		if r.rank <= 0 || seen[r.rank] || stem(r) != stem(rest[0]) {
			return false
		}
		seen[r.rank] = true
	}
	return true
}

// countSkipped counts the numbers left out between inner layers that all carry one,
// such as In1 and In3 without In2. What is there under a number that counts from
// the top, as L3 between GND2 and GND4, is not left out.
func countSkipped(rest []*Result, numbered map[int]bool) int {
	const most = 8
	for i, r := range rest {
		if r.Side != pcb.Inner || r.rank <= 0 || r.rank >= 100 || i > 0 && r.rank == rest[i-1].rank {
			return 0
		}
	}
	if len(rest) < 2 {
		return 0
	}
	first, last := int(rest[0].rank), int(rest[len(rest)-1].rank)
	gap := last - first + 1 - len(rest)
	for n := first + 1; n < last; n++ {
		if numbered[n] {
			gap--
		}
	}
	if gap > most {
		return 0
	}
	return gap
}
