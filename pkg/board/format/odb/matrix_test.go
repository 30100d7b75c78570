package odb

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
)

// row is a layer of a matrix; more is written between the braces.
func row(n int, name, kind string, more ...string) string {
	return fmt.Sprintf("LAYER {\n ROW=%d\n CONTEXT=BOARD\n TYPE=%s\n NAME=%s\n POLARITY=POSITIVE\n %s\n}\n", n, kind, name, strings.Join(more, "\n "))
}

const oneStep = "STEP {\n COL=1\n NAME=PCB\n}\n"

func matrixOf(t *testing.T, text string) *job {
	t.Helper()
	files := []File{{"job/matrix/matrix", []byte(text)}}
	j := newJob(t.Context(), newTree("job/", files, []string{"job/"}))
	j.readMatrix()
	return j
}

func TestRoles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, add, name string
		misc            bool
		want            pcb.Role
	}{
		{"SIGNAL", "", "top", false, pcb.RoleCopper},
		{"POWER_GROUND", "", "gnd", false, pcb.RoleCopper},
		{"MIXED", "", "l2", false, pcb.RoleCopper},
		{"SIGNAL", "", "top", true, pcb.RoleMechanical}, // beside the board
		{"SOLDER_MASK", "", "smt", false, pcb.RoleMask},
		{"SOLDER_PASTE", "", "spt", false, pcb.RolePaste},
		{"SILK_SCREEN", "", "sst", false, pcb.RoleSilk},
		{"DRILL", "", "drl", false, pcb.RoleDrill},
		{"ROUT", "", "rout", false, pcb.RoleDrill},
		{"COMPONENT", "", "comp_+_top", false, pcb.RoleAssembly},
		{"CONDUCTIVE_PASTE", "", "carbon", false, pcb.RoleCarbon},
		{"DOCUMENT", "", "notes", false, pcb.RoleMechanical},
		{"DOCUMENT", "", "board_outline", false, pcb.RoleMechanical},
		{"DOCUMENT", "ASSEMBLY", "x", false, pcb.RoleAssembly},
		{"DOCUMENT", "COURTYARD_TOP", "x", false, pcb.RoleCourtyard},
		{"MASK", "CARBON_MASK", "x", false, pcb.RoleCarbon},
		{"MASK", "PEELABLE_TOP", "x", false, pcb.RolePeelable},
		{"MASK", "", "x", false, pcb.RoleOther},
		{"DIELECTRIC", "", "core", false, pcb.RoleOther},
		{"", "", "x", false, pcb.RoleMechanical},
	} {
		if got := roleOf(c.kind, c.add, c.misc, c.name); got != c.want {
			t.Errorf("%+v is %s, want %s", c, got, c.want)
		}
	}
}

// TestMatrixOrder: layers stand in the order of their rows, whatever that of the file.
func TestMatrixOrder(t *testing.T) {
	t.Parallel()
	j := matrixOf(t, row(5, "BOT", "SIGNAL")+row(6, "SMB", "SOLDER_MASK")+row(1, "SST", "SILK_SCREEN")+row(2, "SMT", "SOLDER_MASK")+row(4, "L2", "POWER_GROUND")+
		row(3, "TOP", "SIGNAL")+row(7, "DRILL", "DRILL", "START_NAME=TOP", "END_NAME=L2")+row(8, "THRU", "DRILL", "START_NAME=TOP", "END_NAME=BOT")+oneStep+"STEP {\n COL=0\n NAME=PANEL\n}\n")
	var got []string
	for _, l := range j.layers {
		got = append(got, fmt.Sprintf("%s:%s:%d", l.name, l.side, l.order))
	}
	if want := "SST:top:0 SMT:top:0 TOP:top:1 L2:inner:2 BOT:bottom:3 SMB:bottom:0 DRILL::0 THRU::0"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
	if strings.Join(j.steps, " ") != "PANEL PCB" {
		t.Errorf("steps %q, want PANEL and PCB", j.steps)
	}
	if n := j.copper(); n != 3 {
		t.Errorf("%d copper layers, want 3", n)
	}
	if from, to := j.span(j.layer("drill")); from != 1 || to != 2 {
		t.Errorf("the drill goes from %d to %d, want 1 to 2", from, to)
	}
	if from, to := j.span(j.layer("thru")); from != 0 || to != 0 {
		t.Errorf("a drill through all goes from %d to %d, want 0 to 0", from, to)
	}
	if from, to := j.span(j.layer("sst")); from != 0 || to != 0 {
		t.Errorf("a layer without a span goes from %d to %d, want 0 to 0", from, to)
	}
	if j.layer("nothing") != nil {
		t.Error("a layer that the matrix does not name")
	}
}

