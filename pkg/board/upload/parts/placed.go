package parts

import (
	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
)

// TakePlaced takes over the parts that Gerber component layers place. What
// another file said of a part before stays.
func TakePlaced(files []*artwork.File, b *pcb.Board) {
	for _, w := range files {
		placed := gerber.Components(w.File)
		for i := range placed {
			fill(&b.Components[b.Component(placed[i].Ref)], &placed[i])
		}
		if len(placed) > 0 {
			w.Result.Use(b.Name)
		}
	}
}

// fill fills what is not known of a part from another reading of it.
func fill(c, from *pcb.Component) {
	if !c.HasAt {
		c.At, c.HasAt, c.Rotation, c.Side, c.Line = from.At, from.HasAt, from.Rotation, from.Side, from.Line
	}
	for _, f := range [...]struct{ to, from *string }{
		{&c.Value, &from.Value}, {&c.Footprint, &from.Footprint}, {&c.MPN, &from.MPN}, {&c.Manufacturer, &from.Manufacturer},
	} {
		if *f.to == "" {
			*f.to = *f.from
		}
	}
	if c.Mount == pcb.MountUnknown {
		c.Mount = from.Mount
	}
	if c.Fields == nil {
		c.Fields = from.Fields
	}
}
