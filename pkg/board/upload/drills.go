package upload

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// A drill is one drill or rout program of a board.
type drill struct {
	index int // of the file
	*excellon.File
	repeats bool // its holes are in other files too
	rest    bool // that it is plated follows from other files that are not
	again   bool // it drills plated holes a second time, from one side
}

// readDrills reads the NC programs of the group and puts their holes on the
// board, once each.
func (a *assembly) readDrills() {
	var members []int
	for _, i := range a.group.Members {
		if a.result(i).Format == classify.FormatExcellon && a.result(i).Role != pcb.RoleViaFill && !a.result(i).IsSunk() {
			members = append(members, i)
		}
	}
	hints := a.drillHints()
	options := make([]excellon.Options, len(members))
	for k, i := range members {
		opt := hints
		opt.Plating = a.result(i).Plating
		opt.Tools = a.toolsFromReport(i)
		opt.Format = a.ncFormat(i)
		opt.File, opt.Answered = a.files[i].Name, a.said.Sizes(a.files[i].Name)
		options[k] = opt
	}
	read := make([]*drill, len(members))
	a.runEach(len(members), func(k int) {
		i := members[k]
		read[k] = &drill{index: i, File: excellon.Read(pcb.FileContext(a.ctx, a.files[i].Name), a.files[i].Data, options[k])}
	})
	a.applyToolLists(read, options)
	a.shareFormats(read, options)
	for k, d := range read {
		if d == nil {
			a.leaveAside(members[k], "there was no time left to read it")
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
			opt.Extents = opt.Extents.Union(centres(l))
		}
	}
	for _, l := range a.board.Copper() {
		if l.Side == pcb.Top || l.Side == pcb.Bottom || len(opt.Pads) == 0 {
			opt.Pads = append(opt.Pads, pads(l)...)
		}
	}
	return opt
}

// pads gives places of a copper layer where something is flashed.
func pads(l *pcb.Layer) []geom.Point {
	const most = 20_000
	var out []geom.Point
	for i := range l.Features {
		f := &l.Features[i]
		if f.Kind == pcb.FlashFeature && !f.Clear {
			out = append(out, f.A)
			if len(out) == most {
				break
			}
		}
	}
	return out
}

// ncFormat is the number format that a parameter file beside a drill file
// states.
func (a *assembly) ncFormat(i int) excellon.Format {
	var f excellon.Format
	dir := path.Dir(a.files[i].Name)
	for k, r := range a.set.Results {
		near := path.Dir(r.Name) == dir
		if r.Format != classify.FormatNCParam && !(r.Format == classify.FormatReport && strings.Contains(strings.ToLower(baseName(r.Name)), "ncdrill")) || !near {
			continue
		}
		n := report.NCParam(a.files[k].Data)
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
	f := a.result(i)
	tools := map[int]excellon.Tool{}
	for k, r := range a.set.Results {
		if r.Format != classify.FormatDrillRep || path.Dir(r.Name) != path.Dir(f.Name) {
			continue
		}
		for _, d := range report.Drills(a.files[k].Data) {
			if d.File == "" && !sameStem(r.Name, f.Name) || d.File != "" && !strings.EqualFold(d.File, baseName(f.Name)) {
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

// sameStem reports whether files differ in their extensions only.
func sameStem(a, b string) bool {
	return strings.EqualFold(stem(a), stem(b))
}

// describeDrill brings what the program says about itself into its report.
func (a *assembly) describeDrill(d *drill) {
	f := a.result(d.index)
	if d.Plating != pcb.PlatingUnknown {
		f.Plating = d.Plating
	}
	layers := a.group.Layers
	if d.Span.From > 0 {
		f.FromLayer, f.ToLayer = d.Span.From, d.Span.To
		if d.Bottom {
			f.ToLayer = layers
		}
	}
	f.FromLayer, f.ToLayer = eagleLayer(f.FromLayer, f.ToLayer, layers)
	if f.ToLayer > layers && slices.ContainsFunc(a.copperArt(), func(w *artwork) bool { return a.result(w.index).HasAnswer(pcb.RoleCopper) }) {
		f.ToLayer = layers // the customer says which files are all of the copper
	}
	for _, g := range d.Findings {
		g.File = f.Name
		a.board.Findings = append(a.board.Findings, g)
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

// holeKey is a place and size, coarse enough to survive other number formats.
type holeKey struct {
	x, y     int64
	diameter int64
	from, to int16
}

const (
	placeGrid = 20 * geom.Micrometre
	sizeGrid  = 60 * geom.Micrometre
)

// findRepeats finds programs whose holes other programs drill as well, such as
// a merged file beside its parts. Files that say what is plated go first.
func (a *assembly) findRepeats() {
	order := slices.Clone(a.drills)
	slices.SortStableFunc(order, func(x, y *drill) int {
		return sureness(y) - sureness(x)
	})
	taken, plated, looked := holeSet{}, holeSet{}, a.meter.Tally(pcb.Lookups)
	const cells = 9 // that are looked into for each hole
	for _, d := range order {
		if d.again || d.repeats {
			continue
		}
		f := a.result(d.index)
		n, in, contrary := 0, 0, 0
		for p := range d.places() {
			if n++; !looked.Add(cells) {
				return
			}
			if taken.has(p, f.FromLayer, f.ToLayer) {
				in++
			}
			if d.Plating == pcb.NonPlated && plated.has(p, f.FromLayer, f.ToLayer) {
				contrary++
			}
		}
		if n > 0 && in*10 >= n*9 {
			d.repeats = true
			a.leaveAside(d.index, "its holes are in other drill files too")
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
			a.board.Findings = append(a.board.Findings, told)
			continue
		}
		for p := range d.places() {
			if !looked.Add(1) {
				return
			}
			taken.add(p, f.FromLayer, f.ToLayer)
			if d.Plating == pcb.Plated && !d.rest {
				plated.add(p, f.FromLayer, f.ToLayer)
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
func (d *drill) places() func(yield func(holeKey) bool) {
	return func(yield func(holeKey) bool) {
		for _, h := range d.Hits {
			if !yield(holeKey{x: h.At.X, y: h.At.Y, diameter: d.Tools[h.Tool].Diameter}) {
				return
			}
		}
		for _, s := range d.Slots {
			m := s.From.Mid(s.To)
			if !yield(holeKey{x: m.X, y: m.Y, diameter: d.Tools[s.Tool].Diameter}) {
				return
			}
		}
	}
}

// A holeSet holds places rounded to a grid, and finds neighbours too.
type holeSet map[holeKey]struct{}

func (s holeSet) add(k holeKey, from, to int) {
	s[k.coarsen(from, to, 0, 0)] = struct{}{}
}

func (s holeSet) has(k holeKey, from, to int) bool {
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			r := k.coarsen(from, to, dx, dy)
			for _, dd := range [3]int64{0, -1, 1} {
				q := r
				q.diameter += dd
				if _, ok := s[q]; ok {
					return true
				}
			}
		}
	}
	return false
}

// coarsen takes through-holes of whatever span as one kind.
func (k holeKey) coarsen(from, to int, dx, dy int64) holeKey {
	if from <= 1 {
		from, to = 0, 0
	}
	return holeKey{k.x/placeGrid + dx, k.y/placeGrid + dy, k.diameter / sizeGrid, int16(from), int16(to)}
}
