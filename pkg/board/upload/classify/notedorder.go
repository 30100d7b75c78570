package classify

import (
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
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
			if r.Role == pcb.RoleCopper && !slices.ContainsFunc(r.Evidence, func(w Evidence) bool { return w.Weight > weightAttribute }) {
				copper = append(copper, r)
			}
		}
		if len(copper) == 0 || len(n.file.Data) > scanLimit {
			continue
		}
		list := stackList{}
		for line := range strings.Lines(string(n.file.Data)) {
			if strings.ContainsAny(line, "0123456789") {
				noteOrder(line, n.base, copper)
				list.read(line, copper)
			}
		}
		if list.isWhole(len(copper)) {
			for number, item := range list {
				item.about.noteNumber(number, n.base, item.line)
			}
		}
	}
}

// noteOrder reads a line of notes that speaks of one copper file.
func noteOrder(line, source string, copper []*Result) {
	about, line, rest := findNamed(line, copper)
	if about == nil {
		return
	}
	if n, absolute := layerNumber(splitWords(rest)); absolute && n > 0 {
		about.noteNumber(n, source, line)
	}
}

// findNamed gives the one copper file that a line names, the line in single spaces, and what
// stands beside the name in lower case; nil where the line names none or several.
func findNamed(line string, copper []*Result) (about *Result, text, rest string) {
	text = strings.Join(strings.Fields(line), " ")
	for _, r := range copper {
		before, after, ok := strings.Cut(strings.ToLower(text), strings.ToLower(r.base))
		switch {
		case !ok:
		case about != nil:
			return nil, text, ""
		default:
			about, rest = r, before+" "+after
		}
	}
	return about, text, rest
}

func (r *Result) noteNumber(n int, source, line string) {
	r.Evidence = append(r.Evidence, Evidence{Role: pcb.RoleCopper, Order: n, Weight: weightNote, Why: strconv.Quote(source) + " says " + strconv.Quote(line)})
	if r.Order == 0 {
		r.Order = n
	}
}

// A stackList is a numbered list of copper files: "2. Inner 10 : x-Inner10_Cu.gbr".
type stackList map[int]struct {
	about *Result
	line  string
}

var listNumber = pattern.Lazy(`^\s*(\d{1,2})[.)]\s`)

func (l stackList) read(line string, copper []*Result) {
	m := listNumber().FindStringSubmatch(line)
	if m == nil {
		return
	}
	item := l[0]
	if item.about, item.line, _ = findNamed(line, copper); item.about == nil {
		return
	}
	n, _ := strconv.Atoi(m[1])
	if _, twice := l[n]; twice {
		n = 0 // no layer: the list is not whole
	}
	l[n] = item
}

// isWhole tells whether the list has all copper files, from the first on: then its numbers
// are those of layers.
func (l stackList) isWhole(files int) bool {
	listed := map[*Result]bool{}
	for n := 1; n <= files; n++ {
		listed[l[n].about] = true
	}
	return files > 2 && len(l) == files && len(listed) == files && !listed[nil]
}
