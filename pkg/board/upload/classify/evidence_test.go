package classify

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// TestVerdict: the role with the greatest weight behind it, and its side among those who agree.
func TestVerdict(t *testing.T) {
	t.Parallel()
	mask := func(side pcb.Side, weight float64) Evidence {
		return Evidence{Role: pcb.RoleMask, Side: side, Weight: weight}
	}
	copper := func(side pcb.Side, order int, weight float64) Evidence {
		return Evidence{Role: pcb.RoleCopper, Side: side, Order: order, Weight: weight}
	}
	for _, c := range []struct {
		name       string
		in         []Evidence
		want       Evidence
		confidence float64
	}{
		{"no witness", nil, Evidence{}, 0},
		{"one of the name", []Evidence{mask(pcb.Top, 4)}, mask(pcb.Top, 4), 0.4 + 4.0/12},
		{"an attribute is certain", []Evidence{mask(pcb.Top, 10)}, mask(pcb.Top, 10), 1},
		{"the limit of certainty", []Evidence{mask(pcb.Top, 7.2)}, mask(pcb.Top, 7.2), 1},
		{"two against one", []Evidence{mask(pcb.Top, 5), copper(pcb.Top, 0, 4), copper(pcb.Top, 0, 2)}, copper(pcb.Top, 0, 4), 6.0 / 11 * (0.4 + 4.0/12)},
		{"of two alike, the first", []Evidence{mask(pcb.Top, 4), copper(pcb.Bottom, 0, 4)}, mask(pcb.Top, 4), 0.5 * (0.4 + 4.0/12)},
		{"the side of those who agree on the role", []Evidence{mask(pcb.Top, 4), copper(pcb.Bottom, 0, 5)}, copper(pcb.Bottom, 0, 5), 5.0 / 9 * (0.4 + 5.0/12)},
		{"the side by weight, from the heaviest that has one", []Evidence{copper(pcb.NoSide, 2, 8), copper(pcb.Top, 0, 4), copper(pcb.Bottom, 0, 5)}, copper(pcb.Bottom, 2, 8), 1},
		{"two sides against one", []Evidence{copper(pcb.Top, 0, 5), copper(pcb.Bottom, 0, 4), copper(pcb.Bottom, 0, 2)}, copper(pcb.Bottom, 0, 5), 0.4 + 5.0/12},
		{"the number of the heaviest that has one", []Evidence{copper(pcb.Inner, 3, 4), copper(pcb.Inner, 2, 7)}, copper(pcb.Inner, 2, 7), 0.4 + 7.0/12},
	} {
		got, confidence := verdict(c.in)
		if diff := cmp.Diff(c.want, got); diff != "" || math.Abs(confidence-c.confidence) > 1e-9 {
			t.Errorf("%s: verdict(%+v) with confidence %v, want %v (-want +got):\n%s", c.name, c.in, confidence, c.confidence, diff)
		}
	}
}

// TestFill: a lighter evidence adds what the heavier one leaves open, and takes nothing back.
func TestFill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		in, from, want Evidence
	}{
		{"an order", Evidence{}, Evidence{Order: 2}, Evidence{Order: 2}},
		{"an order that is there", Evidence{Order: 3}, Evidence{Order: 2}, Evidence{Order: 3}},
		{"a rank", Evidence{}, Evidence{Rank: 2}, Evidence{Rank: 2}},
		{"a rank that is there", Evidence{Rank: 1}, Evidence{Rank: 2}, Evidence{Rank: 1}},
		{"a span", Evidence{}, Evidence{From: 1, To: 4}, Evidence{From: 1, To: 4}},
		{"a span that is there", Evidence{From: 2, To: 3}, Evidence{From: 1, To: 4}, Evidence{From: 2, To: 3}},
		{"a span of which one end is there", Evidence{To: 3}, Evidence{From: 1, To: 4}, Evidence{To: 3}},
		{"the plating", Evidence{}, Evidence{Plating: pcb.Plated}, Evidence{Plating: pcb.Plated}},
		{"plating that is there", Evidence{Plating: pcb.NonPlated}, Evidence{Plating: pcb.Plated}, Evidence{Plating: pcb.NonPlated}},
		{"no role, side or process", Evidence{}, Evidence{Role: pcb.RoleMask, Side: pcb.Top, Process: pcb.Coverlaying}, Evidence{}},
	} {
		got := c.in
		fill(&got, c.from)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: fill(%+v, %+v) (-want +got):\n%s", c.name, c.in, c.from, diff)
		}
	}
}

