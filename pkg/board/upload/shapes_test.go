package upload_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
)

// TestDrawingsOfShapes: where no outline is found, or no board, a DXF is named with what it holds,
// what was looked at, and the way on; beside an outline nothing of it is.
func TestDrawingsOfShapes(t *testing.T) {
	t.Parallel()
	drawing := "0\nSECTION\n2\nENTITIES\n0\nLINE\n8\nEdge\n0\nLINE\n8\nEdge\n0\nENDSEC\n0\nEOF\n"
	copper := "%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.3*%\nD10*\nX5000000Y5000000D02*\nX30000000Y5000000D01*\nM02*\n"
	edge := "%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.1*%\nD10*\nX0Y0D02*\nX40000000Y0D01*\nX40000000Y30000000D01*\nX0Y30000000D01*\nX0Y0D01*\nM02*\n"
	file := func(name, data string) upload.File { return upload.File{Name: name, Data: []byte(data)} }
	for name, tt := range map[string]struct {
		files []upload.File
		code  string
		words []string // of that finding
		named bool     // the drawing is named there
	}{
		"no outline":      {[]upload.File{file("b.gtl", copper), file("b.gbl", copper), file("board.dxf", drawing)}, "outline_missing", []string{"2 lines on the layer Edge", "closed lines round the copper", "as Gerber", "special_requirements: true"}, true},
		"no outline, DWG": {[]upload.File{file("b.gtl", copper), file("b.gbl", copper), file("board.dwg", "AC1032\x00\x00")}, "outline_missing", []string{"not read as artwork"}, true},
		"no drawing":      {[]upload.File{file("b.gtl", copper), file("b.gbl", copper)}, "outline_missing", []string{"file_answers.outline"}, false},
		"a drawing alone": {[]upload.File{file("board.dxf", drawing)}, "format_unread", []string{"2 lines on the layer Edge", "as Gerber"}, true},
		"an outline":      {[]upload.File{file("b.gtl", copper), file("b.gbl", copper), file("b.gko", edge), file("board.dxf", drawing)}, "", nil, false},
	} {
		p := upload.Read(t.Context(), tt.files, upload.Options{})
		all := p.Findings
		for _, b := range p.Boards {
			all = append(all, b.Findings...)
		}
		found := ""
		for _, f := range all {
			switch {
			case f.Level != pcb.Problem:
			case f.Code == tt.code:
				found = f.Message
			case tt.code == "":
				t.Errorf("%s: problem %+v, want none", name, f)
			}
		}
		for _, w := range tt.words {
			if !strings.Contains(found, w) {
				t.Errorf("%s: %s says %q, want it to contain %q", name, tt.code, found, w)
			}
		}
		if got := strings.Contains(found, "board.d"); got != tt.named {
			t.Errorf("%s: %s says %q, drawing named %v, want %v", name, tt.code, found, got, tt.named)
		}
	}
	p := upload.Read(t.Context(), []upload.File{file("b.gtl", copper), file("b.gbl", copper), file("board.dxf", drawing)}, upload.Options{Answers: &answers.FileAnswers{Outline: "board.dxf"}})
	if len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Message, "as Gerber") {
		t.Errorf("a DXF that is named as the outline: refused %+v, want it refused with the way on", p.Refused)
	}
}
