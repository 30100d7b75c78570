package placement

import (
	"fmt"
	"testing"
)

// TestNumber: a cell is a number with a unit behind it or none; anything else is no number, so
// that no part is placed by a guess.
func TestNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, cell string
		value      float64
		unit       Unit
		ok         bool
	}{
		{"a decimal point", "59.18", 59.18, 0, true},
		{"a decimal comma", "-12,5", -12.5, 0, true},
		{"a plus", "+3", 3, 0, true},
		{"a typographic minus", "−1000", -1000, 0, true},
		{"no digits before the point", ".5", 0.5, 0, true},
		{"no digits behind the point", "5.", 5, 0, true},
		{"an exponent", "1.5e2", 150, 0, true},
		{"a negative exponent", "25E-1", 2.5, 0, true},
		{"blanks around it", "  7 ", 7, 0, true},
		{"millimetres", "59.18mm", 59.18, Millimetre, true},
		{"millimetres in capitals, apart", "59.18 MM", 59.18, Millimetre, true},
		{"one mil", "1mil", 1, Mil, true},
		{"several mils", "1520.0mils", 1520, Mil, true},
		{"inches", "1.5in", 1.5, Inch, true},
		{"an inch", "1 inch", 1, Inch, true},
		{"inches by their sign", `2.5"`, 2.5, Inch, true},
		{"micrometres in ASCII", "1500um", 1500, Micrometre, true},
		{"micrometres by the micro sign", "1500\u00b5m", 1500, Micrometre, true},
		{"micrometres by the Greek letter", "1500 \u03bcm", 1500, Micrometre, true},
		{"nothing", "", 0, 0, false},
		{"a unit alone", "mm", 0, 0, false},
		{"a point alone", ".", 0, 0, false},
		{"a minus alone", "-", 0, 0, false},
		{"two minuses", "--5", 0, 0, false},
		{"a word", "left", 0, 0, false},
		{"a number in a word", "R12", 0, 0, false},
		{"thousands set apart, which could be decimals", "1,234.5", 0, 0, false},
		{"an exponent without digits", "1e", 0, 0, false},
		{"an exponent of three digits", "1e100", 0, 0, false},
		{"ten digits", "1234567890", 0, 0, false},
		{"infinity", "inf", 0, 0, false},
		{"no number by name", "nan", 0, 0, false},
		{"a hexadecimal number", "0x10", 0, 0, false},
		{"a unit of something else", "5 kg", 0, 0, false},
	} {
		value, unit, ok := number(tt.cell)
		if value != tt.value || unit != tt.unit || ok != tt.ok {
			t.Errorf("%s: number(%q) = %g, %s, %t; want %g, %s, %t", tt.rule, tt.cell, value, unit, ok, tt.value, tt.unit, tt.ok)
		}
	}
}

