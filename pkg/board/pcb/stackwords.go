package pcb

import (
	"slices"
	"strings"
)

// MaskColours are the colours of a board's masks, the top one first, as one: both where they
// differ.
func MaskColours(masks ...string) string {
	if len(masks) == 0 {
		return ""
	}
	top, bottom := masks[0], masks[len(masks)-1]
	if strings.EqualFold(top, bottom) {
		return top
	}
	return top + " top, " + bottom + " bottom"
}

// Laminates are the materials of a board's sheets as one, "FR4 + RO4350B": each once, the
// first one first.
func Laminates(sheets ...string) string {
	var out []string
	for _, s := range sheets {
		if !slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, s) }) {
			out = append(out, s)
		}
	}
	return strings.Join(out, " + ")
}
