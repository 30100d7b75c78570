package notes

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/board/upload/classify"
)

// documentFormats are those of files that may hold words about the build.
var documentFormats = map[string]bool{
	classify.FormatReadme: true, classify.FormatText: true, classify.FormatTable: true, classify.FormatUnknown: true, classify.FormatPDF: true,
	classify.FormatStackup: true, // beside a project, whose own stack is read
}

var (
	// wordless are names of files that speak of no build: licences, drawings of the drills
	// that the drill files hold themselves, lists of the files.
	wordless   = pattern.Lazy(`(?i)^(?:licen[cs]e|copying|authors|contribut|change[ _-]?log|code[ _-]of|makefile|manifest\.json|how-?to-?order-?pcb|\.|desktop\.ini)|dri?ll?[ _-]?map|\.(?:gitignore|preview|\w*preview|log|jrl|err|bak|tmp|hex|elf|bin|ino|c|h|cpp|py|sh|bat)$`)
	cadDrawing = pattern.Lazy(`(?i)\.(?:dxf|dwg)$`)
)

// maxNamed bounds how many files a finding names.
const maxNamed = 6

// reportUnreadFiles names, in one finding, the documents and drawings from which nothing was
// taken: they may say how the board is to be made.
func (r Reader) reportUnreadFiles() {
	if len(r.Boards) == 0 {
		return
	}
	var names []string
	for _, f := range r.Set.Results {
		drawing := f.Used && f.Format == classify.FormatGerber && drawingRoles[f.Role] && r.holdsStrokesOnly(f)
		document := !f.Used && f.CopyOf == "" && (documentFormats[f.Format] || f.Format == classify.FormatMechanical && cadDrawing().MatchString(f.Name))
		if !drawing && !document || wordless().MatchString(path.Base(f.Name)) || slices.ContainsFunc(names, func(n string) bool { return path.Base(n) == path.Base(f.Name) }) {
			continue
		}
		names = append(names, f.Name)
	}
	if len(names) == 0 {
		return
	}
	var files []string
	for _, n := range names[:min(len(names), maxNamed)] {
		files = append(files, untrusted.Mention(path.Base(n)))
	}
	more := ""
	if n := len(names) - maxNamed; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	r.Add(pcb.Finding{
		Code: "files_unread", Level: pcb.Note, File: names[0], Count: len(names),
		Message: fmt.Sprintf("nothing was taken from %s%s: no fabrication words that we know were read there; if anything there is to be built, say it in the request", strings.Join(files, ", "), more),
	})
}

// holdsStrokesOnly reports whether a drawing holds its lettering as lines, if any. Layers of a tool
// that have no fixed meaning draw bodies of parts as well, so only what lies beside the board counts.
func (r Reader) holdsStrokesOnly(f *classify.Result) bool {
	for _, b := range r.Boards {
		for _, l := range b.Layers {
			if l.File != f.Name {
				continue
			}
			n := len(l.Features)
			if l.Role != pcb.RoleFabDrawing && l.Role != pcb.RoleDrillDrawing {
				n = countBeside(l, b.Outline.Bounds())
			}
			return len(l.Texts) == 0 && n > minStrokes
		}
	}
	return false
}

const (
	minStrokes = 60                  // that lettering has at least which says something
	maxStroke  = 5 * geom.Millimetre // how long one of a letter is
)

// countBeside counts the short strokes of a layer outside of a box.
func countBeside(l *pcb.Layer, box geom.Box) (n int) {
	for i := range l.Features {
		f := &l.Features[i]
		if !f.Clear && (f.Kind == pcb.LineFeature || f.Kind == pcb.ArcFeature) && f.A.Dist(f.B) <= float64(maxStroke) && !box.Contains(f.A) {
			n++
		}
	}
	return n
}
