package classify

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"boardorder/pkg/board/pcb"
)

// Evidence is one statement about a file's role.
type Evidence struct {
	Role     pcb.Role
	Side     pcb.Side
	SideSaid bool // the side is named, and not concluded from the layer's number
	Order    int  // copper layer 1..N when named outright
	From, To int  // span of a drill
	Plating  pcb.Plating
	Rank     float64 // place among inner layers when only that is named
	Weight   float64
	Why      string
	Process  pcb.Process // that a plain board is made without
}

// Weights of evidence: what is written in the file by the tool that made it
// counts more than what it is called.
const (
	weightAnswer    = 12
	weightAttribute = 10
	weightJob       = 9
	weightComment   = 8
	weightReport    = 7
	weightNote      = 5.5 // people's notes
	weightExtension = 5
	weightName      = 4
	weightHint      = 2
	weightOther     = 1 // the tool had no word for it; its name may
)

// verdict adds up the evidence: the role first, then the side among those who
// agree on the role.
func verdict(ws []Evidence) (w Evidence, confidence float64) {
	if len(ws) == 0 {
		return Evidence{}, 0
	}
	role, share := heaviest(ws, func(w Evidence) pcb.Role { return w.Role })
	var same []Evidence
	for _, v := range ws {
		if v.Role == role {
			same = append(same, v)
		}
	}
	slices.SortStableFunc(same, func(a, b Evidence) int { return cmp.Compare(b.Weight, a.Weight) })
	out := same[0]
	out.Side = pcb.NoSide
	var sided []Evidence
	for _, v := range same {
		if v.Side != pcb.NoSide {
			sided = append(sided, v)
		}
		fill(&out, v)
	}
	if len(sided) > 0 {
		out.Side, _ = heaviest(sided, func(w Evidence) pcb.Side { return w.Side })
	}
	return out, share * min(1, 0.4+same[0].Weight/12)
}

// fill takes over what a lighter evidence adds.
func fill(out *Evidence, v Evidence) {
	if out.Order == 0 {
		out.Order = v.Order
	}
	if out.Rank == 0 {
		out.Rank = v.Rank
	}
	if out.From == 0 && out.To == 0 {
		out.From, out.To = v.From, v.To
	}
	if out.Plating == pcb.PlatingUnknown {
		out.Plating = v.Plating
	}
}

// heaviest is the value with the greatest weight behind it and its share.
func heaviest[K cmp.Ordered](ws []Evidence, key func(Evidence) K) (K, float64) {
	sum, total := map[K]float64{}, 0.0
	for _, w := range ws {
		sum[key(w)] += w.Weight
		total += w.Weight
	}
	var best K
	top := -1.0
	for _, w := range ws { // in order, so that ties go to the first
		if k := key(w); sum[k] > top {
			best, top = k, sum[k]
		}
	}
	return best, top / total
}

// IsStated tells whether the tool that made the file says that it is of a role: in an
// attribute or a record of the file itself, or in a report or a job file beside it. What
// it is called says less: people rename files, and names are short.
func (r *Result) IsStated(role pcb.Role) bool {
	return slices.ContainsFunc(r.Evidence, func(w Evidence) bool { return w.Role == role && w.Weight >= weightReport })
}

// IsAttributed tells whether the file says of itself that it is of a role, or a job file does.
func (r *Result) IsAttributed(role pcb.Role) bool {
	return slices.ContainsFunc(r.Evidence, func(w Evidence) bool { return w.Role == role && w.Weight >= weightJob })
}

// ExtensionOnly tells whether nothing but the extension of the file's name speaks for a
// role, or nothing at all.
func (r *Result) ExtensionOnly(role pcb.Role) bool {
	return !slices.ContainsFunc(r.Evidence, func(w Evidence) bool { return w.Role == role && !strings.HasPrefix(w.Why, "extension ") })
}

// Comment tells whether the file says of itself that it is of a kind that its tool has no
// word for, such as a layer of comments.
func (r *Result) Comment() bool {
	return slices.ContainsFunc(r.Evidence, func(w Evidence) bool { return w.Weight == weightOther })
}

// Cutouts tells whether a file is called cutouts or milling, as other files than that of the
// board's edge are.
func (r *Result) Cutouts() bool {
	called := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, strings.Join(r.words, " ")+" "+r.extDesc)
	return strings.Contains(called, "cutout") || strings.Contains(called, "milling") || strings.Contains(called, "miling")
}

// Routes tells whether a file is called a route of the cutter, or says of itself that it is one.
func (r *Result) Routes() bool {
	return r.ext == "gml" || hasWord(r.words, "routing", "rout", "route") || r.StatesRouting()
}

// SideOnly tells whether nothing but the name of a side speaks for a role.
func (r *Result) SideOnly(role pcb.Role) bool {
	return !slices.ContainsFunc(r.Evidence, func(w Evidence) bool { return w.Role == role && w.Weight > weightHint+1 })
}