// TestRotation: a turn is from 0 to below 360 degrees, counted as the file counts, whatever
// multiple of a turn the file writes; M says that the part is on the bottom.
func TestRotation(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, cell string
		radians    bool
		want       float64
		side       Side
		note       string
	}{
		{"degrees", "90", false, 90, Unknown, ""},
		{"decimals are kept", "22.5", false, 22.5, Unknown, ""},
		{"a whole turn is none", "360", false, 0, Unknown, ""},
		{"a whole turn back is none", "-360", false, 0, Unknown, ""},
		{"more than a turn", "450", false, 90, Unknown, ""},
		{"backwards", "-90", false, 270, Unknown, ""},
		{"backwards by more than a turn", "-450", false, 270, Unknown, ""},
		{"so little backwards that it is not seen", "-1e-20", false, 0, Unknown, ""},
		{"a degree sign", "45°", false, 45, Unknown, ""},
		{"the ordinal sign that some type for it", "45º", false, 45, Unknown, ""},
		{"the word", "45 degrees", false, 45, Unknown, ""},
		{"the short word", "45deg", false, 45, Unknown, ""},
		{"EAGLE's", "R270", false, 270, Unknown, ""},
		{"EAGLE's, mirrored", "MR90", false, 90, Bottom, ""},
		{"EAGLE's, spun", "SR180", false, 180, Unknown, ""},
		{"EAGLE's, spun and mirrored", "SMR45", false, 45, Bottom, ""},
		{"half a turn in radians", "3.14159265", true, 180, Unknown, ""},
		{"a quarter back in radians", "-1.57079633", true, 270, Unknown, ""},
		{"nothing is not turned", "", false, 0, Unknown, ""},
		{"a word", "north", false, 0, Unknown, TurnUnclear},
		{"a letter of EAGLE's alone", "R", false, 0, Unknown, TurnUnclear},
		{"two numbers", "90/180", false, 0, Unknown, TurnUnclear},
		{"more turns than a number can tell", "1e30", false, 0, Unknown, ""},
	} {
		r, p := reader{radians: tt.radians}, Part{Ref: "R1", Row: 7}
		got := r.turn(&p, tt.cell)
		if got != tt.want || p.Side != tt.side || r.mirrors != (tt.side == Bottom) || codesOf(r.list.Notes) != tt.note {
			t.Errorf("%s: turn(%q) = %g, side %q, notes %q; want %g, %q, %q", tt.rule, tt.cell, got, p.Side, codesOf(r.list.Notes), tt.want, tt.side, tt.note)
		}
	}
}

func codesOf(notes []Note) (codes string) {
	for _, n := range notes {
		if codes != "" {
			codes += " "
		}
		codes += n.Code
	}
	return codes
}

// TestSideByName: a file's name tells the side where it names one and not both.
func TestSideByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Side{
		"board-top.pos": Top, "board_TOP.csv": Top, "Top.csv": Top, "front.csv": Top, "bestueckung oben.csv": Top, "board.mnt": Top, "pos-F_Cu.csv": Top, "pos-F.Cu.csv": Top,
		"board-bottom.pos": Bottom, "board.bot": Bottom, "back.csv": Bottom, "unten.txt": Bottom, "board.mnb": Bottom, "B_Cu.csv": Bottom,
		"top-bottom.csv": Unknown, "board.csv": Unknown, "laptop.csv": Unknown, "robot.csv": Unknown, "backplane.csv": Unknown, "stopper.csv": Unknown,
		"top/board.csv": Unknown, "bottom/board-top.csv": Top,
	} {
		if got := sideByName(name); got != want {
			t.Errorf("sideByName(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestUnitsOfHeadings: a heading names its column with or without a unit, which may stand in
// brackets of both kinds, behind an underscore or apart.
func TestUnitsOfHeadings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		heading string
		column  column
		unit    Unit
	}{
		{"X", centreX, 0}, {"PosX", centreX, 0}, {"Center-X(mm)", centreX, Millimetre}, {"Mid X [mil]", centreX, Mil}, {"X_in", centreX, Inch}, {"pos x inches", centreX, Inch},
		{"Y (thou)", centreY, Mil}, {"Y (um)", centreY, Micrometre}, {"Y (\u00b5m)", centreY, Micrometre}, {"Y (\u03bcm)", centreY, Micrometre}, {"Y (metric)", centreY, Millimetre},
		{"Y (imperial)", centreY, 0}, {"Ref-X(mil)", otherX, Mil}, {"Pad Y (mm)", otherY, Millimetre},
		{"Rotation (deg)", rotation, 0}, {"Rotation [°]", rotation, 0}, {"Rot_deg", rotation, 0}, {"Rotation (Degrees)", rotation, 0}, {"angle (rad)", rotation, 0},
		{"# Ref", reference, 0}, {"Ref Des", reference, 0}, {"REF-DES", reference, 0}, {"Part #", value, 0}, {"位号 (ref)", reference, 0}, {"参数", value, 0},
		{"层 Layer", side, 0}, {"DNP", leftOff, 0}, {"Fitted", fitted, 0}, {"", other, 0}, {"mm", other, 0}, {"Supplier", other, 0},
		{"X" + fmt.Sprintf("%060d", 0), other, 0},
	} {
		if c, unit := columnOf(tt.heading); c != tt.column || unit != tt.unit {
			t.Errorf("columnOf(%q) = %d in %s, want %d in %s", tt.heading, c, unit, tt.column, tt.unit)
		}
	}
	for unit, want := range map[Unit]string{Millimetre: "millimetres", Mil: "mils", Inch: "inches", Micrometre: "micrometres", 12: "12 nm"} {
		if got := unit.String(); got != want {
			t.Errorf("Unit(%d) is %q, want %q", int64(unit), got, want)
		}
	}
}

// TestDeduceUnit: where no unit is stated, parts that would lie farther apart than 700 mm are in
// mils, and those that would lie closer than 0.7 mm each are in inches.
func TestDeduceUnit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule string
		at   [][2]float64
		want Unit
	}{
		{"no part", nil, Millimetre},
		{"one part", [][2]float64{{3, 4}}, Millimetre},
		{"all in one place", [][2]float64{{3, 4}, {3, 4}}, Millimetre},
		{"as far as a board is wide", [][2]float64{{-350, 0}, {350, 0}}, Millimetre},
		{"farther", [][2]float64{{-350, 0}, {350.5, 0}}, Mil},
		{"farther upwards", [][2]float64{{0, 0}, {1, 701}}, Mil},
		{"four parts in 1.4 mm", [][2]float64{{0, 0}, {1.4, 0}, {0, 1.4}, {1.4, 1.4}}, Millimetre},
		{"four parts in less", [][2]float64{{0, 0}, {1.39, 0}, {0, 1.39}, {1.39, 1.39}}, Inch},
	} {
		r := reader{}
		for _, at := range tt.at {
			r.found = append(r.found, reading{x: at[0], y: at[1]})
		}
		if got := r.deduceUnit(); got != tt.want {
			t.Errorf("%s: %v are in %s, want %s", tt.rule, tt.at, got, tt.want)
		}
	}
}

