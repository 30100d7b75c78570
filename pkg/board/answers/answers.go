// Package answers holds what people say about the files of a board where the files
// leave something open: that it has no holes, which file is its outline, how large a
// tool is. What they say is read as though the files said it.
package answers

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// FileAnswers are what a client answers about the files of an upload. The zero value
// answers nothing. Files are named as in the upload, archives joined by "!/".
type FileAnswers struct {
	// NoHoles says that a board has no holes but those that its files drill.
	NoHoles bool `json:"no_holes,omitempty"`
	// Outline is the file that draws the board's edge.
	Outline string `json:"outline,omitempty"`
	// LayerOrder are all copper files of the board, the top one first.
	LayerOrder []string `json:"layer_order,omitempty"`
	// ToolSizes are diameters in millimetres, by drill file and tool ("T01").
	ToolSizes map[string]map[string]float64 `json:"tool_sizes,omitempty"`
	// LeaveOut are files that are not of the board.
	LeaveOut []string `json:"leave_out,omitempty"`
	// Placements says how positions of parts are meant that do not lie on the board's pads:
	// AsListed or ByPads.
	Placements string `json:"placements,omitempty"`
	// PartsSheet is the sheet of a workbook that lists the parts of the board.
	PartsSheet string `json:"parts_sheet,omitempty"`
}

// How placements are meant.
const (
	AsListed = "as_listed" // as the file has them
	ByPads   = "by_pads"   // in the reading that fits the pads of the board
)

// Empty reports whether nothing is answered.
func (a *FileAnswers) Empty() bool {
	return a == nil || !a.NoHoles && a.Outline == "" && len(a.LayerOrder) == 0 && len(a.ToolSizes) == 0 && len(a.LeaveOut) == 0 && a.Placements == "" && a.PartsSheet == ""
}

// Key is the same for the same answers, and differs for others; "" for none.
func (a *FileAnswers) Key() string {
	if a.Empty() {
		return ""
	}
	text, _ := json.Marshal(a) // of plain types; maps come out sorted
	return string(text)
}

// Words tell whoever builds the board what was answered, a line each; "" for nothing.
func (a *FileAnswers) Words() string {
	if a.Empty() {
		return ""
	}
	out := []string{"The customer says of these files:"}
	if a.NoHoles {
		out = append(out, "- The board has no holes but those that its files drill.")
	}
	if a.Outline != "" {
		out = append(out, "- The edge of the board is drawn in "+a.Outline+".")
	}
	for i, file := range a.LayerOrder {
		out = append(out, fmt.Sprintf("- Copper layer %d, counted from the top, is %s.", i+1, file))
	}
	for _, file := range slices.Sorted(maps.Keys(a.ToolSizes)) {
		for _, tool := range slices.Sorted(maps.Keys(a.ToolSizes[file])) {
			out = append(out, fmt.Sprintf("- Tool %s of %s has a diameter of %s mm.", tool, file, strconv.FormatFloat(a.ToolSizes[file][tool], 'f', -1, 64)))
		}
	}
	for _, file := range a.LeaveOut {
		out = append(out, "- "+file+" is not of the board and was left out.")
	}
	switch a.Placements {
	case AsListed:
		out = append(out, "- The positions of the parts are right as they are listed.")
	case ByPads:
		out = append(out, "- The positions of the parts are meant as they fit the pads of the board.")
	}
	if a.PartsSheet != "" {
		out = append(out, "- The parts of the board are listed in the sheet "+a.PartsSheet+".")
	}
	return strings.Join(out, "\r\n") + "\r\n"
}

// Sizes are the answered diameters of one drill file's tools, in nanometres.
func (a *FileAnswers) Sizes(file string) map[int]int64 {
	if a == nil || len(a.ToolSizes[file]) == 0 {
		return nil
	}
	out := make(map[int]int64, len(a.ToolSizes[file]))
	for tool, mm := range a.ToolSizes[file] {
		if n, ok := ToolNumber(tool); ok {
			out[n] = int64(math.Round(mm * 1e6))
		}
	}
	return out
}

// ToolNumber reads a tool's name: T1, T01 or 1.
func ToolNumber(tool string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(tool)), "T"))
	return n, err == nil && n >= 0 && n < 10_000
}

// ToolName is how answers and findings name a tool.
func ToolName(n int) string { return fmt.Sprintf("T%02d", n) }

// An Answer is one way on from what stops a quote: a property of the request, with the
// value to send in it.
type Answer struct {
	Field string `json:"field"` // its path, such as file_answers.no_holes
	Value any    `json:"value"` // null, or a null within it, stands for what only the customer knows
	Means string `json:"means"` // a sentence for people
}

// ZeroHoles says that the board has no holes.
func ZeroHoles() Answer {
	return Answer{"file_answers.no_holes", true, "The board has no holes."}
}

// ZeroMoreHoles says that the board has no holes but those of its files, though as many pads
// lie on both sides.
func ZeroMoreHoles(pads int) Answer {
	what := fmt.Sprintf("None of these %d pads is drilled", pads)
	if pads == 1 {
		what = "This pad is not drilled"
	}
	return Answer{"file_answers.no_holes", true, what + ": the board has no holes but those that its files drill."}
}

