package classify

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
)

// TestAnswers: what the customer says of a file counts more than all that the file says.
func TestAnswers(t *testing.T) {
	t.Parallel()
	named := []string{
		"x-F_Cu.gbr", "x-In1_Cu.gbr", "x-B_Cu.gbr", "x-Edge_Cuts.gbr", "x-Margin.gbr", "x.drl",
	}
	for _, c := range []struct {
		name        string
		fileAnswers *answers.FileAnswers
		want        []string
	}{
		{
			"nothing is said", nil,
			[]string{"L1", "L2", "L3", "outline", "mechanical", "drill"},
		},
		{
			"an outline takes the place of the file that is called so", &answers.FileAnswers{Outline: "x-Margin.gbr"},
			[]string{"L1", "L2", "L3", "mechanical", "outline", "drill"},
		},
		{
			"an outline that is named by none of the files changes nothing", &answers.FileAnswers{Outline: "margin.gbr"},
			[]string{"L1", "L2", "L3", "outline", "mechanical", "drill"},
		},
		{
			"a drill program is no outline", &answers.FileAnswers{Outline: "x.drl"},
			[]string{"L1", "L2", "L3", "outline", "mechanical", "drill"},
		},
		{
			"an order turns the stack over", &answers.FileAnswers{LayerOrder: []string{"x-B_Cu.gbr", "x-In1_Cu.gbr", "x-F_Cu.gbr"}},
			[]string{"L3", "L2", "L1", "outline", "mechanical", "drill"},
		},
		{
			"an order makes copper of what is called otherwise", &answers.FileAnswers{LayerOrder: []string{"x-F_Cu.gbr", "x-Margin.gbr", "x-In1_Cu.gbr", "x-B_Cu.gbr"}},
			[]string{"L1", "L3", "L4", "outline", "L2", "drill"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var files []File
			for _, n := range named {
				data := anyGerber
				if n == "x.drl" {
					data = anyDrill
				}
				files = append(files, File{Name: n, Data: []byte(data)})
			}
			var got []string
			for _, r := range ClassifyAnswered(files, c.fileAnswers).Results {
				got = append(got, brief(r))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("roles of %q with answers %+v (-want +got):\n%s", named, c.fileAnswers, diff)
			}
		})
	}
}

// TestAnswerIsCertain: an answer stands alone, with the confidence of something said outright.
func TestAnswerIsCertain(t *testing.T) {
	t.Parallel()
	files := []File{{Name: "a.gbr", Data: []byte(gerberWith("%TF.FileFunction,Copper,L4,Bot*%"))}, {Name: "b.gbr", Data: []byte(anyGerber)}}
	fileAnswers := &answers.FileAnswers{LayerOrder: []string{"a.gbr", "b.gbr"}}
	for i, want := range []pcb.Side{pcb.Top, pcb.Bottom} {
		r := ClassifyAnswered(files, fileAnswers).Results[i]
		if !r.HasAnswer(pcb.RoleCopper) || r.HasAnswer(pcb.RoleOutline) || r.Side != want || r.Layer != i+1 || r.Confidence != 1 {
			t.Errorf("%s as copper %d of %q: answered as copper %v, as outline %v, side %v, layer %d, confidence %v; want true, false, %v, %d, 1",
				r.Name, i+1, fileAnswers.LayerOrder, r.HasAnswer(pcb.RoleCopper), r.HasAnswer(pcb.RoleOutline), r.Side, r.Layer, r.Confidence, want, i+1)
		}
	}
}

func TestStackSide(t *testing.T) {
	t.Parallel()
	for in, want := range map[[2]int]pcb.Side{
		{0, 1}: pcb.Top, {0, 2}: pcb.Top, {1, 2}: pcb.Bottom, {0, 4}: pcb.Top, {1, 4}: pcb.Inner, {2, 4}: pcb.Inner, {3, 4}: pcb.Bottom,
	} {
		if got := stackSide(in[0], in[1]); got != want {
			t.Errorf("stackSide(%d, %d) = %v, want %v", in[0], in[1], got, want)
		}
	}
}
