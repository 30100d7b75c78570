package easyeda

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// proLayers are the layers of a document, with so many inner ones in use.
func proLayers(inner int, kind string) (out []string) {
	for _, l := range []string{
		`1,"TOP","Top Layer"`, `2,"BOTTOM","Bottom Layer"`, `3,"TOP_SILK","Top Silkscreen Layer"`, `4,"BOT_SILK","Bottom Silkscreen Layer"`, `5,"TOP_SOLDER_MASK","Top Solder Mask Layer"`,
		`6,"BOT_SOLDER_MASK","Bottom Solder Mask Layer"`, `7,"TOP_PASTE_MASK","Top Paste Mask Layer"`, `8,"BOT_PASTE_MASK","Bottom Paste Mask Layer"`, `9,"TOP_ASSEMBLY","Top Assembly Layer"`,
		`10,"BOT_ASSEMBLY","Bottom Assembly Layer"`, `11,"OUTLINE","Board Outline Layer"`, `12,"MULTI","Multi-Layer"`, `13,"DOCUMENT","Document Layer"`, `48,"COMPONENT_SHAPE","Component Shape Layer"`,
		`58,"TOP_STIFFENER","Top Stiffener Layer"`, `59,"BOTTOM_STIFFENER","Bottom Stiffener Layer"`,
	} {
		out = append(out, `["LAYER",`+l+`,3,"#fff",1,"#fff",1]`)
	}
	for i := range 4 {
		state := 0
		if i < inner {
			state = 3
		}
		out = append(out, fmt.Sprintf(`["LAYER",%d,%q,"Inner%d",%d,"#fff",1,"#fff",1]`, 15+i, kind, i+1, state))
	}
	return out
}

const (
	proEdge = `["POLY","e1",0,"",11,10,["R",0,500,1000,500,0,0],0]`
	rules   = `["RULE","9","mask",1,["mil",2,2,-1000,-1000,2,2]]`
)

// proDocument is a board of 1000 by 500 mil, 25.4 by 12.7 mm, with rows.
func proDocument(rows ...string) string {
	return strings.Join(slices.Concat([]string{`["DOCTYPE","PCB","1.8"]`, `["HEAD",{"editorVersion":"2.2"}]`, `["CANVAS",0,0,"mm",5,5]`}, proLayers(0, "SIGNAL"), []string{rules, proEdge}, rows), "\n")
}

