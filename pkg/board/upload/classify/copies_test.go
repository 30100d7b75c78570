package classify

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestBackups: what a design tool kept by itself is left aside where a board is there besides.
func TestBackups(t *testing.T) {
	t.Parallel()
	const board = "(kicad_pcb (version 20221018))"
	for name, want := range map[string]bool{
		"x-backups/x-2024-01-31_123456.zip":              true,
		"x-backups/x-2024-01-31_123456.zip!/x.kicad_pcb": true,
		"a/x-backups/x-2024-01-31_1234.zip/x.kicad_pcb":  true,
		"x-backups/x.zip":         false,
		"_autosave-x.kicad_pcb":   true,
		"a/_autosave-x.kicad_pcb": true,
		"my_autosave-x.kicad_pcb": false,
		"x.kicad_pcb-bak":         true,
		"x.kicad_sch-bak":         true,
		"x.b#1":                   true,
		"a\\x.s#9":                true,
		"x.b#12":                  false,
		"x.brd":                   false,
		"#auto_saved_files#":      true,
	} {
		beside := classifyAll(name, board, "x.kicad_pcb", board).Results[0]
		if beside.Backup != want || want && beside.Format != FormatCopy {
			t.Errorf("%q beside a board: backup %v, format %q; want %v", name, beside.Backup, beside.Format, want)
		}
		if alone := classifyAll(name, board, "readme.txt", "hello\n").Results[0]; alone.Backup {
			t.Errorf("%q without another board is a backup, want what may be left of the board", name)
		}
	}
	layerFiles := classifyAll("x.b#1", "<eagle version=\"9\"><board>", "x.gtl", anyGerber).Results[0]
	if !layerFiles.Backup {
		t.Errorf("x.b#1 beside copper: format %q, want a backup", layerFiles.Format)
	}
	mask := classifyAll("x.b#1", "<eagle version=\"9\"><board>", "x.gts", anyGerber).Results[0]
	if mask.Backup {
		t.Error("x.b#1 beside a mask alone is a backup, want the board: no copper is there")
	}
}

// TestGenerations: of two plots of a board in one folder the older is left aside.
func TestGenerations(t *testing.T) {
	t.Parallel()
	film := func(fn, head string) string { return gerberWith("%TF.FileFunction,"+fn+"*%", head) }
	x2 := func(date string) string { return "%TF.CreationDate," + date + "*%" }
	const (
		top, edge = "Copper,L1,Top", "Profile,NP"
		kicad     = "G04 Created by KiCad (PCBNEW 4.0.7) date "
	)
	for _, c := range []struct {
		name  string
		files []string
		older []bool
	}{
		{"by the attribute", []string{
			"b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")), "b-F_Cu.gbr", film(top, x2("2021-01-02T03:04:05Z")),
		}, []bool{true, false}},
		{"by the attribute, the newer first", []string{
			"b-F.Cu.gbr", film(top, x2("2021-01-02T03:04:05Z")), "b-F_Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")),
		}, []bool{false, true}},
		{"by hours of two zones", []string{
			"b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05+02:00")), "b-F_Cu.gbr", film(top, x2("2020-01-02T02:04:05Z")),
		}, []bool{true, false}},
		{"all layers of the older plot", []string{
			"b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")), "b-Edge.Cuts.gbr", film(edge, x2("2020-01-02T03:04:05Z")),
			"b-F_Cu.gbr", film(top, x2("2021-01-02T03:04:05Z")), "b-Edge_Cuts.gbr", film(edge, x2("2021-01-02T03:04:05Z")),
		}, []bool{true, true, false, false}},
		{"by KiCad's comment", []string{
			"b-F.Cu.gbr", film(top, kicad+"Mon Apr 16 11:47:36 2012*"), "b-F_Cu.gbr", film(top, kicad+"Tue Apr 17 11:47:36 2012*"),
		}, []bool{true, false}},
		{"by the year where the month is in another language", []string{
			"b-F.Cu.gbr", film(top, kicad+"lun. avril 16 11:47:36 2012*"), "b-F_Cu.gbr", film(top, kicad+"16.4.2013 11:47:36*"),
		}, []bool{true, false}},
		{"the same moment", []string{
			"b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")), "b-F_Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")),
		}, []bool{false, false}},
		{"one without a time", []string{"b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")), "b-F_Cu.gbr", film(top, "")}, []bool{false, false}},
		{"three of one name", []string{
			"b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")), "b-F_Cu.gbr", film(top, x2("2021-01-02T03:04:05Z")), "b-F-Cu.gbr", film(top, x2("2022-01-02T03:04:05Z")),
		}, []bool{false, false, false}},
		{"two layers", []string{
			"b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")), "b-F_Cu.gbr", film("Copper,L2,Bot", x2("2021-01-02T03:04:05Z")),
		}, []bool{false, false}},
		{"two names", []string{
			"b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")), "c-F_Cu.gbr", film(top, x2("2021-01-02T03:04:05Z")),
		}, []bool{false, false}},
		{"two folders", []string{
			"1/b-F.Cu.gbr", film(top, x2("2020-01-02T03:04:05Z")), "2/b-F_Cu.gbr", film(top, x2("2021-01-02T03:04:05Z")),
		}, []bool{false, false}},
		{"no copper among them", []string{
			"b-Edge.Cuts.gbr", film(edge, x2("2020-01-02T03:04:05Z")), "b-Edge_Cuts.gbr", film(edge, x2("2021-01-02T03:04:05Z")),
		}, []bool{false, false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []bool
			for i, r := range classifyAll(tellApart(c.files)...).Results {
				got = append(got, r.Older != "")
				if r.Older != "" && r.Format != FormatCopy {
					t.Errorf("file %d, %s, is older than %s: format %q, want %q", i, r.Name, r.Older, r.Format, FormatCopy)
				}
			}
			if diff := cmp.Diff(c.older, got); diff != "" {
				t.Errorf("older ones of %q (-want +got):\n%s", c.files, diff)
			}
		})
	}
}

