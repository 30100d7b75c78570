// Package processes states what boards need that a plain one is made without: by what their
// layers, drill programs and drawings are for.
package processes

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/internal/process"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/notes"
)

// inkProcesses are what layers of a role are made with.
var inkProcesses = map[pcb.Role]pcb.Process{
	pcb.RoleCarbon: pcb.CarbonPrinting, pcb.RolePeelable: pcb.PeelableMasking, pcb.RoleGoldFinger: pcb.SelectiveFinish,
}

// A Reader looks at an upload whose boards were made. It changes their facts and findings, and
// marks files as used.
type Reader struct {
	Files  []classify.File
	Set    *classify.Set
	Boards []*pcb.Board
}

// State states what boards need that a plain one is made without: by what their layers
// are for, and tells of it.
func (r Reader) State() {
	r.readOrderSettings()
	r.stateDrawings()
	for _, b := range r.Boards {
		StateLayers(b)
		r.statePrograms(b)
		detectFlex(b)
		notes.LeaveMaterialByName(b)
		reportProcesses(b)
	}
}

// StateLayers states what the layers of a board are for.
func StateLayers(b *pcb.Board) {
	for _, l := range b.Layers {
		if p := layerProcess(b, l); p != "" && len(l.Features) > 0 {
			b.Facts.Needs(pcb.State(p, pcb.Source{File: l.File}, 0.9, "a layer for it"))
		}
	}
}

// layerProcess is what a layer is for that a plain board is made without: as its file says,
// by its role, or by what the layer of a project is called.
func layerProcess(b *pcb.Board, l *pcb.Layer) pcb.Process {
	switch p := inkProcesses[l.Role]; {
	case l.Process != "":
		return l.Process
	case p != "" && !namesBoard(b, p):
		return p
	case l.Role == pcb.RoleOther, l.Role == pcb.RoleMechanical, l.Role == pcb.RoleFabDrawing:
		if p := process.Find(l.Name); !namesBoard(b, p) {
			return p
		}
	}
	return ""
}

// namesBoard reports whether the copper is called by a process, too: then it is in the name
// of the board.
func namesBoard(b *pcb.Board, p pcb.Process) bool {
	return slices.ContainsFunc(b.Copper(), func(l *pcb.Layer) bool { return process.Find(l.Name) == p })
}

// listedStiffener is the beginning of a list of stiffeners that is not empty.
var listedStiffener = pattern.Lazy(`"fpcStiffeners"\s*:\s*\[\s*[^\s\]]`)

// readOrderSettings takes the stiffeners that a design tool lists for the order.
func (r Reader) readOrderSettings() {
	for i, f := range r.Set.Results {
		b := group.BoardBeside(r.Boards, f.Name)
		if f.Format != classify.FormatOrder || b == nil {
			continue
		}
		f.Use(b.Name)
		if at := listedStiffener().FindIndex(r.Files[i].Data); at != nil {
			line := 1 + bytes.Count(r.Files[i].Data[:at[0]], []byte("\n"))
			b.Facts.Needs(pcb.State(pcb.Stiffening, pcb.Source{File: f.Name, Line: line}, 0.95, "order settings of the design tool"))
		}
	}
}

// stateDrawings states what the names of drawings say that nobody reads: the outline of a
// stiffener comes as a drawing of the mechanics.
func (r Reader) stateDrawings() {
	for _, f := range r.Set.Results {
		b := group.BoardBeside(r.Boards, f.Name)
		if b == nil || f.Format != classify.FormatMechanical && f.Format != classify.FormatPDF {
			continue
		}
		name := strings.TrimSuffix(group.BaseName(f.Name), path.Ext(f.Name))
		if p := process.Find(name); p != "" && !namesBoard(b, p) {
			b.Facts.Needs(pcb.State(p, pcb.Source{File: f.Name}, 0.8, "the name of a drawing"))
		}
	}
}

// detectFlex tells a board of polyimide, whatever its file format, and one of polyimide and
// other sheets.
func detectFlex(b *pcb.Board) {
	flexible, others := 0, 0
	var src pcb.Source
	for _, l := range b.Stackup {
		switch {
		case l.Kind != pcb.StackCore && l.Kind != pcb.StackPrepreg && l.Kind != pcb.StackDielectric || l.Material == "":
		case process.Polyimide(l.Material):
			flexible, src = flexible+1, l.Thickness.Source
		default:
			others++
		}
	}
	switch {
	case flexible == 0:
	case others == 0:
		b.Facts.Flex.Offer(pcb.State(true, src, 0.9, "sheets of the stackup"))
	default:
		b.Facts.Needs(pcb.State(pcb.RigidFlex, src, 0.9, "sheets of the stackup"))
	}
}

// statePrograms states what drill programs say of their tools, and what they are called.
func (r Reader) statePrograms(b *pcb.Board) {
	for _, f := range r.Set.Results {
		if f.Process == "" || f.Format != classify.FormatExcellon || r.ownerOf(f) != b {
			continue
		}
		f.Use(b.Name)
		b.Facts.Needs(pcb.State(f.Process, pcb.Source{File: f.Name}, 0.9, "a drill program"))
	}
}

// ownerOf is the board that a file was grouped to; nil for none.
func (r Reader) ownerOf(f *classify.Result) *pcb.Board {
	if f.Board != "" {
		i := slices.IndexFunc(r.Boards, func(b *pcb.Board) bool { return b.Name == f.Board })
		if i < 0 {
			return nil
		}
		return r.Boards[i]
	}
	return group.BoardBeside(r.Boards, f.Name)
}

// reportProcesses has a finding for each process.
func reportProcesses(b *pcb.Board) {
	for _, p := range b.Facts.Processes {
		if p.Value == pcb.Separating {
			continue // a check tells of it, with the pieces
		}
		words := p.Value.Words()
		b.Findings = append(b.Findings, pcb.Finding{
			Code: string(p.Value), Level: pcb.Warning, File: p.Source.File, Line: p.Source.Line,
			Message: fmt.Sprintf("%s%s: the files show it (%s), and a plain board is made without", strings.ToUpper(words[:1]), words[1:], p.How),
		})
	}
}