// zipOf packs members into a project.
func zipOf(t testing.TB, members map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, data := range members {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readProject reads a project that has to hold one board.
func readProject(t testing.TB, members map[string]string) *pcb.Board {
	t.Helper()
	data := zipOf(t, members)
	boards, findings := ReadPro(t.Context(), []File{{"p.epro", data}})
	if !IsPro("p.epro", data) || len(boards) != 1 || len(findings) > 0 {
		t.Fatalf("is one: %v; %d boards, findings %v of %v; want one board", IsPro("p.epro", data), len(boards), findings, members)
	}
	return boards[0]
}

func readRows(t testing.TB, rows ...string) *pcb.Board {
	t.Helper()
	return readProject(t, map[string]string{"PCB/b1.epcb": proDocument(rows...)})
}

// TestRows: what each kind of row draws, and on which layer.
func TestRows(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		row  string
		role pcb.Role
		side pcb.Side
		want string // where it lies, in micrometres
		area float64
	}{
		"a line":             {`["LINE","e",0,"GND",1,100,100,200,100,10,0]`, pcb.RoleCopper, pcb.Top, "2413 2413 5207 2667", 0},
		"a dot":              {`["LINE","e",0,"GND",1,100,100,100,100,10,0]`, pcb.RoleCopper, pcb.Top, "2413 2413 2667 2667", 0},
		"an arc":             {`["ARC","e",0,"GND",1,100,100,200,100,180,0,0]`, pcb.RoleCopper, pcb.Top, "2540 1270 5080 2540", 0},
		"an arc as a path":   {`["ARC","e",0,"GND",2,0,[100,100,"ARC",-180,200,100],0]`, pcb.RoleCopper, pcb.Bottom, "2540 2540 5080 3810", 0},
		"an open path":       {`["POLY","e",0,"",3,10,[100,100,"L",200,100,200,200],0]`, pcb.RoleSilk, pcb.Top, "2413 2413 5207 5207", 0},
		"a turned rectangle": {`["POLY","e",0,"",3,0,["R",100,200,100,50,90,0],0]`, pcb.RoleSilk, pcb.Top, "2540 5080 3810 7620", 0},
		"a fill":             {`["FILL","e",0,"GND",1,0.2,0,[[100,100,"L",200,100,200,200,100,200],[120,120,"L",140,120,140,140,120,140]],0]`, pcb.RoleCopper, pcb.Top, "2540 2540 5080 5080", 9600},
		"a fill of one path": {`["FILL","e",0,"",7,0.2,0,["CIRCLE",100,100,50],0]`, pcb.RolePaste, pcb.Top, "1270 1270 3810 3810", math.Pi * 2500},
		"rounded corners":    {`["FILL","e",0,"",7,0.2,0,["R",100,200,100,100,0,50],0]`, pcb.RolePaste, pcb.Top, "2540 2540 5080 5080", math.Pi * 2500},
		"round and marked":   {`["FILL","e",0,"",7,0.2,0,["R",100,200,100,100,0,0,50],0]`, pcb.RolePaste, pcb.Top, "2540 2540 5080 5080", math.Pi * 2500},
		"curves":             {`["FILL","e",0,"",3,0.2,0,[[100,100,"C",100,200,200,200,200,100]],0]`, pcb.RoleSilk, pcb.Top, "2540 2540 5080 4445", 6000},
		"a teardrop":         {`["TEARDROP","e","GND",2,[100,100,"L",200,100,200,200]]`, pcb.RoleCopper, pcb.Bottom, "2540 2540 5080 5080", 5000},
		"a picture":          {`["IMAGE","e",0,3,100,200,50,100,0,0,[[0,0,"L",10,0,10,10,0,10]],0]`, pcb.RoleSilk, pcb.Top, "2540 2540 3810 5080", 5000},
		"a turned picture":   {`["IMAGE","e",0,3,100,200,100,50,90,1,[["CIRCLE",0,0,10]],0]`, pcb.RoleSilk, pcb.Top, "2540 5080 3809 7620", math.Pi * 1250},
		"what keeps away":    {`["REGION","e",0,1,1,[7],[[100,100,"L",200,100,200,200]],0]`, pcb.RoleCopper, pcb.Top, "none", 0},
		"a body":             {`["POLY","e",0,"",48,10,[100,100,"L",200,100],0]`, pcb.RoleCopper, pcb.Top, "none", 0},
		"a dimension":        {`["DIMENSION","e","LENGTH",13,"mm",6,1,1,[1,1,2,2],0]`, pcb.RoleCopper, pcb.Top, "none", 0},
		"an attachment":      {`["OBJ","e",0,null,"x",1,1,1,1,0,0,"blob:1"]`, pcb.RoleCopper, pcb.Top, "none", 0},
	} {
		b := readRows(t, tt.row)
		l := layerOf(b, tt.role, tt.side)
		sum := 0.0
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.RegionFeature {
				sum += math.Abs(l.Regions[f.Shape].Area()) / 25_400 / 25_400
			}
		}
		if got := boxOf(l); got != tt.want || math.Abs(sum-tt.area) > 0.02*tt.area || len(b.Findings) > 0 {
			t.Errorf("%s: %s draws %s, %.0f square mil, findings %v; want %s, %.0f, no findings", name, tt.row, got, sum, b.Findings, tt.want, tt.area)
		}
		if b.Facts.Width.Value != 25_400_000 || b.Facts.Height.Value != 12_700_000 || !b.Outline.Closed {
			t.Errorf("%s: %d x %d nm, want 25.4 x 12.7 mm", name, b.Facts.Width.Value, b.Facts.Height.Value)
		}
	}
}

// TestPours: what pours were filled with, in the document and in files of their own, with
// the pen that runs along its border.
func TestPours(t *testing.T) {
	t.Parallel()
	const area = `["POUR","e9",0,"GND",1,0.2,"P",0,[[0,0,"L",900,0,900,400]],["SOLID",6],0,0]`
	const filled = `["POURED","e10","e9",0,true,[[10,10,"L",20,10,20,20,10,20],[12,12,"L",14,12,14,14]]]`
	key := base64.StdEncoding.EncodeToString([]byte("b1_e9"))
	for name, tt := range map[string]struct {
		rows     []string
		file     string
		want     string
		findings []string
	}{
		"in the document":    {[]string{area, filled}, "", "2463 2463 5156 5156", nil},
		"no pen":             {[]string{strings.Replace(area, "6]", "0]", 1), filled}, "", "2540 2540 5080 5080", nil},
		"spokes":             {[]string{area, `["POURED","e10","e9",1,false,[[10,10,"L",20,10]]]`}, "", "2413 2413 5207 2667", nil},
		"in a file":          {[]string{area}, `["DOCTYPE","POURED","1.1"]` + "\n" + filled, "2438 2438 5181 5181", nil},
		"in an old file":     {[]string{area}, `["DOCTYPE","POURED","1.0"]` + "\n" + `["POURED","e10",0,true,[[10,10,"L",20,10,20,20,10,20]]]`, "2438 2438 5181 5181", nil},
		"not filled":         {[]string{area}, "", "none", []string{"problem pours_unfilled"}},
		"one of two":         {[]string{area, strings.Replace(area, "e9", "e8", 1), filled}, "", "2463 2463 5156 5156", []string{"warning pours_empty"}},
		"filled with a riot": {[]string{area, `["POURED","e10","e9",0,true,[[10,"L"]]]`}, "", "none", []string{"problem element_unread", "problem pours_unfilled"}},
	} {
		members := map[string]string{"PCB/b1.epcb": proDocument(tt.rows...)}
		if tt.file != "" {
			members["POUR/"+key+".ecop"] = tt.file
		}
		b := readProject(t, members)
		if got := boxOf(layerOf(b, pcb.RoleCopper, pcb.Top)); got != tt.want || !slices.Equal(codes(b), tt.findings) {
			t.Errorf("%s: copper %s, findings %v; want %s, %v", name, got, b.Findings, tt.want, tt.findings)
		}
	}
}

