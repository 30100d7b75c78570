package notes

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/sidefiles/note"
	"boardorder/pkg/board/upload/sidefiles/pdf"
)

// maxDocuments bounds how many PDF files of an upload are read.
const maxDocuments = 4

var (
	// aboutElse are names of documents that speak of something else than the bare board.
	aboutElse = pattern.Lazy(`(?i)schem|(?:^|[^a-z])(?:sch|sches|assy|assembly|bom|placement|pick|data[ _-]?sheets?|manual|guide|user|quick[ _-]?start|3d|model)(?:[^a-z]|$)`)
	// aboutBoards are words of a page that is for whoever makes the board.
	aboutBoards = pattern.Lazy(`(?i)\bfab(?:rication)?\b|\bpcb (?:notes|specification|requirements|data)\b|\bstack[ -]?up\b|\bboard (?:thickness|material|finish)\b`)
)

// Topics that a page speaks of to count as fabrication notes: fewer where it says to be such.
const (
	fewestNamed = 2
	fewestTold  = 3
)

// readDocuments reads the words of PDF files, page by page: one that speaks of several things
// that a board is made with counts as fabrication notes. What was taken is told with page and words.
func (r Reader) readDocuments(statements map[*pcb.Board][]statement) {
	documents := 0
	for i, f := range r.Set.Results {
		base := path.Base(f.Name)
		if f.Format != classify.FormatPDF || f.CopyOf != "" || wordless().MatchString(base) || aboutElse().MatchString(base) {
			continue
		}
		b := group.BoardBeside(r.Boards, f.Name)
		if documents++; b == nil || documents > maxDocuments {
			continue
		}
		lines, err := pdf.Read(r.Files[i].Data)
		if err != nil {
			continue // named among what was not read
		}
		var reported []string
		for len(lines) > 0 {
			n := 1
			for n < len(lines) && lines[n].Page == lines[0].Page {
				n++
			}
			stated, more := takePage(b, f.Name, lines[:n])
			statements[b] = append(statements[b], stated...)
			reported, lines = append(reported, more...), lines[n:]
		}
		if reported = slices.Compact(reported); len(reported) > 0 {
			f.Use(b.Name)
			f.Why += "; read as fabrication notes"
			b.Findings = append(b.Findings, pcb.Finding{
				Code: "document_read", Level: pcb.Note, File: f.Name,
				Message: fmt.Sprintf("%s was read as fabrication notes: %s", untrusted.Mention(base), strings.Join(reported, ", ")),
			})
		}
	}
}

// takePage gives what a page of a file states of a board, and its words of that, each with the page.
// What was not understood is named among the board's findings.
func takePage(b *pcb.Board, file string, page []pdf.Line) (stated []statement, reported []string) {
	read, found := readPage(page)
	if !found {
		return nil, nil
	}
	number := page[0].Page
	for _, s := range read.Statements {
		words := page[s.Line].Text
		if s.Unclear { // the words of a table's head, as like as not
			read.Unread = append(read.Unread, note.Unread{Line: s.Line, Words: words})
			continue
		}
		stated = append(stated, statement{s, pcb.Source{File: file}, fmt.Sprintf("%s, page %d", notesHow, number)})
		reported = append(reported, fmt.Sprintf("page %d: %q", number, plainWords(words)))
	}
	for _, u := range read.Unread {
		b.Findings = append(b.Findings, pcb.Finding{
			Code: "note_unread", Level: pcb.Note, File: file,
			Message: fmt.Sprintf("page %d of %s speaks of how the board is made and was not understood, or not taken for an order: nothing is built by it: %q", number, untrusted.Mention(path.Base(file)), plainWords(u.Words)),
		})
	}
	return stated, reported
}

// readPage reads the words of a page, each line by its place in the list; false where it is no
// page of fabrication notes.
func readPage(page []pdf.Line) (note.Note, bool) {
	lines, fewest := make([]note.Line, len(page)), fewestTold
	for k, l := range page {
		lines[k] = note.Line{Number: k, Text: l.Text}
		if aboutBoards().MatchString(l.Text) {
			fewest = fewestNamed
		}
	}
	read := note.ReadLines(lines)
	topics := map[note.Topic]bool{}
	for _, s := range read.Statements {
		if !s.Unclear {
			topics[s.Topic] = true
		}
	}
	return read, len(topics) >= fewest
}

// plainWords are words with one blank between them each.
func plainWords(s string) string { return strings.Join(strings.Fields(s), " ") }