// TestStatements: how well a role is known: from the file itself, a job file, a report, or a name.
func TestStatements(t *testing.T) {
	t.Parallel()
	type known struct{ Stated, Attributed, ExtensionOnly, SideOnly, Comment bool }
	for _, c := range []struct {
		name  string
		files []string
		role  pcb.Role
		want  known
	}{
		{"an attribute", []string{"x.gbr", gerberWith("%TF.FileFunction,Profile,NP*%")}, pcb.RoleOutline, known{Stated: true, Attributed: true}},
		{"an attribute of another role", []string{"x.gbr", gerberWith("%TF.FileFunction,Profile,NP*%")}, pcb.RoleCopper, known{ExtensionOnly: true, SideOnly: true}},
		{"a job file", []string{"x.gbr", anyGerber, "x.gbrjob", `{"FilesAttributes":[{"Path":"x.gbr","FileFunction":"Profile"}]}`}, pcb.RoleOutline, known{Stated: true, Attributed: true}},
		{"a comment of the tool", []string{"x.art", gerberWith("G04 Layer:  ETCH/TOP*")}, pcb.RoleCopper, known{Stated: true}},
		{"a report", []string{"x.gm7", anyGerber, "x.EXTREP", ".GM7  Board Outline\n"}, pcb.RoleOutline, known{Stated: true}},
		{"an extension", []string{"x.gko", anyGerber}, pcb.RoleOutline, known{ExtensionOnly: true}},
		{"an extension and a name", []string{"outline.gko", anyGerber}, pcb.RoleOutline, known{}},
		{"a side", []string{"top.gbr", anyGerber}, pcb.RoleCopper, known{SideOnly: true}},
		{"a side and copper", []string{"copper top.gbr", anyGerber}, pcb.RoleCopper, known{}},
		{"what the tool has no word for", []string{"x.gbr", gerberWith("%TF.FileFunction,Other,Comment*%")}, pcb.RoleOutline, known{ExtensionOnly: true, SideOnly: true, Comment: true}},
	} {
		r := classifyAll(c.files...).Results[0]
		got := known{r.IsStated(c.role), r.IsAttributed(c.role), r.ExtensionOnly(c.role), r.SideOnly(c.role), r.Comment()}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: how %q is known as %v (-want +got):\n%s", c.name, c.files, c.role, diff)
		}
	}
}

// TestCutouts: files of what is cut out of a board, by their names or by a report.
func TestCutouts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		files []string
		want  bool
	}{
		{[]string{"x-cutouts.gbr", anyGerber}, true},
		{[]string{"x-Cut_Out.gbr", anyGerber}, true},
		{[]string{"x.MilingLayer.ger", anyGerber}, true},
		{[]string{"milling.gbr", anyGerber}, true},
		{[]string{"x.GM5", anyGerber, "x.EXTREP", ".GM5  Board Cutouts\n"}, true},
		{[]string{"Edge_Cuts.gbr", anyGerber}, false},
		{[]string{"mill.gbr", anyGerber}, false},
		{[]string{"outline.gbr", anyGerber}, false},
	} {
		if got := classifyAll(c.files...).Results[0].Cutouts(); got != c.want {
			t.Errorf("%q: cutouts %v, want %v", c.files, got, c.want)
		}
	}
}

// TestUse: a file belongs to the first board that reads it, until it is left aside.
func TestUse(t *testing.T) {
	t.Parallel()
	var r Result
	r.Why = "name"
	r.Use("main")
	r.Use("panel")
	if !r.Used || r.Board != "main" {
		t.Errorf("used by main, then by panel: used %v by %q, want true by main", r.Used, r.Board)
	}
	r.LeaveAside("it draws nothing")
	if want := "name; left aside: it draws nothing"; r.Used || r.Why != want {
		t.Errorf("left aside: used %v because %q, want false because %q", r.Used, r.Why, want)
	}
}