// TestProPads: lands, openings and holes of pads.
func TestProPads(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pad                             string // from its layer on
		top, bottom, mask, below, paste string
		hole                            string
	}{
		"smd":           {`1,"1",200,100,90,null,["RECT",80,40,0],[],0,0,0,1,0,null,null,null,null,0`, "4572 1524 5588 3556", "none", "4521 1473 5638 3606", "none", "4572 1524 5588 3556", ""},
		"its own":       {`2,"1",200,100,0,null,["OVAL",80,40],[],0,0,0,1,0,4,4,-3937,-3937,0`, "none", "4064 2032 6096 3048", "none", "3962 1930 6197 3149", "none", ""},
		"round corners": {`1,"1",200,100,0,null,["RECT",80,40,100],[],0,0,0,1,0,-1000,null,0,null,0`, "4064 2032 6096 3048", "none", "none", "none", "4064 2032 6096 3048", ""},
		"through":       {`12,"1",200,100,0,["ROUND",40,40],["ELLIPSE",80,80],[],0,0,0,1,0,null,null,null,null,0`, "4064 1524 6096 3556", "4064 1524 6096 3556", "4013 1473 6146 3606", "4013 1473 6146 3606", "none", "plated 1016 at 5080 2540"},
		"not plated":    {`12,"1",200,100,0,["ROUND",40,40],["ELLIPSE",80,80],[],10,0,0,0,0,null,null,null,null,0`, "4064 1524 6096 3556", "4064 1524 6096 3556", "4013 1473 6146 3606", "4013 1473 6146 3606", "none", "non-plated 1016 at 5334 2540"},
		"a slot":        {`12,"1",200,100,90,["SLOT",80,40],["OVAL",120,80],[],0,0,90,1,0,null,null,null,null,0`, "4064 1016 6096 4064", "4064 1016 6096 4064", "4013 965 6146 4114", "4013 965 6146 4114", "none", "plated 1016 at 5588 2540 to 4572 2540"},
		"other lands":   {`12,"1",200,100,0,["ROUND",40,40],["ELLIPSE",80,80],[[2,2,["RECT",100,100,0]]],0,0,0,1,0,null,null,null,null,0`, "4064 1524 6096 3556", "3810 1270 6350 3810", "4013 1473 6146 3606", "3759 1219 6400 3860", "none", "plated 1016 at 5080 2540"},
		"six corners":   {`1,"1",200,100,0,null,["NGON",80,6],[],0,0,0,1,0,null,null,null,null,0`, "4064 1660 6096 3419", "none", "4013 1616 6146 3463", "none", "4064 1660 6096 3419", ""},
		"an odd one":    {`1,"1",200,100,90,null,["POLY",[160,80,"L",240,80,240,120]],[],0,0,0,1,0,null,null,null,null,0`, "4064 2032 6096 3048", "none", "4013 1981 6146 3098", "none", "4064 2032 6096 3048", ""},
	} {
		b := readRows(t, `["PAD","e2",0,"GND",`+tt.pad+`]`)
		got := []string{boxOf(layerOf(b, pcb.RoleCopper, pcb.Top)), boxOf(layerOf(b, pcb.RoleCopper, pcb.Bottom)), boxOf(layerOf(b, pcb.RoleMask, pcb.Top)),
			boxOf(layerOf(b, pcb.RoleMask, pcb.Bottom)), boxOf(layerOf(b, pcb.RolePaste, pcb.Top))}
		hole := ""
		for _, h := range b.Holes {
			hole += fmt.Sprint(h.Plating, " ", h.Diameter/1000, " at ", h.A.X/1000, " ", h.A.Y/1000)
			if h.A != h.B {
				hole += fmt.Sprint(" to ", h.B.X/1000, " ", h.B.Y/1000)
			}
		}
		if want := []string{tt.top, tt.bottom, tt.mask, tt.below, tt.paste}; !slices.Equal(got, want) || hole != tt.hole || len(b.Findings) > 0 {
			t.Errorf("%s: copper above and below, mask above and below, paste %q, hole %q, findings %v; want %q, %q", name, got, hole, b.Findings, want, tt.hole)
		}
	}
}

