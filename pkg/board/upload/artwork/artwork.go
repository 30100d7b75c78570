// Package artwork reads the Gerber files of a board: with the apertures that lie beside
// them, turned back where they are plotted in a mirror, each with the role that
// classification found.
package artwork

import (
	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
)

// A File is one Gerber file of a board.
type File struct {
	*gerber.File
	Index  int              // among the files of the upload
	Result *classify.Result // what classification found out about it
	Data   []byte
}

// Copper gives the files that are copper layers.
func Copper(files []*File) (out []*File) {
	for _, w := range files {
		if w.Layer.Role == pcb.RoleCopper {
			out = append(out, w)
		}
	}
	return out
}

// Layers gives what files draw.
func Layers(files []*File) []*pcb.Layer {
	out := make([]*pcb.Layer, len(files))
	for i, w := range files {
		out[i] = w.Layer
	}
	return out
}
