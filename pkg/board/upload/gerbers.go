package upload

import (
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/copperlayers"
	"boardorder/pkg/board/upload/drawings"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/holes"
	"boardorder/pkg/board/upload/jobfile"
	"boardorder/pkg/board/upload/netlist"
	"boardorder/pkg/board/upload/outline"
	"boardorder/pkg/board/upload/parts"
	"boardorder/pkg/board/upload/roles"
	"boardorder/pkg/board/upload/sources"
	"boardorder/pkg/board/upload/stackup"
)

// An assembly is one board while it is put together from artwork.
type assembly struct {
	*reading
	group.Upload
	*findings.List
	board  *pcb.Board
	art    []*artwork.File
	drills []*drills.Program
	pads   []geom.Point // where holes may be
}

// gerbers makes a board of every group of artwork that is one.
func (r *reading) gerbers() {
	anyCopper := slices.ContainsFunc(r.set.Groups, func(g classify.Group) bool { return g.Layers > 0 })
	for i := range r.set.Groups {
		g := &r.set.Groups[i]
		if !r.isBoard(g, anyCopper) {
			for _, m := range g.Members {
				r.result(m).LeaveAside("its folder holds no copper, so it is no board by itself")
			}
			r.find(pcb.Note, "artwork_without_board", r.result(g.Members[0]).Name,
				"%d artwork files (%q) belong to no board: there is no copper with them", len(g.Members), g.Name)
			continue
		}
		r.assemble(g)
	}
	r.merger.DropRepeats()
}

// isBoard tells whether a group makes a board: it has copper, or nothing in the
// upload has and it is drawn or drilled all the same.
func (r *reading) isBoard(g *classify.Group, anyCopper bool) bool {
	return g.Layers > 0 || !anyCopper && !sources.HoldsBoard(r.set)
}

func (r *reading) assemble(g *classify.Group) {
	b := pcb.NewBoard(r.merger.FreeName(g.Name))
	a := &assembly{reading: r, Upload: group.Upload{Files: r.files, Set: r.set, Group: g}, List: findings.Of(b), board: b}
	for _, step := range []func(){
		a.readArtwork, func() { artwork.TurnBack(a.ctx, a.meter, a.art, a.List) }, func() { a.stack().DropEmpty() }, func() { roles.FindSides(a.meter, a.art) }, func() { a.search().Correct(a.ctx) }, func() { roles.SettleRivals(a.ctx, a.search()) }, func() { roles.RejectScores(a.meter, a.art, a.List) }, func() { roles.FindDrillArtwork(a.meter, a.Upload, a.art, a.List) }, a.layers, a.readDrills, func() { a.drilling().Make(a.pads) }, func() { a.stack().DropContradicted(drills.Deepest(a.drills, a.Group.Layers)) }, func() { a.stack().SettleRivals() }, func() { a.stack().TestSpans() }, func() { a.stack().AskForOrder() }, func() { boardedge.DrawRouted(a.Upload, a.board) }, func() { outline.Shape(a.ctx, a.board, boardedge.Drawings(a.art, a.board)...) },
		func() { a.search().AskAboutFrames(a.ctx, a.board, a.statedSizes(), a.said) }, a.settleDrawings, func() { drawings.MarkFine(a.meter, a.art, a.List) }, func() { a.jobs().Read() }, func() { netlist.Joiner{Upload: a.Upload, List: a.List, Board: a.board}.Join() }, func() { parts.TakePlaced(a.art, a.board) }, func() { stackup.Table{Upload: a.Upload, List: a.List, Board: a.board}.ReadBeside() }, a.guesses, a.facts, a.check,
	} {
		if a.ctx.Err() != nil {
			break
		}
		step()
	}
	r.project.Boards = append(r.project.Boards, a.board)
}

// readArtwork reads the artwork of the board.
func (a *assembly) readArtwork() {
	var late bool
	a.art, late = artwork.Read(a.ctx, a.Upload, a.board.Name, a.List)
	a.late = a.late || late
}

func (a *assembly) stack() copperlayers.Stack {
	return copperlayers.Stack{Upload: a.Upload, List: a.List, Meter: a.meter, Art: a.art, Board: a.board}
}

// guesses says what artwork without a role looks like.
func (a *assembly) guesses() {
	guesses, copper, src := roles.GuessRoles(a.ctx, a.art, a.board.Holes)
	maps.Copy(a.hints, guesses)
	if a.Group.Layers == 0 && copper > 0 {
		a.board.Facts.CopperLayers.Offer(pcb.State(copper, src, 0.3, "files that look like copper"))
	}
}