// TestHolesOfPro: vias with their spans and openings, and areas through all layers.
func TestHolesOfPro(t *testing.T) {
	t.Parallel()
	rows := slices.Concat([]string{`["DOCTYPE","PCB","1.8"]`}, proLayers(2, "SIGNAL"), []string{proEdge, `["RULE","4","blindVia",1,[["B1",1,15]]]`,
		`["VIA","e2",0,"GND","",200,100,12,24,0,null,null,0,[]]`, `["VIA","e3",0,"GND","B1",300,100,8,16,0,null,4,0]`, `["VIA","e4",0,"GND","",400,100,12,24,0,2,2,0]`,
		`["FILL","e5",0,"",12,1,0,[["CIRCLE",500,100,60]],0]`, `["FILL","e6",0,"",12,1,0,[["R",600,200,100,100,0,0]],0]`, `["FILL","e7",0,"GND",16,1,0,[["R",600,200,100,100,0,0]],0]`})
	b := readProject(t, map[string]string{"PCB/b1.epcb": strings.Join(rows, "\n")})
	if len(b.Holes) != 4 || len(b.Findings) > 0 || len(b.Copper()) != 4 {
		t.Fatalf("holes %+v, %d copper layers, findings %v; want four holes and layers", b.Holes, len(b.Copper()), b.Findings)
	}
	if h := b.Holes[1]; h.From != 1 || h.To != 2 || h.Diameter != 203_200 || !b.Facts.BlindVias.Value {
		t.Errorf("via %+v, blind vias %v; want one from layer 1 to 2, and that it is blind", h, b.Facts.BlindVias)
	}
	if h := b.Holes[3]; h.Plating != pcb.NonPlated || h.Diameter != 3_048_000 {
		t.Errorf("hole %+v, want one of 3.048 mm without copper", h)
	}
	if n := len(b.Outline.Areas[0].Holes); n != 1 {
		t.Errorf("%d cutouts, want one", n)
	}
	for i, want := range []int{3, 3, 3, 2} { // vias, and the fill on the third
		if l := b.Copper()[i]; len(l.Features) != want {
			t.Errorf("copper layer %d: %d features, want %d", i+1, len(l.Features), want)
		}
	}
	if top, bottom := layerOf(b, pcb.RoleMask, pcb.Top), layerOf(b, pcb.RoleMask, pcb.Bottom); len(top.Features) != 1 || len(bottom.Features) != 1 {
		t.Errorf("%d openings above, %d below; want the one of the via that says so", len(top.Features), len(bottom.Features))
	}
}

const (
	footprintRows = `["DOCTYPE","FOOTPRINT","1.8"]` + "\n" + `["CANVAS",0,0,"mm",5,5]` + "\n" +
		`["PAD","p1",0,"",1,"1",-50,0,0,null,["RECT",40,20,0],[],0,0,0,1,0,null,null,null,null,0]` + "\n" +
		`["PAD","p2",0,"",1,"2",50,0,0,null,["RECT",40,20,0],[],0,0,0,1,0,null,null,null,null,0]` + "\n" +
		`["POLY","e3",0,"",3,5,[-50,20,"L",50,20],0]` + "\n" + `["ATTR","a",0,"",3,0,0,"Designator","U?",0,1,"default",45,6,0,0,3,0,0,0,0,0]`
	projectRows = `{"pcbs":{"b1":"Lamp"},"boards":{"Board1":{"pcb":"b1"}},"footprints":{"f1":{"title":"R0603"}},"devices":{"d1":{"title":"10k","attributes":{"Footprint":"f1","Designator":"R?","Supplier":"LCSC","Supplier Part":"C25804","Manufacturer":"YAGEO","Manufacturer Part":"RC0603","Add into BOM":"no","3D Model":"m"}}}}`
)

// partRows place a part of the footprint.
func partRows(id, ref string, layer int, x, y, turn float64) []string {
	return []string{
		fmt.Sprintf(`["COMPONENT",%q,0,%d,%v,%v,%v,{"Unique ID":"g"},0]`, id, layer, x, y, turn), fmt.Sprintf(`["ATTR","%sa",0,%[1]q,3,null,null,"Device","d1",0,0,"default",45,6,0,0,3,0,0,0,0,0]`, id),
		fmt.Sprintf(`["ATTR","%sb",0,%[1]q,3,%v,%v,"Designator",%q,0,1,"default",45,6,0,0,3,0,0,0,0,0]`, id, x, y, ref),
		fmt.Sprintf(`["PAD_NET",%q,"1","IN","p1"]`, id), fmt.Sprintf(`["PAD_NET",%q,"2","GND",""]`, id),
	}
}

