package kicad

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
)

// TestSheets: the references that sheets give a board's parts, in each version's way of
// saying which use of a sheet is meant. The board has R1.
func TestSheets(t *testing.T) {
	t.Parallel()
	sheet := func(uuid, items string) string { return `(kicad_sch (uuid "` + uuid + `") ` + items + `)` }
	symbol := func(uuid, ref, more string) string {
		return `(symbol (uuid "` + uuid + `") (property "Reference" "` + ref + `") ` + more + `)`
	}
	const twice = `(sheet (uuid "s1") (property "Sheetfile" "sub.kicad_sch")) (sheet (uuid "s2") (property "Sheet file" "sub.kicad_sch"))`
	uses := func(paths ...string) string { // of one symbol: R1, R2, … in each
		out := `(instances (project "a" `
		for i, p := range paths {
			out += fmt.Sprintf(`(path %q (reference "R%d"))`, p, i+1)
		}
		return out + `))`
	}
	const legacy = "EESchema Schematic File Version 4\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string // components
		notes int    // parts that the finding part_not_on_board counts
	}{
		"one sheet":                  {map[string]string{"a.kicad_sch": sheet("r", symbol("1", "R1", "")+symbol("2", "R2", ""))}, "R1 R2", 1},
		"what no board has":          {map[string]string{"a.kicad_sch": sheet("r", symbol("1", "#PWR01", "")+symbol("2", "R?", "")+symbol("3", "", ""))}, "R1", 0},
		"not on the parts list":      {map[string]string{"a.kicad_sch": sheet("r", symbol("1", "R2", "(in_bom no)"))}, "R1", 0},
		"not for the board":          {map[string]string{"a.kicad_sch": sheet("r", symbol("1", "R2", "(on_board no)"))}, "R1 R2", 0},
		"two units of one":           {map[string]string{"a.kicad_sch": sheet("r", symbol("1", "U2", "")+symbol("2", "U2", ""))}, "R1 U2", 1},
		"a sheet used twice, in 7":   {map[string]string{"a.kicad_sch": sheet("r", twice), "sub.kicad_sch": sheet("b", symbol("1", "R9", uses("/r/s1", "/r/s2")))}, "R1 R2", 1},
		"a sheet used twice, in 6":   {map[string]string{"a.kicad_sch": sheet("r", twice+`(symbol_instances (path "/s1/1" (reference "R1")) (path "/s2/1" (reference "R5")))`), "sub.kicad_sch": sheet("b", symbol("1", "R9", ""))}, "R1 R5", 1},
		"a sheet of another project": {map[string]string{"a.kicad_sch": sheet("r", twice), "sub.kicad_sch": sheet("b", symbol("1", "R9", uses("/other/s1")))}, "R1", 0},
		"a sheet that is not there":  {map[string]string{"a.kicad_sch": sheet("r", twice+symbol("1", "R3", ""))}, "R1 R3", 1},
		"a sheet below":              {map[string]string{"a.kicad_sch": sheet("r", `(sheet (uuid "s") (property "Sheetfile" "x\\y.kicad_sch"))`), "x/y.kicad_sch": sheet("b", symbol("1", "R4", ""))}, "R1 R4", 1},
		"a sheet of a sheet": {map[string]string{"a.kicad_sch": sheet("r", `(sheet (uuid "s") (property "Sheetfile" "b.kicad_sch"))`), "b.kicad_sch": sheet("b", `(sheet (uuid "t") (property "Sheetfile" "c.kicad_sch"))`),
			"c.kicad_sch": sheet("c", symbol("1", "R9", `(instances (project "a" (path "/r/s/t" (reference "R4"))))`))}, "R1 R4", 1},
		"a sheet within itself":       {map[string]string{"a.kicad_sch": sheet("r", `(sheet (uuid "s") (property "Sheetfile" "a.kicad_sch"))`+symbol("1", "R2", ""))}, "R1 R2", 1},
		"the root by its uses":        {map[string]string{"main.kicad_sch": sheet("r", twice), "sub.kicad_sch": sheet("b", symbol("1", "R9", uses("/r/s1", "/r/s2")))}, "R1 R2", 1},
		"two roots, neither named so": {map[string]string{"one.kicad_sch": sheet("r", symbol("1", "R2", "")), "two.kicad_sch": sheet("s", symbol("1", "R3", ""))}, "R1", 0},
		"two roots, one named so":     {map[string]string{"a.kicad_sch": sheet("r", symbol("1", "R2", "")), "two.kicad_sch": sheet("s", symbol("1", "R3", ""))}, "R1 R2", 1},
		"the nearer of two names":     {map[string]string{"a.kicad_sch": sheet("r", symbol("1", "R2", "")), "old/a.kicad_sch": sheet("s", symbol("1", "R3", ""))}, "R1 R2", 1},
		"5":                           {map[string]string{"a.sch": legacy + "$Comp\nL R R1\nU 1 1 5C\nF 0 \"R1\" H 0 0 50\nF 2 \"Lib:R\" H\nF 3 \"~\" H\n$EndComp\n$Comp\nL C C2\nU 1 1 5D\n$EndComp\n"}, "R1 C2", 1},
		"5, a sheet used twice": {map[string]string{
			"a.sch":   legacy + "$Sheet\nS 1 1 1 1\nU 5A\nF0 \"one\" 60\nF1 \"sub.sch\" 60\n$EndSheet\n$Sheet\nU 5B\nF1 \"sub.sch\" 60\n$EndSheet\n",
			"sub.sch": legacy + "$Comp\nL R R9\nU 1 1 5C\nAR Path=\"/5A/5C\" Ref=\"R1\"  Part=\"1\" \nAR Path=\"/5B/5C\" Ref=\"R6\" Part=\"1\"\n$EndComp\n"}, "R1 R6", 1},
		"another tool's .sch": {map[string]string{"a.sch": "v 20130925 2\nC 40000 40000 0 0 0 title-B.sym\n"}, "R1", 0},
		"no schematic":        {map[string]string{"a.kicad_sch": "(kicad_pcb)"}, "R1", 0},
	} {
		files := []File{}
		for file, text := range c.files {
			files = append(files, File{"dir/" + file, []byte(text)})
		}
		slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
		b := readText(t, v9(part("")), files...)
		var refs []string
		for _, p := range b.Components {
			refs = append(refs, p.Ref)
		}
		notes := 0
		for _, f := range b.Findings {
			if f.Code == "part_not_on_board" {
				notes = f.Count
			}
		}
		if got := strings.Join(refs, " "); got != c.want || notes != c.notes {
			t.Errorf("%s: parts %q, %d of them not on the board; want %q, %d", name, got, notes, c.want, c.notes)
		}
		if unreadable, want := hasFinding(b, "unreadable_file"), name == "no schematic"; unreadable != want {
			t.Errorf("%s: finding unreadable_file %v, want %v, in %+v", name, unreadable, want, b.Findings)
		}
	}
}

