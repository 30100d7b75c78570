package boardedge

import (
	"context"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/outline"
)

// FindDivided looks for two files that draw the board's edge together, where none of those
// that are outlines closes round the copper by itself: one holds the sides and the other an
// arc. It makes both outlines and gives them; nil for none. Of several that close nothing, not
// even together, a mechanical layer that goes round the copper takes the place.
func (s Search) FindDivided(ctx context.Context) []*artwork.File {
	const most, simple = 6, 2000 // outlines, and mechanical layers, that are tried, and lines of each
	pads := SamplePads(s.Files)
	content := geom.BoxOf(pads...)
	closes := func(edges []geom.Edge) bool { _, ok := s.closure(ctx, edges, content); return ok }
	var named, mechanical, whole []*artwork.File
	for _, w := range s.Files {
		if edges := outline.Edges(w.Layer); w.Layer.Role == pcb.RoleOutline && len(edges) > 0 {
			if len(edges) > simple || closes(edges) {
				return nil
			}
			named = append(named, w)
		}
	}
	if len(named) == 0 || len(pads) == 0 || !slices.ContainsFunc(named, func(w *artwork.File) bool { return reaches(w.Layer, pads) }) {
		return nil
	}
	for _, w := range s.Files {
		switch edges := outline.Edges(w.Layer); {
		case w.Layer.Role != pcb.RoleMechanical || len(edges) == 0 || len(edges) > simple || len(whole)+len(mechanical) == most:
		case closes(edges):
			whole = append(whole, w)
		default:
			mechanical = append(mechanical, w)
		}
	}
	named = named[:min(len(named), most)]
	for i, w := range named {
		for _, v := range slices.Concat(named[i+1:], mechanical) {
			edges := slices.Concat(outline.Edges(w.Layer), outline.Edges(v.Layer))
			if !closes(edges) {
				continue
			}
			v.Layer.Role, v.Result.Role = pcb.RoleOutline, pcb.RoleOutline
			s.Say(pcb.Warning, "outline_parts", w.Result.Name, "neither this file nor %q closes the board's edge by itself; together they do, and both were taken for it: say so if that is not the board", v.Result.Name)
			return []*artwork.File{w, v}
		}
	}
	if best := s.tightest(ctx, whole, pads); best != nil && len(named) > 1 {
		s.takeOutline(best, named)
	}
	return nil
}

// closure is the extent of what edges close, and tells whether it goes round content.
func (s Search) closure(ctx context.Context, edges []geom.Edge, content geom.Box) (geom.Box, bool) {
	if len(edges) == 0 || len(edges) > maxDrawn || !s.Meter.SpendTimes(pcb.Lookups, 1, len(edges)) {
		return geom.EmptyBox(), false
	}
	o := outline.Find(ctx, edges).Outline
	return o.Bounds(), len(o.Areas) > 0 && o.Bounds().Grow(geom.Millimetre/2).ContainsBox(content)
}