// TestInstances: parts from footprints, turned and mirrored, with what their devices say.
func TestInstances(t *testing.T) {
	t.Parallel()
	members := map[string]string{
		"project.json": projectRows, "FOOTPRINT/f1.efoo": footprintRows,
		"PCB/b1.epcb": proDocument(slices.Concat(partRows("c1", "R1", 1, 200, 100, 90), partRows("c2", "R2", 2, 600, 100, 90))...),
	}
	b := readProject(t, members)
	if b.Name != "Lamp" || len(b.Components) != 2 || !slices.Equal(codes(b), []string{"note text_plain"}) {
		t.Fatalf("%q with parts %+v, findings %v; want Lamp with two, and that letters are plain", b.Name, b.Components, b.Findings)
	}
	c := b.Components[0]
	if c.Ref != "R1" || c.Value != "10k" || c.Footprint != "R0603" || c.MPN != "RC0603" || c.Manufacturer != "YAGEO" || c.Fields["LCSC"] != "C25804" || c.Rotation != 90 ||
		c.Side != pcb.Top || c.Mount != pcb.SurfaceMount || !c.NoBOM || c.At != geom.Pt(5_080_000, 2_540_000) {
		t.Errorf("%+v, want R1 with its numbers", c)
	}
	for _, tt := range []struct {
		pin  [2]string
		at   geom.Point
		side pcb.Side
		net  string
	}{
		{[2]string{"R1", "1"}, geom.Pt(200, 50), pcb.Top, "IN"}, {[2]string{"R1", "2"}, geom.Pt(200, 150), pcb.Top, "GND"},
		{[2]string{"R2", "1"}, geom.Pt(600, 50), pcb.Bottom, "IN"}, {[2]string{"R2", "2"}, geom.Pt(600, 150), pcb.Bottom, "GND"},
	} {
		p := b.Pins[b.Pin(tt.pin[0], tt.pin[1])]
		if want := geom.Pt(tt.at.X*25_400, tt.at.Y*25_400); p.At != want || p.Side != tt.side || b.Nets[p.Net].Name != tt.net {
			t.Errorf("pin %v: %+v of %q, want %v %v %s", tt.pin, p, b.Nets[p.Net].Name, want, tt.side, tt.net)
		}
	}
	if got := boxOf(layerOf(b, pcb.RoleSilk, pcb.Bottom)); !strings.HasPrefix(got, "15684 ") && got == "none" {
		t.Errorf("silk below %s, want the line of R2", got)
	}
	delete(members, "FOOTPRINT/f1.efoo")
	if got := codes(readProject(t, members)); !slices.Contains(got, "problem package_missing") {
		t.Errorf("findings %v, want that the footprint is missing", got)
	}
	// A footprint that the board keeps beside itself.
	members["PCB/b1.epcb"] = strings.Replace(footprintRows, `["CANVAS"`, `["HEAD",{"uuid":"f1"}]`+"\n"+`["CANVAS"`, 1) + "\n" + members["PCB/b1.epcb"]
	if b := readProject(t, members); len(b.Pins) != 5 {
		t.Errorf("%d pins, findings %v; want four", len(b.Pins)-1, b.Findings)
	}
}

// TestLettering: texts as strokes; those of a font in copper are warned of.
func TestLettering(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		row      string
		findings []string
	}{
		"plain":    {`["STRING","e",0,3,200,100,"AB","default",45,6,0,0,3,0,0,0,0,0]`, []string{"note text_plain"}},
		"a font":   {`["STRING","e",0,3,200,100,"AB","Sans",45,6,0,0,3,0,0,0,0,0]`, []string{"note text_plain"}},
		"copper":   {`["STRING","e",0,1,200,100,"AB","Sans",45,6,0,0,3,0,0,0,0,0]`, []string{"note text_plain", "warning text_font"}},
		"inverted": {`["STRING","e",0,5,200,100,"AB","default",45,6,0,0,3,0,1,0,0,0]`, []string{"note text_plain", "warning text_font"}},
		"nothing":  {`["STRING","e",0,3,200,100," ","default",45,6,0,0,3,0,0,0,0,0]`, nil},
	} {
		if got := codes(readRows(t, tt.row)); !slices.Equal(got, tt.findings) {
			t.Errorf("%s: findings %v, want %v", name, got, tt.findings)
		}
	}
	for row, mirrored := range map[string]bool{
		`["STRING","e",0,4,200,100,"AB","default",45,6,0,0,3,90,0,0,0,0]`: true, `["STRING","e",0,4,200,100,"AB","default",45,6,0,0,3,90,0,0,1,0]`: false, `["STRING","e",0,3,200,100,"AB","default",45,6,0,0,3,90,0,0,1,0]`: true,
	} {
		b := readRows(t, row)
		texts := slices.Concat(layerOf(b, pcb.RoleSilk, pcb.Top).Texts, layerOf(b, pcb.RoleSilk, pcb.Bottom).Texts)
		if len(texts) != 1 || texts[0].Mirrored != mirrored || texts[0].Text != "AB" {
			t.Errorf("%s: texts %+v, want one, mirrored: %v", row, texts, mirrored)
		}
	}
	right := layerOf(readRows(t, `["STRING","e",0,3,200,100,"II","default",100,6,0,0,9,0,0,0,0,0]`), pcb.RoleSilk, pcb.Top).Bounds()
	if at := geom.Pt(200*25_400, 100*25_400); right.Max.X > at.X+100_000 || right.Min.Y < at.Y-100_000 {
		t.Errorf("a text that ends at %v fills %v", at, right)
	}
}

