package designcheck

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
)

// TestWhatIsSaidBetterIsSaidOnce: a finding that says less than another one of the
// same thing goes, and leaves nothing in its place.
func TestWhatIsSaidBetterIsSaidOnce(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("b")
	b.Findings = []pcb.Finding{{Code: "outline_repeated", Level: pcb.Warning, Message: "seven layers draw the same line"}}
	found := &dfm.Report{Findings: []dfm.Finding{{Check: dfm.OutlineMissing, Level: dfm.Warning, What: "there is no outline"}}}
	out := findings(found, b)
	if len(out) != 1 || out[0].Check != "outline_repeated" || out[0].Level != "warning" || out[0].What == "" {
		t.Errorf("%s and %s give %+v; want outline_repeated alone, a warning with its words", dfm.OutlineMissing, b.Findings[0].Code, out)
	}
}
