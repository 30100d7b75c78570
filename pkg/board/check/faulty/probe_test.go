package faulty_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"boardorder/pkg/board/check/faulty"
	"boardorder/pkg/board/reader"
)

func TestProbe(t *testing.T) {
	want := os.Getenv("PROBE")
	if want == "" {
		t.Skip()
	}
	for _, f := range faulty.Faults() {
		if !strings.Contains(fmt.Sprintf("%s/%s", f.Check, f.Variant), want) {
			continue
		}
		for _, form := range []faulty.Form{faulty.Gerber, faulty.KiCad} {
			if !f.In(form) {
				continue
			}
			s, _ := f.Board(true)
			p := reader.Read(context.Background(), form.Files(s), reader.Options{})
			fmt.Println("==", f.Check, f.Variant, form)
			for _, r := range p.Files {
				fmt.Printf("  %s %s %s L%d board %q used %v conf %.2f: %s\n", r.Name, r.Role, r.Side, r.Layer, r.Board, r.Used, r.Confidence, r.Why)
			}
			for _, g := range p.Findings {
				fmt.Printf("  project %s %s %s: %s\n", g.Level, g.Code, g.File, g.Message)
			}
			for _, b := range p.Boards {
				for _, g := range b.Findings {
					fmt.Printf("  board %s %s %s: %s\n", g.Level, g.Code, g.File, g.Message)
				}
				for _, l := range b.Layers {
					fmt.Printf("  layer %s %s %s %d negative %v features %d\n", l.Name, l.Role, l.Side, l.Order, l.Negative, len(l.Features))
				}
				fmt.Printf("  outline %+v\n", b.Outline)
			}
		}
	}
}