// Outline says that a file draws the board's edge; "" asks which one does.
func Outline(file string) Answer {
	if file == "" {
		return Answer{"file_answers.outline", nil, "The name of the file that draws the edge of the board."}
	}
	return Answer{"file_answers.outline", file, "The line in this file is the edge of the board."}
}

// ToolSize asks for the diameter of a drill file's tool.
func ToolSize(file string, tool int) Answer {
	return Answer{"file_answers.tool_sizes", map[string]any{file: map[string]any{ToolName(tool): nil}}, "The diameter of tool " + ToolName(tool) + " in millimetres."}
}

// ToolUnit gives the diameters in millimetres of a drill file's tools, as they are where their
// unit is another than the file states.
func ToolUnit(file string, sizes map[string]float64, unit string) Answer {
	return Answer{"file_answers.tool_sizes", map[string]any{file: sizes}, "The tools' sizes are in " + unit + "."}
}

// LayerOrder asks for the order of the copper files.
func LayerOrder() Answer {
	return Answer{"file_answers.layer_order", nil, "The names of all copper files of the board, the top one first."}
}

// The fields of answers about the parts.
const (
	PlacementsField = "file_answers.placements"
	PartsSheetField = "file_answers.parts_sheet"
)

// PlacementsAsListed says that the positions of parts are right as the file has them.
func PlacementsAsListed() Answer {
	return Answer{PlacementsField, AsListed, "The positions are right as they are listed, and the parts are placed so."}
}

// PlacementsOfOne says that parts are placed on one of several equal boards only.
func PlacementsOfOne(boards int) Answer {
	return Answer{PlacementsField, AsListed, fmt.Sprintf("Parts are placed on one of the %d boards only, as listed.", boards)}
}

// PlacementsByPads says that the positions are meant as they fit the pads of the board.
func PlacementsByPads(reading string) Answer {
	return Answer{PlacementsField, ByPads, "The positions are meant as they fit the pads: " + reading + "."}
}

// LeaveOut says that a file is not of the board.
func LeaveOut(file string) Answer {
	return Answer{"file_answers.leave_out", []string{file}, "This file is not of the board and is left out."}
}

// Refused is an answer that cannot be taken.
type Refused struct {
	Field   string   `json:"field"` // below file_answers, such as tool_sizes
	Problem string   `json:"problem"`
	Message string   `json:"message"`
	Allowed []string `json:"allowed,omitempty"`
}

// Resolve gives the answers with the whole names of the files that they name, in one
// spelling, and which of them name no file of the upload, or several.
func (a *FileAnswers) Resolve(files []string) (*FileAnswers, []Refused) {
	if a.Empty() {
		return nil, nil
	}
	r := resolver{files: files}
	out := &FileAnswers{
		NoHoles: a.NoHoles, Outline: r.resolve("outline", a.Outline), LayerOrder: r.resolveAll("layer_order", a.LayerOrder), LeaveOut: r.resolveAll("leave_out", a.LeaveOut),
		Placements: a.Placements, PartsSheet: a.PartsSheet,
	}
	slices.Sort(out.LeaveOut)
	for _, file := range slices.Sorted(maps.Keys(a.ToolSizes)) {
		name := r.resolve("tool_sizes", file)
		for _, tool := range slices.Sorted(maps.Keys(a.ToolSizes[file])) {
			if n, ok := ToolNumber(tool); ok && name != "" {
				out.size(name, n, a.ToolSizes[file][tool])
			}
		}
	}
	return out, r.refused
}

func (a *FileAnswers) size(file string, tool int, mm float64) {
	if a.ToolSizes == nil {
		a.ToolSizes = map[string]map[string]float64{}
	}
	if a.ToolSizes[file] == nil {
		a.ToolSizes[file] = map[string]float64{}
	}
	a.ToolSizes[file][ToolName(tool)] = mm
}

type resolver struct {
	files   []string
	refused []Refused
}

func (r *resolver) resolveAll(field string, names []string) []string {
	var out []string
	for _, name := range names {
		switch whole := r.resolve(field, name); {
		case whole == "":
		case slices.Contains(out, whole):
			r.refused = append(r.refused, Refused{Field: field, Problem: "conflict", Message: "A file is named twice."})
		default:
			out = append(out, whole)
		}
	}
	return out
}

// maxAllowed bounds how many names a refusal lists.
const maxAllowed = 100

// resolve finds the file that somebody means: by its whole name, or by the end of it.
func (r *resolver) resolve(field, name string) string {
	if name == "" || slices.Contains(r.files, name) {
		return name
	}
	var found []string
	for _, f := range r.files {
		if strings.EqualFold(f, name) || strings.HasSuffix(strings.ToLower(f), "/"+strings.ToLower(name)) || strings.EqualFold(path.Base(f), name) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 1:
		return found[0]
	case 0:
		r.refused = append(r.refused, Refused{Field: field, Problem: "unknown", Message: "The upload holds no file of that name.", Allowed: r.files[:min(len(r.files), maxAllowed)]})
	default:
		r.refused = append(r.refused, Refused{Field: field, Problem: "unknown", Message: "Several files of the upload have that name: name one with its folders.", Allowed: found})
	}
	return ""
}
