// Package layers judges whether the layers are those of the design: missing, doubled,
// empty, or drawn as negatives.
package layers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
)

// Present tells which layers are missing, doubled or empty.
var Present = rule.Rule{Judges: []dfm.Name{dfm.LayerMissing, dfm.LayerExtra, dfm.LayerEmpty}, Run: present}

// present tells which layers are missing, doubled or empty.
func present(_ context.Context, in *measure.Input) rule.Result {
	if len(in.Board.Copper()) == 0 {
		return rule.Result{}
	}
	r := doubled(in)
	if !slices.ContainsFunc(r.Findings, rule.Miscounted) {
		r.Add(missingCopper(in))
	}
	r.Add(missingMask(in))
	r.Add(missingDrills(in))
	r.Add(empty(in))
	return r
}

// missingCopper looks for gaps in the numbering up to the number of layers that
// names, job file, drill spans or stackup tell of.
func missingCopper(in *measure.Input) rule.Result {
	have, told := map[int]bool{}, 0
	for _, l := range in.Board.Copper() {
		have[l.Order] = true
		told = max(told, l.Order)
	}
	how := ""
	if f := in.Board.Facts.CopperLayers; f.Known && f.Value > told {
		told, how = f.Value, f.How
	}
	if n := drilledTo(in); n > told {
		told, how = n, "span of the drill files"
	}
	var gone []string
	for i := 1; i <= told; i++ {
		if !have[i] {
			gone = append(gone, fmt.Sprint(i))
		}
	}
	if len(gone) == 0 || have[0] && len(in.Board.Copper()) >= told {
		return rule.Result{}
	}
	if how != "" {
		how = " (" + how + ")"
	}
	what := "layer " + gone[0] + " is missing"
	if len(gone) > 1 {
		what = "layers " + strings.Join(gone, ", ") + " are missing"
	}
	return rule.OfLayers(dfm.LayerMissing, dfm.MustFix, len(gone), nil, "The files speak of %s%s: copper %s.", words.Plural(told, "copper layer"), how, what)
}

func drilledTo(in *measure.Input) int {
	n := 0
	for i := range in.Board.Holes {
		h := &in.Board.Holes[i]
		n = max(n, int(h.From), int(h.To))
	}
	return n
}

// missingMask looks for outer copper, and no mask over it.
func missingMask(in *measure.Input) rule.Result {
	var sides, over []string
	for _, s := range []board.Side{board.Top, board.Bottom} {
		if l := in.Outer(s); l != nil && len(l.Features) > 0 && len(in.Board.Find(board.RoleMask, s)) == 0 {
			sides, over = append(sides, s.String()), append(over, l.Name)
		}
	}
	if len(sides) == 0 {
		return rule.Result{}
	}
	return rule.OfLayers(dfm.LayerMissing, dfm.Warning, len(sides), over,
		"There is no solder mask for the %s side: it would be all mask or none. Send the file, or say that none is wanted.", strings.Join(sides, " and the "))
}

// missingDrills looks for copper on two sides and nothing that joins it.
func missingDrills(in *measure.Input) rule.Result {
	if len(in.Board.Holes) > 0 || len(in.Board.Copper()) < 2 {
		return rule.Result{}
	}
	for _, l := range in.Board.Copper() {
		if len(l.Features) == 0 {
			return rule.Result{}
		}
	}
	return rule.OfLayers(dfm.LayerMissing, dfm.Warning, 1, nil,
		"There are no holes at all, though the board has copper on %s: if it has vias or leaded parts, the drill file is missing.",
		words.Plural(len(in.Board.Copper()), "layer"))
}

// doubled looks for two layers that claim one place.
func doubled(in *measure.Input) rule.Result {
	type key struct {
		role  board.Role
		side  board.Side
		order int
	}
	first, names := map[key]*board.Layer{}, map[key][]string{}
	var order []key
	for _, l := range in.Board.Layers {
		k := key{l.Role, l.Side, l.Order}
		switch l.Role {
		case board.RoleCopper:
			switch {
			case l.Side == board.Top || l.Side == board.Bottom:
				k.order = 0
			case l.Order == 0:
				continue
			}
		case board.RoleMask, board.RoleSilk:
			if l.Side == board.NoSide {
				continue
			}
		default:
			continue
		}
		if len(l.Features) == 0 {
			continue
		}
		if first[k] == nil {
			first[k] = l
			order = append(order, k)
		}
		names[k] = append(names[k], measure.LayerWords(l))
	}
	var r rule.Result
	for _, k := range order {
		if n := len(names[k]); n > 1 {
			level := dfm.Warning
			if k.role == board.RoleCopper {
				level = dfm.MustFix
			}
			r.Add(rule.OfLayers(dfm.LayerExtra, level, n-1, names[k], "%s are for the same layer of the board: %s. Say which is right.",
				words.Plural(n, "file"), strings.Join(names[k], ", ")))
		}
	}
	return r
}
