// Package roles settles which layer of a board each of its artwork is, where names and
// attributes leave it open or say several things: by what the files draw.
package roles

import (
	"context"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/boardedge"
)

// SettleRivals settles which file is used where several claim the same layer. Those that
// give way take another role and are left aside.
func SettleRivals(ctx context.Context, s boardedge.Search) {
	boardedge.AdoptRoutes(s.Files)
	halves := s.FindDivided(ctx)
	byClaim := map[string][]*artwork.File{}
	var order []string
	for _, w := range s.Files {
		if c := claim(w.Layer); c != "" {
			if byClaim[c] == nil {
				order = append(order, c)
			}
			byClaim[c] = append(byClaim[c], w)
		}
	}
	for _, c := range order {
		ws := byClaim[c]
		if len(ws) < 2 {
			continue
		}
		best, certain := pickFile(ctx, s, ws)
		if len(halves) > 0 && best.Layer.Role == pcb.RoleOutline {
			best = halves[0]
		}
		for _, w := range ws {
			if w == best {
				continue
			}
			joins, doubtful := slices.Contains(halves, w), false
			if best.Layer.Role == pcb.RoleOutline && !joins {
				joins, doubtful = s.CutsWithin(ctx, w, best)
			}
			if !joins {
				concede(ctx, s, w, best, certain)
			}
			if doubtful {
				s.Say(pcb.Warning, "cutouts_doubtful", w.Result.Name, "the file holds cutouts by its name or its own word, and %q draws the edge of the board: what this file draws does not close to shapes within that edge, so nothing was cut out; say so if it is to be", best.Result.Name)
			}
		}
	}
}

// claim names the place that only one file can take; "" for roles that several
// may share.
func claim(l *pcb.Layer) string {
	switch l.Role {
	case pcb.RoleCopper:
		return fmt.Sprintf("copper layer %d", l.Order)
	case pcb.RoleMask, pcb.RolePaste, pcb.RoleSilk:
		return fmt.Sprintf("%s %s", l.Role, l.Side)
	case pcb.RoleOutline:
		return "outline"
	}
	return ""
}

// pickFile picks the file to use: among outlines the one that closes round the
// copper, else the one that was plotted with the others, else the surest, else the
// fullest. Of copper that is certain only where the time of the plot tells.
func pickFile(ctx context.Context, s boardedge.Search, ws []*artwork.File) (best *artwork.File, certain bool) {
	if ws[0].Layer.Role == pcb.RoleOutline {
		return s.PickSurest(ctx, ws), true
	}
	if w := findContemporary(s.Files, ws); w != nil {
		return w, true
	}
	best = slices.MaxFunc(ws, func(x, y *artwork.File) int {
		cx, cy := x.Result.Confidence, y.Result.Confidence
		switch {
		case cx != cy && len(x.Layer.Features) > 0 && len(y.Layer.Features) > 0:
			if cx > cy {
				return 1
			}
			return -1
		}
		return len(x.Layer.Features) - len(y.Layer.Features)
	})
	return best, best.Layer.Role != pcb.RoleCopper
}

// findContemporary is the one file that states to have been made when most of the
// board's artwork was; nil where several or none do.
func findContemporary(files, ws []*artwork.File) *artwork.File {
	const run = 10 * time.Minute // what is plotted at a time
	var all []time.Time
	for _, w := range files {
		if t, ok := artwork.CreationTime(w); ok && !slices.Contains(ws, w) {
			all = append(all, t)
		}
	}
	if len(all) < 3 {
		return nil
	}
	slices.SortFunc(all, time.Time.Compare)
	middle := all[len(all)/2]
	var best *artwork.File
	for _, w := range ws {
		t, ok := artwork.CreationTime(w)
		switch {
		case !ok:
			return nil
		case t.Sub(middle).Abs() > run:
		case best != nil:
			return nil
		default:
			best = w
		}
	}
	return best
}

// concede takes a file out of the board in favour of another. Where that is a guess, the
// customer has to say which is right.
func concede(ctx context.Context, s boardedge.Search, w, best *artwork.File, certain bool) {
	loser, winner := w.Result, best.Result
	same := string(w.Data) == string(best.Data)
	level, what := pcb.Warning, fmt.Sprintf("both files claim to be the %s; %q is used", claim(best.Layer), winner.Name)
	var settle []answers.Answer
	if same {
		level, what = pcb.Note, fmt.Sprintf("the file is the same as %q", winner.Name)
	} else if !certain {
		level = pcb.Problem
		what += ", and nothing tells whether it is right: say which is, with the other in file_answers.leave_out, or send one of them only"
		settle = []answers.Answer{answers.LeaveOut(loser.Name), answers.LeaveOut(winner.Name)}
	} else if w.Layer.Role == pcb.RoleOutline {
		level, what = pcb.Note, fmt.Sprintf("another file draws the outline better: %q is used", winner.Name)
		if differs, doubt := s.CompareSizes(ctx, w, best); differs != "" {
			level, what = doubt, differs
		}
		if level == pcb.Warning {
			settle = []answers.Answer{answers.Outline(loser.Name), answers.Outline(winner.Name)}
		}
	}
	w.Result.LeaveAside(what)
	s.Add(pcb.Finding{Code: "layer_twice", Level: level, File: loser.Name, Message: what, Answers: settle})
	if w.Layer.Role == pcb.RoleOutline {
		w.Layer.Role = pcb.RoleMechanical
		return
	}
	w.Layer.Role = pcb.RoleOther
}
