package hostile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"boardorder/pkg/board/testkit/pcbdoc"
	"boardorder/pkg/board/upload"
)

// An Attack is an upload that was once too much.
type Attack struct {
	Name  string
	Files func() []upload.File
}

// Attacks are all of them.
func Attacks() []Attack {
	return []Attack{
		{"a million copies on one spot", func() []upload.File { return artwork(stepRepeat("X1000Y1000I0J0")) }},
		{"a macro of 2,500 holes", func() []upload.File { return artwork(macroOfHoles(2500, 60)) }},
		{"a comb less a comb", func() []upload.File { return artwork(combs(4000)) }},
		{"wide arcs of a square", func() []upload.File { return artwork(wideArcs(100_000, "R,0.5X0.5")) }},
		{"a few wide arcs", func() []upload.File { return artwork(wideArcs(100, "R,0.5X0.5")) }},
		{"an outline of random lines", func() []upload.File { return outlineFiles(randomLines(30_000)) }},
		{"random lines on copper", func() []upload.File { return artwork(randomLines(50_000)) }},
		{"seven layers of copies", sevenLayers},
		{"nested blocks", func() []upload.File { return artwork(nestBlocks(29, 20)) }},
		{"a macro of 20,000 pieces flashed 50,000 times", func() []upload.File { return artwork(largeMacro(20_000, 50_000)) }},
		{"turned flashes of a large macro", func() []upload.File { return artwork("%LR30*%" + largeMacro(20_000, 50_000)) }},
		{"ten thousand million copies", func() []upload.File { return artwork(stepRepeat("X100000Y100000I1J1")) }},
		{"nested primitives", func() []upload.File { return []upload.File{{Name: "board.xml", Data: nestPrimitives(12, 10)}} }},
		{"a hole repeated", func() []upload.File { return drillFiles("T1\nX1.0Y1.0\nR99999999X0.1\n") }},
		{"a pattern of holes repeated", func() []upload.File {
			return drillFiles("T1\nM25\n" + strings.Repeat("X1.0Y1.0\nR9999X0.1\n", 20) + "M01\n" + strings.Repeat("M02X1.0Y0.1\n", 5000))
		}},
		{"a zone of 400,000 points", func() []upload.File { return []upload.File{{Name: "a.kicad_pcb", Data: zone(400_000)}} }},
		{"a million polygon apertures", func() []upload.File { return artwork(polygonApertures(200_000)) }},
		{"long attributes on many objects", func() []upload.File { return artwork(longAttributes(100_000, 20_000)) }},
		{"texts on every layer of an Altium board", func() []upload.File { return []upload.File{{Name: "a.PcbDoc", Data: boardOfTexts(40_000)}} }},
		{"a symbol of 100 discs for each pad", func() []upload.File { return symbols(2_000) }},
		{"a part of 3,000 pads placed 3,000 times", func() []upload.File { return []upload.File{{Name: "a.brd", Data: largeParts(3000, 3000)}} }},
		{"a footprint of 3,000 areas placed 3,000 times", func() []upload.File { return proProject(3000, 3000) }},
		{"a drill file of arcs", func() []upload.File {
			return drillFiles("T1\nG00X0Y0\nM15\n" + strings.Repeat("G02X1.0Y0A900.0\nG03X0Y0A900.0\n", 20_000) + "M16\n")
		}},
	}
}

const (
	head    = "%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.2*%\n%ADD11R,1X1*%\nD10*\nG01*\n"
	outline = head + "X0Y0D02*\nX100000000D01*\nY100000000D01*\nX0D01*\nY0D01*\nM02*\n"
)

