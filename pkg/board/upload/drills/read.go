// Package drills reads the drill and rout programs of a board, with the sizes of tools and
// the number formats that other files beside them state.
package drills

import (
	"context"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// A Program is one drill or rout program of a board.
type Program struct {
	*excellon.File
	Index   int              // among the files of the upload
	Result  *classify.Result // what classification found out about it
	Data    []byte
	Repeats bool // its holes are in other files too
	Rest    bool // that it is plated follows from other files that are not
	Again   bool // it drills plated holes a second time, from one side
}

// A Reader reads the drill programs of a board whose artwork was read. It states in the
// files' reports what the programs say of themselves.
type Reader struct {
	group.Upload
	*findings.List
	Art         []*artwork.File
	Board       *pcb.Board           // with its layers
	FileAnswers *answers.FileAnswers // by the customer; nil for nothing
}

// A Result is what was read.
type Result struct {
	Programs []*Program
	Pads     []geom.Point      // of the outer sides, as far as they were looked at
	Refused  []answers.Refused // sizes of tools that the files contradict
	Late     bool              // ctx ended before all were read
}

// Read reads the drill and rout programs of the group.
func (s Reader) Read(ctx context.Context) Result {
	var members []int
	for _, i := range s.Group.Members {
		if s.Result(i).Format == classify.FormatExcellon && s.Result(i).Role != pcb.RoleViaFill && !s.Result(i).IsSunk() {
			members = append(members, i)
		}
	}
	hints := s.hints()
	options := make([]excellon.Options, len(members))
	for k, i := range members {
		opt := hints
		opt.Plating = s.Result(i).Plating
		opt.Tools = s.toolsFromReport(i)
		opt.Format = s.ncFormat(i)
		opt.File, opt.Answered = s.Files[i].Name, s.FileAnswers.Sizes(s.Files[i].Name)
		options[k] = opt
	}
	read := make([]*Program, len(members))
	out := Result{Pads: hints.Pads}
	out.Late = parallel.Run(ctx, len(members), func(k int) {
		i := members[k]
		read[k] = &Program{Index: i, Result: s.Result(i), Data: s.Files[i].Data, File: excellon.Read(pcb.FileContext(ctx, s.Files[i].Name), s.Files[i].Data, options[k])}
	}) != nil
	s.applyToolLists(ctx, read, options)
	s.shareFormats(ctx, read, options)
	for k, d := range read {
		if d == nil {
			s.Result(members[k]).LeaveAside("there was no time left to read it")
			continue
		}
		s.describeDrill(d)
		s.askForUnit(d)
		out.Refused = append(out.Refused, s.refuseSizes(d)...)
		out.Programs = append(out.Programs, d)
	}
	return out
}

// hints is what the artwork tells about where holes can be.
func (s Reader) hints() excellon.Options {
	var opt excellon.Options
	opt.Extents = geom.EmptyBox()
	for _, l := range s.Board.Layers {
		switch l.Role {
		case pcb.RoleOutline, pcb.RoleCopper, pcb.RoleMask:
			opt.Extents = opt.Extents.Union(places.Extent(l))
		}
	}
	for _, l := range s.Board.Copper() {
		if l.Side == pcb.Top || l.Side == pcb.Bottom || len(opt.Pads) == 0 {
			opt.Pads = append(opt.Pads, places.Flashes(l)...)
		}
	}
	return opt
}

// describeDrill brings what the program says about itself into its report.
func (s Reader) describeDrill(d *Program) {
	f := d.Result
	if d.Plating != pcb.PlatingUnknown {
		f.Plating = d.Plating
	}
	layers := s.Group.Layers
	if d.Span.From > 0 {
		f.FromLayer, f.ToLayer = d.Span.From, d.Span.To
		if d.Bottom {
			f.ToLayer = layers
		}
	}
	f.FromLayer, f.ToLayer = eagleLayer(f.FromLayer, f.ToLayer, layers)
	if f.ToLayer > layers && slices.ContainsFunc(artwork.Copper(s.Art), func(w *artwork.File) bool { return w.Result.HasAnswer(pcb.RoleCopper) }) {
		f.ToLayer = layers // the customer says which files are all of the copper
	}
	for _, g := range d.Findings {
		g.File = f.Name
		s.Add(g)
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

// Deepest is the lowest copper layer, of the number given, that any program reaches; spans
// that are not stated reach all.
func Deepest(programs []*Program, layers int) int {
	deepest := 0
	for _, d := range programs {
		if d.Result.ToLayer == 0 {
			return layers
		}
		deepest = max(deepest, d.Result.ToLayer)
	}
	return deepest
}