// TestFieldsOfSchematic: what the board says of a part stays; what it does not comes from
// the schematic, whose description comes before the library's.
func TestFieldsOfSchematic(t *testing.T) {
	t.Parallel()
	const symbol = `(kicad_sch (uuid "r") (symbol (uuid "1") (property "Reference" "R1") (property "Value" "10k") (property "Footprint" "Lib:R") (property "MPN" "RC10") (property "Manufacturer" "Yageo")
		(property "ki_description" "Resistor, thick film") (property "ki_keywords" "R res") (property "Tolerance" "1%") (property "Bin" "7")))`
	for name, c := range map[string]struct {
		items string
		want  pcb.Component
	}{
		"a board that says nothing": {``, pcb.Component{Value: "10k", MPN: "RC10", Description: "Resistor, thick film", Fields: map[string]string{"Tolerance": "1%", "Bin": "7"}}},
		"a board that says all": {`(descr "R from a library") (property "Value" "22k" (at 0 0) (layer "F.Fab")) (property "MPN" "RC22") (property "Tolerance" "5%")`,
			pcb.Component{Value: "22k", MPN: "RC22", Description: "Resistor, thick film", Fields: map[string]string{"Tolerance": "5%", "Bin": "7"}}},
	} {
		p := readText(t, v9(part(c.items)), File{"dir/a.kicad_sch", []byte(symbol)}).Components[0]
		if p.Value != c.want.Value || p.MPN != c.want.MPN || p.Manufacturer != "Yageo" || p.Footprint != "x" || p.Description != c.want.Description || fmt.Sprint(p.Fields) != fmt.Sprint(c.want.Fields) {
			t.Errorf("%s: %+v, want %+v, of Yageo, footprint x", name, p, c.want)
		}
	}
}

