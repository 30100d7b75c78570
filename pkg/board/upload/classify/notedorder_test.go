package classify

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOrderNotes: plain text that says which copper layer a file is.
func TestOrderNotes(t *testing.T) {
	t.Parallel()
	planes := []string{"x-F_Cu.gbr", anyGerber, "x-PWR.gbr", anyGerber, "x-GND.gbr", anyGerber, "x-B_Cu.gbr", anyGerber}
	unsaid := []string{"x-F_Cu.gbr: L1", "x-PWR.gbr: L3", "x-GND.gbr: L2", "x-B_Cu.gbr: L4", "n.txt: other"}
	messages := []string{"x-F_Cu.gbr: L1", "x-PWR.gbr: L2", "x-GND.gbr: L3", "x-B_Cu.gbr: L4", "n.txt: other"}
	for _, c := range []struct {
		name, notes string
		want        []string
	}{
		{"nothing said", "Please build this.\n", unsaid},
		{"a layer beside its file", "x-PWR.gbr  Layer 2\nx-GND.gbr  Layer 3\n", messages},
		{"a layer before its file, in capitals", "LAYER 2: X-PWR.GBR\nL3: X-GND.GBR\n", messages},
		{"one of two is enough", "x-PWR.gbr is layer 2\n", messages},
		{"a line that names two files says nothing of either", "x-PWR.gbr x-GND.gbr layer 2\n", unsaid},
		{"a number that is not called a layer", "x-PWR.gbr  2\n", unsaid},
		{"a number that counts inner layers only", "x-PWR.gbr  Inner 1\n", unsaid},
		{"a list of all copper, numbered", "1. Top: x-F_Cu.gbr\n2. x-PWR.gbr\n3. x-GND.gbr\n4. Bottom: x-B_Cu.gbr\n", messages},
		{"a list with brackets", "1) x-F_Cu.gbr\n2) x-PWR.gbr\n3) x-GND.gbr\n4) x-B_Cu.gbr\n", messages},
		{"a list that leaves one out", "1. x-F_Cu.gbr\n2. x-PWR.gbr\n3. x-GND.gbr\n", unsaid},
		{"a list that does not begin with one", "2. x-F_Cu.gbr\n3. x-PWR.gbr\n4. x-GND.gbr\n5. x-B_Cu.gbr\n", unsaid},
		{"a list with a number twice", "1. x-F_Cu.gbr\n2. x-PWR.gbr\n2. x-GND.gbr\n4. x-B_Cu.gbr\n", unsaid},
		{"a list with a file twice", "1. x-F_Cu.gbr\n2. x-PWR.gbr\n3. x-PWR.gbr\n4. x-B_Cu.gbr\n", unsaid},
		{"a list that names one more, a file again", "1. x-F_Cu.gbr\n2. x-PWR.gbr\n3. x-GND.gbr\n4. x-B_Cu.gbr\n5. x-B_Cu.gbr\n", unsaid},
		{"a list of other things besides", "1. x-F_Cu.gbr\n2. x-PWR.gbr\n3. x-GND.gbr\n4. x-B_Cu.gbr\n5. the outline\n", messages},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, briefs(classifyAll(append(planes[:8:8], "n.txt", c.notes)...))); diff != "" {
				t.Errorf("copper with notes %q (-want +got):\n%s", c.notes, diff)
			}
		})
	}
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"notes of another archive", []string{"a.zip!/x-PWR.gbr", anyGerber, "a.zip!/x-GND.gbr", anyGerber, "b.zip!/n.txt", "x-PWR.gbr layer 1\n"}, "x-PWR.gbr: L2"},
		{"notes of the same archive", []string{"a.zip!/x-PWR.gbr", anyGerber, "a.zip!/x-GND.gbr", anyGerber, "a.zip!/n.txt", "x-PWR.gbr layer 1\n"}, "x-PWR.gbr: L1"},
		{"a job file knows better", []string{
			"x-PWR.gbr", anyGerber, "x-GND.gbr", anyGerber, "n.txt", "x-PWR.gbr layer 1\n",
			"x.gbrjob", `{"FilesAttributes":[{"Path":"x-GND.gbr","FileFunction":"Copper,L1,Top"},{"Path":"x-PWR.gbr","FileFunction":"Copper,L2,Bot"}]}`,
		}, "x-PWR.gbr: L2"},
	} {
		if got := briefs(classifyAll(c.files...))[0]; got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.name, c.files, got, c.want)
		}
	}
}