// TestMatrixDamaged: what a matrix lacks is said, and nothing breaks.
func TestMatrixDamaged(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no layers":              oneStep,
		"layers without names":   oneStep + "LAYER {\n ROW=1\n TYPE=SIGNAL\n}\n",
		"cut off within a layer": oneStep + "LAYER {\n ROW=1\n TY",
		"rows that are words":    oneStep + "LAYER {\n ROW=first\n TYPE=SIGNAL\n NAME=TOP\n}\n",
		"nothing":                "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			boards, findings := Read(t.Context(), []File{{"job/matrix/matrix", []byte(text)}})
			for _, b := range boards {
				findings = append(findings, b.Findings...)
			}
			if len(findings) == 0 {
				t.Errorf("%d boards, and nothing is said", len(boards))
			}
		})
	}
}

// TestFeatureRecords reads single records of a features file, in both units.
func TestFeatureRecords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		kinds      string // l line, a arc, f flash, r region; capitals erase
		size       int64  // width of the first, in micrometres
	}{
		{"a line in millimetres", "UNITS=MM\n$0 r200\nL 0 0 5 0 0 P 0\n", "l", 200},
		{"a line in inches", "UNITS=INCH\n$0 r10\nL 0 0 1 0 0 P 0\n", "l", 254},
		{"a unit of the old form", "U MM\n$0 r200\nL 0 0 5 0 0 P 0\n", "l", 200},
		{"a symbol with its own unit", "UNITS=MM\n$0 r10 I\nL 0 0 5 0 0 P 0\n", "l", 254},
		{"an arc", "UNITS=MM\n$0 r200\nA 1 0 -1 0 0 0 0 P 0 N\n", "a", 200},
		{"a pad", "UNITS=MM\n$0 rect1000x500\nP 1 1 0 P 0 0\n", "f", 500},
		{"a pad that erases", "UNITS=MM\n$0 rect1000x500\nP 1 1 0 N 0 0\n", "F", 500},
		{"a surface", "UNITS=MM\nS P 0\nOB 0 0 I\nOS 1 0\nOS 1 1\nOE\nSE\n", "r", 0},
		{"a surface that erases", "UNITS=MM\nS N 0\nOB 0 0 I\nOS 1 0\nOS 1 1\nOE\nSE\n", "R", 0},
		{"a surface that is cut off", "UNITS=MM\nS P 0\nOB 0 0 I\nOS 1 0\nOS 1 1\n", "r", 0},
		{"a null symbol draws nothing", "UNITS=MM\n$0 null5\nP 1 1 0 P 0 0\n", "", 0},
		{"a symbol that nobody defines", "UNITS=MM\n$0 logo\nP 1 1 0 P 0 0\n", "", 0},
		{"a symbol that the table lacks", "UNITS=MM\nP 1 1 7 P 0 0\n", "", 0},
		{"comments and blank lines", "#\n\nUNITS=MM\n$0 r200\n# L 0 0 1 1 0 P 0\n\nL 0 0 5 0 0 P 0\n", "l", 200},
		{"lines that are indented", "UNITS=MM\n\t$0 r200\n  L 0 0 5 0 0 P 0\n", "l", 200},
		{"an ID and attributes behind", "UNITS=MM\n$0 r200\n@0 .smd\nL 0 0 5 0 0 P 0 ;0;ID=17\n", "l", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			boards, _ := Read(t.Context(), smallest(matrixText, c.text))
			if len(boards) != 1 {
				t.Fatalf("%d boards of %+v, want one", len(boards), c)
			}
			l := boards[0].Copper()[0]
			got := ""
			for i := range l.Features {
				k := []string{"l", "a", "f", "r"}[l.Features[i].Kind]
				if l.Features[i].Clear {
					k = strings.ToUpper(k)
				}
				got += k
			}
			if got != c.kinds {
				t.Fatalf("features %q, want %q", got, c.kinds)
			}
			if c.size > 0 {
				if w := l.Width(&l.Features[0]) / um; w != c.size {
					t.Errorf("width %d µm, want %d", w, c.size)
				}
			}
		})
	}
}