// TestNetClasses: the nets of the classes that projects and boards state.
func TestNetClasses(t *testing.T) {
	t.Parallel()
	classes := func(settings string) string {
		b := readText(t, v9(frame), File{"dir/a.kicad_pro", []byte(`{"net_settings": {"classes": [{"name": "Default", "track_width": 0.2}, {"name": "HV", "clearance": 1.5, "via_diameter": 0.8, "via_drill": 0.4, "nets": ["OLD"]}], ` + settings + `}}`)})
		out := ""
		for _, c := range b.Rules.Classes {
			slices.Sort(c.Nets)
			out += fmt.Sprintf("%s %d %d %d %d %v;", c.Name, c.Clearance, c.TrackWidth, c.ViaDiameter, c.ViaDrill, c.Nets)
		}
		return out
	}
	for settings, want := range map[string]string{
		`"x": 0`: "[];HV 1500000 0 800000 400000 [OLD];",
		`"netclass_patterns": [{"netclass": "HV", "pattern": "/P*"}, {"netclass": "None", "pattern": "/Q*"}]`: "[];HV 1500000 0 800000 400000 [/P* OLD];",
		`"netclass_assignments": {"A": "HV", "B": "None"}`:                                                    "[];HV 1500000 0 800000 400000 [A OLD];",
		`"netclass_assignments": {"A": ["Default", "HV"], "B": ["HV"], "C": 7}`:                               "[A];HV 1500000 0 800000 400000 [A B OLD];",
		`"netclass_assignments": null`:                                                                        "[];HV 1500000 0 800000 400000 [OLD];",
	} {
		if got := classes(settings); got != "Default 0 200000 0 0 "+want {
			t.Errorf("%s: classes %s, want Default 0 200000 0 0 %s", settings, got, want)
		}
	}
	c := readText(t, v5(`(net 1 A) (net_class Fast "x" (clearance 0.15) (trace_width 0.25) (via_dia 0.6) (via_drill 0.3) (uvia_dia 0.3) (uvia_drill 0.1) (add_net A) (add_net B))`)).Rules.Classes
	if got, want := fmt.Sprintf("%+v", c), "[{Name:Fast Clearance:150000 TrackWidth:250000 ViaDiameter:600000 ViaDrill:300000 Nets:[A B]}]"; got != want {
		t.Errorf("a class of a board of version 5: %s, want %s", got, want)
	}
}

// TestCustomRules: the rules of a .kicad_dru are kept as they are written; what is none is said.
func TestCustomRules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		rules    int
		findings string
	}{
		`(version 1) (rule "a" (constraint clearance (min 1mm))) (rule b)`: {2, ""},
		`(version 1)`:           {0, ""},
		``:                      {0, ""},
		`(rule "a") (severity)`: {1, "element_not_read"},
		`(rule "a") (rule b`:    {2, "file_damaged"},
	} {
		b := readText(t, v9(frame), File{"dir/a.kicad_dru", []byte(text)})
		codes := ""
		for _, f := range b.Findings {
			if f.File == "dir/a.kicad_dru" {
				codes += f.Code
			}
		}
		if len(b.Rules.Custom) != want.rules || codes != want.findings {
			t.Errorf("%s: rules %q, findings %q; want %d, %q", text, b.Rules.Custom, codes, want.rules, want.findings)
		}
	}
}

// TestCompanions: whose project, rules and sheets a board takes.
func TestCompanions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		board string
		files []string
		only  bool
		want  string
	}{
		"of its name":                     {"d/a.kicad_pcb", []string{"d/a.kicad_pro", "d/a.kicad_dru", "d/a.pro"}, false, "d/a.kicad_pro d/a.kicad_dru d/a.pro"},
		"of another name":                 {"d/a.kicad_pcb", []string{"d/b.kicad_pro"}, false, ""},
		"of another, the only one":        {"d/a.kicad_pcb", []string{"d/b.kicad_pro"}, true, "d/b.kicad_pro"},
		"of others, two":                  {"d/a.kicad_pcb", []string{"d/b.kicad_pro", "d/c.kicad_pro"}, true, ""},
		"of its name and another":         {"d/a.kicad_pcb", []string{"d/a.kicad_pro", "d/c.kicad_pro"}, true, "d/a.kicad_pro"},
		"of another folder":               {"d/a.kicad_pcb", []string{"e/a.kicad_pro"}, true, ""},
		"sheets beside and below":         {"d/a.kicad_pcb", []string{"d/x.kicad_sch", "d/e/y.kicad_sch", "e/z.kicad_sch", "de/w.kicad_sch"}, false, "d/x.kicad_sch d/e/y.kicad_sch"},
		"sheets anywhere, the only board": {"d/a.kicad_pcb", []string{"e/z.kicad_sch", "q.sch"}, true, "e/z.kicad_sch q.sch"},
		"without folders":                 {"a.kicad_pcb", []string{"a.kicad_pro", "e/z.kicad_sch"}, false, "a.kicad_pro e/z.kicad_sch"},
		"in capitals":                     {"d/a.kicad_pcb", []string{"d/a.KICAD_PRO"}, false, "d/a.KICAD_PRO"},
		"other kinds":                     {"d/a.kicad_pcb", []string{"d/a.kicad_prl", "d/a.net", "d/a.kicad_pcb-bak"}, true, ""},
	} {
		var files []File
		for _, f := range c.files {
			files = append(files, File{Name: f})
		}
		var got []string
		for _, f := range companions(File{Name: c.board}, files, c.only) {
			got = append(got, f.Name)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s takes %q of %q, want %q", name, c.board, s, c.files, c.want)
		}
	}
	_, stray := Read(t.Context(), []File{{"d/a.kicad_pro", []byte("{}")}, {"d/a.kicad_sch", nil}})
	if len(stray) != 1 || stray[0].Code != "board_file_missing" || stray[0].File != "d/a.kicad_pro" {
		t.Errorf("a project without its board: findings %+v, want board_file_missing of d/a.kicad_pro", stray)
	}
}

