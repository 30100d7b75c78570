package findings_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/findings"
)

func TestList(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("x")
	b.Findings = []pcb.Finding{{Code: "first"}}
	l := findings.ListOf(b)
	l.Say(pcb.Warning, "second", "a.gbr", "%d of %d", 1, 2)
	l.Ask(answers.LayerOrder())
	l.Ask(answers.LeaveOut("a.gbr"))
	l.Add(pcb.Finding{Code: "third", Count: 3}, pcb.Finding{Code: "fourth"})
	want := []pcb.Finding{
		{Code: "first"},
		{Code: "second", Level: pcb.Warning, File: "a.gbr", Message: "1 of 2", Answers: []answers.Answer{answers.LayerOrder(), answers.LeaveOut("a.gbr")}},
		{Code: "third", Count: 3},
		{Code: "fourth"},
	}
	if diff := cmp.Diff(want, b.Findings); diff != "" {
		t.Errorf("findings of the board (-want +got):\n%s", diff)
	}
}
