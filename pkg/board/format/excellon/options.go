package excellon

import (
	"path"
	"strconv"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Options is what the rest of the set knows about a drill file. All of it is
// optional; the file's own statements go first.
type Options struct {
	// Format is what another file states: the parameters a CAD system wrote
	// beside its drill files. Zero fields are not stated.
	Format Format

	// Extents is the board, as far as it is known; a zero or empty box is not.
	Extents geom.Box

	// Pads are places where copper expects a hole. A few hundred are enough.
	Pads []geom.Point

	// Tools are the sizes a drill report gives, by tool number.
	Tools map[int]Tool

	// Lists are the sizes that a list of tools beside the file gives. It may be of other
	// files, so it speaks only of tools that nothing else gives a size.
	Lists map[int]Tool

	// Answered are the diameters that the customer gives, in nanometres by tool number, of
	// tools whose size the file does not state.
	Answered map[int]int64

	// File names the file in what the customer is asked and told.
	File string

	// Plating is what the file's name says.
	Plating pcb.Plating
}

const (
	maxTools    = 10_000
	maxFindings = 50 // of one kind; the rest are only counted
)

func (o Options) hasExtents() bool { return o.Extents.Width() > 0 && o.Extents.Height() > 0 }

// subject is the file in a sentence about it: of several drill files it may hold for one.
func (o *Options) subject() string {
	if o.File == "" {
		return "the file"
	}
	return strconv.Quote(path.Base(o.File))
}