// tellApart gives every file a stroke of its own, so that none is a copy of another.
func tellApart(files []string) []string {
	out := slices.Clone(files)
	for i := 1; i < len(out); i += 2 {
		out[i] += "X" + string(rune('0'+i)) + "Y9D03*\n"
	}
	return out
}

// TestMoment: when a file says that it was plotted.
func TestMoment(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"%TF.CreationDate,2020-01-02T03:04:05+01:00*%":                              "2020-01-02T02:04:05Z",
		"G04 #@! TF.CreationDate,2020-01-02T03:04:05Z*":                             "2020-01-02T03:04:05Z",
		"%TF.CreationDate,yesterday*%":                                              "",
		"G04 Created by KiCad (PCBNEW 4.0.7) date Mon Apr 16 11:47:36 2012*":        "2012-04-16T11:47:36Z",
		"G04 Created by KiCad (PCBNEW 4.0.7) date Mon Apr  6 11:47:36 2012*":        "2012-04-06T11:47:36Z",
		"G04 Created by KiCad (PCBNEW 4.0.7) date Mon Apr 16 11:47:36 CEST 2012*":   "2012-04-16T11:47:36Z",
		"G04 Created by KiCad (PCBNEW 4.0.7) date lun. 16 avril 2012 11:47:36 CEST": "",
		"G04 nothing*": "",
		"":             "",
	} {
		got := ""
		if at, ok := moment([]byte(in)); ok {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("moment(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestSameDrawing: two films that differ in nothing but comments and when they were plotted.
func TestSameDrawing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"alike", "D10*\nX1Y1D03*\n", "D10*\nX1Y1D03*\n", true},
		{"comments", "G04 one*\nD10*\n", "G04 two*\nG04 three*\nD10*\n", true},
		{"when they were plotted", "%TF.CreationDate,1*%\nD10*\n", "%TF.CreationDate,2*%\nD10*\n", true},
		{"ends of lines, and empty ones", "D10*\r\n\r\nX1Y1D03*\r\n", "D10*\nX1Y1D03*", true},
		{"another attribute", "%TF.Part,Single*%\nD10*\n", "%TF.Part,Array*%\nD10*\n", false},
		{"another place", "X1Y1D03*\n", "X1Y2D03*\n", false},
		{"one draws more", "X1Y1D03*\n", "X1Y1D03*\nX2Y2D03*\n", false},
		{"the other draws more", "X1Y1D03*\nX2Y2D03*\n", "X1Y1D03*\n", false},
		{"nothing", "", "", true},
		{"nothing but comments", "G04 x*\n", "", true},
	} {
		if got := sameDrawing([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s: sameDrawing(%q, %q) = %v, want %v", c.name, c.a, c.b, got, c.want)
		}
	}
}
