package answers_test

import (
	"testing"

	"boardorder/pkg/board/answers"

	"github.com/google/go-cmp/cmp"
)

var files = []string{"board.zip!/gerber/slots.route", "board.zip!/gerber/top.gtl", "board.zip!/old/top.gtl", "notes.txt"}

func TestResolve(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fileAnswers answers.FileAnswers
		want        *answers.FileAnswers
		refused     []string // field and problem
	}{
		"nothing":           {answers.FileAnswers{}, nil, nil},
		"no holes":          {answers.FileAnswers{NoHoles: true}, &answers.FileAnswers{NoHoles: true}, nil},
		"by its last name":  {answers.FileAnswers{Outline: "SLOTS.route"}, &answers.FileAnswers{Outline: files[0]}, nil},
		"by its whole name": {answers.FileAnswers{Outline: files[2]}, &answers.FileAnswers{Outline: files[2]}, nil},
		"by folder":         {answers.FileAnswers{LeaveOut: []string{"old/top.gtl"}}, &answers.FileAnswers{LeaveOut: files[2:3]}, nil},
		"of several":        {answers.FileAnswers{Outline: "top.gtl"}, &answers.FileAnswers{}, []string{"outline unknown"}},
		"of none":           {answers.FileAnswers{LeaveOut: []string{"x"}}, &answers.FileAnswers{}, []string{"leave_out unknown"}},
		"twice":             {answers.FileAnswers{LayerOrder: []string{files[1], "gerber/top.gtl"}}, &answers.FileAnswers{LayerOrder: files[1:2]}, []string{"layer_order conflict"}},
		"tools in any spelling": {
			answers.FileAnswers{ToolSizes: map[string]map[string]float64{"slots.route": {"t1": 0.8, "2": 1, "T003": 2}}},
			&answers.FileAnswers{ToolSizes: map[string]map[string]float64{files[0]: {"T01": 0.8, "T02": 1, "T03": 2}}}, nil,
		},
	} {
		got, refused := c.fileAnswers.Resolve(files)
		var problems []string
		for _, r := range refused {
			problems = append(problems, r.Field+" "+r.Problem)
		}
		if diff := cmp.Diff(c.want, got) + cmp.Diff(c.refused, problems); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestKey: the same answers have the same key, whatever the order of what has none.
func TestKey(t *testing.T) {
	t.Parallel()
	one, _ := (&answers.FileAnswers{LeaveOut: []string{files[3], files[1]}}).Resolve(files)
	same, _ := (&answers.FileAnswers{LeaveOut: []string{files[1], files[3]}}).Resolve(files)
	other, _ := (&answers.FileAnswers{LeaveOut: []string{files[1]}}).Resolve(files)
	var none *answers.FileAnswers
	if one.Key() != same.Key() || one.Key() == other.Key() || none.Key() != "" || one.Key() == "" {
		t.Errorf("keys of one, the same, another and no answers: %q, %q, %q, %q; want the first two alike, the third another, the last empty", one.Key(), same.Key(), other.Key(), none.Key())
	}
}
