// Package sample draws the board that ships with the system: a two-layer
// blinker, 50 by 30 mm, as a zip of Gerber and drill files.
package sample

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Zip is the sample board as a customer would upload it.
func Zip() ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files() {
		// A fixed time: the same sample is the same upload.
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write([]byte(f.text)); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

type file struct{ name, text string }

// Lengths are millimetres.
type point struct{ x, y float64 }

type pad struct {
	at   point
	w, h float64
}

// The board: a timer in the middle, its passives, two light-emitting diodes, a
// battery connector, four mounting holes.
var (
	timer    = column(point{20, 15}, 4, 1.27, 5.4)
	passives = []pad{
		{point{8, 8}, 1.0, 1.3}, {point{10, 8}, 1.0, 1.3}, {point{8, 22}, 1.0, 1.3}, {point{10, 22}, 1.0, 1.3},
		{point{32, 8}, 1.0, 1.3}, {point{34, 8}, 1.0, 1.3}, {point{32, 22}, 1.0, 1.3}, {point{34, 22}, 1.0, 1.3},
	}
	lights    = []pad{{point{41, 10}, 1.4, 1.6}, {point{44, 10}, 1.4, 1.6}, {point{41, 20}, 1.4, 1.6}, {point{44, 20}, 1.4, 1.6}}
	connector = []point{{4.5, 12.46}, {4.5, 15}, {4.5, 17.54}}
	vias      = []point{{14, 8}, {14, 22}, {27, 15}, {37, 15}}
	mounting  = []point{{3.5, 3.5}, {46.5, 3.5}, {3.5, 26.5}, {46.5, 26.5}}
	tracks    = [][]point{
		{{4.5, 17.54}, {7, 22}, {8, 22}}, {{10, 22}, {14, 22}, {17.3, 16.9}}, {{4.5, 12.46}, {7, 8}, {8, 8}},
		{{10, 8}, {14, 8}, {17.3, 13.1}}, {{22.7, 13.1}, {27, 8}, {32, 8}}, {{34, 8}, {38, 10}, {41, 10}},
		{{22.7, 16.9}, {27, 22}, {32, 22}}, {{34, 22}, {38, 20}, {41, 20}}, {{44, 10}, {46, 12}, {46, 18}, {44, 20}},
	}
)

// column is the pads of a package with n pins on each of two sides.
func column(centre point, n int, pitch, span float64) []pad {
	var out []pad
	for i := range n {
		y := centre.y + (float64(i)-float64(n-1)/2)*pitch
		out = append(out, pad{point{centre.x - span/2, y}, 1.9, 0.6}, pad{point{centre.x + span/2, y}, 1.9, 0.6})
	}
	return out
}

func surface() []pad {
	return append(append(append([]pad{}, timer...), passives...), lights...)
}

func files() []file {
	return []file{
		{"blinker-F_Cu.gbr", copperTop()},
		{"blinker-B_Cu.gbr", copperBottom()},
		{"blinker-F_Mask.gbr", mask("Top", surface())},
		{"blinker-B_Mask.gbr", mask("Bot", nil)},
		{"blinker-F_Silkscreen.gbr", silk()},
		{"blinker-Edge_Cuts.gbr", outline()},
		{"blinker-PTH.drl", pthDrill()},
		{"blinker-NPTH.drl", npthDrill()},
		{"README.txt", "Blinker, the sample board of the board ordering service. 50 x 30 mm, two layers.\n"},
	}
}

// gerber collects a file: apertures in the order in which they are first used.
type gerber struct {
	apertures []string
	body      strings.Builder
}

func (g *gerber) aperture(shape string) {
	n := 0
	for n < len(g.apertures) && g.apertures[n] != shape {
		n++
	}
	if n == len(g.apertures) {
		g.apertures = append(g.apertures, shape)
	}
	fmt.Fprintf(&g.body, "D%d*\n", n+10)
}

func (g *gerber) addOperation(p point, op string) {
	fmt.Fprintf(&g.body, "X%dY%dD%s*\n", int64(p.x*1e6), int64(p.y*1e6), op)
}

func (g *gerber) line(width float64, points ...point) {
	g.aperture(fmt.Sprintf("C,%.3f", width))
	for i, p := range points {
		g.addOperation(p, map[bool]string{true: "02", false: "01"}[i == 0])
	}
}

func (g *gerber) flashes(pads []pad, grow float64) {
	for _, p := range pads {
		g.aperture(fmt.Sprintf("R,%.3fX%.3f", p.w+2*grow, p.h+2*grow))
		g.addOperation(p.at, "03")
	}
}

func (g *gerber) rounds(at []point, diameter float64) {
	g.aperture(fmt.Sprintf("C,%.3f", diameter))
	for _, p := range at {
		g.addOperation(p, "03")
	}
}

func (g *gerber) file(function, polarity string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%%TF.GenerationSoftware,Board Ordering Service,Sample,1*%%\n%%TF.FileFunction,%s*%%\n", function)
	if polarity != "" {
		fmt.Fprintf(&out, "%%TF.FilePolarity,%s*%%\n", polarity)
	}
	out.WriteString("%FSLAX46Y46*%\n%MOMM*%\n%LPD*%\nG01*\n")
	for i, a := range g.apertures {
		fmt.Fprintf(&out, "%%ADD%d%s*%%\n", i+10, a)
	}
	out.WriteString(g.body.String() + "M02*\n")
	return out.String()
}

func copperTop() string {
	var g gerber
	for _, t := range tracks {
		g.line(0.4, t...)
	}
	g.flashes(surface(), 0)
	g.rounds(connector, 1.8)
	g.rounds(vias, 0.8)
	return g.file("Copper,L1,Top", "Positive")
}

// copperBottom is one ground area with clearances round what is not ground.
func copperBottom() string {
	var g gerber
	g.body.WriteString("G36*\n")
	for i, p := range []point{{1.1, 1.1}, {48.9, 1.1}, {48.9, 28.9}, {1.1, 28.9}, {1.1, 1.1}} {
		g.addOperation(p, map[bool]string{true: "02", false: "01"}[i == 0])
	}
	g.body.WriteString("G37*\n%LPC*%\n")
	g.rounds(mounting, 4.2)
	g.rounds(connector[1:], 2.3)
	g.rounds(vias[:2], 1.5)
	g.body.WriteString("%LPD*%\n")
	g.rounds(connector, 1.8)
	g.rounds(vias, 0.8)
	return g.file("Copper,L2,Bot", "Positive")
}

func mask(side string, pads []pad) string {
	var g gerber
	g.flashes(pads, 0.05)
	g.rounds(connector, 1.9)
	g.rounds(mounting, 3.4)
	return g.file("Soldermask,"+side, "Negative")
}

func silk() string {
	var g gerber
	g.line(0.15, point{18.6, 11.6}, point{21.4, 11.6}, point{21.4, 18.4}, point{18.6, 18.4}, point{18.6, 11.6})
	g.line(0.15, point{2.6, 10.8}, point{6.4, 10.8}, point{6.4, 19.2}, point{2.6, 19.2}, point{2.6, 10.8})
	for _, y := range []float64{10, 20} {
		g.line(0.15, point{39.8, y - 1.4}, point{45.2, y - 1.4}, point{45.2, y + 1.4}, point{39.8, y + 1.4}, point{39.8, y - 1.4})
	}
	for _, y := range []float64{8, 22} {
		for _, x := range []float64{9, 33} {
			g.line(0.15, point{x - 1.9, y - 1.1}, point{x + 1.9, y - 1.1}, point{x + 1.9, y + 1.1}, point{x - 1.9, y + 1.1}, point{x - 1.9, y - 1.1})
		}
	}
	return g.file("Legend,Top", "Positive")
}

// outline has rounded corners.
func outline() string {
	var g gerber
	const w, h, r = 50, 30, 3
	g.aperture("C,0.100")
	corner := func(to, centre point) {
		fmt.Fprintf(&g.body, "G03X%dY%dI%dJ%dD01*\nG01*\n", int64(to.x*1e6), int64(to.y*1e6), int64(centre.x*1e6), int64(centre.y*1e6))
	}
	g.body.WriteString("G75*\n")
	g.addOperation(point{r, 0}, "02")
	g.addOperation(point{w - r, 0}, "01")
	corner(point{w, r}, point{0, r})
	g.addOperation(point{w, h - r}, "01")
	corner(point{w - r, h}, point{-r, 0})
	g.addOperation(point{r, h}, "01")
	corner(point{0, h - r}, point{0, -r})
	g.addOperation(point{0, r}, "01")
	corner(point{r, 0}, point{r, 0})
	return g.file("Profile,NP", "")
}

func drill(plating string, tools map[float64][]point, order ...float64) string {
	var out strings.Builder
	fmt.Fprintf(&out, "M48\n; #@! TF.FileFunction,%s\nFMAT,2\nMETRIC\n", plating)
	for i, d := range order {
		fmt.Fprintf(&out, "T%dC%.3f\n", i+1, d)
	}
	out.WriteString("%\nG90\nG05\n")
	for i, d := range order {
		fmt.Fprintf(&out, "T%d\n", i+1)
		for _, p := range tools[d] {
			fmt.Fprintf(&out, "X%.3fY%.3f\n", p.x, p.y)
		}
	}
	out.WriteString("T0\nM30\n")
	return out.String()
}

func pthDrill() string {
	return drill("Plated,1,2,PTH", map[float64][]point{0.4: vias, 1.0: connector}, 0.4, 1.0)
}

func npthDrill() string {
	return drill("NonPlated,1,2,NPTH", map[float64][]point{3.2: mounting}, 3.2)
}
