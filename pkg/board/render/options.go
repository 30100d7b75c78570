package render

import (
	"errors"
	"image/color"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// MaxPixels is the most pixels a picture may have unless the options say
// otherwise; larger ones are scaled down.
const MaxPixels = 40_000_000

// ErrNothing is returned when a board or layer has no extent to draw.
var ErrNothing = errors.New("draw: there is nothing to draw")

// Options steer a picture. The zero Options give one 1200 pixels wide in the
// colours that the board states, green where it states none.
type Options struct {
	Width  int      // pixels; the height follows. 0 means 1200 unless DPI is given
	Height int      // pixels; with Width, the picture fits in both
	DPI    float64  // pixels per inch instead of Width
	Margin int64    // nanometres round the board; default none
	Window geom.Box // the part of the plane to show, instead of the board and its margin; the zero Box is none
	Whole  bool     // a stack shows all that its layers draw, not only the board

	MaxPixels int // larger pictures are scaled down; 0 means the constant of that name

	Mask       string      // colour of the solder mask, over what the board states
	Silkscreen string      // colour of the silkscreen
	Finish     string      // "ENIG", "HASL", …
	Colour     color.NRGBA // of a single layer; default depends on its role
	ID         string      // start of the ids within an SVG
	Workers    int         // goroutines; 0 means as many as processors
}

// Extent is the part of the plane that pictures of the board show: its outline;
// where it has none what its pads and holes cover, for drawings of the sheet
// often lie round them; else all that it draws.
func Extent(b *pcb.Board) geom.Box {
	if box := b.Outline.Bounds(); !box.Empty() {
		return box
	}
	const enough = 10 // pads and holes that make a board
	box, n := padExtent(b)
	if n >= enough {
		return box.Grow(geom.Millimetre)
	}
	for _, r := range []pcb.Role{pcb.RoleCopper, pcb.RoleMask, pcb.RoleSilk, pcb.RoleOutline} {
		for _, l := range b.Find(r, pcb.NoSide) {
			box = box.Union(l.Bounds())
		}
		if !box.Empty() {
			break
		}
	}
	return box
}

// padExtent is the box of holes and of what is flashed on copper, and how many
// of them there are.
func padExtent(b *pcb.Board) (geom.Box, int) {
	box, n := geom.EmptyBox(), len(b.Holes)
	for i := range b.Holes {
		box = box.Union(b.HoleBounds(&b.Holes[i]))
	}
	for _, l := range b.Copper() {
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
				box = box.Union(l.FeatureBounds(f))
				n++
			}
		}
	}
	return box, n
}
