package artwork

import (
	"context"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// joinApertures reads an RS-274-D file again with the aperture list that lies
// beside it, and with what is said there of how its coordinates are written.
func joinApertures(ctx context.Context, u group.Upload, board string, w *File) *File {
	f := u.Files[w.Index]
	plots := findPlots(u, f.Name)
	from, list := findApertures(u, w, plots)
	if from < 0 {
		return w
	}
	u.Result(from).Use(board)
	opt := gerber.Options{Apertures: list}
	if i, p := findPlot(plots, group.BaseName(f.Name), u.Result(from).Name); p != nil {
		u.Result(i).Use(board)
		if p.Integer+p.Decimal > 0 {
			opt.Format = &gerber.Format{Integer: p.Integer, Decimal: p.Decimal, TrailingOmitted: p.TrailingOmitted, Incremental: p.Incremental}
		}
		if p.UnitStated {
			opt.Metric = &p.Metric
		}
	}
	again := gerber.Read(ctx, f.Name, f.Data, opt)
	again.Findings = append(again.Findings, pcb.Finding{
		Code: "apertures_joined", Level: pcb.Note,
		Message: "the file has no apertures of its own; those of " + u.Result(from).Name + " were used",
	})
	return &File{File: again, Index: w.Index, Result: w.Result, Data: w.Data}
}

// findPlots gives what the folder of a file says of plots, by index of the file that says it.
func findPlots(u group.Upload, name string) map[int]*report.Plot {
	out := map[int]*report.Plot{}
	for i, r := range u.Set.Results {
		if r.Format != classify.FormatReport || path.Dir(r.Name) != path.Dir(name) {
			continue
		}
		if p, ok := report.PlotInfo(u.Files[i].Data); ok {
			out[i] = &p
		}
	}
	return out
}

// findApertures chooses the list for a file: the one that defines most of what the file
// draws with; among these a list before a report of what one plot used of it, and the
// list that this plot names or that is called as the file is before those of others.
func findApertures(u group.Upload, w *File, plots map[int]*report.Plot) (from int, best map[int]pcb.Aperture) {
	from = -1
	name := w.Result.Name
	var most [4]int
	for i, r := range u.Set.Results {
		if r.Format != classify.FormatApertures && r.Format != classify.FormatReport || path.Dir(r.Name) != path.Dir(name) {
			continue
		}
		list := report.Apertures(u.Files[i].Data)
		if len(list) == 0 {
			continue
		}
		rank := [4]int{countDefined(w, list), 0, rankCloseness(plots, i, r.Name, name), len(list)}
		if r.Format == classify.FormatApertures {
			rank[1] = 1
		}
		if from < 0 || slices.Compare(rank[:], most[:]) > 0 {
			from, best, most = i, list, rank
		}
	}
	return from, best
}

// countDefined counts the apertures of a file that a list has.
func countDefined(w *File, list map[int]pcb.Aperture) int {
	n := 0
	for i := range w.Layer.Apertures {
		if _, ok := list[w.Layer.Apertures[i].Code]; ok {
			n++
		}
	}
	return n
}

// rankCloseness tells how near file i, called list, is to the artwork called name: it is of its
// plot or is what the plot used, it is called alike, or neither.
func rankCloseness(plots map[int]*report.Plot, i int, list, name string) int {
	for k, p := range plots {
		if strings.EqualFold(p.File, group.BaseName(name)) && (k == i || strings.EqualFold(p.Wheel, group.BaseName(list))) {
			return 2
		}
	}
	if group.ShareStem(list, name) {
		return 1
	}
	return 0
}

// findPlot gives what is said of how a plot is written: of the plot itself, or else of
// others that were made with the same list, when all of them say the same.
func findPlot(plots map[int]*report.Plot, file, list string) (from int, best *report.Plot) {
	from = -1
	for i, p := range plots {
		if strings.EqualFold(p.File, file) && (from < 0 || i < from) {
			from, best = i, p
		}
	}
	if from >= 0 {
		return from, best
	}
	for i, p := range plots {
		if !strings.EqualFold(p.Wheel, group.BaseName(list)) {
			continue
		}
		if best != nil && !sharesFormat(best, p) {
			return -1, nil
		}
		if from < 0 || i < from {
			from, best = i, p
		}
	}
	return from, best
}

// sharesFormat reports whether two plots are written the same way.
func sharesFormat(x, y *report.Plot) bool {
	a, b := *x, *y
	a.File, b.File, a.Wheel, b.Wheel = "", "", "", ""
	return a == b
}
