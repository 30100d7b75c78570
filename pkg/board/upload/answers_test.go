package upload_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload"
)

// TestAnswers: what the customer says settles what the files leave open, and no more; what
// the files contradict is refused.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const bare = "M48\nMETRIC\n%\nT01\nX5.0Y5.0\nX10.0Y5.0\nM30\n"
	undrilled := uploads.Set{"x-PTH.drl": ""}
	size := func(file, tool string, mm float64) answers.FileAnswers {
		return answers.FileAnswers{ToolSizes: map[string]map[string]float64{file: {tool: mm}}}
	}
	beside := uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber("", "100,0 110,0", "110,0 110,5", "110,5 100,5", "100,5 100,0"), "x-Dwgs_User.gbr": uploads.Gerber("", uploads.OutlineLines...)}
	for name, c := range map[string]struct {
		more        uploads.Set
		fileAnswers answers.FileAnswers
		asks        string // code of a finding that the answer settles
		refused     string // field and problem
		holes       int
		diameter    int64
		copper      string // names of the copper files, top first
		outlineFrom string
	}{
		"no holes":                      {more: undrilled, fileAnswers: answers.FileAnswers{NoHoles: true}, asks: "drill_missing"},
		"no holes, though there are":    {fileAnswers: answers.FileAnswers{NoHoles: true}, refused: "no_holes contradicts_files", holes: 3},
		"the size of a tool":            {more: uploads.Set{"x-PTH.drl": bare}, fileAnswers: size("x-PTH.drl", "T01", 0.8), asks: "drill_no_size", holes: 2, diameter: 800_000},
		"of a tool that has a size":     {fileAnswers: size("x-PTH.drl", "T01", 0.7), refused: "tool_sizes contradicts_files", holes: 3, diameter: 800_000},
		"the size that the tool has":    {fileAnswers: size("x-PTH.drl", "T01", 0.8), holes: 3, diameter: 800_000},
		"of a tool that is not there":   {fileAnswers: size("x-PTH.drl", "T09", 0.7), refused: "tool_sizes unknown", holes: 3},
		"of a file that does not drill": {fileAnswers: size("x-F_Cu.gbr", "T01", 0.7), refused: "tool_sizes unsupported", holes: 3},
		"the order of the layers":       {fileAnswers: answers.FileAnswers{LayerOrder: []string{"x-B_Cu.gbr", "x-F_Cu.gbr"}}, holes: 3, copper: "x-B_Cu.gbr x-F_Cu.gbr"},
		"of four layers":                {more: uploads.Set{"a.gbr": uploads.Gerber("", "5,5", "10,5", "15,5"), "b.gbr": uploads.Gerber("", "5,5", "10,5", "15,5")}, fileAnswers: answers.FileAnswers{LayerOrder: []string{"x-F_Cu.gbr", "b.gbr", "a.gbr", "x-B_Cu.gbr"}}, holes: 3, copper: "x-F_Cu.gbr b.gbr a.gbr x-B_Cu.gbr"},
		"an order that leaves some out": {fileAnswers: answers.FileAnswers{LayerOrder: []string{"x-F_Cu.gbr"}}, refused: "layer_order conflict", holes: 3},
		"an order with no artwork":      {fileAnswers: answers.FileAnswers{LayerOrder: []string{"x-F_Cu.gbr", "x-PTH.drl"}}, refused: "layer_order unsupported", holes: 3},
		"a file that is not of it":      {more: uploads.Set{"x-PTH2.drl": bare}, fileAnswers: answers.FileAnswers{LeaveOut: []string{"x-PTH2.drl"}}, asks: "drill_no_size", holes: 3},
		"the outline that was found":    {more: uploads.Set{"x-Edge_Cuts.gbr": "", "x-Dwgs_User.gbr": uploads.Gerber("", uploads.OutlineLines...), "x-F_Cu.gbr": uploads.Gerber("", "5,5", "10,5", "15,5", "1,1", "19,9", "1,9", "19,1")}, fileAnswers: answers.FileAnswers{Outline: "x-Dwgs_User.gbr"}, asks: "outline_elsewhere", holes: 3, outlineFrom: "x-Dwgs_User.gbr"},
		"another outline":               {more: beside, fileAnswers: answers.FileAnswers{Outline: "x-Dwgs_User.gbr"}, holes: 3, outlineFrom: "x-Dwgs_User.gbr"},
		"an outline that draws none":    {fileAnswers: answers.FileAnswers{Outline: "x-F_Mask.gbr"}, refused: "outline unsupported", holes: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := uploads.Ordinary().Merge(c.more).Files()
			before := upload.Read(t.Context(), files, upload.Options{})
			p := upload.Read(t.Context(), files, upload.Options{Answers: &c.fileAnswers})
			if was, is := uploads.FindingOf(before, c.asks), uploads.FindingOf(p, c.asks); c.asks != "" && (was == nil || len(was.Answers) == 0 || is != nil && is.Level > pcb.Note) {
				t.Errorf("%s: before the answer %+v, after it %+v; want it asked, and settled", c.asks, was, is)
			}
			var refused string
			for _, r := range p.Refused {
				refused += r.Field + " " + r.Problem
			}
			b := p.Boards[0]
			if refused != c.refused || len(b.Holes) != c.holes || c.diameter > 0 && b.Holes[0].Diameter != c.diameter {
				t.Errorf("refused %q, holes %+v; want %q, %d", refused, b.Holes, c.refused, c.holes)
			}
			var copper []string
			for _, l := range b.Copper() {
				copper = append(copper, l.File)
			}
			if got := strings.Join(copper, " "); c.copper != "" && got != c.copper {
				t.Errorf("copper %s, want %s", got, c.copper)
			}
			if c.outlineFrom != "" && (b.Outline.Source.File != c.outlineFrom || b.Outline.Bounds().Width() != 20e6) {
				t.Errorf("the outline is of %s, %v; want %s, 20 mm wide", b.Outline.Source.File, b.Outline.Bounds(), c.outlineFrom)
			}
		})
	}
}

