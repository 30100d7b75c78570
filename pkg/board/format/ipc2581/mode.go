package ipc2581

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A document is what one file gave. Its mode is what the file was written for:
// FABRICATION and USERDEF files are whole, others leave out what their reader does
// not need.
type document struct {
	file, mode string
	boards     []*pcb.Board
}

// modeAssembly files have pads of the outer layers, and tracks or not.
const modeAssembly = "ASSEMBLY"

// partial reports whether the file was not written to build bare boards from.
func (d *document) partial() bool {
	return d.mode == modeAssembly || slices.Contains([]string{"BOM", "TEST", "STENCIL", "STACKUP", "DFX"}, d.mode)
}

// whole gives the boards that can be built, and says which files were left aside
// because they hold parts of a board only.
func whole(all []document) ([]*pcb.Board, []pcb.Finding) {
	var boards []*pcb.Board
	var findings []pcb.Finding
	for i := range all {
		if d := &all[i]; !d.partial() {
			boards = append(boards, d.boards...)
		}
	}
	made := len(boards)
	var aside []*document
	for i := range all {
		d := &all[i]
		if !d.partial() {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(d.boards), func(b *pcb.Board) bool {
			return !hasContent(b) || slices.ContainsFunc(boards[:made], func(o *pcb.Board) bool { return sameSize(b, o) })
		})
		if len(rest) == 0 {
			aside = append(aside, d)
		}
		for _, b := range rest {
			b.Findings = append(b.Findings, d.doubt(b)...)
			boards = append(boards, b)
		}
	}
	for _, d := range aside {
		findings = append(findings, d.reportSkipped(len(boards) > 0))
	}
	return boards, findings
}

// reportSkipped says that nothing was made of the file; that is no harm where another one
// gives the board.
func (d *document) reportSkipped(other bool) pcb.Finding {
	f := pcb.Finding{Code: "partial_file", Level: pcb.Note, File: d.file,
		Message: fmt.Sprintf("the IPC-2581 file is for %q (FunctionMode); the board is taken from another one", d.mode)}
	if !other {
		f.Code, f.Level = "no_board", pcb.Problem
		f.Message = fmt.Sprintf("the IPC-2581 file is for %q (FunctionMode) and holds no board to build: send the one for FABRICATION", d.mode)
	}
	return f
}

// doubt says what a board may lack that comes from a partial file alone. Pads that
// nothing joins are no design: what is missing would be missing on the board.
func (d *document) doubt(b *pcb.Board) []pcb.Finding {
	if hasConductors(b) {
		return []pcb.Finding{{Code: "partial_file", Level: pcb.Warning, File: d.file,
			Message: fmt.Sprintf("the IPC-2581 file is for %q (FunctionMode), and such a file may leave out layers and tracks: send the one for FABRICATION", d.mode)}}
	}
	return []pcb.Finding{{Code: "copper_missing", Level: pcb.Problem, File: d.file,
		Message: fmt.Sprintf("the IPC-2581 file is for %q (FunctionMode): it holds pads and nothing that joins them; send the one for FABRICATION", d.mode)}}
}

// hasContent reports whether a board has copper or holes.
func hasContent(b *pcb.Board) bool {
	return len(b.Holes) > 0 || slices.ContainsFunc(b.Copper(), func(l *pcb.Layer) bool { return len(l.Features) > 0 })
}

// hasConductors reports whether a board has copper other than pads.
func hasConductors(b *pcb.Board) bool {
	return slices.ContainsFunc(b.Copper(), func(l *pcb.Layer) bool {
		return slices.ContainsFunc(l.Features, func(f pcb.Feature) bool { return f.Kind != pcb.FlashFeature })
	})
}

func sameSize(a, b *pcb.Board) bool {
	const tolerance = 100 * geom.Micrometre
	x, y := a.Outline.Bounds(), b.Outline.Bounds()
	near := func(p, q int64) bool { return p-q <= tolerance && q-p <= tolerance }
	return near(x.Width(), y.Width()) && near(x.Height(), y.Height())
}