// TestBuild: the layer manager's build, and that which EasyEDA begins with.
func TestBuild(t *testing.T) {
	t.Parallel()
	phys := func(copper, core float64) string {
		return fmt.Sprintf(`["LAYER_PHYS",3,"",0,0,0,1]
["LAYER_PHYS",5,"",0.394,3.3,0.02,1]
["LAYER_PHYS",1,"",%v,0,0,1]
["LAYER_PHYS",361,"FR4",%v,4.5,0.02,1]
["LAYER_PHYS",2,"",%[1]v,0,0,1]
["LAYER_PHYS",6,"",0.394,3.3,0.02,1]`, copper, core)
	}
	for name, tt := range map[string]struct {
		rows      string
		thickness int64
		preset    bool
		sheets    int
	}{
		"as it begins": {phys(1.378, 59.449), 1_600_022, true, 5},
		"thin":         {phys(2.756, 30), 922_020, false, 5},
		"none":         {"", 0, false, 0},
		"half":         {`["LAYER_PHYS",1,"",1.378,0,0,1]`, 0, false, 0},
		"no core":      {phys(1.378, 0), 0, false, 0},
	} {
		b := readRows(t, `["LAYER",361,"SUBSTRATE","D1",0,"#0",0,"#0",0]`, tt.rows)
		f := b.Facts.Thickness
		if d := f.Value - tt.thickness; d > 1000 || d < -1000 || f.Default != tt.preset || len(b.Stackup) != tt.sheets {
			t.Errorf("%s: %d nm, preset %v, %d sheets %+v; want %d, %v, %d", name, f.Value, f.Default, len(b.Stackup), b.Stackup, tt.thickness, tt.preset, tt.sheets)
		}
	}
}

// TestStiffener: a layer for what a plain board is not made with is drawn under its name.
func TestStiffener(t *testing.T) {
	t.Parallel()
	b := readRows(t, `["FILL","e",0,"",58,0.2,0,["R",100,200,100,100,0,0],0]`)
	if l := layerOf(b, pcb.RoleOther, pcb.Top); len(l.Features) != 1 || l.Name != "Top Stiffener Layer" {
		t.Errorf("layer %+v, want a stiffener's", l)
	}
}

