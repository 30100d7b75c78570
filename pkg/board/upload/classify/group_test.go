package classify

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCompareNatural: names in the order in which people count.
func TestCompareNatural(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		less, more string
	}{
		{"in2", "in10"}, {"in9", "in10"}, {"in02", "in3"}, {"in2", "in03"}, {"in2", "in010"}, {"a1", "b1"}, {"a1", "a1b"}, {"a", "a1"}, {"gm2 x", "gm13 x"}, {"", "a"},
		{"layer1-9", "layer1-10"}, {"1", "a"},
	} {
		if a, b := compareNatural(c.less, c.more), compareNatural(c.more, c.less); a >= 0 || b <= 0 {
			t.Errorf("compareNatural(%q, %q) = %d, and %d the other way; want less than nothing, and more", c.less, c.more, a, b)
		}
	}
	for _, c := range [][2]string{{"in2", "in2"}, {"In_2", "in2"}, {"", ""}} {
		if got := compareNatural(c[0], c[1]); got != 0 {
			t.Errorf("compareNatural(%q, %q) = %d, want 0", c[0], c[1], got)
		}
	}
}

// TestGroupNames: a board is called by the words that its files share, else by its folder or archive.
func TestGroupNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"the words that names share", []string{"amp-F_Cu.gbr", "amp-B_Cu.gbr", "amp-Edge_Cuts.gbr"}, "amp"},
		{"two letters are too few", []string{"ab-F_Cu.gbr", "ab-B_Cu.gbr", "ab-Edge_Cuts.gbr"}, "board"},
		{"words that say nothing of the board", []string{"gerber-F_Cu.gbr", "gerber-B_Cu.gbr", "gerber-Edge_Cuts.gbr"}, "board"},
		{"a folder", []string{"amp/F_Cu.gbr", "amp/B_Cu.gbr", "amp/Edge_Cuts.gbr"}, "amp"},
		{"an archive", []string{"amp.zip!/F_Cu.gbr", "amp.zip!/B_Cu.gbr", "amp.zip!/Edge_Cuts.gbr"}, "amp"},
		{"the archive of a folder that says nothing", []string{"amp.zip!/gerbers/F_Cu.gbr", "amp.zip!/gerbers/B_Cu.gbr"}, "amp"},
		{"an archive that says nothing", []string{"gerber.zip!/F_Cu.gbr", "gerber.zip!/B_Cu.gbr"}, "board"},
		{"two files share no words", []string{"x/amp-F_Cu.gbr", "x/amp-B_Cu.gbr"}, "x"},
	} {
		var in []string
		for _, f := range c.files {
			in = append(in, f, anyGerber)
		}
		s := classifyAll(in...)
		if len(s.Groups) != 1 || s.Groups[0].Name != c.want {
			t.Errorf("%s: groups of %q are %+v, want one called %q", c.name, c.files, s.Groups, c.want)
		}
	}
}

// TestFolders: which folders make a board together.
func TestFolders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"a folder without copper joins the nearest", []string{"a/one/x.gtl", "a/one/x.gbl", "a/two/y.gtl", "a/two/y.gbl", "a/two/more/y.gts", "a/two/more/y.gbs"}, []string{"2", "4"}},
		{"a folder as near to two boards joins neither", []string{"one/x.gtl", "one/x.gbl", "two/y.gtl", "two/y.gbl", "masks/y.gts"}, []string{"1", "2", "2"}},
		{"a folder that claims what the board has joins it not", []string{"one/x.gtl", "one/x.gbl", "one/x.gts", "old/x.gts"}, []string{"1", "3"}},
		{"folders of an archive each are boards each", []string{"a.zip!/x.gtl", "b.zip!/x.gbl"}, []string{"1", "1"}},
		{"the sides of one archive make one board", []string{"a.zip!/top/x.gtl", "a.zip!/bottom/x.gbl"}, []string{"2"}},
		{"the same side twice makes two boards", []string{"a.zip!/v1/x.gtl", "a.zip!/v2/x.gtl"}, []string{"1", "1"}},
		{"a board for every outer copper needs three files of it", []string{"one.gtl", "one.gts", "one.gko", "two.gtl", "two.gts", "two.gko"}, []string{"3", "3"}},
		{"with fewer it is one", []string{"one.gtl", "one.gts", "two.gtl", "two.gts"}, []string{"4"}},
	} {
		var in []string
		for _, f := range c.files {
			in = append(in, f, anyGerber)
		}
		var got []string
		for _, g := range classifyAll(in...).Groups {
			got = append(got, fmt.Sprint(len(g.Members)))
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: files in each group of %q (-want +got):\n%s", c.name, c.files, diff)
		}
	}
}

// TestGroupIndex: a file knows its group, and what is no artwork is in none.
func TestGroupIndex(t *testing.T) {
	t.Parallel()
	s := classifyAll("a/x.gtl", anyGerber, "readme.txt", "hello\n", "b.zip!/y.gtl", anyGerber, "b.zip!/y.gbl", anyGerber)
	var got []int
	for _, r := range s.Results {
		got = append(got, r.Group)
	}
	if diff := cmp.Diff([]int{0, -1, 1, 1}, got); diff != "" {
		t.Errorf("groups of %q (-want +got):\n%s", briefs(s), diff)
	}
}
