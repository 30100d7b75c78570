// Package gerberout writes a board of the model as the files that a fabricator builds
// from: Gerber X2 artwork for each copper, mask, paste and silkscreen layer and the
// profile, Excellon drill files for each plating and span, and a Gerber job file.
//
// Coordinates are whole nanometres in the model and in Gerber's 4.6 millimetres,
// so artwork is written exactly; only arcs within turned or custom pads become
// chords, which stray less than a micrometre. Drill files are rounded to a
// tenth of one.
//
// Everything is pure: a board in, bytes out, the same ones every time.
package gerberout

import (
	"errors"
	"time"

	"boardorder/pkg/board/pcb"
)

// ErrNoCopper is returned for a board without a copper layer: nothing that a
// fabricator could build.
var ErrNoCopper = errors.New("plot: the board has no copper layer")

// Options say what the files tell about their origin.
type Options struct {
	Vendor, Application, Version string    // of the software, for GenerationSoftware; left out when Vendor is empty
	Created                      time.Time // for CreationDate; left out when zero
}

// A File is one file of a fabrication package.
type File struct {
	Name string // <board>-F_Cu.gbr, <board>-PTH.drl, …
	Data []byte
}

// Files plots a board. Artwork comes first, copper from top to bottom, then the
// profile, drills and the job file. The error is ErrNoCopper.
func Files(b *pcb.Board, opt Options) ([]File, error) {
	p := &plotter{board: b, opt: opt, name: fileName(b.Name), layers: len(b.Copper())}
	if p.layers == 0 {
		return nil, ErrNoCopper
	}
	for _, s := range sheets(b) {
		p.artwork(s)
	}
	p.profile()
	p.drills()
	p.job()
	return p.files, nil
}

// A plotter collects the files of one board.
type plotter struct {
	board  *pcb.Board
	opt    Options
	name   string // how file names begin
	layers int    // of copper
	files  []File
	listed []jobEntry
}

// add keeps a file; function and polarity are what the job file says about it.
func (p *plotter) add(suffix, function, polarity string, data []byte) {
	name := p.name + "-" + suffix
	p.files = append(p.files, File{Name: name, Data: data})
	p.listed = append(p.listed, jobEntry{Path: name, FileFunction: function, FilePolarity: polarity})
}
