package dfm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board"
)

// layers tells which layers are missing, doubled or empty.
func layers(_ context.Context, in *input) result {
	if len(in.board.Copper()) == 0 {
		return result{}
	}
	r := in.doubled()
	if !slices.ContainsFunc(r.findings, miscounted) {
		r.add(in.missingCopper())
	}
	r.add(in.missingMask())
	r.add(in.missingDrills())
	r.add(in.empty())
	return r
}

func say(n Name, level Level, count int, layers []string, format string, args ...any) result {
	f := Finding{Check: n, Level: level, What: fmt.Sprintf(format, args...), Count: count}
	for _, l := range layers {
		f.Places = append(f.Places, Place{Layer: l})
	}
	return result{findings: []Finding{f}}
}

// missingCopper looks for gaps in the numbering up to the number of layers that
// names, job file, drill spans or stackup tell of.
func (in *input) missingCopper() result {
	have, told := map[int]bool{}, 0
	for _, l := range in.board.Copper() {
		have[l.Order] = true
		told = max(told, l.Order)
	}
	how := ""
	if f := in.board.Facts.CopperLayers; f.Known && f.Value > told {
		told, how = f.Value, f.How
	}
	if n := in.drilledTo(); n > told {
		told, how = n, "span of the drill files"
	}
	var gone []string
	for i := 1; i <= told; i++ {
		if !have[i] {
			gone = append(gone, fmt.Sprint(i))
		}
	}
	if len(gone) == 0 || have[0] && len(in.board.Copper()) >= told {
		return result{}
	}
	if how != "" {
		how = " (" + how + ")"
	}
	what := "layer " + gone[0] + " is missing"
	if len(gone) > 1 {
		what = "layers " + strings.Join(gone, ", ") + " are missing"
	}
	return say(LayerMissing, MustFix, len(gone), nil, "The files speak of %s%s: copper %s.", plural(told, "copper layer"), how, what)
}

func (in *input) drilledTo() int {
	n := 0
	for i := range in.board.Holes {
		h := &in.board.Holes[i]
		n = max(n, int(h.From), int(h.To))
	}
	return n
}

// missingMask looks for outer copper, and no mask over it.
func (in *input) missingMask() result {
	var sides, over []string
	for _, s := range []board.Side{board.Top, board.Bottom} {
		if l := in.outer(s); l != nil && len(l.Features) > 0 && len(in.board.Find(board.RoleMask, s)) == 0 {
			sides, over = append(sides, s.String()), append(over, l.Name)
		}
	}
	if len(sides) == 0 {
		return result{}
	}
	return say(LayerMissing, Warning, len(sides), over,
		"There is no solder mask for the %s side: it would be all mask or none. Send the file, or say that none is wanted.", strings.Join(sides, " and the "))
}

// outer is the copper layer of a side; nil where there is none.
func (in *input) outer(s board.Side) *board.Layer {
	for _, l := range in.board.Copper() {
		if l.Side == s {
			return l
		}
	}
	return nil
}

// missingDrills looks for copper on two sides and nothing that joins it.
func (in *input) missingDrills() result {
	if len(in.board.Holes) > 0 || len(in.board.Copper()) < 2 {
		return result{}
	}
	for _, l := range in.board.Copper() {
		if len(l.Features) == 0 {
			return result{}
		}
	}
	return say(LayerMissing, Warning, 1, nil,
		"There are no holes at all, though the board has copper on %s: if it has vias or leaded parts, the drill file is missing.",
		plural(len(in.board.Copper()), "layer"))
}

// doubled looks for two layers that claim one place.
func (in *input) doubled() result {
	type key struct {
		role  board.Role
		side  board.Side
		order int
	}
	first, names := map[key]*board.Layer{}, map[key][]string{}
	var order []key
	for _, l := range in.board.Layers {
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
		names[k] = append(names[k], layerWords(l))
	}
	var r result
	for _, k := range order {
		if n := len(names[k]); n > 1 {
			level := Warning
			if k.role == board.RoleCopper {
				level = MustFix
			}
			r.add(say(LayerExtra, level, n-1, names[k], "%s are for the same layer of the board: %s. Say which is right.",
				plural(n, "file"), strings.Join(names[k], ", ")))
		}
	}
	return r
}

// layerWords names a layer for people: its file where it has one of its own.
func layerWords(l *board.Layer) string {
	if l.Name != "" {
		return l.Name
	}
	return l.File
}
