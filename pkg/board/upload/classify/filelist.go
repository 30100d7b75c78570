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

// minListed is how many files of a set a list names at least.
const minListed = 3

// readFileLists lets a list of files in notes say what the mechanical layers are, of which the
// extensions tell nothing.
func (s *Set) readFileLists() {
	for _, n := range s.Results {
		if n.Format != FormatReadme && n.Format != FormatText || len(n.file.Data) > scanLimit {
			continue
		}
		files := s.archiveArtwork(n)
		var stated []func()
		listed := 0
		for line := range strings.Lines(string(n.file.Data)) {
			stem, ext, words := parseListLine(strings.TrimRight(line, "\r\n"))
			for _, r := range files {
				if ext == "" || ext != r.ext || stem != "" && !strings.EqualFold(stem, r.stem) {
					continue
				}
				listed++
				if w, ok := wordsEvidence(splitWords(words), strconv.Quote(n.base)+" calls it "+strconv.Quote(words)); ok && r.isUnnamedMechanical() && w.Role != pcb.RoleCopper {
					w.Weight = weightNote
					stated = append(stated, func() { r.Evidence = []Evidence{w} }) // the extension says no more than that its tool has no word for it
				}
			}
		}
		for _, say := range stated {
			if listed >= minListed {
				say()
			}
		}
	}
}

var (
	// uncoppered are words for layers of a flexible board that are numbered like copper and
	// are none.
	uncoppered = pattern.Lazy(`(?i)\b(?:stiffeners?|cover\s?-?lays?|cover\s?-?films?|covers?|solder\s?-?masks?|substrates?|adhesives?|base\s?films?)\b`)
	coppered   = pattern.Lazy(`(?i)\b(?:copper|signals?|planes?|gnd|ground|power|conductors?|tracks?|traces?)\b`)
	covering   = pattern.Lazy(`(?i)\b(?:cover\w*|solder\s?-?masks?)\b`)
)

// readFilmLists lets a list of files in notes say which of the files that are numbered like
// copper are films and stiffeners; those below move up.
func (s *Set) readFilmLists() {
	for _, n := range s.Results {
		if n.Format != FormatReadme && n.Format != FormatText || len(n.file.Data) > scanLimit {
			continue
		}
		files := s.archiveArtwork(n)
		layerFiles := map[*Result]Evidence{}
		listed := 0
		for line := range strings.Lines(string(n.file.Data)) {
			r, words := findListed(files, line)
			if r == nil {
				continue
			}
			if listed++; r.copperNumber() > 0 && uncoppered().MatchString(words) && !coppered().MatchString(words) {
				w := Evidence{Role: pcb.RoleOther, Weight: weightNote, Why: strconv.Quote(n.base) + " calls it " + strconv.Quote(words)}
				if covering().MatchString(words) {
					w.Role, w.Side = pcb.RoleMask, sidePlain(words)
				}
				layerFiles[r] = w
			}
		}
		if listed >= minListed && len(layerFiles) > 0 {
			moveUp(files, layerFiles)
		}
	}
}

// moveUp makes films of files that are numbered like copper, and closes the gaps.
func moveUp(files []*Result, layerFiles map[*Result]Evidence) {
	for _, r := range files {
		own, above := r.copperNumber(), 0
		if _, film := layerFiles[r]; film || own == 0 {
			continue
		}
		for f := range layerFiles {
			if f.copperNumber() < own {
				above++
			}
		}
		for i := range r.Evidence {
			if w := &r.Evidence[i]; w.Role == pcb.RoleCopper && w.Order > 0 {
				w.Order, w.Side = w.Order-above, pcb.NoSide
				w.Why += ", less the layer files above it"
			}
		}
	}
	for r, w := range layerFiles {
		r.Evidence = []Evidence{w}
	}
}

// findListed is the file whose name a line of a list begins with, and what the rest of the line
// says of it; nil for none.
func findListed(files []*Result, line string) (*Result, string) {
	line = strings.TrimLeft(strings.TrimSpace(line), "*+- \t")
	for _, r := range files {
		if n := len(r.base); len(line) > n+1 && strings.EqualFold(line[:n], r.base) && strings.ContainsRune(" \t:=-", rune(line[n])) {
			return r, strings.TrimLeft(line[n:], " \t:=->")
		}
	}
	return nil, ""
}

// copperNumber is the number among the copper layers that nothing but a file's name gives it;
// 0 for none.
func (r *Result) copperNumber() int {
	n := 0
	for _, w := range r.Evidence {
		if w.Role != pcb.RoleCopper || w.Order == 0 || w.Weight > weightName {
			return 0
		}
		n = w.Order
	}
	return n
}

// sidePlain is the side that words name.
func sidePlain(words string) pcb.Side {
	low := strings.ToLower(words)
	switch top, bottom := strings.Contains(low, "top"), strings.Contains(low, "bottom"); {
	case top && !bottom:
		return pcb.Top
	case bottom && !top:
		return pcb.Bottom
	}
	return pcb.NoSide
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
	for _, w := range r.Evidence {
		if w.Role != pcb.RoleMechanical || w.Weight > weightExtension {
			return false
		}
	}
	return true
}