// TestOrientation: quarter turns are clockwise, 4 to 7 mirrored, 8 and 9 by an angle.
func TestOrientation(t *testing.T) {
	t.Parallel()
	for orient, want := range map[string][2]int64{ // width and height of a pad of 1000 by 500, in micrometres
		"0": {1000, 500}, "1": {500, 1000}, "2": {1000, 500}, "3": {500, 1000}, "4": {1000, 500}, "5": {500, 1000},
		"8 0": {1000, 500}, "8 90": {500, 1000}, "9 90": {500, 1000}, "8 180": {1000, 500}, "8 1e300": {1000, 500}, "77": {1000, 500},
	} {
		t.Run(orient, func(t *testing.T) {
			t.Parallel()
			boards, _ := Read(t.Context(), smallest(matrixText, "UNITS=MM\n$0 rect1000x500\nP 5 5 0 P 0 "+orient+"\n"))
			l := boards[0].Copper()[0]
			if len(l.Features) != 1 {
				t.Fatalf("a pad turned by %s: %d features, want one", orient, len(l.Features))
			}
			b := l.FeatureBounds(&l.Features[0])
			if w, h := (b.Width()+um/2)/um, (b.Height()+um/2)/um; w != want[0] || h != want[1] {
				t.Errorf("%d × %d µm, want %d × %d", w, h, want[0], want[1])
			}
		})
	}
}

// TestOwnSymbols: symbols of the job, within each other, and those that hold themselves.
func TestOwnSymbols(t *testing.T) {
	t.Parallel()
	symbol := func(name, text string) File { return File{"job/symbols/" + name + "/features", []byte(text)} }
	for _, c := range []struct {
		name    string
		symbols []File
		width   int64  // micrometres; 0 where nothing can be drawn
		as      string // the name that the pad calls it by; own where empty
	}{
		{name: "two pads", symbols: []File{symbol("own", "UNITS=MM\n$0 r200\nP -1 0 0 P 0 0\nP 1 0 0 P 0 0\n")}, width: 2200},
		{name: "one named after a standard symbol that its tool turned", as: "rect900x700_111", width: 3000,
			symbols: []File{symbol("rect900x700_111", "UNITS=MM\nS P 0\nOB 0 0 I\nOS 3 0\nOS 3 1\nOE\nSE\n")}},
		{name: "the same where the job has lost it", as: "rect900x700_90", width: 700},
		{name: "a line", symbols: []File{symbol("own", "UNITS=MM\n$0 r200\nL -1 0 1 0 0 P 0\n")}, width: 2200},
		{name: "a surface", symbols: []File{symbol("own", "UNITS=MM\nS P 0\nOB 0 0 I\nOS 3 0\nOS 3 1\nOE\nSE\n")}, width: 3000},
		{name: "a symbol in a symbol", symbols: []File{symbol("own", "UNITS=MM\n$0 inner\nP 1 0 0 P 0 0\nP -1 0 0 P 0 0\n"), symbol("inner", "UNITS=MM\n$0 r500\nP 0 0 0 P 0 0\n")}, width: 2500},
		{name: "nothing in it", symbols: []File{symbol("own", "UNITS=MM\n")}, width: 0},
		{name: "itself", symbols: []File{symbol("own", "UNITS=MM\n$0 own\nP 0 0 0 P 0 0\n")}, width: 0},
		{name: "not there", symbols: nil, width: 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			boards, _ := Read(t.Context(), append(smallest(matrixText, "UNITS=MM\n$0 "+cmp.Or(c.as, "own")+"\nP 5 5 0 P 0 0\n"), c.symbols...))
			l := boards[0].Copper()[0]
			if c.width == 0 {
				for i := range l.Features {
					if b := l.FeatureBounds(&l.Features[i]); b.Width() > 0 {
						t.Errorf("something %d nm wide is drawn, want nothing", b.Width())
					}
				}
				return
			}
			if len(l.Features) != 1 {
				t.Fatalf("%d features, want one", len(l.Features))
			}
			if b := l.FeatureBounds(&l.Features[0]); b.Width()/um != c.width {
				t.Errorf("%d µm wide, want %d", b.Width()/um, c.width)
			}
		})
	}
}
