package upload

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// A drill is one drill or rout program of a board.
type drill struct {
	*excellon.File
	Index   int              // among the files of the upload
	Result  *classify.Result // what classification found out about it
	Data    []byte
	repeats bool // its holes are in other files too
	rest    bool // that it is plated follows from other files that are not
	again   bool // it drills plated holes a second time, from one side
}

// readDrills reads the NC programs of the group and puts their holes on the
// board, once each.
func (a *assembly) readDrills() {
	var members []int
	for _, i := range a.Group.Members {
		if a.Result(i).Format == classify.FormatExcellon && a.Result(i).Role != pcb.RoleViaFill && !a.Result(i).IsSunk() {
			members = append(members, i)
		}
	}
	hints := a.drillHints()
	options := make([]excellon.Options, len(members))
	for k, i := range members {
		opt := hints
		opt.Plating = a.Result(i).Plating
		opt.Tools = a.toolsFromReport(i)
		opt.Format = a.ncFormat(i)
		opt.File, opt.Answered = a.Files[i].Name, a.said.Sizes(a.Files[i].Name)
		options[k] = opt
	}
	read := make([]*drill, len(members))
	a.runEach(len(members), func(k int) {
		i := members[k]
		read[k] = &drill{Index: i, Result: a.Result(i), Data: a.Files[i].Data, File: excellon.Read(pcb.FileContext(a.ctx, a.Files[i].Name), a.Files[i].Data, options[k])}
	})
	a.applyToolLists(read, options)
	a.shareFormats(read, options)
	for k, d := range read {
		if d == nil {
			a.Result(members[k]).LeaveAside("there was no time left to read it")
			continue
		}
		a.describeDrill(d)
		a.toolUnit(d)
		a.checkSizes(d)
		a.drills = append(a.drills, d)
	}
	if a.ctx.Err() != nil {
		return
	}
	a.markBackDrills()
	a.platingLeftOver()
	a.drillVersions(hints.Pads)
	a.findRepeats()
	a.olderDrills()
	a.shareOrigin(hints.Pads)
	for _, d := range a.drills {
		a.addHoles(d)
	}
	a.readDrillArtwork()
	a.platingByPads()
}

// drillHints is what the artwork tells about where holes can be.
func (a *assembly) drillHints() excellon.Options {
	var opt excellon.Options
	opt.Extents = geom.EmptyBox()
	for _, l := range a.board.Layers {
		switch l.Role {
		case pcb.RoleOutline, pcb.RoleCopper, pcb.RoleMask:
			opt.Extents = opt.Extents.Union(places.Extent(l))
		}
	}
	for _, l := range a.board.Copper() {
		if l.Side == pcb.Top || l.Side == pcb.Bottom || len(opt.Pads) == 0 {
			opt.Pads = append(opt.Pads, places.Flashes(l)...)
		}
	}
	return opt
}

// ncFormat is the number format that a parameter file beside a drill file
// states.
func (a *assembly) ncFormat(i int) excellon.Format {
	var f excellon.Format
	dir := path.Dir(a.Files[i].Name)
	for k, r := range a.Set.Results {
		near := path.Dir(r.Name) == dir
		if r.Format != classify.FormatNCParam && !(r.Format == classify.FormatReport && strings.Contains(strings.ToLower(group.BaseName(r.Name)), "ncdrill")) || !near {
			continue
		}
		n := report.NCParam(a.Files[k].Data)
		if n.Integer+n.Decimal == 0 {
			continue
		}
		f.Integer, f.Decimal = n.Integer, n.Decimal
		if n.Units {
			f.Unit = excellon.Inch
			if n.Metric {
				f.Unit = excellon.Millimetre
			}
		}
		f.Zeros = excellon.TrailingKept
		if n.DropsTrailing && !n.DropsLeading {
			f.Zeros = excellon.LeadingKept
		}
		r.Used, r.Board = true, a.board.Name
	}
	return f
}

