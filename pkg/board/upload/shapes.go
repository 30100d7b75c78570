package upload

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/sidefiles/dxf"
)

// maxShapes bounds the drawings that are named.
const maxShapes = 3

// nameShapes names the drawings of mechanical design of an upload where no outline was found, or
// no board at all: people send the shape of a board in them.
func (r *reading) nameShapes() {
	names := r.shapes()
	if len(names) == 0 {
		return
	}
	words := strings.Join(names, ", ")
	if len(r.project.Boards) == 0 {
		r.list().Say(pcb.Problem, "format_unread", "", "no copper, no solder mask and no holes are among these files, only drawings of mechanical design: %s. A board is not built from them: send its layers as Gerber and its holes as Excellon", words)
		return
	}
	for _, b := range r.project.Boards {
		i := slices.IndexFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "outline_missing" && f.Level == pcb.Problem })
		if i >= 0 {
			b.Findings[i].Message += fmt.Sprintf(". Looked at were the layers that are called an outline, and closed lines round the copper on all others. The upload's drawings of mechanical design are not read as artwork, so no edge was taken from them: %s. Export the edge as Gerber, or send special_requirements: true with width and height in special_notes, and our team goes by the drawing", words)
		}
	}
}

// shapes are the drawings of an upload with what they hold.
func (r *reading) shapes() (out []string) {
	seen := map[string]bool{}
	for i, f := range r.set.Results {
		name := path.Base(f.Name)
		if f.Format != classify.FormatMechanical || !isShape(name) || f.CopyOf != "" || seen[name] {
			continue
		}
		if seen[name] = true; len(out) == maxShapes {
			return out
		}
		words := untrusted.Mention(name)
		if what := dxf.Describe(r.files[i].Data); what != "" {
			words += " (" + what + ")"
		}
		out = append(out, words)
	}
	return out
}

// isShape reports whether a file is a drawing of mechanical design by its name.
func isShape(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".dxf" || ext == ".dwg"
}
