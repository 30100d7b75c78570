// Package notes takes facts from what texts, tables and the lettering of drawings say to the
// fabricator, and names what was not understood.
package notes

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/sidefiles/note"
)

const notesHow = "fabrication notes"

// A noted statement is one of a text that belongs to a board.
type statement struct {
	note.Statement
	source pcb.Source
	how    string
}

// noteFormats are those of files that may hold words for the fabricator.
var noteFormats = map[string]bool{classify.FormatReadme: true, classify.FormatText: true, classify.FormatTable: true, classify.FormatUnknown: true}

// maxNoted bounds how much of an upload's texts is read for fabrication words; the rest is
// named as unread.
const maxNoted = 1 << 20

// MaxLoose bounds a file of a format that is rarely written for people.
const MaxLoose = 32 << 10

// A Reader reads the notes of an upload whose boards were made. It changes their facts, and
// adds to their findings and to those of the upload.
type Reader struct {
	Files          []classify.File
	Set            *classify.Set
	Boards         []*pcb.Board
	*findings.List // of the upload
}

// Read takes facts from what texts, tables, PDF files and the lettering of drawings say to the
// fabricator, and names what nobody understood.
func (r Reader) Read() {
	statements := map[*pcb.Board][]statement{}
	read := map[string]bool{}
	size := 0
	for i, f := range r.Set.Results {
		loose := f.Format == classify.FormatTable || f.Format == classify.FormatUnknown
		if n := len(r.Files[i].Data); !noteFormats[f.Format] || loose && n > MaxLoose || size+n > maxNoted {
			continue
		}
		size += len(r.Files[i].Data)
		n, b := note.Read(f.Name, r.Files[i].Data), group.BoardBeside(r.Boards, f.Name)
		if len(n.Statements)+len(n.Unread) == 0 || b == nil {
			continue
		}
		if len(n.Statements) > 0 {
			f.Use(b.Name)
			f.Why += "; read as fabrication notes"
		}
		if text := strings.Join(strings.Fields(string(r.Files[i].Data)), " "); read[text] {
			continue // the same notes again
		} else {
			read[text] = true
		}
		for _, s := range n.Statements {
			statements[b] = append(statements[b], statement{s, pcb.Source{File: f.Name, Line: s.Line}, notesHow})
		}
		reportUnread(b, f.Name, n.Unread)
	}
	r.readDocuments(statements)
	for _, b := range r.Boards {
		statements[b] = append(statements[b], readLettering(b)...)
		settle(b, statements[b])
	}
	r.reportUnreadFiles()
}

// drawingRoles are the roles of layers whose lettering is for the fabricator.
var drawingRoles = map[pcb.Role]bool{
	pcb.RoleFabDrawing: true, pcb.RoleDrillDrawing: true, pcb.RoleMechanical: true, pcb.RoleOther: true,
}

// readLettering reads the words on drawings, on documentation layers, and of title blocks and
// descriptions, those of one file as one text.
func readLettering(b *pcb.Board) []statement {
	var files []string
	texts := map[string][]note.Line{}
	add := func(file string, line int, text string) {
		if texts[file] == nil {
			files = append(files, file)
		}
		texts[file] = append(texts[file], note.Line{Number: line, Text: text})
	}
	for _, t := range Remarks(b) {
		add(t.Source.File, t.Source.Line, t.Text)
	}
	var out []statement
	for _, file := range files {
		n := note.ReadLines(texts[file])
		for _, s := range n.Statements {
			out = append(out, statement{s, pcb.Source{File: file, Line: s.Line}, "notes of the drawing"})
		}
		reportUnread(b, file, n.Unread)
		if n.Cut {
			b.Findings = append(b.Findings, pcb.Finding{
				Code: "files_unread", Level: pcb.Note, File: file,
				Message: fmt.Sprintf("%s holds more than %d lines of lettering, of which the rest was not read: say in the request what they ask for", path.Base(file), note.MaxLettering),
			})
		}
	}
	return out
}

// stiffenerLabel is lettering that marks the place of a stiffener, and says nothing else.
var stiffenerLabel = pattern.Lazy(`(?i)^\s*(?:(?:fr-?4|pi|polyimide|steel)\s+)?stiffe?ners?(?:\s+(?:top|bottom|front|back|side|area))*\s*$`)

// Remarks are the words of a board's title block or description, then those on its drawings.
func Remarks(b *pcb.Board) []pcb.Remark {
	out := slices.Clone(b.Remarks)
	for _, l := range b.Layers {
		drawing := drawingRoles[l.Role] || isDocumentation(l)
		if !drawing && l.Role != pcb.RoleAssembly {
			continue
		}
		for _, t := range l.Texts {
			if !drawing && !stiffenerLabel().MatchString(t.Text) {
				continue // names and values of parts
			}
			out = append(out, pcb.Remark{Text: t.Text, Source: pcb.Source{File: l.File, Line: int(t.Line)}})
		}
	}
	return out
}

// isDocumentation reports whether a layer is one of EAGLE's for documentation.
func isDocumentation(l *pcb.Layer) bool {
	name := strings.ToLower(l.Name)
	return strings.HasSuffix(name, "docu") || name == "document" || name == "reference"
}

// reportUnread has a finding for each line that was not understood.
func reportUnread(b *pcb.Board, file string, unread []note.Unread) {
	for _, u := range unread {
		b.Findings = append(b.Findings, pcb.Finding{
			Code: "note_unread", Level: pcb.Note, File: file, Line: u.Line,
			Message: fmt.Sprintf("line %d of %s speaks of how the board is made and was not understood, or not taken for an order: nothing is built by it: %q", u.Line, path.Base(file), u.Words),
		})
	}
}
