// Package uploads draws small uploads for tests of how uploads are read.
package uploads

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
)

// A Set is an upload under construction: name and content of its files.
type Set map[string]string

// Gerber draws strokes (x1,y1 x2,y2 in millimetres) and flashes (x,y).
func Gerber(head string, items ...string) string {
	var b strings.Builder
	b.WriteString("%FSLAX46Y46*%\n%MOMM*%\n" + head + "%ADD10C,0.2*%\n%ADD11C,1.6*%\nG01*\n")
	at := func(s string) string {
		var x, y float64
		fmt.Sscanf(s, "%f,%f", &x, &y)
		return fmt.Sprintf("X%dY%d", int64(x*1e6), int64(y*1e6))
	}
	for _, it := range items {
		if from, to, line := strings.Cut(it, " "); line {
			fmt.Fprintf(&b, "D10*\n%sD02*\n%sD01*\n", at(from), at(to))
		} else {
			fmt.Fprintf(&b, "D11*\n%sD03*\n", at(it))
		}
	}
	return b.String() + "M02*\n"
}

// Function is the attribute of a file's function, to stand at its head.
func Function(f string) string { return "%TF.FileFunction," + f + "*%\n" }

// Drill drills 0.8 mm holes at x,y in millimetres.
func Drill(head string, holes ...string) string {
	s := "M48\n" + head + "METRIC\nT1C0.800\n%\nG90\nG05\nT1\n"
	for _, h := range holes {
		x, y, _ := strings.Cut(h, ",")
		s += "X" + x + ".0Y" + y + ".0\n"
	}
	return s + "M30\n"
}

// OutlineLines are the edge of the ordinary board.
var OutlineLines = []string{"0,0 20,0", "20,0 20,10", "20,10 0,10", "0,10 0,0"}

// Ordinary is a two-layer board of 20 by 10 mm with three plated holes.
func Ordinary() Set {
	pads := []string{"5,5", "10,5", "15,5", "5,5 15,5"}
	return Set{
		"x-F_Cu.gbr":      Gerber("", pads...),
		"x-B_Cu.gbr":      Gerber("", pads...),
		"x-F_Mask.gbr":    Gerber("", pads[:3]...),
		"x-B_Mask.gbr":    Gerber("", pads[:3]...),
		"x-Edge_Cuts.gbr": Gerber("", OutlineLines...),
		"x-PTH.drl":       Drill("", "5,5", "10,5", "15,5"),
	}
}

// Merge gives the set with files added or replaced; "" takes one away.
func (s Set) Merge(more Set) Set {
	for name, data := range more {
		if data == "" {
			delete(s, name)
		} else {
			s[name] = data
		}
	}
	return s
}

// Read reads the upload.
func (s Set) Read(t testing.TB) *pcb.Project {
	t.Helper()
	return upload.Read(context.Background(), s.Files(), upload.Options{})
}

// Files are the files of the upload, by name.
func (s Set) Files() []upload.File {
	var out []upload.File
	for name, data := range s {
		out = append(out, upload.File{Name: name, Data: []byte(data)})
	}
	slices.SortFunc(out, func(a, b upload.File) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Codes lists the codes of all findings at or above a level.
func Codes(p *pcb.Project, least pcb.Level) []string {
	var out []string
	add := func(fs []pcb.Finding) {
		for _, f := range fs {
			if f.Level >= least {
				out = append(out, f.Code)
			}
		}
	}
	add(p.Findings)
	for _, b := range p.Boards {
		add(b.Findings)
	}
	slices.Sort(out)
	return out
}

// FindingOf finds a finding of the first board; nil for none.
func FindingOf(p *pcb.Project, code string) *pcb.Finding {
	fs := p.Boards[0].Findings
	if i := slices.IndexFunc(fs, func(f pcb.Finding) bool { return f.Code == code }); i >= 0 {
		return &fs[i]
	}
	return nil
}

// GerberWithPen draws a rectangle with a pen of that width, in millimetres, before what
// Gerber draws.
func GerberWithPen(pen string, x1, y1, x2, y2 float64, items ...string) string {
	head := "%ADD12C," + pen + "*%\n"
	return strings.Replace(Gerber(head, items...), "G01*\n", "G01*\nD12*\n"+Rectangle(x1, y1, x2, y2), 1)
}

// FourLayers is the ordinary board with two inner layers.
func FourLayers() Set {
	pads := []string{"5,5", "10,5", "15,5", "5,5 15,5"}
	return Ordinary().Merge(Set{"x-In1_Cu.gbr": Gerber("", pads...), "x-In2_Cu.gbr": Gerber("", pads...)})
}

// Job is a job file whose general part has more fields.
func Job(fields string) string {
	return `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2,` + fields + `}}`
}

// BoardWithHoles is an ordinary board with twelve plated holes and a land on each.
func BoardWithHoles() (s Set, lands []string) {
	for i := range 12 {
		lands = append(lands, fmt.Sprintf("%d,%d", 2+3*(i%6), 3+4*(i/6)))
	}
	s = Ordinary().Merge(Set{"x-F_Cu.gbr": Gerber("", lands...), "x-B_Cu.gbr": Gerber("", lands...), "x-PTH.drl": Drill("", lands...)})
	return s, lands
}

// CopperOrder gives the names of the inner layers of the first board, top first.
func CopperOrder(p *pcb.Project) string {
	var out []string
	for _, l := range p.Boards[0].Copper() {
		if l.Side == pcb.Inner {
			name, _, _ := strings.Cut(l.Name, ".")
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// Rectangle draws a rectangle with the pen at hand.
func Rectangle(x1, y1, x2, y2 float64) string {
	at := func(x, y float64, op string) string {
		return fmt.Sprintf("X%dY%d%s*\n", int64(x*1e6), int64(y*1e6), op)
	}
	return at(x1, y1, "D02") + at(x2, y1, "D01") + at(x2, y2, "D01") + at(x1, y2, "D01") + at(x1, y1, "D01")
}
