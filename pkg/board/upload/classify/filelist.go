package classify

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

var (
	// listedFirst and listedLast are lines of a list of files in notes: ".GM18 - V-score",
	// "Board outline    x.GM1".
	listedFirst = pattern.Lazy(`^[\s*+-]*([\w() -]*)\.([A-Za-z]\w{1,7})\s*(?:[-:=>]+|\s{2,}|\t)\s*([^\s.][^.]*?)\s*$`)
	listedLast  = pattern.Lazy(`^[\s*+-]*([^\s.][^.:]*?)\s*(?:[-:=>]+|\s{2,}|\t)\s*([\w()-]*(?:\.[\w()-]+)*)\.([A-Za-z]\w{1,7})\s*$`)
)

// leastListed is how many files of a set a list names at least.
const leastListed = 3

// readFileLists lets a list of files in notes say what the mechanical layers are, of which the
// extensions tell nothing.
func (s *Set) readFileLists() {
	for _, n := range s.Results {
		if n.Format != FormatReadme && n.Format != FormatText || len(n.file.Data) > scanLimit {
			continue
		}
		files := s.archiveArtwork(n)
		var said []func()
		listed := 0
		for line := range strings.Lines(string(n.file.Data)) {
			stem, ext, words := parseListLine(strings.TrimRight(line, "\r\n"))
			for _, r := range files {
				if ext == "" || ext != r.ext || stem != "" && !strings.EqualFold(stem, r.stem) {
					continue
				}
				listed++
				if w, ok := wordsWitness(splitWords(words), strconv.Quote(n.base)+" calls it "+strconv.Quote(words)); ok && r.isUnnamedMechanical() && w.Role != pcb.RoleCopper {
					w.Weight = weightNote
					said = append(said, func() { r.Witnesses = []Witness{w} }) // the extension says no more than that its tool has no word for it
				}
			}
		}
		for _, say := range said {
			if listed >= leastListed {
				say()
			}
		}
	}
}

// parseListLine reads a line of a list: the name of the file, which may be its extension alone,
// and what it is called.
func parseListLine(line string) (stem, ext, words string) {
	if m := listedFirst().FindStringSubmatch(line); m != nil {
		return strings.TrimSpace(m[1]), strings.ToLower(m[2]), m[3]
	}
	if m := listedLast().FindStringSubmatch(line); m != nil {
		return m[2], strings.ToLower(m[3]), m[1]
	}
	return "", "", ""
}

// isUnnamedMechanical reports whether nothing but an extension for mechanical layers says what
// an artwork is.
func (r *Result) isUnnamedMechanical() bool {
	for _, w := range r.Witnesses {
		if w.Role != pcb.RoleMechanical || w.Weight > weightExtension {
			return false
		}
	}
	return true
}