// readDrills reads the drill programs.
func (a *assembly) readDrills() {
	read := drills.Reader{Upload: a.Upload, List: a.List, Art: a.art, Board: a.board, Said: a.said}.Read(a.ctx)
	a.drills, a.pads, a.late = read.Programs, read.Pads, a.late || read.Late
	a.project.Refused = append(a.project.Refused, read.Refused...)
}

func (a *assembly) drilling() holes.Drilling {
	return holes.Drilling{Upload: a.Upload, List: a.List, Meter: a.meter, Art: a.art, Board: a.board, Programs: a.drills}
}

func (a *assembly) jobs() jobfile.Reader {
	return jobfile.Reader{Upload: a.Upload, List: a.List, Art: a.art, Board: a.board}
}

// settleDrawings takes drawings out of the copper.
func (a *assembly) settleDrawings() {
	d := drawings.Find(a.meter, a.board)
	if !d.Empty() && len(a.Set.Groups) > 1 {
		a.merger.Fingerprint(a.board) // of what the files draw: the same may be there again, without an outline
	}
	d.Settle(a.meter, a.board, a.List)
}

func (a *assembly) search() boardedge.Search {
	return boardedge.Search{Files: a.art, Meter: a.meter, List: a.List}
}

// statedSizes are the sizes of the board that job files state.
func (a *assembly) statedSizes() (out []boardedge.Size) {
	for i := range a.Set.Results {
		if j := a.Set.Jobs[i]; j != nil && a.OwnsJob(a.Result(i), j) {
			w, h := jobfile.Size(j, a.board)
			out = append(out, boardedge.Size{Width: w, Height: h})
		}
	}
	return out
}

// layers puts the artwork on the board, copper in order first.
func (a *assembly) layers() {
	slices.SortStableFunc(a.art, func(x, y *artwork.File) int { return copperlayers.SortKey(x.Layer) - copperlayers.SortKey(y.Layer) })
	for _, w := range a.art {
		f := w.Result
		if !strings.Contains(f.Why, "left aside") && f.Role != pcb.RoleUnknown {
			w.Result.Use(a.board.Name)
		}
		f.Board = a.board.Name
		for _, g := range w.Findings {
			g.File = f.Name
			if drawingOnly[w.Layer.Role] || inkOnly[g.Code] && (!conducts[w.Layer.Role] || g.Code == overlapping && a.missesPads(w.Layer)) { // what comes out otherwise there stops nothing
				g.Level = min(g.Level, pcb.Warning)
			}
			a.Add(g)
		}
		a.board.Adopt(w.Layer)
	}
}

// overlapping is the code of contours that run round a place twice.
const overlapping = "overlapping_contour"

// missesPads reports whether none of a mask's contours that run round a place twice lies
// at a pad: they are lettering, open over an area of copper.
func (a *assembly) missesPads(l *pcb.Layer) bool {
	if l.Role != pcb.RoleMask {
		return false
	}
	var boxes []geom.Box
	for i := range l.Features {
		if f := &l.Features[i]; f.Kind == pcb.RegionFeature {
			if n := l.Regions[f.Shape].Outer.Turns(); n != 1 && n != -1 {
				boxes = append(boxes, l.FeatureBounds(f))
			}
		}
	}
	for _, w := range a.art {
		if w.Layer.Role != pcb.RoleCopper || w.Layer.Side != l.Side {
			continue
		}
		for i := range w.Layer.Features {
			f := &w.Layer.Features[i]
			if f.Function == pcb.FuncViaPad || f.Kind != pcb.FlashFeature && !f.Function.Pad() {
				continue
			}
			if !a.meter.Spend(pcb.Lookups, len(boxes)) || slices.ContainsFunc(boxes, w.Layer.FeatureBounds(f).Overlaps) {
				return false
			}
		}
	}
	return len(boxes) > 0
}

// inkOnly are faults that change what a file draws in a few places: of a legend or a
// drawing that is no reason to stop, nor of lettering in a mask.
var inkOnly = map[string]bool{overlapping: true, "bad_aperture": true, "unknown_aperture": true, "aperture_undefined": true, "bad_macro": true, "coordinate_range": true}

// drawingOnly are the roles of files that people look at and nothing is built from:
// whatever cannot be read of one, the board is as the other files have it. Mechanical
// layers may draw the edge or milling, others what is processed in another way.
var drawingOnly = map[pcb.Role]bool{
	pcb.RoleDrillDrawing: true, pcb.RoleFabDrawing: true, pcb.RoleAssembly: true, pcb.RoleCourtyard: true, pcb.RoleKeepOut: true,
}

// conducts are the roles whose filled places make the circuit or the board's shape.
var conducts = map[pcb.Role]bool{
	pcb.RoleCopper: true, pcb.RoleMask: true, pcb.RolePaste: true, pcb.RoleOutline: true, pcb.RoleDrill: true, pcb.RoleUnknown: true,
}