// TestCopiesAreLeftOutToo: of what is in the upload twice, folder by folder, naming one file is
// enough; a folder that is named whole leaves the other as it is.
func TestCopiesAreLeftOutToo(t *testing.T) {
	t.Parallel()
	folder := func(prefix string, s uploads.Set) uploads.Set {
		out := uploads.Set{}
		for name, text := range s {
			if text != "" {
				out[prefix+name] = text
			}
		}
		return out
	}
	extra := uploads.Ordinary().Merge(uploads.Set{"x-In1_Cu.gbr": uploads.Gerber("", "5,5", "9,9")})
	whole := answers.FileAnswers{}
	for name := range folder("a/", extra) {
		whole.LeaveOut = append(whole.LeaveOut, name)
	}
	for name, c := range map[string]struct {
		files       uploads.Set
		fileAnswers answers.FileAnswers
		layers      int
		left        int
	}{
		"a file of both folders":  {folder("a/", extra).Merge(folder("b/", extra)), answers.FileAnswers{LeaveOut: []string{"a/x-In1_Cu.gbr"}}, 2, 2},
		"a file of an archive":    {folder("", extra).Merge(folder("x.zip!/", extra)), answers.FileAnswers{LeaveOut: []string{"x-In1_Cu.gbr"}}, 2, 2},
		"a folder that is a copy": {folder("a/", extra).Merge(folder("b/", extra)), whole, 3, len(whole.LeaveOut)},
		"another file's name":     {folder("a/", extra).Merge(uploads.Set{"b/x-In1_Cu.gbr": "another"}), answers.FileAnswers{LeaveOut: []string{"a/x-In1_Cu.gbr"}}, 2, 1},
	} {
		p := upload.Read(t.Context(), c.files.Files(), upload.Options{Answers: &c.fileAnswers})
		left := 0
		for _, f := range p.Files {
			if strings.Contains(f.Why, "the customer says") {
				left++
			}
		}
		if len(p.Boards) != 1 || len(p.Boards[0].Copper()) != c.layers || left != c.left {
			t.Errorf("%s: %d boards, %d files left out, want one of %d layers and %d files", name, len(p.Boards), left, c.layers, c.left)
		}
	}
}