// proProject is an unpacked project of EasyEDA Pro with parts that share a footprint of many
// areas, which nothing is made of.
func proProject(areas, parts int) []upload.File {
	var board, print strings.Builder
	board.WriteString(`["DOCTYPE","PCB","1.8"]` + "\n" + `["LAYER",1,"TOP","Top",3]` + "\n" + `["LAYER",2,"BOTTOM","Bottom",3]` + "\n" + `["LAYER",48,"COMPONENT_SHAPE","Body",3]` + "\n")
	for i := range parts {
		fmt.Fprintf(&board, `["COMPONENT","c%d",0,1,%d,0,%[1]d,{"Footprint":"f","Designator":"R%[1]d"}]`+"\n", i, i*100)
	}
	print.WriteString(`["DOCTYPE","FOOTPRINT","1.8"]` + "\n")
	for range areas {
		print.WriteString(`["FILL","e",0,"",48,0.2,0,[[0,0` + strings.Repeat(`,"L",1,0,1,1`, 100) + "]],0]\n")
	}
	return []upload.File{{Name: "PCB/b.epcb", Data: []byte(board.String())}, {Name: "FOOTPRINT/f.efoo", Data: []byte(print.String())}}
}

// largeParts is an EAGLE board of parts that share a package of many pads.
func largeParts(pads, parts int) []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><eagle version="9.6.2"><drawing><layers><layer number="1" name="Top"/><layer number="16" name="Bottom"/><layer number="20" name="Dimension"/></layers><board><plain>`)
	for _, line := range []string{`x1="0" y1="0" x2="90" y2="0"`, `x1="90" y1="0" x2="90" y2="90"`, `x1="90" y1="90" x2="0" y2="90"`, `x1="0" y1="90" x2="0" y2="0"`} {
		fmt.Fprintf(&b, `<wire %s width="0" layer="20"/>`, line)
	}
	b.WriteString(`</plain><libraries><library name="l"><packages><package name="p">`)
	for i := range pads {
		fmt.Fprintf(&b, `<smd name="%d" x="%g" y="1" dx="0.02" dy="0.02" layer="1"/>`, i, 1+0.025*float64(i))
	}
	b.WriteString(`</package></packages></library></libraries><elements>`)
	for i := range parts {
		fmt.Fprintf(&b, `<element name="U%d" library="l" package="p" value="" x="0" y="%g"/>`, i, 0.025*float64(i))
	}
	b.WriteString(`</elements><signals/></board></drawing></eagle>`)
	return []byte(b.String())
}

// artwork is a board of two layers, the upper one drawn by body.
func artwork(body string) []upload.File {
	return []upload.File{
		{Name: "board.gtl", Data: []byte(head + body + "M02*\n")},
		{Name: "board.gbl", Data: []byte(head + "X1000000Y1000000D03*\nM02*\n")},
		{Name: "board.gko", Data: []byte(outline)},
	}
}

// outlineFiles is a board whose outline is drawn by body.
func outlineFiles(body string) []upload.File {
	return []upload.File{
		{Name: "board.gtl", Data: []byte(head + "X1000000Y1000000D03*\nM02*\n")},
		{Name: "board.gko", Data: []byte(head + body + "M02*\n")},
	}
}

// drillFiles is a board with a drill file.
func drillFiles(body string) []upload.File {
	return append(artwork("X1000000Y1000000D03*\n"), upload.File{Name: "board.drl", Data: []byte("M48\nMETRIC\nT1C0.3\n%\n" + body + "M30\n")})
}

func stepRepeat(how string) string { return "%SR" + how + "*%X1000000Y1000000D03*\n%SR*%\n" }

func sevenLayers() []upload.File {
	files := []upload.File{{Name: "board.gko", Data: []byte(outline)}}
	for i, ext := range []string{"gtl", "g2", "g3", "gbl", "gts", "gbs", "gto"} {
		files = append(files, upload.File{Name: "board." + ext, Data: []byte(head + stepRepeat(fmt.Sprintf("X2200Y2200I0.0%dJ0.01", i+1)) + "M02*\n")})
	}
	return files
}

// macroOfHoles is a macro with clear circles in a dark one, put down some times.
func macroOfHoles(holes, flashes int) string {
	var b strings.Builder
	b.WriteString("%AMHOLES*1,1,90,0,0*\n")
	side := int(math.Sqrt(float64(holes)))
	for i := range holes {
		fmt.Fprintf(&b, "1,0,0.5,%d,%d*\n", i%side-side/2, i/side-side/2)
	}
	b.WriteString("%\n%ADD20HOLES*%\nD20*\n")
	for i := range flashes {
		fmt.Fprintf(&b, "X%dY%dD03*\n", i*1000, i*1000)
	}
	return b.String()
}

// combs are a dark area with so many teeth and a clear one across it.
func combs(teeth int) string {
	var b strings.Builder
	comb := func(at func(along, across int) (x, y int)) {
		b.WriteString("G36*\n")
		point := func(along, across int, op string) {
			x, y := at(along, across)
			fmt.Fprintf(&b, "X%dY%d%s*\n", x, y, op)
		}
		const pitch, long = 10_000, 90_000_000
		point(0, 0, "D02")
		for i := range teeth {
			point(i*pitch, long, "D01")
			point(i*pitch+pitch/2, long, "D01")
			point(i*pitch+pitch/2, 1000, "D01")
			point((i+1)*pitch, 1000, "D01")
		}
		point(teeth*pitch, 0, "D01")
		point(0, 0, "D01")
		b.WriteString("G37*\n")
	}
	comb(func(along, across int) (int, int) { return along, across })
	b.WriteString("%LPC*%\n")
	comb(func(along, across int) (int, int) { return across, along })
	b.WriteString("%LPD*%\n")
	return b.String()
}

// wideArcs are full circles, nearly a metre wide.
func wideArcs(n int, aperture string) string {
	var b strings.Builder
	b.WriteString("%ADD20" + aperture + "*%\nD20*\nG75*\nG03*\n")
	for i := range n {
		fmt.Fprintf(&b, "X%dY0D02*\nX%dY0I-900000000J0D01*\n", i*10, i*10)
	}
	return b.String() + "G01*\n"
}

func randomLines(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "X%dY%dD02*\nX%dY%dD01*\n", r.IntN(1e8), r.IntN(1e8), r.IntN(1e8), r.IntN(1e8))
	}
	return b.String()
}

// nestBlocks flashes each block so many times in the next.
func nestBlocks(levels, times int) string {
	var b strings.Builder
	b.WriteString("%ABD20*%\nD10*\nX0Y0D03*\n%AB*%\n")
	for d := 21; d <= 20+levels; d++ {
		fmt.Fprintf(&b, "%%ABD%d*%%\nD%d*\n%s%%AB*%%\n", d, d-1, strings.Repeat("X0Y0D03*\n", times))
	}
	fmt.Fprintf(&b, "D%d*\nX0Y0D03*\n", 20+levels)
	return b.String()
}

func largeMacro(pieces, flashes int) string {
	var b strings.Builder
	b.WriteString("%AMLARGE*\n" + strings.Repeat("1,1,1,0,0*\n", pieces) + "%\n%ADD20LARGE*%\nD20*\n")
	for i := range flashes {
		fmt.Fprintf(&b, "X%dD03*\n", i)
	}
	return b.String()
}

func polygonApertures(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%%ADD%dP,1X1000*%%\n", 20+i)
	}
	return b.String()
}

func longAttributes(objects, length int) string {
	var b strings.Builder
	b.WriteString("%TO.CVal," + strings.Repeat("x", length) + "*%\n")
	for i := range objects {
		fmt.Fprintf(&b, "%%TO.C,R%d*%%\nX%dY0D03*\n", i, i)
	}
	return b.String()
}

// nestPrimitives is IPC-2581 whose every user primitive holds the one before it so
// many times.
func nestPrimitives(levels, times int) []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><IPC-2581 revision="B"><Content><DictionaryUser units="MILLIMETER">`)
	b.WriteString(`<EntryUser id="P0"><UserSpecial><Line startX="0" startY="0" endX="1" endY="1"><LineDesc lineWidth="0.1" lineEnd="ROUND"/></Line></UserSpecial></EntryUser>`)
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, `<EntryUser id="P%d"><UserSpecial>%s</UserSpecial></EntryUser>`, i, strings.Repeat(fmt.Sprintf(`<UserPrimitiveRef id="P%d"/>`, i-1), times))
	}
	b.WriteString(`</DictionaryUser></Content><Ecad name="x"><CadHeader units="MILLIMETER"/><CadData><Layer name="TOP" layerFunction="CONDUCTOR" side="TOP" polarity="POSITIVE"/>`)
	fmt.Fprintf(&b, `<Step name="S"><Profile><Polygon><PolyBegin x="0" y="0"/><PolyStepSegment x="9" y="0"/><PolyStepSegment x="9" y="9"/><PolyStepSegment x="0" y="0"/></Polygon></Profile>`+
		`<LayerFeature layerRef="TOP"><Set><Features><Location x="1" y="1"/><UserPrimitiveRef id="P%d"/></Features></Set></LayerFeature></Step></CadData></Ecad></IPC-2581>`, levels)
	return []byte(b.String())
}