// TestSideNumbers: layers that are numbered name sides by their order where there are two of
// them, and none where there are more or where another cell says something else.
func TestSideNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule   string
		layers []string
		file   Side
		want   []Side
	}{
		{"from none", []string{"0", "1"}, Unknown, []Side{Top, Bottom}},
		{"from one", []string{"1", "2"}, Unknown, []Side{Top, Bottom}},
		{"EAGLE's", []string{"16", "1"}, Unknown, []Side{Bottom, Top}},
		{"the first alone", []string{"1", "1"}, Bottom, []Side{Top, Top}},
		{"none alone", []string{"0"}, Bottom, []Side{Top}},
		{"the second alone", []string{"2"}, Unknown, []Side{Bottom}},
		{"another alone is the file's", []string{"16"}, Bottom, []Side{Bottom}},
		{"three", []string{"1", "2", "3"}, Unknown, []Side{"kept", "kept", "kept"}},
		{"beside a word", []string{"1", "top"}, Unknown, []Side{"kept", "kept"}},
		{"beside nothing", []string{"16", ""}, Unknown, []Side{"kept", "kept"}},
		{"no layer has a number so large", []string{"0", "100"}, Unknown, []Side{"kept", "kept"}},
		{"no layer is negative", []string{"0", "-1"}, Unknown, []Side{"kept", "kept"}},
	} {
		r := reader{sideOfFile: tt.file}
		for _, l := range tt.layers {
			r.found = append(r.found, reading{layer: l, part: Part{Side: "kept"}})
		}
		r.readSideNumbers()
		for i, f := range r.found {
			if f.part.Side != tt.want[i] {
				t.Errorf("%s: layer %q of %q is %q, want %q", tt.rule, tt.layers[i], tt.layers, f.part.Side, tt.want[i])
			}
		}
	}
}
