// Package layers judges whether the layers are those of the design: missing, doubled,
// empty, or drawn as negatives.
package layers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// Present tells which layers are missing, doubled or empty.
var Present = rule.Rule{Judges: []dfm.Name{dfm.LayerMissing, dfm.LayerExtra, dfm.LayerEmpty, dfm.CopperOutside}, Run: present}

// present tells which layers are missing, doubled or empty.
func present(_ context.Context, in *measure.Input) rule.Result {
	if len(in.Board.Copper()) == 0 {
		return rule.Result{}
	}
	r := findDoubles(in)
	if !slices.ContainsFunc(r.Findings, rule.IsMiscount) {
		r.Add(missingCopper(in))
	}
	r.Add(missingMask(in))
	r.Add(missingDrills(in))
	r.Add(empty(in))
	r.Add(whole(in))
	return r
}

// missingCopper looks for gaps in the numbering up to the number of layers that
// names, job file, drill spans or stackup tell of.
func missingCopper(in *measure.Input) rule.Result {
	have, reported := map[int]bool{}, 0
	for _, l := range in.Board.Copper() {
		have[l.Order] = true
		reported = max(reported, l.Order)
	}
	how := ""
	if f := in.Board.Facts.CopperLayers; f.Known && f.Value > reported {
		reported, how = f.Value, f.How
	}
	if n := deepestDrill(in); n > reported {
		reported, how = n, "span of the drill files"
	}
	var gone []string
	for i := 1; i <= reported; i++ {
		if !have[i] {
			gone = append(gone, fmt.Sprint(i))
		}
	}
	if len(gone) == 0 || have[0] && len(in.Board.Copper()) >= reported {
		return rule.Result{}
	}
	if how != "" {
		how = " (" + how + ")"
	}
	what := "layer " + gone[0] + " is missing"
	if len(gone) > 1 {
		what = "layers " + strings.Join(gone, ", ") + " are missing"
	}
	return rule.LayerFinding(dfm.LayerMissing, dfm.MustFix, len(gone), nil, "The files speak of %s%s: copper %s.%s", words.Plural(reported, "copper layer"), how, what, placeless(in))
}

// maxPlaceless bounds how many files are named that may be what is missing.
const maxPlaceless = 4

// placeless names artwork that nothing tells the place of: a layer that is missing may be
// among it.
func placeless(in *measure.Input) string {
	var layers []string
	for _, l := range in.Board.Find(pcb.RoleUnknown, pcb.NoSide) {
		if len(l.Features) > 0 {
			layers = append(layers, measure.LayerWords(l))
		}
	}
	if n := len(layers); n == 0 || n > maxPlaceless {
		return ""
	}
	return " Nothing tells which layer " + words.List(layers, "is; it may be that one", "are; one may be it") + "."
}

func deepestDrill(in *measure.Input) int {
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
	for _, s := range []pcb.Side{pcb.Top, pcb.Bottom} {
		if l := in.Outer(s); l != nil && len(l.Features) > 0 && len(in.Board.Find(pcb.RoleMask, s)) == 0 {
			sides, over = append(sides, s.String()), append(over, l.Name)
		}
	}
	if len(sides) == 0 {
		return rule.Result{}
	}
	return rule.LayerFinding(dfm.LayerMissing, dfm.Warning, len(sides), over,
		"There is no solder mask for the %s side: it would be all mask or none. Send the file, or say that none is wanted.", strings.Join(sides, " and the "))
}

// missingDrills looks for copper on two sides and no holes at all that join it, unless a
// reader has said so of the files.
func missingDrills(in *measure.Input) rule.Result {
	layers := in.Board.Copper()
	reported := slices.ContainsFunc(in.Board.Findings, func(f pcb.Finding) bool { return f.Code == "drill_missing" || f.Code == "holes_denied" })
	if len(layers) < 2 || len(in.Board.Holes) > 0 || reported || slices.ContainsFunc(layers, func(l *pcb.Layer) bool { return len(l.Features) == 0 }) {
		return rule.Result{}
	}
	return rule.LayerFinding(dfm.LayerMissing, dfm.Warning, 1, nil,
		"There are no holes at all, though the board has copper on %s: if it has vias or leaded parts, the drill file is missing.",
		words.Plural(len(layers), "layer"))
}

// findDoubles looks for two layers that claim one place.
func findDoubles(in *measure.Input) rule.Result {
	type key struct {
		role  pcb.Role
		side  pcb.Side
		order int
	}
	counterparts, files := map[key]*called{}, map[key][]string{}
	var order []key
	for _, l := range in.Board.Layers {
		k := key{l.Role, l.Side, l.Order}
		switch l.Role {
		case pcb.RoleCopper:
			switch {
			case l.Side == pcb.Top || l.Side == pcb.Bottom:
				k.order = 0
			case l.Order == 0:
				continue
			}
		case pcb.RoleMask, pcb.RoleSilk:
			if l.Side == pcb.NoSide {
				continue
			}
		default:
			continue
		}
		if len(l.Features) == 0 {
			continue
		}
		if counterparts[k] == nil {
			counterparts[k] = &called{}
			order = append(order, k)
		}
		counterparts[k].add(l)
		if l.File != "" && !slices.Contains(files[k], l.File) {
			files[k] = append(files[k], l.File)
		}
	}
	var r rule.Result
	for _, k := range order {
		if n := len(counterparts[k].names); n > 1 {
			level := dfm.Warning
			if k.role == pcb.RoleCopper {
				level = dfm.MustFix
			}
			twice := rule.LayerFinding(dfm.LayerExtra, level, n-1, counterparts[k].names, "%s are for the same layer of the board: %s. Say which is right, with the other in file_answers.leave_out.",
				words.Plural(n, "file"), strings.Join(counterparts[k].words, ", "))
			for _, file := range files[k] {
				if len(files[k]) == n {
					twice.Findings[0].Answers = append(twice.Findings[0].Answers, answers.LeaveOut(file))
				}
			}
			r.Add(twice)
		}
	}
	return r
}
