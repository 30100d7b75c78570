package excellon

import (
	"bytes"

	"boardorder/pkg/board/internal/pattern"
)

var (
	toolLine  = pattern.Lazy(`(?m)^T\d{1,4}(?:[FSHZB]\d+)*C[\d.]+`)
	coordLine = pattern.Lazy(`(?m)^(?:G0[0-3])?(?:X ?[-+]?[\d.]+ ?(?:Y ?[-+]?[\d.]+)?|Y ?[-+]?[\d.]+)\r?$`)
	pickLine  = pattern.Lazy(`(?m)^T\d{1,4}\r?$`)
	holeLine  = pattern.Lazy(`(?mi)^;.*(?:Hole|Back[ _-]?drill)size\s+\d+`)
)

// Sniff tells how sure one can be, from 0 to 1, that data is a drill or rout
// program rather than anything else.
func Sniff(data []byte) float64 {
	head := data[:min(len(data), 4096)]
	switch {
	case bytes.Contains(head, []byte("%FS")), bytes.Contains(head, []byte("%ADD")), bytes.IndexByte(head, 0) >= 0:
		return 0
	case hasLine(head, "M48"):
		return 1
	case bytes.HasPrefix(head, []byte("%%3000")):
		return 0.9
	case holeLine().Match(head), toolLine().Match(head):
		return 0.95
	}
	switch n := len(coordLine().FindAll(head, 3)); {
	case n == 0 || bytes.ContainsAny(head, "*"):
	case n >= 3, pickLine().Match(head) && (hasLine(head, "M30") || hasLine(head, "M00")): // one slot is two places
		return 0.7
	}
	return 0
}

// hasLine tells whether a line of data is exactly code.
func hasLine(data []byte, code string) bool {
	for len(data) > 0 {
		var line []byte
		line, data = splitLine(data)
		if string(bytes.TrimSpace(line)) == code {
			return true
		}
	}
	return false
}
