package placement_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/placement"

	"github.com/google/go-cmp/cmp"
)

func text(l placement.List) string {
	var out []string
	for _, p := range l.Parts {
		if p.LeftOff {
			p.Footprint = strings.TrimSpace(p.Footprint + " off")
		}
		out = append(out, strings.TrimRight(fmt.Sprintf("%s %d,%d %g %s %s %s", p.Ref, p.At.X/1000, p.At.Y/1000, p.Rotation, p.Side, p.Value, p.Footprint), " "))
	}
	for _, n := range l.Notes {
		out = append(out, strings.TrimRight(n.Code+" "+strings.Join(n.Refs, ",")+" "+n.Text, " "))
	}
	return strings.Join(out, "\n")
}

func TestRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, data, want string }{
		"KiCad .pos":              {"a-top.pos", "### Module positions ###\n## Unit = mm, Angle = deg.\n# Ref     Val    Package   PosX   PosY   Rot  Side\nC1        0.1uF  C_0805   128.5240   -88.3920  -90.0000  top\n## End\n", "C1 128524,-88392 270 top 0.1uF C_0805"},
		"KiCad .csv":              {"a.csv", "Ref,Val,Package,PosX,PosY,Rot,Side\n\"C1\",\"1u\",\"C_0402\",64.9,-14.3,180,bottom\n", "C1 64900,-14300 180 bottom 1u C_0402\nunit_deduced"},
		"in inches":               {"a.csv", "Ref,PosX,PosY,Rot,Side\nC1,3.38,-1.17,90,top\nC2,3.40,-1.17,90,top\nC3,3.42,-1.2,90,top\n", "C1 85852,-29718 90 top\nC2 86360,-29718 90 top\nC3 86868,-30480 90 top\nunit_deduced"},
		"Fritzing":                {"a_pnp.txt", "*Pick And Place List\n*Company=\n*\n*Coordinates in mm, always center of component\n*\n*No;Value;Package;X;Y;Rotation;Side;Name\n1;;THT;39.01;-34.01;180;Bottom;J10\n2;2k;THT;27.5;-13.6;90;Top;R4\n", "J10 39010,-34010 180 bottom  THT\nR4 27500,-13600 90 top 2k THT"},
		"DesignSpark":             {"a.txt", "Component Positions Report\n\nUnits:          thou (precision 0)\n\nName      Component          Side                    Centre X    Centre Y  Rotation\n----------------------------------------\nJ2        2WP                Top                         1611        1483    180.00\nC1        0603YC104KATDA     Bottom                       784        1422    270.00\nC8        C                  Top                          881         174    180.00\n", "J2 40919,37668 180 top\nC1 19913,36118 270 bottom\nC8 22377,4419 180 top"},
		"Allegro, no marks":       {"place_txt.txt", "UUNITS = MILLIMETERS\nU2                   63.5000       36.1950        0    DIP8_3\nC1                   62.8650       43.1800      180    CAP196\nC2                   36.1950       45.7200       90    CAP196\n", "U2 63500,36195 0 top\nC1 62865,43180 180 top\nC2 36195,45720 90 top\nside_not_stated U2,C1,C2"},
		"value and package first": {"fc.mnt", "PY1,KF350 terminal block,1X2-3.5MM,58.160,28.953,270.0,TOP\nY2,32.768MHz,HC49US,33.867,39.285,90.0,BOTTOM\n", "PY1 58160,28953 270 top KF350 terminal block 1X2-3.5MM\nY2 33867,39285 90 bottom 32.768MHz HC49US\nunit_deduced"},
		"Altium, commas in comments": {"Pick Place.txt", "Designator Footprint               Mid X         Mid Y    TB      Rotation Comment\n\nR62        RES0402             24.5885mm     23.5025mm  B        270.00 0R\nC22        CAP0402              64.225mm       24.05mm  B        270.00 100pF,50V\nC21        CAP0402                65.2mm       27.45mm  T        180.00 100nF,16V\nC20        CAP0402                65.2mm       28.45mm  T        180.00 100nF,16V\n",
			"R62 24588,23502 270 bottom 0R RES0402\nC22 64225,24050 270 bottom 100pF,50V CAP0402\nC21 65200,27450 180 top 100nF,16V CAP0402\nC20 65200,28450 180 top 100nF,16V CAP0402"},
		"short headings":                {"a.csv", "Ref,X,Y,Rot,Side\nR1,1mm,2mm,90,top\n", "R1 1000,2000 90 top"},
		"Altium, mil":                   {"a.txt", "Altium Designer Pick and Place Locations\nUnits used: mil\n\nDesignator Comment   Layer       Footprint    Center-X(mil) Center-Y(mil) Rotation Description\nR36        4.7K_1%   TopLayer    RESC1005     1231.299      1926.181      0        \"Chip, 1 %\"\n", "R36 31274,48924 0 top 4.7K_1% RESC1005"},
		"Altium, old":                   {"a.txt", "Designator Footprint   Mid X     Mid Y     Ref X    Ref Y   Pad X   Pad Y  TB Rotation Comment\nR1  0402  10.5mm  20mm  10mm  20mm  10mm 20mm  B  90.00  1k\n", "R1 10500,20000 90 bottom 1k 0402"},
		"EasyEDA":                       {"PNP.csv", "Designator\tFootprint\tMid X\tMid Y\tRef X\tRef Y\tLayer\tRotation\tComment\nLED1\t0805-LED\t59.18mm\t59.82mm\t1mm\t1mm\tT\t90\tLED\n", "LED1 59180,59820 90 top LED 0805-LED"},
		"EAGLE":                         {"board.mnb", "C1 20.32 15.24 180 100n C0603\nR2 1.5 2.5 90 10k R0603\n", "C1 20320,15240 180 bottom 100n C0603\nR2 1500,2500 90 bottom 10k R0603\nunit_deduced"},
		"Fusion":                        {"PnP_board_front.txt", "C1\t20.32\t15.24\t180\t100n\tC0603\n", "C1 20320,15240 180 top 100n C0603\nunit_deduced"},
		"Allegro":                       {"place_txt.txt", "UUNITS = MILS\n# sorted by refdes\nC1 ! 1000.0 ! 2000.0 ! 90 ! m ! ! C0603\nC2 ! 1100.0 ! 2000.0 ! 90 !   ! ! C0603\nC3 ! 1200.0 ! 2000.0 ! 0 !   ! ! C0603\n", "C1 25400,50800 90 bottom  C0603\nC2 27940,50800 90 top  C0603\nC3 30480,50800 0 top  C0603"},
		"a first row that lacks a cell": {"a.csv", "board 7,rev 2\nTP2,10,20,,TP,PAD\nR1,12,20,90,10k,R0603\n", "TP2 10000,20000 0 top TP PAD\nR1 12000,20000 90 top 10k R0603\nrotation_empty TP2\nunit_deduced\nside_not_stated TP2,R1"},
		"the side behind the angle":     {"a.csv", "R1,10,20,90,Top\nR2,12,20,0,Bottom\n", "R1 10000,20000 90 top\nR2 12000,20000 0 bottom\nunit_deduced"},
		"side, value and package":       {"a.csv", "R1,10,20,90,B,10k,R0603\nR2,12,20,0,T,1k,R0402\n", "R1 10000,20000 90 bottom 10k R0603\nR2 12000,20000 0 top 1k R0402\nunit_deduced"},
		"the angle before x":            {"a.csv", "R1,10k,0402,90,10.5,20.25,top\nR2,1k,0402,0,12.5,20,bottom\nR3,1k,0402,270,15,31.5,top\n", "R1 10500,20250 90 top 10k 0402\nR2 12500,20000 0 bottom 1k 0402\nR3 15000,31500 270 top 1k 0402\nunit_deduced"},
		"the side before the angle":     {"a.csv", "R1,top,90,10.5,20.25\nR2,bottom,0,12.5,20\nR3,top,270,15,31.5\n", "R1 10500,20250 90 top\nR2 12500,20000 0 bottom\nR3 15000,31500 270 top\nunit_deduced"},
		"the side between":              {"a.csv", "R1,10.5,20.25,top,90\nR2,12.5,20,bottom,180\n", "R1 10500,20250 90 top\nR2 12500,20000 180 bottom\nunit_deduced"},
		"no angle at all":               {"a.csv", "R1,10.5,20.25,top,10k\nR2,12.5,20,bottom,1k\n", "R1 10500,20250 0 top\nR2 12500,20000 0 bottom\nrotation_not_stated\nunit_deduced"},
		"coordinates like angles":       {"a.csv", "R1,45,90,0,1k,R0402\nR2,90,45,90,1k,R0402\nR3,0,45,90,1k,R0402\n", "R1 45000,90000 0 top 1k R0402\nR2 90000,45000 90 top 1k R0402\nR3 0,45000 90 top 1k R0402\nunit_deduced\nside_not_stated R1,R2,R3"},
		"EAGLE's rotations, no heading": {"a.csv", "R1,10.5,20.25,R90,1k,R0402\nR2,12.5,20,MR180,1k,R0402\n", "R1 10500,20250 90 top 1k R0402\nR2 12500,20000 180 bottom 1k R0402\nunit_deduced"},
		"OrCAD report":                  {"r.csv", "Component Report,,,\nREFDES,COMP_VALUE,COMP_PACKAGE,SYM_X,SYM_Y,SYM_ROTATE,SYM_MIRROR\nC1,10u,805,550,675,270,NO\nC2,10u,805,3325,490,180,YES\n", "C1 13970,17145 270 top 10u 805\nC2 84455,12446 180 bottom 10u 805\nunit_deduced"},
		"PADS":                          {"pads.csv", "RefDes,PartType,PCB Decal,Layer,X (mm),Y (mm),Orient\nU1,LM358,SO8,Bottom,1.5,2.5,90\n", "U1 1500,2500 90 bottom LM358 SO8"},
		"names":                         {"a.csv", "Names,X (mm),Y (mm),Rot,Side\nR1,1,2,90,Top\n", "R1 1000,2000 90 top"},
		"a heading that nobody knows":   {"a.csv", "Value,Where,X (mm),Y (mm),Rot,Side\nLM358,U1,1,2,90,Top\n10k,R1,1,3,0,Top\n", "U1 1000,2000 90 top LM358\nR1 1000,3000 0 top 10k"},
		"parts before designators":      {"a.csv", "Part,Designator,X (mm),Y (mm),Rot,Side\nLM358,U1,1,2,90,Top\nBC847,Q1,1,3,0,Top\n", "U1 1000,2000 90 top\nQ1 1000,3000 0 top"},
		"designators that are unusual":  {"a.csv", "Name,Sheet,X (mm),Y (mm),Rot,Side\nSPRING1,one,1,2,90,Top\n", "SPRING1 1000,2000 90 top"},
		"parts alone":                   {"a.csv", "Part,X (mm),Y (mm),Rot,Side\nLM358,1,2,90,Top\n", "LM358 1000,2000 90 top"},
		"German":                        {"a.csv", "Bauteil;X (mm);Y (mm);Drehung;Seite\nR1;1,5;2,5;90,0;unten\n", "R1 1500,2500 90 bottom"},
		"Chinese":                       {"a.csv", "位号,中心X,中心Y,旋转角度,层\nR1,1.5mm,2.5mm,90,底层\n", "R1 1500,2500 90 bottom"},
		"odd cells":                     {"a.csv", "Ref,X(mm),Y(mm),Rot,Side\nR1,1,2,north,left\nR2,,5,0,top\nR3,9999999,1,0,top\nR1,5,5,0,top\n", "R1 1000,2000 0 top\nR1 5000,5000 0 top\nrotation_unclear R1 north\nside_unclear R1 left\nposition_not_read R2\nside_not_stated R1\nposition_far_away R3\nplaced_twice R1"},
		"units in the cells":            {"a.csv", "Ref,X,Y,Rot,Side\nR1,1000mil,25.4mm,90deg,Top\nR2,1 in,2 mm,45°,Bottom (mirrored)\n", "R1 25400,25400 90 top\nR2 25400,2000 45 bottom"},
		"units below headings":          {"a.csv", "Ref,X,Y,Rot,Side\n,mil,mil,deg,\nR1,1000,-2000,0,Top\nR2,1000,−1000,-0,Top\n", "R1 25400,-50800 0 top\nR2 25400,-25400 0 top"},
		"two units":                     {"a.csv", "Ref,X (mm),Y (mil),Rot,Side\nR1,10,1000,0,Top\n", "R1 10000,25400 0 top"},
		"tabs beside commas":            {"a.csv", "Designator,Device,Mid X,Mid Y,Layer,Rotation,Comment\r\n\"U6\"\t,\"LM358\"\t,\"1850.4mil\"\t,\"1000mil\"\t,\"T\"\t,\"135\"\t,\"a, b\"\t,\r\n\"C1\"\t,\"100n\"\t,\"1mil\"\t,\"2mil\"\t,\"B\"\t,\"0\"\t,\"c\"\t,\r\n", "U6 47000,25400 135 top a, b\nC1 25,50 0 bottom c"},
		"radians":                       {"a.csv", "Ref,X (mm),Y (mm),Rotation (rad),Side\nR1,1,2,-1.5707963,Top\n", "R1 1000,2000 270 top"},
		"no rotation":                   {"a.csv", "Ref,X (mm),Y (mm),Side\nR1,1,2,Top\n", "R1 1000,2000 0 top\nrotation_not_stated"},
		"a rotation that lacks":         {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,1,2,,Top\nR2,1,3,90,Top\nR3,1,4, ,Top\n", "R1 1000,2000 0 top\nR2 1000,3000 90 top\nR3 1000,4000 0 top\nrotation_empty R1,R3"},
		"an empty column of rotations":  {"a.csv", "Ref,X (mm),Y (mm),Rot,Side\nR1,1,2,,Top\nR2,1,3,,Top\n", "R1 1000,2000 0 top\nR2 1000,3000 0 top\nrotation_not_stated"},
		"EAGLE's rotations":             {"a.csv", "Ref,X (mm),Y (mm),Rot\nR1,1,2,R90\nR2,1,3,MR180\nR3,1,4,SMR45\n", "R1 1000,2000 90 top\nR2 1000,3000 180 bottom\nR3 1000,4000 45 bottom"},
		"sides from zero":               {"a.csv", "Ref,X (mm),Y (mm),Rot,Layer\nR1,1,2,0,0\nR2,1,3,0,1\n", "R1 1000,2000 0 top\nR2 1000,3000 0 bottom"},
		"sides as layers":               {"a.csv", "Ref,X (mm),Y (mm),Rot,Layer\nR1,1,2,0,16\nR2,1,3,0,1\n", "R1 1000,2000 0 bottom\nR2 1000,3000 0 top"},
		"one layer, not the top":        {"a.csv", "Ref,X (mm),Y (mm),Rot,Layer\nR1,1,2,0,16\n", "R1 1000,2000 0 top\nside_not_stated R1"},
		"Polish":                        {"a.csv", "Oznaczenie;X (mm);Y (mm);Obrót;Strona\nR1;1,5;2,5;90;Dół\n", "R1 1500,2500 90 bottom"},
		"Italian":                       {"a.csv", "Riferimento;X (mm);Y (mm);Rotazione;Lato\nR1;1,5;2,5;90;Inferiore\n", "R1 1500,2500 90 bottom"},
		"a column for what stays off": {"a.csv", "Ref,X (mm),Y (mm),Rot,Side,Val,Package,DNP\nR1,1,2,0,Top,1k,0402,\nR2,1,3,0,Top,1k,0402,DNP\nR3,1,4,0,Top,1k,0402,no\nR4,1,5,0,Top,1k,0402,x\nR5,1,6,0,Top,1k,0402,-\nR6,1,7,0,Top,1k,0402,1\n",
			"R1 1000,2000 0 top 1k 0402\nR2 1000,3000 0 top 1k 0402 off\nR3 1000,4000 0 top 1k 0402\nR4 1000,5000 0 top 1k 0402 off\nR5 1000,6000 0 top 1k 0402\nR6 1000,7000 0 top 1k 0402 off"},
		"a column for what is fitted": {"a.csv", "Ref,X (mm),Y (mm),Rot,Side,Val,Package,Fitted\nR1,1,2,0,Top,1k,0402,\nR2,1,3,0,Top,1k,0402,Not Fitted\nR3,1,4,0,Top,1k,0402,yes\nR4,1,5,0,Top,1k,0402,No\nR5,1,6,0,Top,1k,0402,perhaps\n",
			"R1 1000,2000 0 top 1k 0402\nR2 1000,3000 0 top 1k 0402 off\nR3 1000,4000 0 top 1k 0402\nR4 1000,5000 0 top 1k 0402 off\nR5 1000,6000 0 top 1k 0402\nfit_unclear R5 perhaps"},
		"Chinese, what is not soldered": {"a.csv", "位号,中心X,中心Y,旋转角度,层,参数,封装,不贴\nR1,1.5mm,2.5mm,90,底层,1k,0402,是\nR2,1.5mm,3.5mm,90,底层,1k,0402,否\n", "R1 1500,2500 90 bottom 1k 0402 off\nR2 1500,3500 90 bottom 1k 0402"},
		"nothing here":                  {"a-bottom.pos", "## Unit = mm\n# Ref Val Package PosX PosY Rot Side\n## End\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := placement.Read(tt.file, []byte(tt.data))
			if d := cmp.Diff(tt.want, text(got)); d != "" || err != nil {
				t.Errorf("read %q: %v; (-want +got)\n%s", tt.data, err, d)
			}
		})
	}
	for text, unit := range map[string]placement.Unit{"Einheit: mil": placement.Mil, "单位：mm": placement.Millimetre, "Unidad: in": placement.Inch} {
		if l, err := placement.Read("a.csv", []byte(text+"\nRef,X,Y,Rot,Side\nR1,1,2,0,Top\n")); err != nil || l.Unit != unit || !l.Stated {
			t.Errorf("%s: unit %d, stated %v, %v; want %d, stated", text, l.Unit, l.Stated, err, unit)
		}
	}
	for _, data := range []string{"Comment,Designator\n1k,R1\n", "R1 1k 0603\n", "some words\n"} {
		if l, err := placement.Read("a.csv", []byte(data)); !errors.Is(err, placement.ErrNotPlacement) {
			t.Errorf("read %q: %+v, %v; want %v", data, l, err, placement.ErrNotPlacement)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a.mnt", []byte("C1 20.32 15.24 180 100n C0603\n"))
	f.Add("a.csv", []byte("Ref,PosX,PosY,Rot,Side\nC1,1e9,-1.5mil,-1e99,F.Cu\n"))
	f.Add("a.txt", []byte("UUNITS = MILS\nC1 ! 1000.0 ! 2000.0 ! 90 ! m ! ! C0603\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		l, err := placement.Read(name, data)
		if err != nil {
			return
		}
		for _, p := range l.Parts {
			if p.Ref == "" || p.Rotation < 0 || p.Rotation >= 360 || p.Side == placement.Unknown || max(p.At.X, -p.At.X, p.At.Y, -p.At.Y) > 2_000_000_000 {
				t.Errorf("place %+v, want a name, a side, an angle below 360 and a point within 2 m", p)
			}
		}
	})
}

// TestBillsAreNoPlacements: a bill of materials whose rows begin with a designator and
// three numbers places nothing; such a row without headings does, unless one is a package.
func TestBillsAreNoPlacements(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"Designator,Footprint,Quantity,Value,LCSC Part #\nR1,0402,1,120,C25079\nR2,0603,1,47,C1\n": 0,
		"Ref,Value,Package,Rot\nR1,120,0402,1\n":                                                   0,
		"R1,0402,1,120,C25079\n":                                                                   0,
		"R1,10,1,120,C25079\n":                                                                     1,
		"Part,East,North,Turn,What,Case\nR1,10,20,90,1k,0402\n":                                    1,
	} {
		if l, _ := placement.Read("bom.csv", []byte(text)); len(l.Parts) != want {
			t.Errorf("%q places %d parts, want %d", text, len(l.Parts), want)
		}
	}
}
