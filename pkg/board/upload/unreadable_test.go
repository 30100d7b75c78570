package upload_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestWhatCannotBeReadOfAFile: it stops the order where the board or its stencil is made from
// the file, not where people look at it only.
func TestWhatCannotBeReadOfAFile(t *testing.T) {
	t.Parallel()
	macro := "%AMBAD*4,1,3*%\n%ADD12BAD*%\n"
	for _, c := range []struct {
		name, file, head string
		cut              bool // the file ends in the middle of a command
		level            pcb.Level
	}{
		{"a macro of copper", "x-F_Cu.gbr", macro, false, pcb.Problem},
		{"a macro of a mask", "x-F_Mask.gbr", macro, false, pcb.Problem},
		{"a macro of a stencil", "x-F_Paste.gbr", macro, false, pcb.Problem},
		{"a macro of a legend", "x-F_Silkscreen.gbr", macro, false, pcb.Warning},
		{"a legend that is cut off", "x-F_Silkscreen.gbr", "", true, pcb.Problem},
		{"a drawing of the assembly that is cut off", "x-F_Fab.gbr", uploads.Function("AssemblyDrawing,Top"), true, pcb.Warning},
		{"a drill drawing that is cut off", "x-drl_map.gbr", uploads.Function("Drillmap"), true, pcb.Warning},
		{"depth routing that is cut off", "x-depth.gbr", uploads.Function("Depthrout,Top"), true, pcb.Problem},
		{"a mechanical layer that is cut off", "x-mill.gbr", "", true, pcb.Problem},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data := uploads.Gerber(c.head, "5,5", "10,5", "15,5", "5,5 15,5")
			if c.head == macro {
				data = strings.Replace(data, "D11*\n", "D12*\n", 1)
			}
			if c.cut {
				data = strings.TrimSuffix(data, "M02*\n") + "%ADD13C,"
			}
			p := uploads.Ordinary().Merge(uploads.Set{c.file: data}).Read(t)
			worst := pcb.Note
			for _, b := range p.Boards {
				for _, f := range b.Findings {
					if f.File == c.file && (f.Code == "bad_macro" || f.Code == "truncated") {
						worst = max(worst, f.Level)
					}
				}
			}
			if len(p.Boards) != 1 || worst != c.level {
				t.Errorf("%v, want %v: %+v", worst, c.level, p.Boards[0].Findings)
			}
		})
	}
}

// TestTapeCode: a drill program in the code of punched tape is told as such, and asked for
// as text where none lies beside it.
func TestTapeCode(t *testing.T) {
	t.Parallel()
	tape := "T\x07\x02\x80T\x08\x80#\x01v \x80 2  s k\x80"
	for _, c := range []struct {
		name  string
		also  uploads.Set
		level pcb.Level
	}{
		{"beside the text", nil, pcb.Note},
		{"alone", uploads.Set{"x-PTH.drl": ""}, pcb.Problem},
	} {
		p := uploads.Ordinary().Merge(uploads.Set{"x.DRL": tape}).Merge(c.also).Read(t)
		if !slices.ContainsFunc(p.Findings, func(f pcb.Finding) bool {
			return f.Code == "format_unread" && f.File == "x.DRL" && f.Level == c.level
		}) {
			t.Errorf("%s: findings %+v, want format_unread of x.DRL at level %v", c.name, p.Findings, c.level)
		}
	}
	p := uploads.Ordinary().Merge(uploads.Set{"y.DRL": "no program\n\x80\x80\x80"}).Read(t)
	if i := slices.IndexFunc(p.Files, func(f pcb.FileReport) bool { return f.Name == "y.DRL" }); p.Files[i].Format == "drill program in tape code" {
		t.Errorf("y.DRL is %+v, want it no program", p.Files[i])
	}
}