const kicadHead = "(kicad_pcb (version 20221018) (generator pcbnew)\n(layers (0 \"F.Cu\" signal) (31 \"B.Cu\" signal) (44 \"Edge.Cuts\" user))\n(net 0 \"\") (net 1 \"GND\")\n" +
	"(gr_rect (start 0 0) (end 100 100) (stroke (width 0.1) (type solid)) (fill none) (layer \"Edge.Cuts\"))\n"

// zone is a KiCad board with a filled area whose border zigzags.
func zone(points int) []byte {
	var b strings.Builder
	b.WriteString(kicadHead + "(zone (net 1) (net_name \"GND\") (layer \"F.Cu\") (min_thickness 0.25) (filled_areas_thickness no)\n(filled_polygon (layer \"F.Cu\") (pts\n")
	for i := range points / 2 {
		fmt.Fprintf(&b, "(xy %.5f %.5f) (xy %.5f %.5f)\n", float64(i)*200/float64(points), 10.0, float64(i)*200/float64(points)+0.0001, 90.0)
	}
	b.WriteString("(xy 100 5) (xy 0 5))))\n)\n")
	return []byte(b.String())
}

// boardOfTexts is a board of 32 copper layers with texts on all of them.
func boardOfTexts(n int) []byte {
	f := pcbdoc.New(4000, 4000)
	layers := make([]int, 32)
	for i := range layers {
		layers[i] = i + 1
	}
	f.Board = "|RECORD=Board" + pcbdoc.Stack(layers...) + pcbdoc.Outline(0, 0, 4000, 0, 4000, 4000, 0, 4000)
	for range n {
		f.Text(pcbdoc.Text{Object: pcbdoc.LayerObject(pcbdoc.Multi), X: 1000, Y: 1000, Height: 40, Pen: 6, Words: strings.Repeat("W", 250)})
	}
	return f.Bytes()
}

