package placement_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/table"

	"github.com/google/go-cmp/cmp"
)

// TestRules: one row for each thing that a file may leave out, say twice or say oddly. 25.4 mm
// are an inch, and 1000 mils.
func TestRules(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, data, want string }{
		"a unit above beats what distances suggest":     {"a.csv", "Units: inch,,,,\nRef,X,Y,Rot,Side\nR1,1,2,0,Top\nR2,900,2,0,Top\n", "R1 25400,50800 0 top\nposition_far_away R2"},
		"micrometres above":                             {"a.csv", "Units: \u00b5m,,,,\nRef,X,Y,Rot,Side\nR1,1500,2500,0,Top\n", "R1 1500,2500 0 top"},
		"micrometres in words":                          {"a.csv", "Unit = micrometers,,,,\nRef,X,Y,Rot,Side\nR1,1500,2500,0,Top\n", "R1 1500,2500 0 top"},
		"a heading's unit beats one above":              {"a.csv", "Units: inch,,,,\nRef,X (mm),Y (mm),Rot,Side\nR1,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"a cell's unit beats the heading's":             {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,1in,2,0,Top\n", "R1 25400,2000 0 top"},
		"a unit beside one coordinate is the other's":   {"a.csv", "Ref,X,Y,Rot,Side\nR1,100mil,100,0,Top\n", "R1 2540,2540 0 top"},
		"far apart without a unit: mils":                {"a.csv", "Ref,X,Y,Rot,Side\nR1,0,0,0,Top\nR2,1000,0,0,Top\n", "R1 0,0 0 top\nR2 25400,0 0 top\nunit_deduced"},
		"two metres away are believed":                  {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,2000,-2000,0,Top\n", "R1 2000000,-2000000 0 top"},
		"more are not":                                  {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,2000.001,0,0,Top\nR2,0,-2001,0,Top\n", "position_far_away R1,R2"},
		"half a nanometre is rounded away from zero":    {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,0.0009995,-0.0009995,0,Top\n", "R1 1,-1 0 top"},
		"a row of the same place twice is no doubt":     {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,1,2,0,Top\nR1,1,2,0,Top\n", "R1 1000,2000 0 top\nR1 1000,2000 0 top"},
		"fiducials that share a name are no doubt":      {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nFiducial,1,2,0,Top\nFiducial,9,2,0,Top\n", "Fiducial 1000,2000 0 top\nFiducial 9000,2000 0 top"},
		"a title among the rows has no position":        {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nResistors,,,,\nR1,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"comments are no parts":                         {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\n## R9,1,2,0,Top\nR1,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"a mark before a designator is taken off":       {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\n# R1,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"a name longer than any designator":             {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\n" + strings.Repeat("R", 41) + ",1,2,0,Top\nR1,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"the side in brackets is left out":              {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,1,2,0,Bottom (seen from above)\n", "R1 1000,2000 0 bottom"},
		"a layer's name is a side":                      {"a.csv", "Ref,X (mm),Y (mm),Rot,Layer\nR1,1,2,0,F.Cu\nR2,1,3,0,B.Cu\nR3,1,4,0,TopLayer\nR4,1,5,0,Bottom Layer\n", "R1 1000,2000 0 top\nR2 1000,3000 0 bottom\nR3 1000,4000 0 top\nR4 1000,5000 0 bottom"},
		"a column of sides beats the file's name":       {"board-bottom.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"the file's name tells where no column does":    {"board-bottom.csv", "Ref,X (mm),Y (mm),Rot\nR1,1,2,0\n", "R1 1000,2000 0 bottom"},
		"mirrored is the bottom, in each of its words":  {"a.csv", "Ref,X (mm),Y (mm),Rot,Mirror\nR1,1,2,0,yes\nR2,1,3,0,M\nR3,1,4,0,TRUE\nR4,1,5,0,0\nR5,1,6,0,\n", "R1 1000,2000 0 bottom\nR2 1000,3000 0 bottom\nR3 1000,4000 0 bottom\nR4 1000,5000 0 top\nR5 1000,6000 0 top"},
		"a side beats a mirror":                         {"a.csv", "Ref,X (mm),Y (mm),Rot,Side,Mirror\nR1,1,2,0,Top,yes\n", "R1 1000,2000 0 top"},
		"a side that is unclear is told by the mirror":  {"a.csv", "Ref,X (mm),Y (mm),Rot,Side,Mirror\nR1,1,2,0,outside,yes\n", "R1 1000,2000 0 bottom\nside_unclear R1 outside"},
		"the first column of several is taken":          {"a.csv", "Ref,X (mm),X (mm),Y (mm),Rot,Side\nR1,1,9,2,0,Top\n", "R1 1000,2000 0 top"},
		"the centre beats pad 1":                        {"a.csv", "Ref,Pad X (mm),Pad Y (mm),Mid X (mm),Mid Y (mm),Rot,Side\nR1,9,9,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"pad 1 where there is no centre":                {"a.csv", "Ref,Pad X (mm),Pad Y (mm),Rot,Side\nR1,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"half a centre is none":                         {"a.csv", "Ref,Mid X (mm),Pad X (mm),Pad Y (mm),Rot,Side\nR1,9,1,2,0,Top\n", "R1 1000,2000 0 top"},
		"headings of two words, torn apart":             {"a.txt", "Ref   Mid X    Mid Y    Rot   Side\nR1    1.00mm   2.00mm   0     Top\nR2    1.00mm   3.00mm   90    Bottom\n", "R1 1000,2000 0 top\nR2 1000,3000 90 bottom"},
		"Ref before X and Y is a heading of its own":    {"a.txt", "Ref X Y Rot Side\nR1 1mm 2mm 0 Top\nR2 1mm 3mm 90 Bottom\n", "R1 1000,2000 0 top\nR2 1000,3000 90 bottom"},
		"two units below headings are no row of units":  {"a.csv", "Ref,X,Y,Rot,Side\n,mm,mil,,\nR1,1000mil,1mm,0,Top\n", "R1 25400,1000 0 top"},
		"a part left out both ways is left out":         {"a.csv", "Ref,X (mm),Y (mm),Rot,Side,DNP,Fitted\nR1,1,2,0,Top,yes,yes\nR2,1,3,0,Top,no,no\nR3,1,4,0,Top,no,yes\n", "R1 1000,2000 0 top  off\nR2 1000,3000 0 top  off\nR3 1000,4000 0 top"},
		"no row below the headings":                     {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\n", ""},
		"Allegro's mirror in capitals":                  {"a.txt", "UUNITS = MILLIMETERS\nC1 ! 1.0 ! 2.0 ! 90 ! M ! ! C0603\nC2 ! 3.0 ! 2.0 ! 90 ! ! ! C0603\nC3 ! 5.0 ! 2.0 ! 90 ! ! ! C0603\n", "C1 1000,2000 90 bottom  C0603\nC2 3000,2000 90 top  C0603\nC3 5000,2000 90 top  C0603"},
		"without headings, a chip's size is no number":  {"a.csv", "R1,0603,10.5,20.25,90,top\nR2,0603,12.5,20,0,bottom\n", "R1 10500,20250 90 top\nR2 12500,20000 0 bottom\nunit_deduced"},
		"without headings, a first cell that is blank":  {"a.csv", "R1,,10.5,20.25,90,top\nR2,,12.5,20,0,bottom\n", "R1 10500,20250 90 top\nR2 12500,20000 0 bottom\nunit_deduced"},
		"without headings, two rows do not tell angles": {"a.csv", "R1,90,10.5,20.25,top\nR2,0,12.5,20,bottom\n", "R1 90000,10500 20.25 top\nR2 0,12500 20 bottom\nunit_deduced"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := placement.Read(tt.file, []byte(tt.data))
			if d := cmp.Diff(tt.want, text(got)); d != "" || err != nil {
				t.Errorf("Read(%q, %q): error %v, (-want +got)\n%s", tt.file, tt.data, err, d)
			}
		})
	}
}

// TestUnits: what the file says of its unit is told apart from what its numbers suggest.
func TestUnits(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		data   string
		unit   placement.Unit
		stated bool
	}{
		"in a heading":     {"Ref,X (mil),Y (mil),Rot,Side\nR1,1,2,0,Top\n", placement.Mil, true},
		"above":            {"Units used: thou,,,,\nRef,X,Y,Rot,Side\nR1,1,2,0,Top\n", placement.Mil, true},
		"in the cells":     {"Ref,X,Y,Rot,Side\nR1,1mm,2mm,0,Top\n", placement.Millimetre, true},
		"nowhere":          {"Ref,X,Y,Rot,Side\nR1,1,2,0,Top\n", placement.Millimetre, false},
		"imperial alone":   {"Ref,X (imperial),Y (imperial),Rot,Side\nR1,1,2,0,Top\nR2,900,2,0,Top\n", placement.Mil, false},
		"below the parts":  {"Ref,X,Y,Rot,Side\nR1,1,2,0,Top\n,inch,inch,,\n", placement.Millimetre, false},
		"far above enough": {strings.Repeat("a remark,b\n", 40) + "Units: in,\nRef,X,Y,Rot,Side\nR1,1,2,0,Top\n", placement.Inch, true},
	} {
		l, err := placement.Read("a.csv", []byte(tt.data))
		if err != nil || l.Unit != tt.unit || l.Stated != tt.stated {
			t.Errorf("%s: Read(%q) is in %s, stated %t, %v; want %s, %t", name, tt.data, l.Unit, l.Stated, err, tt.unit, tt.stated)
		}
	}
}

// TestRefused: what places nothing is no placement file, and what is no table is said to be none.
func TestRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		data string
		want error
	}{
		"nothing":                      {"", table.ErrNotTable},
		"bytes":                        {"\x01\x00\x00\x02\x00\x00\x00abc", table.ErrNotTable},
		"no column for designators":    {"Value,Package,X,Y\n10k,0402,1,2\n", placement.ErrNotPlacement},
		"no y":                         {"Ref,X,Rot,Side\nR1,1,0,Top\n", placement.ErrNotPlacement},
		"headings below sixty rows":    {strings.Repeat("a remark,b\n", 60) + "Ref,X,Y,Rot,Side\nR1,1,2,0,Top\n", placement.ErrNotPlacement},
		"rows of too few cells":        {"R1,1,2\nR2,3,4\n", placement.ErrNotPlacement},
		"a position without an angle":  {"R1,10k,1,2\nR2,10k,3,4\n", placement.ErrNotPlacement},
		"a damaged spreadsheet":        {"PK\x03\x04", table.ErrDamaged},
		"a bill of parts with numbers": {"Ref,Qty,Package,Price\nR1,1,0402,120\n", placement.ErrNotPlacement},
	} {
		if l, err := placement.Read("a.csv", []byte(tt.data)); !errors.Is(err, tt.want) || len(l.Parts) > 0 {
			t.Errorf("%s: Read(%q) places %d parts, %v; want %v", name, tt.data, len(l.Parts), err, tt.want)
		}
	}
}

// TestCut: a list that is longer than is read says so.
func TestCut(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("Ref,X (mm),Y (mm),Rot,Side\n")
	for i := range 20_001 {
		fmt.Fprintf(&b, "R%d,1,2,0,Top\n", i)
	}
	l, err := placement.Read("a.csv", []byte(b.String()))
	if err != nil || len(l.Notes) != 1 || l.Notes[0].Code != placement.PlacementsCut || len(l.Parts) != 19_999 {
		t.Errorf("20,001 rows: %d parts, notes %+v, %v; want 19,999 below the headings and that it was cut", len(l.Parts), l.Notes, err)
	}
}