// TestProjects: which of a project's documents are boards, and what is said of others.
func TestProjects(t *testing.T) {
	t.Parallel()
	board, empty := proDocument(`["VIA","e2",0,"GND","",200,100,12,24,0,null,null,0,[]]`), `["DOCTYPE","PCB","1.8"]`+"\n"+`["HEAD",{}]`
	for name, tt := range map[string]struct {
		members  map[string]string
		boards   int
		findings string // of the board, or of the file
	}{
		"one":              {map[string]string{"PCB/b1.epcb": board}, 1, ""},
		"one and an empty": {map[string]string{"PCB/b1.epcb": board, "PCB/b2.epcb": empty}, 1, ""},
		"two":              {map[string]string{"PCB/b1.epcb": board, "PCB/b2.epcb": board}, 2, ""},
		"one of two":       {map[string]string{"PCB/b1.epcb": board, "PCB/b2.epcb": board, "project.json": projectRows}, 1, "boards_aside"},
		"a schematic":      {map[string]string{"SHEET/s/1.esch": "x", "project.json": "{}"}, 0, "it holds a schematic and no board"},
		"nothing":          {map[string]string{"a.txt": "x"}, 0, "it holds no board"},
		"a damaged row":    {map[string]string{"PCB/b1.epcb": board + "\n[\"LINE\",", "project.json": "{"}, 1, "file_damaged"},
		"a byte too many":  {map[string]string{"PCB/b1.epcb": "\xef\xbb\xbf" + board}, 1, ""},
		"a bomb":           {map[string]string{"PCB/b1.epcb": strings.Repeat(" ", 4<<20)}, 0, "could not be read"},
		"a name that lies": {map[string]string{"../PCB/b1.epcb": board}, 0, "could not be read"},
	} {
		boards, findings := ReadPro(t.Context(), []File{{"p.epro", zipOf(t, tt.members)}})
		said := ""
		for _, f := range findings {
			said += f.Code + " " + f.Message
		}
		for _, b := range boards {
			said += strings.Join(codes(b), " ")
		}
		if len(boards) != tt.boards || (said == "") != (tt.findings == "") || !strings.Contains(said, tt.findings) || tt.boards == 0 && !strings.Contains(said, "format_unread") {
			t.Errorf("%s: %d boards, %q; want %d, %q", name, len(boards), said, tt.boards, tt.findings)
		}
	}
	locked := zipOf(t, map[string]string{"PCB/b1.epcb": board})
	for _, signature := range []struct {
		mark string
		flag int
	}{{"PK\x03\x04", 6}, {"PK\x01\x02", 8}} {
		locked[bytes.Index(locked, []byte(signature.mark))+signature.flag] |= 1 // encrypted
	}
	if _, findings := ReadPro(t.Context(), []File{{"p.epro", locked}}); len(findings) != 1 || !strings.Contains(findings[0].Message, "it is protected by a password") {
		t.Errorf("findings %v of a project under a password, want that it is", findings)
	}
	for _, data := range []string{"PK\x03\x04", "PK\x03\x04packed", string(zipOf(t, map[string]string{"PCB/b1.epcb": board})[:200])} {
		if boards, findings := ReadPro(t.Context(), []File{{"p.epro", []byte(data)}}); len(boards) != 0 || len(findings) != 1 || findings[0].Level != pcb.Problem {
			t.Errorf("%.20q: %d boards, findings %v; want that it was not read", data, len(boards), findings)
		}
	}
}

// TestUnpackedProject: the files of a project, without its archive.
func TestUnpackedProject(t *testing.T) {
	t.Parallel()
	files := []File{
		{"x/project.json", []byte(projectRows)}, {"x/FOOTPRINT/f1.efoo", []byte(footprintRows)}, {"x/PCB/b1.epcb", []byte(proDocument(partRows("c1", "R1", 1, 200, 100, 90)...))},
		{"y/FOOTPRINT/f1.efoo", []byte(footprintRows)},
	}
	for _, f := range files {
		if is := IsPro(f.Name, f.Data); is != strings.HasSuffix(f.Name, ".epcb") || IsProCompanion(f.Name, f.Data) == is {
			t.Errorf("%s is a board: %v, lies beside one: %v", f.Name, is, IsProCompanion(f.Name, f.Data))
		}
	}
	boards, findings := ReadPro(t.Context(), files)
	if len(boards) != 1 || len(findings) > 0 || len(boards[0].Pins) != 3 || boards[0].Layers[0].File != "x/PCB/b1.epcb" || ProRoot(boards[0].Layers[0].File) != "x" {
		t.Fatalf("%d boards, findings %v; want one of x/PCB/b1.epcb with two pins", len(boards), findings)
	}
	if IsPro("a.epcb", []byte("{}")) || IsPro("a.epro", []byte(`["DOCTYPE"]`)) || IsProCompanion("project.json", []byte("{}")) || IsProCompanion("a.efoo", nil) {
		t.Error("what is none counts as a project of EasyEDA Pro")
	}
}

