package upload

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/boardedge"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/outline"
)

// An assembly is one board while it is put together from artwork.
type assembly struct {
	*reading
	group.Upload
	*findings.List
	board  *pcb.Board
	art    []*artwork.File
	drills []*drill
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
	r.duplicates()
}

// isBoard tells whether a group makes a board: it has copper, or nothing in the
// upload has and it is drawn or drilled all the same.
func (r *reading) isBoard(g *classify.Group, anyCopper bool) bool {
	return g.Layers > 0 || !anyCopper && !r.hasDesign()
}

// hasDesign tells whether a file of the upload holds a whole board.
func (r *reading) hasDesign() bool {
	for _, s := range sources() {
		for _, f := range r.set.Results {
			if f.Format == s.formats[0] {
				return true
			}
		}
	}
	return false
}

func (r *reading) assemble(g *classify.Group) {
	b := pcb.NewBoard(r.freeName(g.Name))
	a := &assembly{reading: r, Upload: group.Upload{Files: r.files, Set: r.set, Group: g}, List: findings.Of(b), board: b}
	for _, step := range []func(){
		a.readArtwork, func() { artwork.TurnBack(a.ctx, a.meter, a.art, a.List) }, a.emptyCopper, a.sidesByLands, func() { a.search().Correct(a.ctx) }, a.rivals, a.scores, a.drillFilms, a.layers, a.readDrills, a.weakCopper, a.rivalCopper, a.spanOrder, a.layerOrder, func() { boardedge.DrawRouted(a.Upload, a.board) }, func() { outline.Shape(a.ctx, a.board, boardedge.Drawings(a.art, a.board)...) },
		func() { a.search().AskAboutFrames(a.ctx, a.board, a.statedSizes(), a.said) }, a.findPlottedAlong, a.fineStrokes, a.job, a.netlists, a.components, a.stackTable, a.guesses, a.facts, a.check,
	} {
		if a.ctx.Err() != nil {
			break
		}
		step()
	}
	r.project.Boards = append(r.project.Boards, a.board)
}

// freeName makes a board's name unique within the project.
func (r *reading) freeName(name string) string {
	if name == "" {
		name = "board"
	}
	free := name
	for n := 2; r.project.Board(free) != nil && r.meter.Spend(pcb.Lookups, len(r.project.Boards)); n++ {
		free = fmt.Sprintf("%s (%d)", name, n)
	}
	return free
}

// readArtwork reads the artwork of the board.
func (a *assembly) readArtwork() {
	var late bool
	a.art, late = artwork.Read(a.ctx, a.Upload, a.board.Name, a.List)
	a.late = a.late || late
}

func (a *assembly) search() boardedge.Search {
	return boardedge.Search{Files: a.art, Meter: a.meter, List: a.List}
}

// statedSizes are the sizes of the board that job files state.
func (a *assembly) statedSizes() (out []boardedge.Size) {
	for i := range a.Set.Results {
		if j := a.Set.Jobs[i]; j != nil && a.OwnsJob(a.Result(i), j) {
			w, h := a.jobSize(j)
			out = append(out, boardedge.Size{Width: w, Height: h})
		}
	}
	return out
}

// rivals settles which file is used where several claim the same layer.
func (a *assembly) rivals() {
	halves := a.search().FindDivided(a.ctx)
	byClaim := map[string][]*artwork.File{}
	var order []string
	for _, w := range a.art {
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
		best, certain := a.pickArtwork(ws)
		if len(halves) > 0 && best.Layer.Role == pcb.RoleOutline {
			best = halves[0]
		}
		for _, w := range ws {
			if w == best {
				continue
			}
			joins, doubtful := slices.Contains(halves, w), false
			if best.Layer.Role == pcb.RoleOutline && !joins {
				joins, doubtful = a.search().CutsWithin(a.ctx, w, best)
			}
			if !joins {
				a.concede(w, best, certain)
			}
			if doubtful {
				a.Say(pcb.Warning, "cutouts_doubtful", w.Result.Name, "the file holds cutouts by its name, and %q draws the edge of the board: what this file draws does not close to shapes within that edge, so nothing was cut out; say so if it is to be", best.Result.Name)
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

// pickArtwork picks the file to use: among outlines the one that closes round the
// copper, else the one that was plotted with the others, else the surest, else the
// fullest. Of copper that is certain only where the time of the plot tells.
func (a *assembly) pickArtwork(ws []*artwork.File) (best *artwork.File, certain bool) {
	if ws[0].Layer.Role == pcb.RoleOutline {
		return a.search().PickSurest(a.ctx, ws), true
	}
	if w := a.findContemporary(ws); w != nil {
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
func (a *assembly) findContemporary(ws []*artwork.File) *artwork.File {
	const run = 10 * time.Minute // what is plotted at a time
	var all []time.Time
	for _, w := range a.art {
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
func (a *assembly) concede(w, best *artwork.File, certain bool) {
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
		if differs, doubt := a.search().CompareSizes(a.ctx, w, best); differs != "" {
			level, what = doubt, differs
		}
		if level == pcb.Warning {
			settle = []answers.Answer{answers.Outline(loser.Name), answers.Outline(winner.Name)}
		}
	}
	w.Result.LeaveAside(what)
	a.Add(pcb.Finding{Code: "layer_twice", Level: level, File: loser.Name, Message: what, Answers: settle})
	if w.Layer.Role == pcb.RoleOutline {
		w.Layer.Role = pcb.RoleMechanical
		return
	}
	w.Layer.Role = pcb.RoleOther
}

// layers puts the artwork on the board, copper in order first.
func (a *assembly) layers() {
	slices.SortStableFunc(a.art, func(x, y *artwork.File) int { return layerKey(x.Layer) - layerKey(y.Layer) })
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

func layerKey(l *pcb.Layer) int {
	if l.Role == pcb.RoleCopper {
		return l.Order
	}
	return 1000
}
