package designcheck

import (
	"fmt"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestWhatIsSaidBetterIsSaidOnce: a finding that says less than another one of the
// same thing goes, and leaves nothing in its place.
func TestWhatIsSaidBetterIsSaidOnce(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("b")
	b.Findings = []pcb.Finding{{Code: "outline_repeated", Level: pcb.Warning, Message: "seven layers draw the same line"}}
	found := &dfm.Report{Findings: []dfm.Finding{{Check: dfm.OutlineMissing, Level: dfm.Warning, What: "there is no outline"}}}
	out, _ := findings(found, b)
	if len(out) != 1 || out[0].Check != "outline_repeated" || out[0].Level != "warning" || out[0].What == "" {
		t.Errorf("%s and %s give %+v; want outline_repeated alone, a warning with its words", dfm.OutlineMissing, b.Findings[0].Code, out)
	}
}

// TestFaultsHavePictures: each place of a short or an open net has a picture of its own, however
// many there are, and milder findings as far as there are few; notes have none.
func TestFaultsHavePictures(t *testing.T) {
	t.Parallel()
	place := func(i int, nets ...string) dfm.Place {
		p := dfm.Place{Layer: "F.Cu", At: geom.Pt(int64(i)*geom.Millimetre, 0)}
		copy(p.Nets[:], nets)
		return p
	}
	found := &dfm.Report{Findings: []dfm.Finding{{
		Check: dfm.Short, Level: dfm.MustFix, What: "2 shorts.", Count: 2, Places: []dfm.Place{place(1, "GND", "VCC"), place(2, "SDA", "SCL")},
	}}}
	for i := range 12 {
		found.Findings = append(found.Findings, dfm.Finding{Check: dfm.TrackWidth, Level: dfm.Warning, What: fmt.Sprintf("Thin %d.", i), Count: 1, Places: []dfm.Place{place(i + 1)}})
	}
	found.Findings = append(found.Findings, dfm.Finding{Check: dfm.ViaInPad, Level: dfm.Note, What: "Noted.", Count: 1, Places: []dfm.Place{place(3)}})
	out, measured := findings(found, pcb.NewBoard("b"))
	marks := nameMarks(0, out, measured)
	if len(marks) != maxMarked || out[0].Image == "" || out[1].Image == "" || out[maxMarked].Image != "" || out[len(out)-1].Image != "" {
		t.Fatalf("%d pictures, of %+v; want %d, of both shorts and the first warnings", len(marks), out, maxMarked)
	}
	for i, x := range []int64{1, 2} {
		f := marks[i].Finding
		if len(f.Places) != 1 || f.Places[0].At.X != x*geom.Millimetre || marks[i].Picture != out[i].Image {
			t.Errorf("picture %s of short %d shows %+v, want the place at %d mm alone", marks[i].Picture, i, f.Places, x)
		}
	}
}
