package hostile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"strings"

	"boardorder/pkg/board/testkit/pcbdoc"
	"boardorder/pkg/board/upload"
)

// Generate makes an upload at random, the same for the same seed: a few files of
// several formats that belong together, each drawn by a few recipes of random size.
func Generate(seed uint64) []upload.File {
	g := generator{rand.New(rand.NewPCG(seed, seed))}
	formats := []func() []upload.File{g.gerbers, g.gerbers, g.kicad, g.eagle, g.easyEDA, g.altium, g.odb, g.ipc2581, g.drills}
	files := formats[g.IntN(len(formats))]()
	if g.IntN(3) == 0 {
		files = append(files, formats[g.IntN(len(formats))]()...)
	}
	if g.IntN(3) == 0 {
		files = append(files, g.netlist(), g.job())
	}
	return files
}

// Pack puts files into archives, one in the other, of random kinds.
func Pack(seed uint64, files []upload.File) (name string, data []byte) {
	g := generator{rand.New(rand.NewPCG(seed, 7))}
	for range 1 + g.IntN(2) {
		if g.IntN(2) == 0 {
			name, data = "upload.zip", zipFiles(files)
		} else {
			name, data = "upload.tar.gz", tarFiles(files)
		}
		files = []upload.File{{Name: name, Data: data}}
	}
	return name, data
}

func zipFiles(files []upload.File) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		w, err := z.Create(f.Name)
		if err == nil {
			_, err = w.Write(f.Data)
		}
		must(err)
	}
	must(z.Close())
	return out.Bytes()
}

func tarFiles(files []upload.File) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	t := tar.NewWriter(z)
	for _, f := range files {
		err := t.WriteHeader(&tar.Header{Name: f.Name, Mode: 0o644, Size: int64(len(f.Data))})
		if err == nil {
			_, err = t.Write(f.Data)
		}
		must(err)
	}
	must(t.Close())
	must(z.Close())
	return out.Bytes()
}

// must holds for writers into memory.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

type generator struct{ *rand.Rand }

// size is a count, mostly small, at times up to most.
func (g generator) size(most int) int {
	n := most
	for g.IntN(3) > 0 && n > 1 {
		n /= 1 + g.IntN(8)
	}
	return max(1, n)
}

func (g generator) pick(words ...string) string { return words[g.IntN(len(words))] }

// place is a coordinate in nanometres: on a grid, in one spot, or anywhere.
func (g generator) place() int {
	switch g.IntN(4) {
	case 0:
		return 1_000_000
	case 1:
		return g.IntN(100) * 1_000_000
	case 2:
		return g.IntN(1000)
	}
	return g.IntN(100_000_000)
}

func (g generator) gerbers() []upload.File {
	files := []upload.File{{Name: "board.gko", Data: []byte(outline)}}
	if g.IntN(3) == 0 {
		files[0].Data = []byte(head + g.drawing(3) + "M02*\n")
	}
	for _, ext := range []string{"gtl", "gbl", "gts", "gto", "g2"}[:1+g.IntN(5)] {
		files = append(files, upload.File{Name: "board." + ext, Data: []byte(head + g.drawing(4) + "M02*\n")})
	}
	if g.IntN(2) == 0 {
		files = append(files, upload.File{Name: "board.drl", Data: g.excellon()})
	}
	return files
}

// drawing is the body of a Gerber file.
func (g generator) drawing(recipes int) string {
	var b strings.Builder
	for range 1 + g.IntN(recipes) {
		b.WriteString(g.pick("%LPD*%\n", "%LPD*%\n", "%LPC*%\n", "%LR30*%\n", "%LMX*%\n", "%LS2*%\n"))
		switch g.IntN(9) {
		case 0:
			b.WriteString(stepRepeat(fmt.Sprintf("X%dY%dI%gJ%g", g.size(3000), g.size(3000), float64(g.IntN(300))/100, float64(g.IntN(300))/100)))
		case 1:
			b.WriteString(macroOfHoles(g.size(3000), g.size(300)))
		case 2:
			b.WriteString(combs(g.size(1500)))
		case 3:
			b.WriteString(wideArcs(g.size(2000), g.pick("R,0.5X0.5", "C,0.1", "O,1X2", "P,2X7", "C,1X0.5")))
		case 4:
			b.WriteString(randomLines(g.size(20_000)))
		case 5:
			b.WriteString(nestBlocks(g.size(30), g.size(30)))
		case 6:
			b.WriteString(largeMacro(g.size(5000), g.size(5000)))
		case 7:
			b.WriteString(g.alternating(g.size(20_000)))
		default:
			b.WriteString(g.regions(g.size(200), g.size(5000)))
		}
	}
	return b.String()
}

// alternating draws dark and clear things over each other.
func (g generator) alternating(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%%LP%c*%%\nD%d*\nX%dY%dD03*\n", "DC"[i%2], 10+i%2, g.place(), g.place())
	}
	return b.String()
}