// toolsFromReport is what a drill report says about a drill file's tools.
func (a *assembly) toolsFromReport(i int) map[int]excellon.Tool {
	f := a.Result(i)
	tools := map[int]excellon.Tool{}
	for k, r := range a.Set.Results {
		if r.Format != classify.FormatDrillRep || path.Dir(r.Name) != path.Dir(f.Name) {
			continue
		}
		for _, d := range report.Drills(a.Files[k].Data) {
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

// describeDrill brings what the program says about itself into its report.
func (a *assembly) describeDrill(d *drill) {
	f := d.Result
	if d.Plating != pcb.PlatingUnknown {
		f.Plating = d.Plating
	}
	layers := a.Group.Layers
	if d.Span.From > 0 {
		f.FromLayer, f.ToLayer = d.Span.From, d.Span.To
		if d.Bottom {
			f.ToLayer = layers
		}
	}
	f.FromLayer, f.ToLayer = eagleLayer(f.FromLayer, f.ToLayer, layers)
	if f.ToLayer > layers && slices.ContainsFunc(artwork.Copper(a.art), func(w *artwork.File) bool { return w.Result.HasAnswer(pcb.RoleCopper) }) {
		f.ToLayer = layers // the customer says which files are all of the copper
	}
	for _, g := range d.Findings {
		g.File = f.Name
		a.Add(g)
	}
}

// eagleLayer turns Eagle's numbers, 1 to 16 from the outside in whatever layers
// there are, into those of a board with n.
func eagleLayer(from, to, n int) (int, int) {
	if n == 0 || to != 16 && from <= n && to <= n || to > 16 || n >= 16 {
		return from, to
	}
	turn := func(v int) int {
		if v > 8 {
			return n - (16 - v)
		}
		return v
	}
	if f, t := turn(from), turn(to); f >= 1 && t > f {
		return f, t
	}
	return from, to
}

// findRepeats finds programs whose holes other programs drill as well, such as
// a merged file beside its parts. Files that say what is plated go first.
func (a *assembly) findRepeats() {
	order := slices.Clone(a.drills)
	slices.SortStableFunc(order, func(x, y *drill) int {
		return sureness(y) - sureness(x)
	})
	taken, plated, looked := places.Holes{}, places.Holes{}, a.meter.Tally(pcb.Lookups)
	const cells = 9 // that are looked into for each hole
	for _, d := range order {
		if d.again || d.repeats {
			continue
		}
		f := d.Result
		n, in, contrary := 0, 0, 0
		for p := range d.places() {
			if n++; !looked.Add(cells) {
				return
			}
			if taken.Has(p, f.FromLayer, f.ToLayer) {
				in++
			}
			if d.Plating == pcb.NonPlated && plated.Has(p, f.FromLayer, f.ToLayer) {
				contrary++
			}
		}
		if n > 0 && in*10 >= n*9 {
			d.repeats = true
			d.Result.LeaveAside("its holes are in other drill files too")
			told := pcb.Finding{
				Code: "drill_repeated", Level: pcb.Note, File: f.Name, Count: in,
				Message: "this drill file repeats holes that other drill files hold as well; they are counted once",
			}
			if in < n {
				told.Level = pcb.Warning
				told.Message = fmt.Sprintf("other drill files hold %d of its %d holes, so it was taken for another version of them: the other %d are not drilled; say if they are to be", in, n, n-in)
			}
			if contrary*10 >= n*9 {
				told.Level = pcb.Warning
				told.Message = "this drill file says of holes that they are not plated, of which another says that they are: they are taken as plated; say which is right"
			}
			a.Add(told)
			continue
		}
		for p := range d.places() {
			if !looked.Add(1) {
				return
			}
			taken.Add(p, f.FromLayer, f.ToLayer)
			if d.Plating == pcb.Plated && !d.rest {
				plated.Add(p, f.FromLayer, f.ToLayer)
			}
		}
	}
}

// sureness ranks programs by how much they say about plating. Where one says that holes are
// plated and another that the same are not, the first goes first.
func sureness(d *drill) int {
	switch {
	case d.rest: // it may hold what the others hold as well
		return 2
	case d.Plating == pcb.Plated:
		return 4
	case d.Plating == pcb.NonPlated:
		return 3
	case d.Plating == pcb.MixedPlating:
		return 1
	}
	return 0
}

// places yields the middle and size of every hole and slot.
func (d *drill) places() func(yield func(places.Hole) bool) {
	return func(yield func(places.Hole) bool) {
		for _, h := range d.Hits {
			if !yield(places.Hole{X: h.At.X, Y: h.At.Y, Diameter: d.Tools[h.Tool].Diameter}) {
				return
			}
		}
		for _, s := range d.Slots {
			m := s.From.Mid(s.To)
			if !yield(places.Hole{X: m.X, Y: m.Y, Diameter: d.Tools[s.Tool].Diameter}) {
				return
			}
		}
	}
}