// symbols is an ODB++ job of n pads, each of a symbol of its own that is far larger
// than the board and made of rings, which erase each other.
func symbols(n int) []upload.File {
	var top strings.Builder
	top.WriteString("UNITS=MM\n")
	for i := range n {
		fmt.Fprintf(&top, "$%d moire1000000000x1000000000x100000x1000000000x1000000000x%d\n", i, i)
	}
	for i := range n {
		fmt.Fprintf(&top, "P %d %d %d P 0 0\n", 1+i%48, 1+i%28, i)
	}
	return []upload.File{
		{Name: "job/matrix/matrix", Data: []byte("STEP {\n COL=1\n NAME=pcb\n}\n" +
			"LAYER {\n ROW=1\n CONTEXT=BOARD\n TYPE=SIGNAL\n NAME=top\n POLARITY=POSITIVE\n}\n")},
		{Name: "job/steps/pcb/stephdr", Data: []byte("UNITS=MM\n")},
		{Name: "job/steps/pcb/profile", Data: []byte("UNITS=MM\nS P 0\nOB 0 0 I\nOS 50 0\nOS 50 30\nOS 0 30\nOS 0 0\nOE\nSE\n")},
		{Name: "job/steps/pcb/layers/top/features", Data: []byte(top.String())},
	}
}
