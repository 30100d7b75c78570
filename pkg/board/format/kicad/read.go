package kicad

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
)

// File is one file of an upload.
type File struct {
	Name string // path within the upload
	Data []byte
}

// Is tells a .kicad_pcb by its beginning, whatever it is called.
func Is(_ string, data []byte) bool {
	head := bytes.TrimPrefix(data[:min(len(data), 4096)], []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("(kicad_pcb"))
}

// Reads tells whether a file of that name is one that [Read] makes use of.
func Reads(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".kicad_pcb", ".kicad_pro", ".pro", ".kicad_sch", ".sch", ".kicad_dru":
		return true
	}
	return false
}

// Read makes a board of every .kicad_pcb among files, in the order of files.
// It stops early, with the boards read so far, when ctx ends. Findings are
// those that belong to no board.
func Read(ctx context.Context, files []File) ([]*pcb.Board, []pcb.Finding) {
	var pcbs []File
	for _, f := range files {
		if ext(f.Name) == ".kicad_pcb" {
			pcbs = append(pcbs, f)
		}
	}
	boards := make([]*pcb.Board, len(pcbs))
	_ = parallel.Run(ctx, len(pcbs), func(i int) { // what ctx cuts off is left out
		boards[i] = readProject(ctx, pcbs[i], files, len(pcbs) == 1)
	})
	boards = slices.DeleteFunc(boards, func(b *pcb.Board) bool { return b == nil })
	return boards, strayFindings(files, pcbs)
}

// readProject reads a board and what belongs to it. The only board of an upload
// takes files of any folder.
func readProject(ctx context.Context, boardFile File, files []File, only bool) *pcb.Board {
	mine := companions(boardFile, files, only)
	var b *pcb.Board
	sheets := make([]*sheet, len(mine))
	_ = parallel.Run(ctx, 1+len(mine), func(i int) { // what ctx cuts off is left out
		if i == 0 {
			b = readBoard(ctx, boardFile, partSize)
			return
		}
		sheets[i-1] = readSchematic(mine[i-1])
	})
	if b == nil {
		return nil
	}
	for _, f := range mine {
		switch ext(f.Name) {
		case ".kicad_pro":
			readProjectFile(b, f)
		case ".pro":
			readLegacyProject(b, f)
		case ".kicad_dru":
			readCustomRules(b, f)
		}
	}
	addSchematic(b, stem(boardFile.Name), sheets)
	return b
}

// companions are the project files that belong to a board: same name, or the
// only ones of their kind in its folder, and every schematic in its folder or
// below, since sheets have names of their own.
func companions(boardFile File, files []File, only bool) []File {
	dir, base := path.Dir(boardFile.Name), stem(boardFile.Name)
	count := map[string]int{}
	for _, f := range files {
		if path.Dir(f.Name) == dir {
			count[ext(f.Name)]++
		}
	}
	var out []File
	for _, f := range files {
		e := ext(f.Name)
		near := path.Dir(f.Name) == dir
		below := dir == "." || strings.HasPrefix(f.Name, dir+"/")
		switch e {
		case ".kicad_pro", ".pro", ".kicad_dru":
			if near && (stem(f.Name) == base || only && count[e] == 1) {
				out = append(out, f)
			}
		case ".kicad_sch", ".sch":
			if only || below {
				out = append(out, f)
			}
		}
	}
	return out
}

func strayFindings(files, pcbs []File) []pcb.Finding {
	var out []pcb.Finding
	for _, f := range files {
		if len(pcbs) == 0 && ext(f.Name) == ".kicad_pro" {
			out = append(out, pcb.Finding{Code: "board_file_missing", Level: pcb.Problem, File: f.Name,
				Message: "this is a KiCad project, but its board (.kicad_pcb) was not among the files"})
		}
	}
	return out
}

func ext(name string) string  { return strings.ToLower(path.Ext(name)) }
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