// TestTablesOfLayers: which copper is on top, which at the bottom, and what user layers are for.
func TestTablesOfLayers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ table, want string }{
		"two":                        {`(layers (0 "F.Cu" signal) (31 "B.Cu" signal))`, "F.Cu/copper/1 B.Cu/copper/2"},
		"B.Cu listed second":         {`(layers (0 "F.Cu" signal) (2 "B.Cu" signal) (4 "In1.Cu" power))`, "F.Cu/copper/1 In1.Cu/copper/2 B.Cu/copper/3"},
		"every kind of copper":       {`(layers (0 "F.Cu" signal) (4 "In1.Cu" power) (6 "In2.Cu" mixed) (8 "In3.Cu" jumper) (2 "B.Cu" signal))`, "F.Cu/copper/1 In1.Cu/copper/2 In2.Cu/copper/3 In3.Cu/copper/4 B.Cu/copper/5"},
		"one":                        {`(layers (0 "F.Cu" signal))`, "F.Cu/copper/1"},
		"names of their own":         {`(layers (0 "F.Cu" signal "Parts") (31 "B.Cu" signal hide))`, "Parts/copper/1 B.Cu/copper/2"},
		"the board's sides":          {`(layers (0 "F.Cu" signal) (31 "B.Cu" signal) (34 "B.Paste" user) (35 "F.Paste" user) (36 "B.SilkS" user) (37 "F.SilkS" user "Legend") (38 "B.Mask" user) (39 "F.Mask" user) (44 "Edge.Cuts" user))`, "F.Cu/copper/1 B.Cu/copper/2 B.Paste/paste/0 F.Paste/paste/0 B.SilkS/silk/0 Legend/silk/0 B.Mask/mask/0 F.Mask/mask/0 Edge.Cuts/outline/0"},
		"what nothing is drawn on":   {`(layers (0 "F.Cu" signal) (31 "B.Cu" signal) (33 "F.Adhes" user) (40 "Dwgs.User" user) (45 "Margin" user) (48 "F.Fab" user))`, "F.Cu/copper/1 B.Cu/copper/2"},
		"a signal layer for drawing": {`(layers (0 "F.Cu" signal) (31 "B.Cu" signal) (40 "Dwgs.User" signal))`, "F.Cu/copper/1 B.Cu/copper/2"},
	} {
		b := readText(t, `(kicad_pcb (version 20241229) `+c.table+`)`)
		var got []string
		for _, l := range b.Layers {
			got = append(got, fmt.Sprintf("%s/%s/%d", l.Name, l.Role, l.Order))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s: layers %q, want %q", name, c.table, s, c.want)
		}
	}
	for name, want := range map[string]struct {
		shown string
		role  pcb.Role
		side  pcb.Side
	}{
		"F.Adhes": {"", pcb.RoleGlue, pcb.Top}, "B.Adhes": {"", pcb.RoleGlue, pcb.Bottom}, "F.CrtYd": {"", pcb.RoleCourtyard, pcb.Top}, "B.Fab": {"", pcb.RoleAssembly, pcb.Bottom}, "Margin": {"", pcb.RoleOther, pcb.NoSide},
		"Dwgs.User": {"", pcb.RoleFabDrawing, pcb.NoSide}, "Cmts.User": {"", pcb.RoleMechanical, pcb.NoSide}, "User.1": {"V-Cuts", pcb.RoleVCut, pcb.NoSide}, "User.2": {"v score", pcb.RoleVCut, pcb.NoSide},
		"User.3": {"V_GROOVE.1", pcb.RoleVCut, pcb.NoSide}, "User.4": {"Vcc", pcb.RoleMechanical, pcb.NoSide}, "Edge.Cuts": {"", pcb.RoleOutline, pcb.NoSide},
	} {
		if role, side := roleOf(name, want.shown); role != want.role || side != want.side {
			t.Errorf("%s, shown as %q: %v on side %v, want %v on %v", name, want.shown, role, side, want.role, want.side)
		}
	}
	b := readText(t, `(kicad_pcb (version 20241229) (gr_line (start 0 0) (end 50 0) (layer "Edge.Cuts") (width 0.1)) (gr_line (start 0 0) (end 1 1) (layer "F.Cu") (width 0.1)))`)
	if len(b.Outline.Open) != 1 || len(b.Copper()) != 0 {
		t.Errorf("a board without a table of layers: open lines %d, copper %d; want the outline's line and no copper", len(b.Outline.Open), len(b.Copper()))
	}
}
