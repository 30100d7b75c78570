package classify

import (
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"
)

// applyOrderNotes lets notes in plain text say which copper layer a file is, where one of their
// lines has the file's name and the layer's number: "L08_gnd3.art  Layer 8".
func (s *Set) applyOrderNotes() {
	for _, n := range s.Results {
		if n.Format != FormatReadme && n.Format != FormatText {
			continue
		}
		var copper []*Result
		for _, r := range s.archiveArtwork(n) {
			if r.Role == pcb.RoleCopper && !slices.ContainsFunc(r.Witnesses, func(w Witness) bool { return w.Weight > weightAttribute }) {
				copper = append(copper, r)
			}
		}
		if len(copper) == 0 || len(n.file.Data) > scanLimit {
			continue
		}
		for line := range strings.Lines(string(n.file.Data)) {
			if strings.ContainsAny(line, "0123456789") {
				noteOrder(line, n.base, copper)
			}
		}
	}
}

// noteOrder reads a line of notes that speaks of one copper file.
func noteOrder(line, source string, copper []*Result) {
	var about *Result
	line = strings.Join(strings.Fields(line), " ")
	lower, rest := strings.ToLower(line), ""
	for _, r := range copper {
		if before, after, ok := strings.Cut(lower, strings.ToLower(r.base)); ok {
			if about != nil {
				return
			}
			about, rest = r, before+" "+after
		}
	}
	if about == nil {
		return
	}
	n, absolute := layerNumber(splitWords(rest))
	if !absolute || n == 0 {
		return
	}
	about.Witnesses = append(about.Witnesses, Witness{Role: pcb.RoleCopper, Order: n, Weight: weightNote, Why: strconv.Quote(source) + " says " + strconv.Quote(line)})
	if about.Order == 0 {
		about.Order = n
	}
}