// regions are areas whose corners lie anywhere.
func (g generator) regions(n, corners int) string {
	var b strings.Builder
	for range n {
		b.WriteString("G36*\n")
		for k := range 3 + corners/n {
			fmt.Fprintf(&b, "X%dY%dD0%d*\n", g.place(), g.place(), min(1, k)*-1+2)
		}
		b.WriteString("G37*\n")
	}
	return b.String()
}

func (g generator) drills() []upload.File {
	files := artwork("X1000000Y1000000D03*\n")
	for i := range 1 + g.IntN(4) {
		files = append(files, upload.File{Name: fmt.Sprintf("board%d.drl", i), Data: g.excellon()})
	}
	return files
}

func (g generator) excellon() []byte {
	var b strings.Builder
	b.WriteString("M48\nMETRIC\nT1C0.3\nT2C1.0\n%\n")
	for range 1 + g.IntN(4) {
		mm := func() float64 { return float64(g.place()) / 1e6 }
		b.WriteString(g.pick("T1\n", "T2\n"))
		switch g.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "X%.3fY%.3f\nR%dX%.3f\n", mm(), mm(), g.size(5_000_000), mm()/100)
		case 1:
			fmt.Fprintf(&b, "M25\nX%.3fY%.3f\nR%dX0.1\nM01\n%s", mm(), mm(), g.size(3000), strings.Repeat(fmt.Sprintf("M02X%.3fY0.1\n", mm()/100), g.size(1000)))
		case 2:
			fmt.Fprintf(&b, "G00X0Y0\nM15\n%sM16\nG05\n", strings.Repeat(fmt.Sprintf("G02X%.3fY%.3fA900.0\nG01X0.0Y0.0\n", mm(), mm()), g.size(5000)))
		default:
			for range g.size(20_000) {
				fmt.Fprintf(&b, "X%.3fY%.3f\n", mm(), mm())
			}
		}
	}
	return []byte(b.String() + "M30\n")
}

func (g generator) kicad() []upload.File {
	var b strings.Builder
	b.WriteString(strings.Replace(kicadHead, "44 \"Edge.Cuts\" user", "37 \"F.SilkS\" user) (39 \"F.Mask\" user) (44 \"Edge.Cuts\" user", 1))
	mm := func() float64 { return float64(g.place()) / 1e6 }
	for range 1 + g.IntN(4) {
		switch g.IntN(5) {
		case 0:
			for range g.size(20_000) {
				fmt.Fprintf(&b, "(segment (start %.3f %.3f) (end %.3f %.3f) (width 0.2) (layer \"F.Cu\") (net %d))\n", mm(), mm(), mm(), mm(), g.IntN(2))
			}
		case 1:
			for range g.size(20_000) {
				fmt.Fprintf(&b, "(via (at %.3f %.3f) (size 0.6) (drill 0.3) (layers \"F.Cu\" \"B.Cu\") (net 1))\n", mm(), mm())
			}
		case 2:
			b.Write(zone(g.size(100_000))[len(kicadHead):])
			b.WriteString("\n")
			s := strings.TrimSuffix(strings.TrimSpace(b.String()), ")")
			b.Reset()
			b.WriteString(s + "\n")
		case 3:
			fmt.Fprintf(&b, "(property \"A\" \"%s\")\n", strings.Repeat("${A}x", g.size(2000)))
			for range g.size(2000) {
				fmt.Fprintf(&b, "(gr_text \"${A}\" (at %.3f %.3f) (layer \"F.SilkS\") (effects (font (size 1 1) (thickness 0.15))))\n", mm(), mm())
			}
		default:
			pieces := strings.Repeat(fmt.Sprintf("(gr_arc (start 0 0) (mid 1 1) (end %.3f 0) (width 0.1))", mm()), g.size(500))
			for i := range g.size(2000) {
				fmt.Fprintf(&b, "(footprint \"x\" (layer \"F.Cu\") (at %.3f %.3f %d) (pad \"1\" smd custom (at 0 0) (size 1 1) (layers \"F.Cu\" \"F.Mask\") (net 1 \"GND\") (primitives %s)))\n",
					mm(), mm(), i%360, pieces)
				pieces = pieces[:min(len(pieces), 200)]
				if k := strings.LastIndex(pieces, "))"); k >= 0 {
					pieces = pieces[:k+2]
				} else {
					pieces = ""
				}
			}
		}
	}
	return []upload.File{{Name: "a.kicad_pcb", Data: []byte(b.String() + ")\n")}}
}

