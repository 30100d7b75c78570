package odb

import "testing"

// smallest is the smallest job: one layer, one step, its features and profile.
func smallest(matrix, features string) []File {
	return []File{
		{"job/matrix/matrix", []byte(matrix)},
		{"job/steps/pcb/profile", []byte("UNITS=MM\nS P 0\nOB 0 0 I\nOS 10 0\nOS 10 10\nOS 0 10\nOS 0 0\nOE\nSE\n")},
		{"job/steps/pcb/layers/top/features", []byte(features)},
	}
}

const matrixText = "STEP {\n COL=1\n NAME=PCB\n}\nLAYER {\n ROW=1\n CONTEXT=BOARD\n TYPE=SIGNAL\n NAME=TOP\n POLARITY=POSITIVE\n}\n"

const featuresText = "UNITS=MM\n$0 r200\n$1 rect1000x500\n$2 donut_r900x500\n@0 .smd\nL 1 1 5 5 0 P 0\nP 2 2 1 P 0 8 45 ;0\nA 1 1 3 1 2 1 0 N 0 Y\n" +
	"T 1 1 standard P 0 N 1 1 0.5 'AB' 1\nS P 0\nOB 1 1 I\nOS 4 1\nOC 4 4 4 2.5 Y\nOS 1 1\nOE\nSE\n"

func TestSmallest(t *testing.T) {
	t.Parallel()
	boards, findings := Read(t.Context(), smallest(matrixText, featuresText))
	if len(boards) != 1 || len(boards[0].Copper()) != 1 {
		t.Fatalf("%d boards, findings %v; want one board, with one copper layer", len(boards), findings)
	}
	if n := len(boards[0].Copper()[0].Features); n < 4 {
		t.Errorf("features = %d, want a line, a pad, an arc and a surface at least", n)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(matrixText, featuresText)
	f.Add(matrixText, "#\nUNITS=INCH\n$0 s50 M\n$1 oct20x20x5\nP 0 0 0 N 0 3\nL 0 0")
	f.Add("STEP {", "S P 0\nOB 0 0 H\nSE")
	f.Fuzz(func(t *testing.T, matrix, features string) {
		boards, _ := Read(t.Context(), smallest(matrix, features))
		for _, b := range boards {
			for _, l := range b.Layers {
				l.Bounds()
			}
		}
	})
}

// TestEarlierStages: what a fabricator's tool keeps beside the prepared board is
// no board of its own.
func TestEarlierStages(t *testing.T) {
	t.Parallel()
	const three = "STEP {\n COL=1\n NAME=ORIG\n}\nSTEP {\n COL=2\n NAME=OTHER\n}\n"
	files := append(smallest(three+matrixText, featuresText),
		File{"job/steps/orig/stephdr", []byte("UNITS=MM\n")}, File{"job/steps/orig/layers/top/features", []byte(featuresText)},
		File{"job/steps/other/stephdr", []byte("UNITS=MM\n")}, File{"job/steps/other/layers/top/features", []byte(featuresText)})
	boards, _ := Read(t.Context(), files)
	if len(boards) != 2 || boards[0].Name != "job:PCB" || boards[1].Name != "job:OTHER" {
		t.Fatalf("%d boards, the first %q; want job:PCB and job:OTHER", len(boards), boards[0].Name)
	}
	reported := map[string]int{}
	for _, f := range boards[0].Findings {
		reported[f.Code]++
	}
	if reported["step_left_aside"] != 1 || reported["outline_missing"] != 1 {
		t.Errorf("findings %v; want step_left_aside and outline_missing once", reported)
	}
}
