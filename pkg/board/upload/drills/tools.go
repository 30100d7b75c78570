package drills

import (
	"context"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// toolsFromReport is what a drill report says about a drill file's tools.
func (s Reader) toolsFromReport(i int) map[int]excellon.Tool {
	f := s.Result(i)
	tools := map[int]excellon.Tool{}
	for k, r := range s.Set.Results {
		if r.Format != classify.FormatDrillRep || path.Dir(r.Name) != path.Dir(f.Name) {
			continue
		}
		for _, d := range report.Drills(s.Files[k].Data) {
			if d.File == "" && !group.ShareStem(r.Name, f.Name) || d.File != "" && !strings.EqualFold(d.File, group.BaseName(f.Name)) {
				continue
			}
			t := excellon.Tool{Number: d.Tool, Diameter: d.Diameter, Stated: d.Count, Plating: pcb.NonPlated}
			if d.Plated {
				t.Plating = pcb.Plated
			}
			tools[d.Tool] = t
		}
	}
	return tools
}

// applyToolLists reads drill files whose tools have no size again with the list of tools
// that lies beside them: older tools, and Allegro, write places into one file and sizes
// into another.
func (s Reader) applyToolLists(ctx context.Context, read []*Program, options []excellon.Options) {
	lists := map[string][]toolList{} // by folder
	for k, d := range read {
		if d == nil || !lacksSizes(d.File) {
			continue
		}
		dir := path.Dir(d.Result.Name)
		if _, ok := lists[dir]; !ok {
			lists[dir] = s.toolLists(dir)
		}
		tools, from := s.toolsFromLists(d, lists[dir])
		if len(tools) == 0 {
			continue
		}
		options[k].Lists = tools
		f := s.Files[d.Index]
		d.File = excellon.Read(pcb.FileContext(ctx, f.Name), f.Data, options[k])
		for _, i := range from {
			s.Result(i).Use(s.Board.Name)
		}
	}
}

// lacksSizes tells whether holes of a file have no size.
func lacksSizes(f *excellon.File) bool {
	return slices.ContainsFunc(f.Findings, func(g pcb.Finding) bool { return g.Code == "drill_no_size" })
}

// A toolList is a list of tools and the file that it is.
type toolList struct {
	Index int
	report.ToolList
}

// toolLists gives the lists of tools of a folder.
func (s Reader) toolLists(dir string) []toolList {
	var out []toolList
	for i, r := range s.Set.Results {
		if path.Dir(r.Name) != dir {
			continue
		}
		switch r.Format {
		case classify.FormatReport, classify.FormatDrillRep, classify.FormatText, classify.FormatReadme, classify.FormatUnknown, classify.FormatExcellon:
			if l, ok := report.Tools(s.Files[i].Data); ok {
				out = append(out, toolList{i, l})
			}
		}
	}
	return out
}

// toolsFromLists gives what lists say of the tools of a drill file, and which files say it: the
// lists that name the file, else those that are called as it is, else all that may be of
// it. A tool of which they say different things is left out.
func (s Reader) toolsFromLists(d *Program, lists []toolList) (tools map[int]excellon.Tool, from []int) {
	name := d.Result.Name
	best := 0
	var chosen []toolList
	for _, l := range lists {
		n := s.rateList(l, name)
		if n == 0 || l.Index == d.Index || n < best {
			continue
		}
		if n > best {
			best, chosen = n, nil
		}
		chosen = append(chosen, l)
	}
	tools = map[int]excellon.Tool{}
	doubtful := map[int]bool{}
	for _, l := range chosen {
		beside := s.unitBeside(d, l)
		for _, r := range l.Drills(beside) {
			t := excellon.Tool{Number: r.Tool, Diameter: r.Diameter, Stated: r.Count}
			switch {
			case r.Plated:
				t.Plating = pcb.Plated
			case r.Bare:
				t.Plating = pcb.NonPlated
			}
			if o, ok := tools[r.Tool]; ok && o.Diameter != t.Diameter {
				doubtful[r.Tool] = true
			}
			tools[r.Tool] = t
		}
		from = append(from, l.Index)
	}
	for n := range doubtful {
		delete(tools, n)
	}
	return tools, from
}

// rateList tells how surely a list is of a drill file: it names it (3), it is called as the
// file is (2), or it lies beside it (1); 0 where it is of others. Allegro keeps the tools of
// the drill and those of the router apart.
func (s Reader) rateList(l toolList, name string) int {
	list := strings.ToLower(group.BaseName(s.Result(l.Index).Name))
	router := strings.EqualFold(path.Ext(name), ".rou")
	if strings.HasPrefix(list, "ncroutebits") && !router || strings.HasPrefix(list, "nc_tools") && router {
		return 0
	}
	others := false
	for _, f := range l.Files {
		if f == strings.ToLower(group.BaseName(name)) {
			return 3
		}
		for _, r := range s.Set.Results {
			others = others || r.Format == classify.FormatExcellon && f == strings.ToLower(group.BaseName(r.Name))
		}
	}
	switch {
	case others:
		return 0
	case group.ShareStem(list, name):
		return 2
	}
	return 1
}

// unitBeside is the unit that sizes without one are in: what Allegro's parameters or the
// drill file itself state; inches in EAGLE's rack.
func (s Reader) unitBeside(d *Program, l toolList) string {
	unit := s.ncFormat(d.Index).Unit
	if unit == excellon.UnknownUnit && d.Format.UnitSource != excellon.Assumed {
		unit = d.Format.Unit
	}
	switch {
	case unit == excellon.Millimetre:
		return "mm"
	case unit == excellon.Inch || l.Rack:
		return "in"
	}
	return ""
}
