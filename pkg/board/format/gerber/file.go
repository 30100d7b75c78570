package gerber

import "boardorder/pkg/board/pcb"

// Options steer a reading. The zero Options suit a whole file.
type Options struct {
	// Apertures by D-code for RS-274-D, whose aperture list is a file of its own.
	Apertures map[int]pcb.Aperture
	// Format and Metric say how coordinates are written where the file itself
	// does not; nil leaves that to be assumed, with a finding.
	Format *Format
	Metric *bool
	// AsDrawn leaves out that the image is mirrored (MI).
	AsDrawn bool
}

// File is what one Gerber file holds.
type File struct {
	Layer    *pcb.Layer    // name and file set, role and side left to the caller
	Findings []pcb.Finding // one for each kind of thing, with a count and its first line

	Attributes []pcb.Attribute // file attributes (TF), in order, also those in comments
	Comments   []string        // the first comments, as written, at most 64
	ImageName  string          // IN
	LayerNames []string        // LN
	Negative   bool            // IPNEG; also on the Layer
	Mirrored   bool            // the whole image is turned over (MI), carried out or not

	Metric       bool // unit of the numbers; UnitStated tells whether the file says so
	UnitStated   bool
	Format       Format
	FormatStated bool

	NeedsApertures bool // draws with D-codes that are defined nowhere: RS-274-D
	Ended          bool // M02 or M00 was there
	Commands       int  // how many commands were understood
	Unknown        int  // how many were not
}

// Format is how coordinates are written.
type Format struct {
	Integer, Decimal int
	TrailingOmitted  bool // trailing zeros left out, not leading ones
	Incremental      bool
}

// Attribute gives the values of a file attribute such as ".FileFunction"; nil when absent.
func (f *File) Attribute(name string) []string {
	for i := len(f.Attributes) - 1; i >= 0; i-- {
		if f.Attributes[i].Name == name {
			return f.Attributes[i].Values
		}
	}
	return nil
}

// copperNegative tells whether the file states to be copper drawn by what is taken
// away. Other layers than copper are always drawn the one way or the other.
func (f *File) copperNegative() bool {
	function, polarity := f.Attribute(".FileFunction"), f.Attribute(".FilePolarity")
	return len(function) > 0 && function[0] == "Copper" && len(polarity) > 0 && polarity[0] == "Negative"
}
