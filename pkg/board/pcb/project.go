package pcb

import "boardorder/pkg/board/answers"

// Project is everything that an upload holds.
type Project struct {
	Files    []FileReport
	Boards   []*Board
	Findings []Finding // about the upload as a whole; those of a board are with it
	// Refused are the answers about the files that cannot be taken.
	Refused []answers.Refused
}

// FileReport is what was made of one file.
type FileReport struct {
	Name       string // path within the upload, archives joined by "!/"
	Size       int64
	Format     string // "gerber", "excellon", "kicad_pcb", "ipc-d-356", "bom", …
	Role       Role
	Side       Side
	Layer      int // copper layer 1..N; 0 otherwise
	FromLayer  int // span of a drill file; 0 when not stated
	ToLayer    int
	Plating    Plating // of a drill file
	Board      string  // name of the board it belongs to; "" when none
	Why        string  // what the classification rests on, in words
	Confidence float64 // 0 to 1
	Used       bool    // false: looked at and left aside; Why says the reason
}

// Board finds a board by name; nil when there is none.
func (p *Project) Board(name string) *Board {
	for _, b := range p.Boards {
		if b.Name == name {
			return b
		}
	}
	return nil
}
