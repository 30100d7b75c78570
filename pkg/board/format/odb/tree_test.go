package odb

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestRoots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files string
		want  string
	}{
		{"at the top", "matrix/matrix readme.txt", "<>"},
		{"in a folder", "job/matrix/matrix job/misc/info", "<job/>"},
		{"in capitals", "JOB/MATRIX/MATRIX", "<JOB/>"},
		{"packed", "job/matrix/matrix.Z", "<job/>"},
		{"two jobs", "b/matrix/matrix a/matrix/matrix", "<a/> <b/>"},
		{"within an archive", "x.tgz!/odb/matrix/matrix", "<x.tgz!/odb/>"},
		{"packed and not", "job/matrix/matrix job/matrix/matrix.z", "<job/>"},
		{"no job", "job/matrix/other matrix", ""},
		{"a name that only ends so", "job/mymatrix/matrix", ""},
		{"nothing", "", ""},
	} {
		var got []string
		for _, r := range Roots(strings.Fields(c.files)) {
			got = append(got, "<"+r+">")
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

func TestTree(t *testing.T) {
	t.Parallel()
	files := []File{
		{"job/Matrix/Matrix", []byte("m")}, {"job/steps/PCB/layers/TOP/features", []byte("f")}, {"job/steps/pcb/layers/bot/features", nil},
		{"job/steps/panel/stephdr", nil}, {"job/steps/notes.txt", nil}, {"job/inner/matrix/matrix", nil}, {"job/inner/x", nil}, {"elsewhere/x", nil},
	}
	tr := newTree("job/", files, []string{"job/", "job/inner/"})
	if f, fault, ok := tr.open("steps/pcb/LAYERS/top/features"); !ok || fault != nil || string(f.Data) != "f" || f.Name != "job/steps/PCB/layers/TOP/features" {
		t.Errorf("opened %q, %v, %v; want job/steps/PCB/layers/TOP/features", f.Name, fault, ok)
	}
	if _, _, ok := tr.open("inner/x"); ok {
		t.Error("a file of a job within the job was opened")
	}
	if _, _, ok := tr.open("nothing"); ok {
		t.Error("nothing was opened")
	}
	if got := strings.Join(tr.folders("steps"), " "); got != "panel pcb" {
		t.Errorf("folders of steps %q, want panel and pcb", got)
	}
	if got := strings.Join(tr.folders("steps/pcb/layers"), " "); got != "bot top" {
		t.Errorf("folders of steps/pcb/layers %q, want bot and top", got)
	}
	if got := tr.folders("none"); len(got) != 0 {
		t.Errorf("folders of nothing: %q, want none", got)
	}
}

func TestJobNames(t *testing.T) {
	t.Parallel()
	for root, want := range map[string]string{
		"": "odb", "job/": "job", "a/b/job/": "job", "x.tgz!/odb/": "x", "dir/x.tar.gz!/odb/": "x", "x.zip!/": "x", "x.zip!/job/": "job", "odb/": "odb",
	} {
		if got := (&tree{root: root}).name(); got != want {
			t.Errorf("%q is called %q, want %q", root, got, want)
		}
	}
}

// TestPackedMembers: members packed by compress are read, and damage is said.
func TestPackedMembers(t *testing.T) {
	t.Parallel()
	files := smallest(matrixText, featuresText)
	files[2].Name += ".Z"
	files[2].Data = []byte("\x1f\x9d\x90broken")
	boards, findings := Read(t.Context(), files)
	for _, b := range boards {
		findings = append(findings, b.Findings...)
	}
	reported := false
	for _, f := range findings {
		reported = reported || f.Code == "file_damaged" && f.Level == pcb.Problem && strings.HasSuffix(f.File, "features.Z")
	}
	if !reported {
		t.Errorf("findings %+v, want file_damaged of features.Z", findings)
	}
}

// TestStepsAndFolders: without steps in the matrix those of the folders count, and one
// that the matrix names and the job lacks is said.
func TestStepsAndFolders(t *testing.T) {
	t.Parallel()
	const layers = "LAYER {\n ROW=1\n CONTEXT=BOARD\n TYPE=SIGNAL\n NAME=TOP\n POLARITY=POSITIVE\n}\n"
	boards, _ := Read(t.Context(), smallest(layers, featuresText))
	if len(boards) != 1 || boards[0].Name != "job" {
		t.Errorf("%d boards, want one called job", len(boards))
	}
	boards, _ = Read(t.Context(), smallest("STEP {\n COL=1\n NAME=GONE\n}\n"+matrixText, featuresText))
	reported := false
	for _, b := range boards {
		for _, f := range b.Findings {
			reported = reported || f.Code == "step_missing"
		}
	}
	if len(boards) != 1 || !reported {
		t.Errorf("%d boards, step_missing said %v; want one, true", len(boards), reported)
	}
}
