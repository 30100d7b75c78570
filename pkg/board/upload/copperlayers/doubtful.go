// Package copperlayers settles which files are the copper layers of a board and in which
// order they lie, by the holes that are drilled through them.
package copperlayers

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
)

// A Stack is the copper of a board while it is settled. Its methods change the roles and the
// numbers of the files, the number of layers of the group, and the spans of the holes.
type Stack struct {
	group.Upload
	*findings.List
	Meter pcb.Meter
	Art   []*artwork.File
	Board *pcb.Board
}

// SortKey puts copper layers in order, before all others.
func SortKey(l *pcb.Layer) int {
	if l.Role == pcb.RoleCopper {
		return l.Order
	}
	return 1000
}

// Shares of the holes on which copper layers have lands.
const (
	nearlyAll  = 0.8  // of a layer that the holes were drilled for
	nearlyNone = 0.05 // of what is not copper of the board: some places coincide
)

// DropEmpty takes out of the copper what draws nothing and is copper only by the name
// of a side.
func (s Stack) DropEmpty() {
	for _, w := range artwork.Copper(s.Art) {
		r := w.Result
		broken := slices.ContainsFunc(w.Findings, func(f pcb.Finding) bool { return f.Level > pcb.Note })
		if len(w.Layer.Features) == 0 && !broken && r.SideOnly(pcb.RoleCopper) {
			s.dropFromStack(w, pcb.RoleOther, "it draws nothing, and only the name of a side speaks for copper")
		}
	}
}

// DropContradicted takes out of the copper the files that are copper by their names alone and
// that the holes contradict: others have lands on nearly all of them, these on none, and
// they draw no tracks between lands. What draws such tracks is copper, if moved or of
// another board, and the checks ask about it. deepest is the lowest layer
// that any drill reaches.
func (s Stack) DropContradicted(deepest int) {
	ws, holes := artwork.Copper(s.Art), s.placesDrilledThrough(deepest)
	if len(ws) < 2 || len(holes) < fewestHoles || s.countStated() {
		return
	}
	var beside []*artwork.File
	fitting := false
	for _, w := range ws {
		if len(w.Layer.Features) == 0 || w.Layer.Negative {
			continue
		}
		switch fits := landsOn(w.Layer, holes); {
		case fits >= nearlyAll:
			fitting = true
		case fits <= nearlyNone && !w.Result.IsStated(pcb.RoleCopper) && !artwork.IsRouted(w.Layer) && s.coverShare(w.Layer, holes) <= nearlyNone:
			beside = append(beside, w)
		}
	}
	if !fitting {
		return
	}
	for _, w := range beside {
		s.dropFromStack(w, pcb.RoleOther, fmt.Sprintf("it has a land on %.0f %% of the %d plated holes, which other copper layers have lands on, and only its name speaks for copper", 100*landsOn(w.Layer, holes), len(holes)))
	}
}

// countStated tells whether a job file or the span of a drill states that there are as
// many copper layers as there are files: then none is too many.
func (s Stack) countStated() bool {
	n := s.Group.Layers
	for _, i := range s.Group.Members {
		if slices.ContainsFunc(s.Result(i).Evidence, func(w classify.Evidence) bool { return w.Role == pcb.RoleDrill && w.To == n && n > 0 && w.From == 1 }) {
			return true
		}
	}
	for i := range s.Set.Results {
		if j := s.Set.Jobs[i]; j != nil && j.Layers == n && s.Result(i).Archive() == s.Result(s.Group.Members[0]).Archive() {
			return true
		}
	}
	return false
}

// placesDrilledThrough are the places of drilled holes that pass the whole board and may be plated.
func (s Stack) placesDrilledThrough(deepest int) []geom.Point {
	var out []geom.Point
	for i := range s.Board.Holes {
		if h := &s.Board.Holes[i]; h.Kind == pcb.DrillHole && h.Plating != pcb.NonPlated && h.IsThrough(deepest) {
			out = append(out, h.A)
		}
	}
	return out
}

// coverShare is the share of places that lie in something a layer draws; boxes stand for
// areas and flashes.
func (s Stack) coverShare(l *pcb.Layer, places []geom.Point) float64 {
	boxes := make([]geom.Box, len(l.Features))
	for i := range l.Features {
		boxes[i] = geom.EmptyBox()
		if f := &l.Features[i]; !f.Clear {
			boxes[i] = l.FeatureBounds(f)
		}
	}
	index, n := shape.NewIndex(boxes).SetMeter(s.Meter), 0
	for _, p := range places {
		in := false
		index.Search(geom.BoxOf(p), func(i int) bool {
			f := &l.Features[i]
			in = true
			if f.Kind == pcb.LineFeature || f.Kind == pcb.ArcFeature {
				e := l.Edge(f)
				_, d := e.Nearest(p)
				in = 2*d <= float64(l.Width(f))
			}
			return !in
		})
		if in {
			n++
		}
	}
	return float64(n) / float64(len(places))
}

// dropFromStack takes a file out of the copper and says why.
func (s Stack) dropFromStack(w *artwork.File, role pcb.Role, why string) {
	r := w.Result
	side := w.Layer.Side
	s.unstack(w, role)
	w.Result.LeaveAside(why)
	s.Say(pcb.Warning, "copper_doubtful", r.Name, "the file would be copper (%s) by its name, but %s: it was left out of the copper layers; say so if it is one", side, why)
}

// unstack makes a copper file one of another role, and closes the gap that it leaves in
// the numbers and the sides of the layers.
func (s Stack) unstack(w *artwork.File, role pcb.Role) {
	gone, r := w.Layer.Order, w.Result
	w.Layer.Role, r.Role = role, role
	w.Layer.Order, r.Layer = 0, 0
	left := artwork.Copper(s.Art)
	if !slices.ContainsFunc(left, func(v *artwork.File) bool { return v.Layer.Order == gone }) {
		was := s.Group.Layers
		s.Group.Layers--
		for _, v := range left {
			if v.Layer.Order > gone {
				v.Layer.Order--
				v.Result.Layer--
			}
		}
		s.shortenSpans(was)
	}
	for _, v := range left {
		switch {
		case v.Layer.Side != pcb.Inner:
			continue
		case v.Layer.Order == 1 && !hasSide(left, pcb.Top):
			v.Layer.Side = pcb.Top
		case v.Layer.Order == s.Group.Layers && !hasSide(left, pcb.Bottom):
			v.Layer.Side = pcb.Bottom
		}
		v.Result.Side = v.Layer.Side
	}
	slices.SortStableFunc(s.Board.Layers, func(x, y *pcb.Layer) int { return SortKey(x) - SortKey(y) })
}

func hasSide(ws []*artwork.File, s pcb.Side) bool {
	return slices.ContainsFunc(ws, func(w *artwork.File) bool { return w.Layer.Side == s })
}

// shortenSpans lets holes that went down to the bottom, which had the number given, end
// at the bottom that there is now.
func (s Stack) shortenSpans(was int) {
	for _, i := range s.Group.Members {
		if r := s.Result(i); r.Role == pcb.RoleDrill && r.ToLayer == was {
			r.ToLayer--
		}
	}
	for i := range s.Board.Holes {
		if h := &s.Board.Holes[i]; int(h.To) == was {
			h.To--
		}
	}
}
