package upload

import (
	"context"
	"maps"
	"slices"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/boardfacts"
	"boardorder/pkg/board/upload/checks"
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
	"boardorder/pkg/board/upload/stackup"
)

// makeBoards makes a board of every group of artwork that is one.
func (r *reading) makeBoards(ctx context.Context) {
	anyCopper := slices.ContainsFunc(r.set.Groups, func(g classify.Group) bool { return g.Layers > 0 })
	for i := range r.set.Groups {
		g := &r.set.Groups[i]
		if !r.isBoard(g, anyCopper) {
			for _, m := range g.Members {
				r.set.Results[m].LeaveAside("its folder holds no copper, so it is no board by itself")
			}
			r.list().Say(pcb.Note, "artwork_without_board", r.set.Results[g.Members[0]].Name,
				"%d artwork files (%q) belong to no board: there is no copper with them", len(g.Members), g.Name)
			continue
		}
		r.project.Boards = append(r.project.Boards, r.makeBoard(ctx, g))
	}
	r.merger.DropRepeats()
}

// isBoard tells whether a group makes a board: it has copper, or nothing in the
// upload has and it is drawn or drilled all the same.
func (r *reading) isBoard(g *classify.Group, anyCopper bool) bool {
	return g.Layers > 0 || !anyCopper && !r.set.HoldsBoard()
}

// makeBoard makes a board of a group of files, stage by stage. Each stage is a function of
// a package of its own, over the values that it needs; what it decides stands in the files'
// roles and reports, in the board, and in the board's findings. Once ctx has ended no
// further stage is begun.
func (r *reading) makeBoard(ctx context.Context, g *classify.Group) *pcb.Board {
	b := pcb.NewBoard(r.merger.FreeName(g.Name))
	u, list, m := group.Upload{Files: r.files, Set: r.set, Group: g}, findings.ListOf(b), r.meter
	var files []*artwork.File
	var drilled drills.Result
	edge := func() boardedge.Search { return boardedge.Search{Files: files, Meter: m, List: list} }
	copper := func() copperlayers.Stack {
		return copperlayers.Stack{Upload: u, List: list, Meter: m, Art: files, Board: b}
	}
	for _, stage := range []func(){
		// Which layer each file is.
		func() { files = r.readArtwork(ctx, u, b) },
		func() { artwork.TurnBack(ctx, m, files, list) },
		func() { copper().DropEmpty() },
		func() { roles.FindSides(m, files) },
		func() { edge().Correct(ctx) },
		func() { roles.SettleRivals(ctx, edge()) },
		func() { roles.RejectScores(m, files, list) },
		func() { roles.FindDrillArtwork(m, u, files, list) },
		func() { roles.PutOnBoard(m, files, b, list) },
		// Holes, and what they tell about the copper.
		func() { drilled = r.readDrills(ctx, u, files, b) },
		func() {
			holes.Drilling{Upload: u, List: list, Meter: m, Art: files, Board: b, Programs: drilled.Programs}.Make(drilled.Pads)
		},
		func() { copper().DropContradicted(drills.Deepest(drilled.Programs, g.Layers)) },
		func() { copper().SettleRivals() },
		func() { copper().TestSpans() },
		func() { copper().AskForOrder() },
		// The edge, and what of it lies in the copper.
		func() { boardedge.DrawRouted(u, b) },
		func() { outline.Shape(ctx, b, boardedge.Drawings(files, b)...) },
		func() { edge().AskAboutFrames(ctx, b, jobSizes(u, b), r.fileAnswers) },
		func() { r.settleDrawings(u, b) },
		func() { drawings.MarkFine(m, files, list) },
		// What other files say.
		func() { jobfile.Reader{Upload: u, List: list, Art: files, Board: b}.Read() },
		func() { netlist.Joiner{Upload: u, List: list, Board: b}.Join() },
		func() { parts.TakePlaced(files, b) },
		func() { stackup.Table{Upload: u, List: list, Board: b}.ReadBeside() },
		// What follows from all of it.
		func() { r.guessRoles(ctx, u, files, b) },
		func() {
			boardfacts.Reader{Upload: u, List: list, Meter: m, Art: files, Programs: drilled.Programs, Board: b}.State(ctx)
		},
		func() {
			checks.Check{Upload: u, List: list, Meter: m, Art: files, Programs: drilled.Programs, Board: b, FileAnswers: r.fileAnswers}.Run()
		},
	} {
		if ctx.Err() != nil {
			break
		}
		stage()
	}
	return b
}

func (r *reading) readArtwork(ctx context.Context, u group.Upload, b *pcb.Board) []*artwork.File {
	files, late := artwork.Read(ctx, u, b.Name, findings.ListOf(b))
	r.late = r.late || late
	return files
}

func (r *reading) readDrills(ctx context.Context, u group.Upload, files []*artwork.File, b *pcb.Board) drills.Result {
	out := drills.Reader{Upload: u, List: findings.ListOf(b), Art: files, Board: b, FileAnswers: r.fileAnswers}.Read(ctx)
	r.late = r.late || out.Late
	r.project.Refused = append(r.project.Refused, out.Refused...)
	return out
}

// jobSizes are the sizes of the board that job files state.
func jobSizes(u group.Upload, b *pcb.Board) (out []boardedge.Size) {
	for i, r := range u.Set.Results {
		if j := u.Set.Jobs[i]; j != nil && u.OwnsJob(r, j) {
			w, h := jobfile.Size(j, b)
			out = append(out, boardedge.Size{Width: w, Height: h})
		}
	}
	return out
}

// settleDrawings takes drawings out of the copper.
func (r *reading) settleDrawings(u group.Upload, b *pcb.Board) {
	d := drawings.Find(r.meter, b)
	if !d.Empty() && len(u.Set.Groups) > 1 {
		r.merger.Fingerprint(b) // of what the files draw: the same may be there again, without an outline
	}
	d.Settle(r.meter, b, findings.ListOf(b))
}

// guessRoles keeps what artwork without a role looks like.
func (r *reading) guessRoles(ctx context.Context, u group.Upload, files []*artwork.File, b *pcb.Board) {
	guesses, copper, src := roles.GuessRoles(ctx, files, b.Holes)
	maps.Copy(r.guesses, guesses)
	if u.Group.Layers == 0 && copper > 0 {
		b.Facts.CopperLayers.Offer(pcb.State(copper, src, 0.3, "files that look like copper"))
	}
}
