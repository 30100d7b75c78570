package design

import (
	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract/boards"
	"boardorder/services/edge/internal/jsonbody"
)

// Bounds of what is answered about files.
const (
	maxNamed     = 300
	maxFile      = 1000
	maxLayers    = 64
	maxTools     = 200
	maxSheet     = 100
	smallestTool = 0.05 // mm
	largestTool  = 25
)

// Answers takes what a request answers about its files; nil for nothing. Whether the
// upload holds files of such names is found out where they are known.
func Answers(f *jsonbody.Fields) *answers.FileAnswers {
	in := f.Object(boards.FileAnswers)
	if in == nil {
		return nil
	}
	a := &answers.FileAnswers{NoHoles: in.Flag("no_holes"), LayerOrder: in.Texts("layer_order", maxLayers, maxFile), LeaveOut: in.Texts("leave_out", maxNamed, maxFile)}
	if name := in.Text("outline", maxFile, false); name != nil {
		a.Outline = *name
	}
	switch meant := in.Text("placements", maxFile, false); {
	case meant == nil:
	case *meant == answers.AsListed, *meant == answers.ByPads:
		a.Placements = *meant
	default:
		in.Refuse("placements", jsonbody.Unsupported, []string{answers.AsListed, answers.ByPads}, "Placements are meant as_listed or by_pads.")
	}
	if sheet := in.Text("parts_sheet", maxSheet, false); sheet != nil {
		a.PartsSheet = *sheet
	}
	a.ToolSizes = toolSizes(in.Object("tool_sizes"))
	for _, name := range in.Names() {
		in.Refuse(name, jsonbody.Unknown, []string{"no_holes", "outline", "layer_order", "tool_sizes", "leave_out", "placements", "parts_sheet"}, "There is no such answer.")
	}
	if a.Empty() {
		return nil
	}
	return a
}

func toolSizes(files *jsonbody.Fields) map[string]map[string]float64 {
	if files == nil {
		return nil
	}
	out, n := map[string]map[string]float64{}, 0
	for _, file := range files.Names() {
		tools := files.Object(file)
		if tools == nil {
			continue
		}
		sizes := map[string]float64{}
		for _, tool := range tools.Names() {
			mm := tools.Number(tool, smallestTool, largestTool)
			if _, ok := answers.ToolNumber(tool); !ok {
				tools.Refuse(tool, jsonbody.Malformed, nil, "A tool is named by its number in the drill file, such as T01.")
			} else if mm != nil {
				sizes[tool] = *mm
			}
			if n++; n > maxTools {
				tools.Refuse(tool, jsonbody.TooLong, map[string]int{"max_items": maxTools}, "At most %d tools can be given a size.", maxTools)
				return nil
			}
		}
		if len(sizes) > 0 {
			out[file] = sizes
		}
	}
	return out
}
