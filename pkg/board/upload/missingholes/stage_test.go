package missingholes_test

import (
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/missingholes"
)

// TestCheck: what speaks for holes of a board without a drill file.
func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		beside, format, data string
		fileAnswers          *answers.FileAnswers
		code                 string
		level                pcb.Level
	}{
		"nothing":                        {code: missingholes.Missing, level: pcb.Warning},
		"a text names a drill file":      {beside: "readme.txt", format: classify.FormatReadme, data: "see x.drl", code: missingholes.Missing, level: pcb.Problem},
		"a file that is one by its name": {beside: "x.drl", format: classify.FormatUnknown, data: "?", code: missingholes.Missing, level: pcb.Problem},
		"punched tape":                   {beside: "x.ncd", format: classify.FormatTape, data: "?", code: missingholes.Missing, level: pcb.Problem},
		"denied":                         {fileAnswers: &answers.FileAnswers{NoHoles: true}},
		"denied against a text":          {beside: "readme.txt", format: classify.FormatReadme, data: "see x.drl", fileAnswers: &answers.FileAnswers{NoHoles: true}, code: missingholes.Denied, level: pcb.Warning},
	} {
		s := uploads.NewStage()
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", "5,5", "5,5 15,5"))
		if c.beside != "" {
			s.AddBeside(c.beside, c.format, c.data)
		}
		var list findings.List
		missingholes.Check{Upload: s.Upload, List: &list, Board: s.Board, FileAnswers: c.fileAnswers}.Run()
		var got pcb.Finding
		if len(list) > 0 {
			got = list[0]
		}
		if len(list) > 1 || got.Code != c.code || got.Level != c.level {
			t.Errorf("%s: %+v, want %q of level %v", name, list, c.code, c.level)
		}
	}
}
