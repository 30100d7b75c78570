package gerberout

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"boardorder/pkg/board/pcb"
)

// maxName bounds the part of a file name that the board gives.
const maxName = 64

// fileName keeps of a board's name what every file system and machine takes.
func fileName(name string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, name)
	if s = strings.Trim(s[:min(len(s), maxName)], "._-"); s == "" {
		return "board"
	}
	return s
}

// projectID names the board in .ProjectId: its name, an identifier that follows
// from what the board is, and its revision.
func projectID(b *pcb.Board) (name, guid, revision string) {
	box := b.Outline.Bounds()
	h := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %d %d", b.Name, box.Width(), box.Height(), len(b.Copper()), len(b.Holes)))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80 // a version 8 UUID: of the maker's own rule
	guid = fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
	name, revision = b.Name, "rev?"
	if name == "" {
		name = "board"
	}
	if f := b.Facts.Revision; f.Known && f.Value != "" {
		revision = f.Value
	}
	return name, guid, revision
}
