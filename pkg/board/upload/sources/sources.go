// Package sources reads the formats that hold whole boards.
package sources

import (
	"context"
	"strings"

	"boardorder/pkg/board/format/altium"
	"boardorder/pkg/board/format/eagle"
	"boardorder/pkg/board/format/ipc2581"
	"boardorder/pkg/board/format/kicad"
	"boardorder/pkg/board/format/odb"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
)

// A Source is a format that holds whole boards.
type Source struct {
	Name    string // as findings call it
	Formats []string
	read    func(context.Context, []classify.File) ([]*pcb.Board, []pcb.Finding)
	Owns    func(*pcb.Board, *classify.Result) bool // the board was read from the file
}

// List gives the formats, those meant for building first: a board that an
// earlier one gave is not given again by a later.
func List() []Source {
	return []Source{
		{"ODB++ job", []string{classify.FormatODB}, readODB, ownsODB},
		{"IPC-2581 file", []string{classify.FormatIPC2581}, readIPC2581, func(b *pcb.Board, f *classify.Result) bool { return isDrawnFrom(b, f.Name) }},
		{"KiCad project", []string{classify.FormatKiCadPCB, classify.FormatKiCad}, readKiCad, ownsKiCad},
		{"EAGLE board", []string{classify.FormatEagleBoard}, readEagle, func(b *pcb.Board, f *classify.Result) bool { return isDrawnFrom(b, f.Name) }},
		{"Altium board", []string{classify.FormatAltiumPCB}, readAltium, func(b *pcb.Board, f *classify.Result) bool { return isDrawnFrom(b, f.Name) }},
	}
}

// convertFiles gives files the type that a reader wants.
func convertFiles[F interface {
	~struct {
		Name string
		Data []byte
	}
}](files []classify.File) []F {
	out := make([]F, len(files))
	for i, f := range files {
		out[i] = F(f)
	}
	return out
}

func readIPC2581(ctx context.Context, files []classify.File) ([]*pcb.Board, []pcb.Finding) {
	return ipc2581.Read(ctx, convertFiles[ipc2581.File](files))
}

func readODB(ctx context.Context, files []classify.File) ([]*pcb.Board, []pcb.Finding) {
	return odb.Read(ctx, convertFiles[odb.File](files))
}

// ownsODB tells whether a file lies in the tree that a board's layers came from.
func ownsODB(b *pcb.Board, f *classify.Result) bool {
	for _, l := range b.Layers {
		if i := strings.Index(strings.ToLower(l.File), "steps/"); i >= 0 && strings.HasPrefix(f.Name, l.File[:i]) {
			return true
		}
	}
	return false
}

func readKiCad(ctx context.Context, files []classify.File) ([]*pcb.Board, []pcb.Finding) {
	return kicad.Read(ctx, convertFiles[kicad.File](files))
}

func ownsKiCad(b *pcb.Board, f *classify.Result) bool {
	if !kicad.Reads(f.Name) {
		return false
	}
	return f.Format != classify.FormatKiCadPCB || isDrawnFrom(b, f.Name)
}

func readEagle(ctx context.Context, files []classify.File) ([]*pcb.Board, []pcb.Finding) {
	return eagle.Read(ctx, convertFiles[eagle.File](files))
}

func readAltium(ctx context.Context, files []classify.File) ([]*pcb.Board, []pcb.Finding) {
	return altium.Read(ctx, convertFiles[altium.File](files))
}

func isDrawnFrom(b *pcb.Board, file string) bool {
	for _, l := range b.Layers {
		if l.File == file {
			return true
		}
	}
	return b.Outline.Source.File == file
}