func (g generator) eagle() []upload.File {
	mm := func() float64 { return float64(g.place()) / 1e6 }
	var b, parts strings.Builder
	b.WriteString(`<?xml version="1.0"?><eagle version="9.0"><drawing><layers><layer number="1" name="Top"/><layer number="16" name="Bottom"/><layer number="20" name="Dimension"/></layers><board><plain>`)
	for range g.size(2000) {
		fmt.Fprintf(&b, `<wire x1="%.3f" y1="%.3f" x2="%.3f" y2="%.3f" width="0.1" layer="%s" curve="%d"/>`, mm(), mm(), mm(), mm(), g.pick("20", "1"), g.IntN(3)*90)
	}
	b.WriteString(`</plain><libraries><library name="l"><packages><package name="p">`)
	for i := range g.size(3000) {
		fmt.Fprintf(&b, `<pad name="%d" x="%.3f" y="%.3f" drill="0.5"/>`, i, mm(), mm())
	}
	for range g.size(100) {
		fmt.Fprintf(&b, `<text x="%.3f" y="%.3f" size="1" layer="1">%s</text>`, mm(), mm(), strings.Repeat("W", g.size(3000)))
	}
	b.WriteString(`</package></packages></library></libraries><elements>`)
	for i := range g.size(2000) {
		fmt.Fprintf(&parts, `<element name="E%d" library="l" package="p" value="" x="%.3f" y="%.3f" rot="R%d"/>`, i, mm(), mm(), g.IntN(360))
	}
	b.WriteString(parts.String() + `</elements><signals><signal name="GND">`)
	for range g.size(50) {
		b.WriteString(`<polygon width="0.2" layer="1">`)
		for range 3 + g.size(2000) {
			fmt.Fprintf(&b, `<vertex x="%.3f" y="%.3f"/>`, mm(), mm())
		}
		b.WriteString(`</polygon>`)
	}
	b.WriteString(`</signal></signals></board></drawing></eagle>`)
	return []upload.File{{Name: "a.brd", Data: []byte(b.String())}}
}

func (g generator) easyEDA() []upload.File {
	unit := func() float64 { return 4000 + float64(g.place())/254_000 }
	var b strings.Builder
	b.WriteString(`{"head":{"docType":"3","editorVersion":"6.5"},"canvas":"CA~1","layers":["1~TopLayer~#F00~true~true~true~","2~BottomLayer~#00F~true~false~true~"],"shape":["TRACK~1~1~~1 1 2 2~g"`)
	for range g.size(2000) {
		fmt.Fprintf(&b, `,"TRACK~1~%s~N%d~%.3f %.3f %.3f %.3f~g"`, g.pick("1", "10", "3"), g.IntN(3), unit(), unit(), unit(), unit())
	}
	for range g.size(200) {
		fmt.Fprintf(&b, `,"ARC~1~10~~M %.3f %.3f A %.3f %.3f 30 1 0 %.3f %.3f~~g"`, unit(), unit(), unit(), unit(), unit(), unit())
	}
	for i := range g.size(500) {
		fmt.Fprintf(&b, `,"LIB~%.3f~%.3f~package`+"`P`"+`~%d~~g~1`, unit(), unit(), g.IntN(360))
		for range g.size(20) {
			fmt.Fprintf(&b, `#@$PAD~%s~%.3f~%.3f~4~2~11~N~%d~0.5~~%d~g`, g.pick("OVAL", "RECT"), unit(), unit(), i, g.IntN(360))
		}
		b.WriteString(`"`)
	}
	for range g.size(50) {
		fmt.Fprintf(&b, `,"SOLIDREGION~1~GND~M %.3f %.3f`, unit(), unit())
		for range 2 + g.size(2000) {
			fmt.Fprintf(&b, ` L %.3f %.3f`, unit(), unit())
		}
		b.WriteString(` Z~solid~g"`)
	}
	b.WriteString(`]}`)
	return []upload.File{{Name: "a.json", Data: []byte(b.String())}}
}

func (g generator) altium() []upload.File {
	mil := func() float64 { return float64(g.place()) / 25_400 }
	on := func() pcbdoc.Object { return pcbdoc.NetObject([]int{1, 32, 33, 37, 74}[g.IntN(5)], g.IntN(2)) }
	f := pcbdoc.New(4000, 4000)
	f.Net("GND")
	for range 1 + g.IntN(4) {
		switch g.IntN(5) {
		case 0:
			for range g.size(20_000) {
				f.Track(on(), mil(), mil(), mil(), mil(), float64(g.IntN(20)))
			}
		case 1:
			for range g.size(20_000) {
				f.AddVia(on(), mil(), mil(), 20, 10, 1, 32, 4)
			}
		case 2:
			for range g.size(5000) {
				f.Pad(pcbdoc.Pad{Object: on(), Name: "1", X: mil(), Y: mil(), W: 40, H: 20, Turn: float64(g.IntN(360)), Drill: float64(g.IntN(2) * 10), Shape: 1 + g.IntN(3), MaskMode: 1})
			}
		case 3:
			for range g.size(50) {
				var xy []float64
				for range 3 + g.size(2000) {
					xy = append(xy, mil(), mil())
				}
				f.Region(on(), "|KIND=0", xy, xy[:len(xy)/2])
			}
		default:
			for range g.size(500) {
				f.Text(pcbdoc.Text{Object: on(), X: mil(), Y: mil(), Height: 40, Pen: 6, Words: strings.Repeat("W", g.size(250))})
				f.Arc(on(), mil(), mil(), mil(), mil(), mil(), 5)
			}
		}
	}
	return []upload.File{{Name: "a.PcbDoc", Data: f.Bytes()}}
}

