package classify

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// TestContradicts: what names, numbers and reports say against taking the first file for the
// one above the second.
func TestContradicts(t *testing.T) {
	t.Parallel()
	attribute := func(fn string) string { return gerberWith("%TF.FileFunction,Copper," + fn + "*%") }
	for _, c := range []struct {
		name  string
		files []string // the upper one, the lower one, others
		want  string   // the beginning of what is said; "" for nothing
	}{
		{"numbers in order", []string{"L2.art", anyGerber, "L3.art", anyGerber}, ""},
		{"numbers against it", []string{"L3.art", anyGerber, "L2.art", anyGerber}, "are layers 3 and 2 by "},
		{"the same number twice", []string{"L2_a.art", anyGerber, "L2_b.art", anyGerber}, ""},
		{"attributes against it", []string{"a.gbr", attribute("L3,Inr"), "b.gbr", attribute("L2,Inr")}, "are layers 3 and 2 by file function"},
		{"one number alone", []string{"L3.art", anyGerber, "x-shield.art", anyGerber}, ""},
		{"a number of an attribute and one of a name are not compared", []string{"a.gbr", attribute("L3,Inr"), "L2.art", anyGerber}, ""},
		{"extensions against it", []string{"x.g2", anyGerber, "x.g1", anyGerber}, "are layers 2 and 1 by extension"},
		{"extensions against it, and attributes in order", []string{"x.g2", attribute("L2,Inr"), "x.g1", attribute("L3,Inr")}, ""},
		{"extensions, and an attribute of one alone", []string{"x.g2", attribute("L2,Inr"), "x.g1", anyGerber}, "are layers 2 and 1 by extension"},
		{"planes have no place among the signals", []string{"x.gp1", anyGerber, "x.g1", anyGerber}, ""},
		{"sides in order", []string{"top copper.gbr", anyGerber, "bottom copper.gbr", anyGerber}, ""},
		{"sides against it", []string{"bottom copper.gbr", anyGerber, "top copper.gbr", anyGerber}, "are the bottom and the top by name"},
		{"an inner layer above the top", []string{"inner copper.gbr", anyGerber, "top copper.gbr", anyGerber}, "are the inner layer and the top by name"},
		{"sides by extension against it", []string{"x.gbl", anyGerber, "x.gtl", anyGerber}, "are the bottom and the top by extension"},
		{"sides of a name and of an extension are not compared", []string{"bottom copper.gbr", anyGerber, "x.gtl", anyGerber}, ""},
		{"a side and nothing else is a hint", []string{"x_bottom_y.gbr", anyGerber, "x_top_y.gbr", anyGerber}, "are the bottom and the top by name"},
		{"inner numbers in order", []string{"x-in1.gbr", anyGerber, "x-in2.gbr", anyGerber}, ""},
		{"inner numbers against it", []string{"x-in2.gbr", anyGerber, "x-in1.gbr", anyGerber}, "are inner layers 2 and 1 by their names"},
		{"numbers of planes are their own", []string{"x-gnd2.gbr", anyGerber, "x-gnd1.gbr", anyGerber}, ""},
		{"no copper", []string{"x.gbs", anyGerber, "x.gts", anyGerber}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := classifyAll(c.files...)
			got, ok := s.Results[0].Contradicts(s.Results[1], nil)
			if ok != (c.want != "") || !strings.HasPrefix(got, c.want) {
				t.Errorf("%q above %q: %q, %v; want %q", c.files[0], c.files[2], got, ok, c.want)
			}
		})
	}
}

// TestLaminates: sides that names give to several files, each placed by the tool that made it,
// are those of laminates and not of the board.
func TestLaminates(t *testing.T) {
	t.Parallel()
	file := func(name, fn string) []string {
		return []string{name, gerberWith("%TF.FileFunction,Copper," + fn + "*%")}
	}
	stack := append(append(append(file("core1 top copper.gbr", "L1,Top"), file("core1 bottom copper.gbr", "L2,Inr")...),
		file("core2 top copper.gbr", "L3,Inr")...), file("core2 bottom copper.gbr", "L4,Bot")...)
	for _, c := range []struct {
		name  string
		files []string
		want  map[pcb.Side]bool
	}{
		{"two laminates", stack, map[pcb.Side]bool{pcb.Top: true, pcb.Bottom: true}},
		{"one of them", stack[:4], map[pcb.Side]bool{pcb.Top: false, pcb.Bottom: false}},
		{"no outer layer is called so", append(file("a top copper.gbr", "L2,Inr"), file("b top copper.gbr", "L3,Inr")...), map[pcb.Side]bool{pcb.Top: false, pcb.Bottom: false}},
		{"one is placed by its name alone", append(stack[:8:8], "core3 top copper.gbr", anyGerber), nil},
		{"nothing", nil, map[pcb.Side]bool{pcb.Top: false, pcb.Bottom: false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := classifyAll(c.files...)
			got := Laminates(s.Results)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("laminates of %q (-want +got):\n%s", briefs(s), diff)
			}
		})
	}
	s := classifyAll(stack...)
	words, ok := s.Results[1].Contradicts(s.Results[2], Laminates(s.Results))
	if ok {
		t.Errorf("%q above %q: %q, want nothing said: the sides are those of laminates", s.Results[1].Name, s.Results[2].Name, words)
	}
	if words, ok = s.Results[1].Contradicts(s.Results[2], nil); !ok {
		t.Errorf("%q above %q without laminates: %q, want the sides said", s.Results[1].Name, s.Results[2].Name, words)
	}
}
