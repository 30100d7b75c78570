package assembly_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"

	"github.com/google/go-cmp/cmp"
)

func lines(t testing.TB, rows ...string) bom.List {
	t.Helper()
	l, err := bom.Read("bom.csv", []byte("Designator,Value,Footprint,MPN,DNP\n"+strings.Join(rows, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// places puts references in a row; one that ends in "!" lies off the board, one that
// ends in "-" is marked as not to be fitted, and "R1=3" lies at the fourth place.
func places(refs string) []placement.List {
	var l placement.List
	for i, r := range strings.Fields(refs) {
		ref, beside := strings.CutSuffix(r, "!")
		ref, off := strings.CutSuffix(ref, "-")
		if name, at, ok := strings.Cut(ref, "="); ok {
			ref = name
			fmt.Sscan(at, &i)
		}
		l.Parts = append(l.Parts, placement.Part{Ref: ref, Beside: beside, LeftOff: off, At: geom.Pt(int64(i), 0), Side: placement.Top})
	}
	return []placement.List{l}
}

func text(p assembly.Plan) string {
	var out []string
	for i := range p.Lines {
		l := &p.Lines[i]
		s := fmt.Sprintf("%s %s places %d", strings.Join(l.Refs, ","), l.MPN, len(l.Places))
		for word, set := range map[string]bool{" off": l.LeftOff, " mechanical": l.Mechanical} {
			if set {
				s += word
			}
		}
		if l.CustomerSupplied {
			s += " supplied"
		}
		if l.Substituted {
			s += " substituted"
		}
		if len(l.Disputed) > 0 {
			s += " disputed: " + strings.Join(l.Disputed, " / ")
		}
		out = append(out, s)
	}
	for _, q := range p.OffBoard {
		out = append(out, "off board: "+strings.Join(q.Refs, ",")+" "+q.Part)
	}
	for _, q := range p.Beside {
		out = append(out, "beside: "+strings.Join(q.Refs, ",")+" "+q.Part)
	}
	for _, q := range p.Marked {
		out = append(out, "marked: "+strings.Join(q.Refs, ","))
	}
	for name, refs := range map[string][]string{"unlisted": p.Unlisted, "left off by the placements": p.PlacedOff} {
		if len(refs) > 0 {
			out = append(out, name+": "+strings.Join(refs, ","))
		}
	}
	for _, x := range []struct {
		name string
		refs []string
	}{{"unknown", p.UnknownRefs}, {"split", p.SplitRefs}, {"twice", p.TwicePlaced}, {"twice listed", p.TwiceListed}, {"left off and supplied", p.Both}, {"apart", p.CaseApart}} {
		if len(x.refs) > 0 {
			out = append(out, x.name+": "+strings.Join(x.refs, ","))
		}
	}
	for _, s := range p.Substitutions {
		out = append(out, fmt.Sprintf("substitution %s: %v %s", s.Replacement, s.Applied, s.Why))
	}
	return strings.Join(out, "\n")
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rows    []string
		places  string
		choices assembly.Choices
		want    string
	}{
		"all fits":      {[]string{"\"R1,R2\",1k,0402,,", "U1,,,LM358,"}, "R1 R2 U1", assembly.Choices{}, "R1,R2  places 2\nU1 LM358 places 1"},
		"small letters": {[]string{"\"r1,R2\",1k,0402,,", "u1,,,LM358,", "U2,,,LM358,", "x1,,,LM358,"}, "R1 R2 U1 u2 X1 x1", assembly.Choices{}, "R1,R2  places 2\nU1 LM358 places 1\nu2 LM358 places 1\nx1 LM358 places 1\nunlisted: X1\napart: X1,x1"},
		"headers that are called as holes": {
			[]string{"H1,Header 1x4,HDR-TH_4P,,", "H2,MountingHole,MountingHole_3.2mm,,", "\"TP1,J1\",PAD,PAD,,", "TP2,TestPoint,,,"}, "H1 H2 TP1 J1 TP2 FID1 H4", assembly.Choices{},
			"H1  places 1\nH2  places 1 mechanical\nTP1,J1  places 2\nTP2  places 1 mechanical",
		},
		"headers that are named as test points": {[]string{"TP1,Header 1x2,PinHeader_1x02_P2.54mm,,", "TP2,Conn_01x03,,,", "TP3,PAD,Pad_1.5x1.5mm,,", "TEST1,pin strip,,,", "TP4,TestPoint header,TestPoint_Pad_D1.0mm,,"}, "TP1 TP2 TP3 TEST1 TP4", assembly.Choices{},
			"TP1  places 1\nTP2  places 1\nTP3  places 1 mechanical\nTEST1  places 1\nTP4  places 1 mechanical"},
		"test points of real parts": {[]string{"TP1,5015,TestPoint_Keystone_5015_Micro-Minature,,", "TP2,10k,R_0603_1608Metric,,", "TP3,TestPoint,TestPoint_Pad_D1.0mm,,", "TP4,TestPoint,R_0603_1608Metric,,", "FID1,100nF 50V,C_0603_1608Metric,,", "FID2,Fiducial,Fiducial_1mm,,"}, "TP1 TP2 TP3 TP4 FID1 FID2", assembly.Choices{},
			"TP1  places 1\nTP2  places 1\nTP3  places 1 mechanical\nTP4  places 1 mechanical\nFID1  places 1\nFID2  places 1 mechanical"},
		"parts that have holes": {
			[]string{"J1,DB9-FEMAL,Connector_Dsub:DSUB-9_Female_Horizontal_P2.77x2.84mm_EdgePinOffset7.70mm_Housed_MountingHolesOffset9.12mm,,", "J2,USB-C with mounting holes,,,", "A1,Arduino UNO,Module:Arduino_UNO_R3_WithMountingHoles,,", "P101,CONN_1,MountingHole:MountingHole_4.3mm_M4,,", "M1,,misc:my_mounting_hole_3mm,,", "LOGO1,,OSHW-logo_copper,,", "JP1,JUMPER,Jumper:SolderJumper-2_P1.3mm_Open,,"}, "J1 J2 A1 P101 M1 LOGO1 JP1", assembly.Choices{},
			"J1  places 1\nJ2  places 1\nA1  places 1\nP101  places 1 mechanical\nM1  places 1 mechanical\nLOGO1  places 1 mechanical\nJP1  places 1 mechanical"},
		"parts in cases": {
			[]string{"REF1,REF3030,SOT-23,,", "TP1,TP4056,SOIC-8,,", "NT1,NT,Package_TO_SOT_SMD:SOT-23,,", "REF2,Fiducial,SOT-23,,", "REF3,,Fiducial_1mm,,", "REF4,,,,"}, "REF1 TP1 NT1 REF2 REF3 REF4", assembly.Choices{},
			"REF1  places 1\nTP1  places 1\nNT1  places 1\nREF2  places 1 mechanical\nREF3  places 1 mechanical\nREF4  places 1 mechanical"},
		"words for a number": {[]string{"F1,FIDUCIAL,FIDUCIAL_OV,PCB FEATURE,", "F2,Fiducial,,5015,"}, "F1 F2", assembly.Choices{}, "F1 PCB FEATURE places 1 mechanical\nF2 5015 places 1"},
		"test points that are fitted": {
			[]string{"TP1,TestPoint,,,", "TP2,TestPoint,,,", "TP3,TestPoint,,5015,"}, "TP1 TP2 TP3",
			assembly.Choices{CustomerSupplied: []string{"TP1"}, Substitutions: []assembly.Substitution{{Reference: "TP2", Replacement: "5015"}}},
			"TP1  places 1 supplied\nTP2 5015 places 1 substituted\nTP3 5015 places 1\nsubstitution 5015: true ",
		},
		"units of a part":              {[]string{"\"U1A,U1B\",,,LM358,", "U2A,,,LM339,", "U2B,,,LM339,", "R1A,1k,0402,,"}, "U1 U2 R1", assembly.Choices{DoNotFit: []string{"U2A"}}, "U1 LM358 places 1\nU2 LM339 places 1 off\nR1  places 1\ntwice listed: U2"},
		"units that are parts":         {[]string{"U1,,,LM358,", "U1A,,,LM339,", "R2A,1k,0402,,", "R3A,1k,0402,,"}, "U1 R2A R2", assembly.Choices{}, "U1 LM358 places 1\nU1A LM339 places 0\nR2A  places 1\nR3A  places 0\noff board: U1A LM339\noff board: R3A 1k\nunlisted: R2"},
		"small letters on two lines":   {[]string{"R1,1k,0402,,", "r1,1k,0402,,"}, "R1", assembly.Choices{}, "R1  places 1\ntwice listed: R1"},
		"small letters of no part":     {[]string{"\"R1,R2\",1k,0402,,", "r1,,,,"}, "R1 R2", assembly.Choices{}, "R1,R2  places 2\ntwice listed: R1"},
		"small letters of other parts": {[]string{"R1,1k,0402,,", "r1,2k,0402,,"}, "R1", assembly.Choices{}, "R1  places 1\nr1  places 0\noff board: r1 2k\napart: R1,r1"},
		"small letters at one place":   {[]string{"R1,1k,0402,,"}, "R1=0 r1=0", assembly.Choices{}, "R1  places 1"},
		"small letters on one line":    {[]string{"\"R1,r1\",1k,0402,,"}, "R1", assembly.Choices{}, "R1,r1  places 1\noff board: r1 1k\napart: R1,r1"},
		"small letters of choices": {
			[]string{"R1,1k,0402,,", "R2,1k,0603,,", "u1,,,LM358,"}, "R1 R2 U1",
			assembly.Choices{DoNotFit: []string{"r1"}, CustomerSupplied: []string{"r2"}, Substitutions: []assembly.Substitution{{Reference: "u1", Original: "LM358", Replacement: "LM2904"}}},
			"R1  places 1 off\nR2  places 1 supplied\nU1 LM2904 places 1 substituted\nsubstitution LM2904: true ",
		},
		"designators of no usual form": {
			[]string{"\"U$1,3V3_ANT\",,,A1234,", "DS18B20,,,B1234,", "*1,,,C1234,", "*2,,,D1234,"}, "U$1 3V3_ANT DS18B20 *1 HRS/10",
			assembly.Choices{DoNotFit: []string{"u$1", "3V3_ANT", "DS18B20"}, CustomerSupplied: []string{"*1,*2"}},
			"U$1,3V3_ANT A1234 places 2 off\nDS18B20 B1234 places 1 off\n*1 C1234 places 1 supplied\n*2 D1234 places 0 supplied\noff board: *2 D1234\nunlisted: HRS/10",
		},
		"no position": {
			[]string{"\"R1,R2\",1k,0402,,", "U1,,,LM358,"}, "R1", assembly.Choices{},
			"R1,R2  places 1\nU1 LM358 places 0\noff board: R2 1k\noff board: U1 LM358",
		},
		"off the board": {
			[]string{"\"R1,R2,R3\",1k,0402,,", "U1,,,LM358,", "FID1,Fiducial,,,"}, "R1 R2! U1! FID1! U1", assembly.Choices{},
			"R1,R2,R3  places 2\nU1 LM358 places 1\nFID1  places 1 mechanical\noff board: R3 1k\nbeside: R2 1k",
		},
		"left off by the customer": {
			[]string{"\"R1,R2\",1k,0402,,", "U1,,,LM358,"}, "R1 R2", assembly.Choices{DoNotFit: []string{"U1"}},
			"R1,R2  places 2\nU1 LM358 places 0 off",
		},
		"some of a line": {
			[]string{"\"R1,R2\",1k,0402,,"}, "R1 R2", assembly.Choices{DoNotFit: []string{"R2", "X9"}},
			"R1,R2  places 2\nunknown: X9\nsplit: R2",
		},
		"without a place and left off alone": {
			[]string{"\"R1,R2,R8,R9\",1k,0402,,"}, "R1 R2 R8!", assembly.Choices{DoNotFit: []string{"R8", "R9"}},
			"R1,R2  places 2\nR8,R9  places 1 off",
		},
		"with a place and left off alone": {
			[]string{"\"R1,R2,R9\",1k,0402,,"}, "R1 R2", assembly.Choices{DoNotFit: []string{"R2", "R9"}},
			"R1,R2  places 2\nR9  places 0 off\nsplit: R2",
		},
		"left off alone beside one supplied": {
			[]string{"\"R1,R2\",1k,0402,,"}, "R1 R2", assembly.Choices{DoNotFit: []string{"R2"}, CustomerSupplied: []string{"R1"}},
			"R1  places 1 supplied\nR2  places 1\nsplit: R2",
		},
		"a whole line left off": {
			[]string{"\"R1,R9\",1k,0402,,"}, "R1", assembly.Choices{DoNotFit: []string{"R1", "R9"}},
			"R1,R9  places 1 off",
		},
		"marked by the list": {
			[]string{"R1,1k,0402,,DNP", "R2,2k,0402,,DNP", "R3,3k,0402,,DNP"}, "R1 R3", assembly.Choices{DoNotFit: []string{"R3"}},
			"R1  places 1\nR2  places 0 off\nR3  places 1 off\nmarked: R1",
		},
		"marked by the placements": {
			[]string{"\"R1,R2,R3\",1k,0402,,", "U1,,,LM358,", "FID1,Fiducial,,,"}, "R1 R2- R3 U1- FID1- R9-", assembly.Choices{},
			"R1,R3  places 2\nR2  places 1 off\nU1 LM358 places 1 off\nFID1  places 1 mechanical\nleft off by the placements: R2,U1",
		},
		"marked by the placements and by the list": {
			[]string{"R1,1k,0402,,DNP", "R2,2k,0402,,DNP"}, "R1- R2", assembly.Choices{},
			"R1  places 1 off\nR2  places 1\nmarked: R2\nleft off by the placements: R1",
		},
		"marked by the placements, off the board, supplied": {
			[]string{"\"R1,R2,R3\",1k,0402,,", "U1,,,LM358,"}, "R1 R2-! R3 U1-", assembly.Choices{DoNotFit: []string{"R2"}, CustomerSupplied: []string{"U1"}},
			"R1,R3  places 2\nR2  places 1 off\nU1 LM358 places 1 off supplied\nleft off by the placements: U1",
		},
		"fiducials and holes": {
			[]string{"FID1,Fiducial,,,", "\"H1,H2\",MountingHole,MountingHole_3.2mm,,", "TP1,TestPoint,,,", "H3,Standoff,,9774040243R,"}, "FID1 TP9 LOGO1", assembly.Choices{},
			"FID1  places 1 mechanical\nH1,H2  places 0 mechanical\nTP1  places 0 mechanical\nH3 9774040243R places 0\noff board: H3 9774040243R",
		},
		"different parts at one reference": {
			[]string{"\"R1,R2,R3\",1k,0402,,", "\"R2,R3\",2k,0402,,", "U1,,,LM358,"}, "R1 R2 R3 U1", assembly.Choices{},
			"R1  places 1\nR2,R3  places 2 disputed: 1k / 2k\nU1 LM358 places 1\ntwice listed: R2,R3",
		},
		"one part on several lines": {
			[]string{"\"R1,R2\",1k,0402,,", "R2,1K,,RC0402FR-071KL,", "\"R1,R2\",1k,0402,,"}, "R1 R2", assembly.Choices{},
			"R1  places 1\nR2 RC0402FR-071KL places 1\ntwice listed: R1,R2",
		},
		"fitted on one line only": {
			[]string{"R1,1k,0402,,", "R1,0R,0402,,DNP", "R2,1k,0402,,", "R2,1k,0402,,DNP", "R3,1k,0402,,DNP", "R3,2k,0402,,DNP"}, "R1 R2", assembly.Choices{},
			"R1  places 1\nR2  places 1\nR3  places 0 off\nmarked: R2\ntwice listed: R1,R2,R3",
		},
		"a disputed reference substituted, supplied, left off": {
			[]string{"\"U1,U2,U3,U4\",,,LM358,", "\"U1,U2,U3,U4\",,,TL072,"}, "U1 U2 U3 U4",
			assembly.Choices{CustomerSupplied: []string{"U2"}, Substitutions: []assembly.Substitution{
				{Reference: "U1", Original: "TL072", Replacement: "LM2904"}, {Reference: "U3", Original: "NE555", Replacement: "LM2904"},
			}},
			"U1 LM2904 places 1 substituted\nU2  places 1 supplied disputed: LM358 / TL072\nU3  places 1 disputed: LM358 / TL072\nU4  places 1 disputed: LM358 / TL072\n" +
				"twice listed: U1,U2,U3,U4\nsubstitution LM2904: true \nsubstitution LM2904: false another_part",
		},
		"left off and supplied": {
			[]string{"U1,,,LM358,"}, "U1", assembly.Choices{DoNotFit: []string{"U1"}, CustomerSupplied: []string{"U1"}},
			"U1 LM358 places 1 off supplied\nleft off and supplied: U1",
		},
		"placed and not listed": {[]string{"R1,1k,0402,,"}, "R1 R10 R9", assembly.Choices{}, "R1  places 1\nunlisted: R9,R10"},
		"substituted where it is left off": {
			[]string{"U1,,,LM358,", "R1,1k,0402,,"}, "U1 R1", assembly.Choices{DoNotFit: []string{"U1"}, Substitutions: []assembly.Substitution{{Reference: "U1", Original: "LM358", Replacement: "TL072"}}},
			"U1 LM358 places 1 off\nR1  places 1\nsubstitution TL072: false left_off",
		},
		"placed twice":         {[]string{"R1,1k,0402,,"}, "R1 R1", assembly.Choices{}, "R1  places 1\ntwice: R1"},
		"supplied by customer": {[]string{"U1,,,LM358,"}, "U1", assembly.Choices{CustomerSupplied: []string{"U1"}}, "U1 LM358 places 1 supplied"},
		"substituted twice": {
			[]string{"U1,,,LM358,"}, "U1",
			assembly.Choices{Substitutions: []assembly.Substitution{
				{Reference: "U1", Original: "LM358", Replacement: "LM2904"}, {Reference: "U1", Original: "LM358", Replacement: "TL072"}, {Original: "LM2904", Replacement: "TL072"},
				{Reference: "U1", Original: "LM358", Replacement: "LM2904"}, {Reference: "U1,U9", Original: "LM2904", Replacement: "LM2904"},
			}},
			"U1 LM2904 places 1 substituted\nsubstitution LM2904: true \nsubstitution TL072: false substituted_twice\nsubstitution TL072: false substituted_twice\n" +
				"substitution LM2904: false already_that_part\nsubstitution LM2904: false no_such_reference",
		},
		"some of a line supplied": {
			[]string{"\"R1,R2,R3\",1k,0402,,"}, "R1 R2 R3", assembly.Choices{CustomerSupplied: []string{"R2"}},
			"R1,R3  places 2\nR2  places 1 supplied",
		},
		"some of a line substituted": {
			[]string{"\"U1,U2,U3\",,,LM358,"}, "U1 U2 U3", assembly.Choices{Substitutions: []assembly.Substitution{{Reference: "U3,U1", Original: "LM358", Replacement: "LM2904"}}},
			"U1,U3 LM2904 places 2 substituted\nU2 LM358 places 1\nsubstitution LM2904: true ",
		},
		"substitutions": {
			[]string{"\"U1,U2\",,,LM358,", "U3,,,LM358,", "U4,TIP122,,,"}, "U1 U2 U3 U4",
			assembly.Choices{Substitutions: []assembly.Substitution{
				{Reference: "U3", Original: "lm-358", Replacement: "LM2904"}, {Reference: "U1", Original: "NE555", Replacement: "TLC555"}, {Original: "TIP122", Replacement: "TIP120"},
				{Reference: "U9", Replacement: "A1"}, {Reference: "U1"}, {Original: "none", Replacement: "A1"}, {Reference: "U1, U4", Replacement: "A1"}, {Reference: "U1", Replacement: "LM358"},
			}},
			"U1 LM358 places 1\nU2 LM358 places 1\nU3 LM2904 places 1 substituted\nU4 TIP120 places 1 substituted\nsubstitution LM2904: true \nsubstitution TLC555: false another_part\n" +
				"substitution TIP120: true \nsubstitution A1: false no_such_reference\nsubstitution : false incomplete\nsubstitution A1: false no_such_part\n" +
				"substitution A1: false substituted_twice\nsubstitution LM358: false already_that_part",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tt.want, text(assembly.Match(lines(t, tt.rows...), places(tt.places), tt.choices))); d != "" {
				t.Errorf("match %v (-want +got)\n%s", tt.rows, d)
			}
		})
	}
}

// hostile is a list that names each designator on many lines, of n, and choices that
// name all of them by many substitutions.
func hostile(t testing.TB, n int) (bom.List, assembly.Choices) {
	var rows, refs []string
	for i := range n {
		rows = append(rows, fmt.Sprintf("\"R1,R2,R3,X%d\",1k,0402,M%d,", i, i))
		refs = append(refs, fmt.Sprintf("X%d", i))
	}
	c := assembly.Choices{}
	for range 100 {
		c.Substitutions = append(c.Substitutions, assembly.Substitution{Reference: strings.Join(refs, ","), Original: "M1", Replacement: "LM2904"})
	}
	return lines(t, rows...), c
}

// TestMechanicalIsSaid: fiducials, holes and test points are named, those of the list
// and those that have places only.
func TestMechanicalIsSaid(t *testing.T) {
	t.Parallel()
	p := assembly.Match(lines(t, "\"R1,R2\",1k,0402,,", "TP1,TestPoint,,,", "TP2,TestPoint,,5015,"), places("R1 R2 TP1 TP2 FID1 H1 R9 TP4-"), assembly.Choices{})
	if got, want := strings.Join(p.Mechanical, " ")+", "+strings.Join(p.Unlisted, " "), "FID1 H1 TP1, R9"; got != want {
		t.Errorf("mechanical, and on no line: %s, want %s", got, want)
	}
}

func TestMatchOfHostileList(t *testing.T) {
	t.Parallel()
	list, c := hostile(t, 5000)
	if got := len(assembly.Match(list, places("R1"), c).TwiceListed); got != 3 {
		t.Errorf("%d references are on several lines, want 3", got)
	}
}

// BenchmarkMatchOfHostileList shows that the cost grows with the list, not with its square.
func BenchmarkMatchOfHostileList(b *testing.B) {
	for _, n := range []int{1000, 4000, 16000} {
		list, c := hostile(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				assembly.Match(list, places("R1"), c)
			}
		})
	}
}

// FuzzMatch: whatever a list says and a customer chooses, each designator is on
// one line of the plan, and one that names several parts names none.
func FuzzMatch(f *testing.F) {
	f.Add("R1,1k\nR1,2k\n\"R1,R2\",1k\n", "R1", "R2")
	f.Add("\"U1-U9\",LM358\nU3,DNP\n", "U1-U4", "U3")
	f.Fuzz(func(t *testing.T, rows, off, supplied string) {
		list, err := bom.Read("bom.csv", []byte("Designator,Value\n"+rows))
		if err != nil {
			return
		}
		p := assembly.Match(list, places("R1 R2 U1"), assembly.Choices{DoNotFit: []string{off}, CustomerSupplied: []string{supplied}})
		seen := map[string]bool{}
		for i := range p.Lines {
			l := &p.Lines[i]
			if len(l.Disputed) > 0 && l.Exact() {
				t.Errorf("%v names a part that is disputed: %+v", l.Refs, l.Disputed)
			}
			for _, ref := range l.Refs {
				if seen[ref] && !l.Mechanical && refdes.Is(ref) && !strings.HasSuffix(ref, "?") {
					t.Errorf("%s is on two lines", ref)
				}
				seen[ref] = true
			}
		}
	})
}