func (g generator) ipc2581() []upload.File {
	return []upload.File{{Name: "board.xml", Data: nestPrimitives(g.size(14), g.size(12))}}
}

// odb is a job of one or two steps, whose symbols hold others.
func (g generator) odb() []upload.File {
	matrix := "STEP {\n COL=1\n NAME=pcb\n}\nSTEP {\n COL=2\n NAME=panel\n}\n" +
		"LAYER {\n ROW=1\n CONTEXT=BOARD\n TYPE=SIGNAL\n NAME=top\n POLARITY=POSITIVE\n}\n" +
		"LAYER {\n ROW=2\n CONTEXT=BOARD\n TYPE=DRILL\n NAME=drill\n POLARITY=POSITIVE\n START_NAME=top\n END_NAME=top\n}\n"
	const profile = "UNITS=MM\nS P 0\nOB 0 0 I\nOS 100 0\nOS 100 100\nOS 0 100\nOS 0 0\nOE\nSE\n"
	files := []upload.File{
		{Name: "job/matrix/matrix", Data: []byte(matrix)},
		{Name: "job/steps/pcb/stephdr", Data: []byte("UNITS=MM\n")},
		{Name: "job/steps/pcb/profile", Data: []byte(profile)},
		{Name: "job/steps/panel/stephdr", Data: fmt.Appendf(nil, "UNITS=MM\nSTEP-REPEAT {\n NAME=pcb\n X=0\n Y=0\n DX=%d\n DY=1\n NX=%d\n NY=%d\n}\n", g.IntN(3), g.size(5000), g.size(5000))},
		{Name: "job/steps/panel/profile", Data: []byte(profile)},
	}
	levels, times := 1+g.IntN(6), g.size(100)
	for i := range levels {
		symbol := fmt.Sprintf("$0 %s\n", map[bool]string{true: "r100", false: fmt.Sprintf("own%d", i-1)}[i == 0])
		files = append(files, upload.File{Name: fmt.Sprintf("job/symbols/own%d/features", i), Data: []byte("UNITS=MM\n" + symbol + strings.Repeat("P 0 0 0 P 0 0\n", times))})
	}
	var top, drill strings.Builder
	fmt.Fprintf(&top, "UNITS=MM\n$0 own%d\n$1 rect100x200\n", levels-1)
	drill.WriteString("UNITS=MM\n$0 r100\n$1 rect1000x2000\n")
	for range g.size(5000) {
		x, y := float64(g.place())/1e6, float64(g.place())/1e6
		fmt.Fprintf(&top, "%s\n", g.pick(fmt.Sprintf("P %.3f %.3f 0 P 0 8 %d", x, y, g.IntN(360)), fmt.Sprintf("A %.3f %.3f %.3f %.3f 0 900 1 P 0 N", x, y, x, y), fmt.Sprintf("L 0 0 %.3f %.3f 1 P 0", x, y)))
		fmt.Fprintf(&drill, "P %.3f %.3f %d P 0 0\n", x, y, g.IntN(2))
	}
	return append(files, upload.File{Name: "job/steps/pcb/layers/top/features", Data: []byte(top.String())},
		upload.File{Name: "job/steps/pcb/layers/drill/features", Data: []byte(drill.String())})
}

func (g generator) netlist() upload.File {
	var b strings.Builder
	b.WriteString("P  UNITS CUST 1\n")
	for i := range g.size(20_000) {
		fmt.Fprintf(&b, "317NET%-11d    R%-5d-%d    D0300PA00X%+07dY%+07dX0600Y0000R000S0\n", g.IntN(1+i), i%99999, i%9, g.place()/1000, g.place()/1000)
	}
	return upload.File{Name: "board.ipc", Data: []byte(b.String() + "999\n")}
}

func (g generator) job() upload.File {
	var b strings.Builder
	b.WriteString(`{"Header":{},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":100,"Y":100}},"FilesAttributes":[`)
	for i := range g.size(20_000) {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"Path":"board.gtl","FileFunction":"Copper,L%d,Top","FilePolarity":"Positive"}`, i)
	}
	return upload.File{Name: "board.gbrjob", Data: []byte(b.String() + "]}")}
}