// TestUnreadRows: whatever is not understood is said, and never ignored.
func TestUnreadRows(t *testing.T) {
	t.Parallel()
	for _, row := range []string{
		`["LINE","e",0,"GND",1,100,100,200,100]`, `["LINE","e",0,"GND",1,100,100,200,"x",10,0]`, `["LINE","e",0,"GND",1,1e99,100,200,1,10,0]`, `["LINE","e",0,"GND",99,100,100,200,100,10,0]`, `["LINE"]`,
		`["ARC","e",0,"GND",1,100,100,200,100,null,5,0]`, `["POLY","e",0,"",1,10,[],0]`, `["POLY","e",0,"",1,10,[1,2,"X",3],0]`, `["POLY","e",0,"",1,10,[1,2,3,4],0]`, `["POLY","e",0,"",1,10,["R",1,2,3],0]`,
		`["POLY","e",0,"",1,10,["R",1,2,3,4,"x"],0]`, `["FILL","e",0,"",1,0,1,[["CIRCLE",1,1,5]],0]`, `["FILL","e",0,"",1,0,0,[["CIRCLE",1,1,-5]],0]`, `["FILL","e",0,"",12,0,0,null,0]`, `["POUR","e",0,"",77,0,"",0,[],["SOLID",8]]`,
		`["VIA","e2",0,"GND","B9",200,100,12,24]`, `["VIA","e2",0,"GND","",200,null,12,24]`, `["PAD","e",0,"",1,"1",0,0,0,null,["STAR",1],[]]`, `["PAD","e",0,"",1,"1",0,0,0,null,["RECT",0,5],[]]`,
		`["PAD","e",0,"",1,"1",0,0,0,null,["NGON",5,2],[]]`, `["PAD","e",0,"",5,"1",0,0,0,null,["RECT",5,5],[]]`, `["PAD","e",0,"",12,"1",0,0,0,["STAR",5,5],["RECT",5,5],[]]`, `["PAD","e",0,"",12,"1",0,0,0,["ROUND",0,5],["RECT",5,5],[]]`,
		`["PAD","e",0,"",12,"1",0,0,0,["ROUND",5,5],["RECT",5,5],[[1]]]`, `["PAD","e",0,"",12,"1",0,0,0,["RECT",5,5],["RECT",9,9],[]]`, `["STRING","e",0,3,"x",100,"AB","default",45,6,0,0,3,0]`, `["IMAGE","e",0,3,100,200,0,100,0,0,[["CIRCLE",1,1,5]],0]`,
		`["DIMENSION","e","LENGTH",1]`, `["OBJ","e",0,1]`, `["TEARDROP","e","N",1,[1]]`, `["COMPONENT","e",0,"x"]`, `["NEWS","e"]`,
	} {
		b := readRows(t, row)
		kind := strings.Split(row, `"`)[1]
		if len(b.Findings) != 1 || b.Findings[0].Code != "element_unread" || b.Findings[0].Level != pcb.Problem || !strings.Contains(b.Findings[0].Message, fmt.Sprintf("%q", kind)) || len(b.Holes) > 0 {
			t.Errorf("%s: findings %v, holes %v; want that it was not understood", row, b.Findings, b.Holes)
		}
	}
	rows := slices.Concat([]string{`["DOCTYPE","PCB","1.8"]`}, proLayers(1, "PLANE"), []string{proEdge})
	if got := codes(readProject(t, map[string]string{"PCB/b1.epcb": strings.Join(rows, "\n")})); !slices.Equal(got, []string{"problem plane_unread"}) {
		t.Errorf("findings %v, want that the plane is not read", got)
	}
	many := make([]string, 5000)
	for i := range many {
		many[i] = `["LINE","e",0,"GND",1,100,100,200,100,10,0]`
	}
	ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 1000, Steps: 1000})
	defer end()
	if ReadPro(ctx, []File{{"p.epcb", []byte(proDocument(many...))}}); pcb.Excess(ctx) == nil {
		t.Error("5000 lines fit a budget of 1000 objects")
	}
}

func FuzzReadPro(f *testing.F) {
	f.Add([]byte(proDocument(slices.Concat(partRows("c1", "R1", 2, 200, 100, 33), []string{
		`["VIA","e2",0,"GND","",200,100,12,24,0,null,null,0,[]]`, `["PAD","e",0,"",12,"1",200,100,90,["SLOT",80,40],["POLY",[160,80,"L",240,80,"ARC",30,240,120]],[[1,2,["NGON",80,6]]],1,2,90,1,0,2,2,-1,1,0]`,
		`["POUR","e9",0,"GND",1,0.2,"P",0,[[0,0,"L",900,0,900,400]],["SOLID",6],0,0]`, `["POURED","e10","e9",1,true,[[10,10,"L",20,10,20,20,10,20],[12,12,"C",14,12,14,14,15,15]]]`})...)))
	f.Add([]byte(proDocument(`["IMAGE","e",0,3,100,200,50,100,30,1,[[0,0,"L",10,0,"CARC",90,10,10,0,10],["CIRCLE",1,1,5,0]],0]`, `["STRING","e",0,4,200,100,"AB","default",45,6,0,0,5,90,1,0,1,0]`,
		`["FILL","e",0,"",12,1,0,["R",1,1,5,5,45,1,2],0]`, `["ARC","e",0,"GND",2,0,[100,100,"ARC",-180,200,100],0]`, `["TEARDROP","e","GND",2,[100,100,"L",200,100,200,200]]`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 100_000, Steps: 1_000_000})
		defer end()
		boards, _ := ReadPro(ctx, []File{{"PCB/b1.epcb", data}, {"FOOTPRINT/f1.efoo", []byte(footprintRows)}, {"project.json", []byte(projectRows)}})
		for _, b := range boards {
			for _, l := range b.Layers {
				l.Bounds()
			}
		}
	})
}
